"""How a simulation walks where stones are hidden: over what the players see, not over positions.

The player does not know the other's stones, and the other does not see the player's. So no choice may depend
on more than a view. A tree of positions forgets that: in each past the player would choose anew, as if
it knew which one it is in, and the other would find answers to moves that it never saw. Here one node stands
for a view, in whatever pasts it comes about.

- The player's own choices are searched: what a move has returned is summed over all pasts (as in POMCP,
  Silver and Veness 2010, with the network's policy and value in place of rollouts).
- The other's choices, past and future, are drawn as the network would play them from the other's view.
  Nobody chooses by value what has happened or what is done blindly.
- A simulation ends at a view of the player's own that is new, or with the game. The other's
  views say nothing of the player's last move, so its worth cannot be read from them.

The n-th visit to a move of the root meets the n-th past, the same for all moves: what differs between
two moves is then their doing rather than luck.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from zerosum.core.compiling.compile import INT, UINT, Rules, Word, Words, helper
from zerosum.core.outcome import UNFINISHED
from zerosum.core.random import mix
from zerosum.games.families.invisible import known_board
from zerosum.games.families.lines import WORDS
from zerosum.games.families.stones import BOARDS
from zerosum.search.tree.nodes import ABSENT, ROOT, Nodes, clear_node
from zerosum.search.tree.puct import choose_puct
from zerosum.search.tree.sealed_model import lays_past

DOUBT = 0.1  # share of the other's moves that are any other than what the network would play
UNIT = 2.0**-53
LONGEST_PROBE = 64  # for a view in a crowded table, before it counts as full


class Tree(NamedTuple):
    """Nodes, found by what is seen. A view's node has moves for children, and these have none."""

    nodes: Nodes
    views: Any  # [slot, 2] keys of views, 0 where free, and their nodes
    used: Any  # [1] nodes in use
    max_legal: int


@helper
def view_key(table: Words, position: Words) -> Word:
    """A key of what the mover sees in a position of the model, and of whether it is catching up; never 0."""
    words = INT(table[WORDS])
    mover = INT(position[BOARDS * words])
    known = known_board(table, mover)
    key = mix(UINT(2 * mover + lays_past(position) + 1))
    for word in range(words):
        key = mix(key ^ position[mover * words + word])
        key = mix(key ^ position[known + word])
    return key | UINT(1)


@helper
def find_view(tree: Tree, key: Word) -> int:
    """The node of a view, a new one if it was never seen.

    A tree without room for another view and its moves is full for good: its last node then stands for any new
    view, and never gets children.
    """
    nodes, views, used, max_legal = tree
    slot = INT(key >> UINT(1)) & (len(views) - 1)
    for _ in range(LONGEST_PROBE):
        if views[slot, 0] == key:
            return INT(views[slot, 1])
        if views[slot, 0] == UINT(0):
            break
        slot = (slot + 1) & (len(views) - 1)
    node = INT(used[0])
    if views[slot, 0] == UINT(0) and node + 1 + max_legal < len(nodes):
        views[slot, 0] = key
        views[slot, 1] = UINT(node)
        used[0] = node + 1
    else:
        node = len(nodes) - 1
        used[0] = len(nodes)
    clear_node(nodes, node, 0, 1.0)
    return node


@helper
def draw_choice(nodes: Nodes, node: int, salt: Word, step: int, number: int) -> int:
    """A child as likely as its prior, by the salt, the step of the walk and the number of the past.

    From one number to the next the draw moves by a fixed share of the circle, another for each step, which
    keeps draws closer to their shares than chance does.
    """
    first = INT(nodes[node].first_child)
    count = INT(nodes[node].num_children)
    stride = float(mix(UINT(step + 1)) >> UINT(11)) * UNIT
    place = float(mix(salt ^ UINT(step)) >> UINT(11)) * UNIT + number * stride
    left = place - math.floor(place)
    for child in range(first, first + count):
        left -= (1.0 - DOUBT) * nodes[child].prior + DOUBT / count
        if left < 0.0:
            return child
    return first + count - 1


@helper
def walk_hidden(
    rules: Rules,
    table: Words,
    tree: Tree,
    choice: int,  # the root's child to look at
    method: Any,
    salt: Word,
    position: Words,
    path: Words,
) -> int:
    """Play a position on to a view that is new or to the end of the game, and return the path's length.

    The path is the root, the choices of the player, and the new view if there is one.
    """
    nodes = tree.nodes
    player = INT(nodes[ROOT].mover)
    number = INT(nodes[choice].visits)
    node = ROOT
    depth = 0
    step = 0
    while nodes[node].first_child != ABSENT:
        if INT(nodes[node].mover) != player:
            child = draw_choice(nodes, node, salt, step, number)
        else:
            child = choice if depth == 0 else choose_puct(nodes, node, method)
            nodes[child].mover = player
            depth += 1
            path[depth] = child
        rules.play(table, position, INT(nodes[child].action))
        step += 1
        if rules.outcome(table, position) != UNFINISHED:
            return depth
        node = find_view(tree, view_key(table, position))
    depth += 1
    path[depth] = node
    return depth
