"""Any game of stones and lines made invisible: each player sees only what its own moves have shown.

The idea is INVISIBLE's (Knowles, Young, Liu, Gowda and Holmes), after Kriegspiel. There is a true board, and
one visible board a player, which holds its own stones and those of the other's that it knows of. A player
may try whatever its visible board allows. Where the true board does not, the try is a collision: it
costs nothing, and the same player tries again.

What a try shows is said by shafts: an action's cells in the order in which they fill. A stone comes
to rest on the first free cell of its shaft; there is a collision when none is free. Either way every
stone of the tried shaft is now certain, for those below were in the way. In tic-tac-toe a shaft is one
cell, in Connect Four it is a column from the bottom up. Certain is what one's own tries show: deductions
from the number of stones, or from lines that cannot be there, are the player's own business.

A position is that of the open game, and what each player knows of the other's stones::

    [first's stones | second's stones | bricks | mover | outcome | known to the first | known to the second]
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import ONE, has_bit, popcount, set_bit
from zerosum.core.compiling.compile import INT, UINT, Words, gather_rules, helper, rule
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, UNFINISHED
from zerosum.core.random import make_rng, random_below
from zerosum.games.families.lines import CELLS, NUM_PLANES, WORDS, completes_line
from zerosum.games.families.stones import (
    BOARDS,
    any_free,
    end_turn,
    stone_words,
    stones_mover,
    stones_outcome,
    stones_start,
)

BRICKS = 2  # the third board of a position
PROBES = 20  # random games in which to see what the moves of a game do

# The table is that of the open game, and at its end the shafts, [action, height], their number and height.
NUM_SHAFTS = -2
HEIGHT = -1


@helper
def shaft_cell(table: Words, action: int, height: int) -> int:
    """The cell that an action's stone fills when so many of its shaft are taken."""
    end = len(table) + NUM_SHAFTS
    high = INT(table[end + 1])
    return INT(table[end - (INT(table[end]) - action) * high + height])


@helper
def known_board(table: Words, player: int) -> int:
    """The first word of what a player knows of the other's stones."""
    return BOARDS * INT(table[WORDS]) + 2 + player * INT(table[WORDS])


@helper
def is_seen(table: Words, position: Words, player: int, cell: int) -> bool:
    """Whether a player sees something on a cell: its own stone, a known one of the other's, or a brick."""
    words = INT(table[WORDS])
    word = cell >> 6
    taken = position[player * words + word] | position[known_board(table, player) + word]
    return ((taken | position[BRICKS * words + word]) >> UINT(cell & 63)) & UINT(1) != UINT(0)


@helper
def resting_cell(table: Words, position: Words, action: int) -> int:
    """Where a stone comes to rest on the true board; -1 where the shaft is full."""
    words = INT(table[WORDS])
    for height in range(INT(table[len(table) + HEIGHT])):
        cell = shaft_cell(table, action, height)
        word = cell >> 6
        taken = position[word] | position[words + word] | position[BRICKS * words + word]
        if (taken >> UINT(cell & 63)) & UINT(1) == UINT(0):
            return cell
    return -1


@helper
def reveal(table: Words, position: Words, player: int, action: int) -> None:
    """Show a player the other's stones in the shaft it tried."""
    words = INT(table[WORDS])
    known = known_board(table, player)
    for height in range(INT(table[len(table) + HEIGHT])):
        cell = shaft_cell(table, action, height)
        if has_bit(position, (1 - player) * words, cell):
            set_bit(position, known, cell)


@helper
def count_stones(table: Words, position: Words, first_word: int) -> int:
    """Stones on the board that begins at a word."""
    count = 0
    for word in range(INT(table[WORDS])):
        count += popcount(position[first_word + word])
    return count


@helper
def hidden_stones(table: Words, position: Words, player: int) -> int:
    """How many of the other's stones a player to move does not see: turns alternate, so it can tell."""
    laid = count_stones(table, position, player * INT(table[WORDS])) + player
    return max(0, laid - count_stones(table, position, known_board(table, player)))


@rule
def invisible_legal(table: Words, position: Words, actions: Words) -> int:
    """Shafts that are not full on the mover's visible board."""
    words = INT(table[WORDS])
    if position[BOARDS * words + 1] != UINT(UNFINISHED):
        return 0
    mover = INT(position[BOARDS * words])
    top = INT(table[len(table) + HEIGHT]) - 1
    count = 0
    for action in range(INT(table[len(table) + NUM_SHAFTS])):
        if not is_seen(table, position, mover, shaft_cell(table, action, top)):
            actions[count] = action
            count += 1
    return count


@rule
def invisible_play(table: Words, position: Words, action: int) -> None:
    words = INT(table[WORDS])
    mover = INT(position[BOARDS * words])
    cell = resting_cell(table, position, action)
    if cell >= 0:
        set_bit(position, mover * words, cell)
        won = completes_line(table, position, mover * words, cell)
        end_turn(table, position, mover, won, not any_free(table, position))
    reveal(table, position, mover, action)


@rule
def invisible_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    while True:
        count = invisible_legal(table, position, actions)
        if count == 0:
            return INT(position[BOARDS * INT(table[WORDS]) + 1])
        invisible_play(table, position, actions[random_below(rng, count)])


@rule
def invisible_encode(table: Words, position: Words, planes: Words) -> None:
    """Planes of the mover's visible board: own stones, known ones, bricks where the game has them; then the
    share of the unseen cells that hide a stone, on those cells; then 1 everywhere for the second player."""
    words = INT(table[WORDS])
    cells = INT(table[CELLS])
    mover = INT(position[BOARDS * words])
    unseen = 0
    for cell in range(cells):
        unseen += 0 if is_seen(table, position, mover, cell) else 1
    share = np.float32(hidden_stones(table, position, mover) / max(1, unseen))
    shown = INT(table[NUM_PLANES])
    for cell in range(cells):
        planes[cell] = np.float32(has_bit(position, mover * words, cell))
        planes[cells + cell] = np.float32(has_bit(position, known_board(table, mover), cell))
        if shown > 2:
            planes[2 * cells + cell] = np.float32(has_bit(position, BRICKS * words, cell))
        seen = is_seen(table, position, mover, cell)
        planes[shown * cells + cell] = np.float32(0) if seen else share
        planes[(shown + 1) * cells + cell] = np.float32(mover)


@rule
def invisible_view(table: Words, position: Words, player: int, seen: Words) -> None:
    """The visible board; and of the other's, what is certain: own stones below one of its own."""
    words = INT(table[WORDS])
    other = 1 - player
    seen[:] = position
    for word in range(words):
        seen[other * words + word] = position[known_board(table, player) + word]
        seen[known_board(table, other) + word] = UINT(0)
    for action in range(INT(table[len(table) + NUM_SHAFTS])):
        below = False
        for step in range(INT(table[len(table) + HEIGHT])):
            cell = shaft_cell(table, action, INT(table[len(table) + HEIGHT]) - 1 - step)
            if has_bit(seen, other * words, cell):
                below = True
            elif below and has_bit(seen, player * words, cell):
                set_bit(seen, known_board(table, other), cell)


@helper
def could_be_seen(table: Words, seen: Words, player: int) -> bool:
    """Whether a board that a player to move is said to see is one that games lead to.

    No cell is taken twice, no stone rests on nothing, no line is complete, and the other's stones are no more
    than it has laid, with room for the rest beside a free cell.
    """
    words = INT(table[WORDS])
    cells = INT(table[CELLS])
    other = 1 - player
    unseen = 0
    for cell in range(64 * words):
        own = has_bit(seen, player * words, cell)
        theirs = has_bit(seen, other * words, cell)
        brick = has_bit(seen, BRICKS * words, cell)
        if (own and theirs) or (own and brick) or (theirs and brick):
            return False
        if theirs != has_bit(seen, known_board(table, player), cell):
            return False
        if cell >= cells and (own or theirs or brick):
            return False
        if cell < cells and not (own or theirs or brick):
            unseen += 1
        if own and completes_line(table, seen, player * words, cell):
            return False
        if theirs and completes_line(table, seen, other * words, cell):
            return False
    for action in range(INT(table[len(table) + NUM_SHAFTS])):
        for height in range(1, INT(table[len(table) + HEIGHT])):
            above, below = shaft_cell(table, action, height), shaft_cell(table, action, height - 1)
            if is_seen(table, seen, player, above) and not is_seen(table, seen, player, below):
                return False
    laid = count_stones(table, seen, player * words) + player
    known = count_stones(table, seen, known_board(table, player))
    return known <= laid and laid - known < unseen


@rule
def invisible_missing(table: Words, seen: Words, memory: Words) -> int:
    """The other's hidden stones; it lays them one after another, as if the player's all lay there already."""
    words = INT(table[WORDS])
    memory[:] = seen
    player = INT(seen[BOARDS * words])
    if seen[BOARDS * words] > UINT(1) or seen[BOARDS * words + 1] != UINT(UNFINISHED):
        return -1
    if not could_be_seen(table, seen, player):
        return -1
    left = hidden_stones(table, seen, player)
    if left > 0:
        memory[BOARDS * words] = UINT(1 - player)
    return left


@helper
def may_lie(table: Words, position: Words, player: int, cell: int) -> bool:
    """Whether a stone of the past may lie on a free cell: the game went on, so it completes no line."""
    first_word = player * INT(table[WORDS])
    set_bit(position, first_word, cell)
    complete = completes_line(table, position, first_word, cell)
    position[first_word + (cell >> 6)] ^= ONE << UINT(cell & 63)
    return not complete


@rule
def invisible_past(table: Words, memory: Words, left: int, actions: Words) -> int:
    """What the other's board allows: collisions, and stones that make no line; none if all would collide."""
    count = invisible_legal(table, memory, actions)
    mover = INT(memory[BOARDS * INT(table[WORDS])])
    kept = 0
    can_go_on = False
    for i in range(count):
        cell = resting_cell(table, memory, actions[i])
        if cell < 0 or may_lie(table, memory, mover, cell):
            can_go_on = can_go_on or cell >= 0
            actions[kept] = actions[i]
            kept += 1
    return kept if can_go_on else 0


@rule
def invisible_lay(table: Words, memory: Words, left: int, action: int) -> int:
    words = INT(table[WORDS])
    mover = INT(memory[BOARDS * words])
    cell = resting_cell(table, memory, action)
    if cell >= 0:
        set_bit(memory, mover * words, cell)
        left -= 1
        if left == 0:
            memory[BOARDS * words] = UINT(1 - mover)
    reveal(table, memory, mover, action)
    return left


INVISIBLE = gather_rules(
    start=stones_start,
    legal=invisible_legal,
    play=invisible_play,
    mover=stones_mover,
    outcome=stones_outcome,
    encode=invisible_encode,
    rollout=invisible_rollout,
    view=invisible_view,
    missing=invisible_missing,
    past=invisible_past,
    lay=invisible_lay,
)


def make_invisible(game: Game, shafts: NDArray[np.int64] | None = None) -> Game:
    """The invisible variant of a game of stones and lines; raises BadSpec, with the reason, for any other.

    ``shafts`` are each action's cells in the order in which they fill, [action, height]; unless they are
    given, an action is a cell.
    """
    words = (game.num_cells + 63) // 64
    if game.hidden:
        raise BadSpec(f"{game.spec} hides something as it is")
    if game.line_cells is None or game.position_words != stone_words(game.num_cells):
        raise BadSpec(f"{game.spec} cannot be made invisible: {_obstacle(game)}")
    if shafts is None:
        shafts = np.arange(game.num_cells)[:, None]
    num_shafts, height = shafts.shape
    if num_shafts != game.num_actions:
        raise BadSpec(f"{game.spec} has {game.num_actions} actions, but {num_shafts} shafts were given")
    ending = [*shafts.reshape(-1).tolist(), num_shafts, height]
    return replace(
        game,
        spec=f"invisible-{game.spec}",
        title=f"Invisible {game.title}",
        rules=INVISIBLE,
        table=np.concatenate([game.table, np.array(ending, dtype=np.uint64)]),
        position_words=game.position_words + 2 * words,
        # A full shaft surprises one player, whose stone is not on top, and once; the last to fill nobody.
        max_plies=game.num_cells + num_shafts - 1,
        planes=(
            "own stones",
            "known stones",
            *game.planes[2:],
            "share of unseen cells taken",
            "second player",
        ),
        has_heuristic=False,
        hidden=True,
        solver="hidden",
    )


def _obstacle(game: Game) -> str:
    """What stands in the way of hiding stones, found by watching random games."""
    for seed in range(PROBES if len(game.planes) > 1 else 0):
        state, rng = game.new(seed), make_rng("obstacle", seed)
        before = _pieces(game, state.position, state.mover)
        while legal := state.legal_actions():
            state.play(legal[random_below(rng, len(legal))])
            after = _pieces(game, state.position, state.mover)
            if any(before[player] & after[1 - player] for player in (0, 1)):
                return "its moves change the owner of pieces that lie on the board"
            if any(before[player] - after[player] for player in (0, 1)):
                return "its moves shift pieces or take them away"
            if sum(map(len, after)) > sum(map(len, before)) + 1:
                return "a move covers several cells at once"
            before = after
    return "only games of stones and lines, such as tictactoe or connect4, can"


def _pieces(game: Game, position: NDArray[np.uint64], mover: int) -> tuple[set[int], set[int]]:
    """The cells of each player, from the first two planes."""
    planes = np.zeros((len(game.planes), game.num_cells), dtype=np.float32)
    game.rules.encode(game.table, position, planes.reshape(-1))
    own, other = (set(np.flatnonzero(plane).tolist()) for plane in planes[:2])
    return (own, other) if mover == FIRST else (other, own)
