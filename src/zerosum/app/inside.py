"""How a search came to its opinion: what it thought after fewer simulations, and the tree that it grew."""

from __future__ import annotations

from dataclasses import dataclass

from zerosum.core.state import State
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.players.common.player import Player
from zerosum.players.common.registry import make_player, split_spec
from zerosum.players.mcts import MctsPlayer
from zerosum.search.tree.nodes import ROOT

FEWEST = 8  # simulations of the first look
LEVELS = 3
WIDEST = 6  # branches of a node that are shown
LEAST_VISITS = 2


@dataclass(frozen=True)
class Growth:
    """What a search thought after so many simulations."""

    simulations: int
    shares: dict[int, float]  # by action, of the visits


@dataclass(frozen=True)
class Branch:
    """A node of a tree; the value is for whoever moves there, from -1 to 1."""

    move: str
    visits: int
    value: float
    prior: float | None
    children: tuple[Branch, ...]


def growth_of(state: State, spec: str) -> list[Growth]:
    """The opinion after 8, 16, 32 ... simulations, up to the spec's; nothing of players that count none."""
    arguments = split_spec(spec)
    if not arguments.value.isdecimal() or int(arguments.value) < 2 * FEWEST or state.finished:
        return []
    found = []
    simulations = FEWEST
    while simulations <= int(arguments.value):
        fewer = spec.replace(f":{arguments.value}", f":{simulations}", 1)
        choice = make_player(fewer, state.game).choose(state.view())
        total = sum(candidate.visits or 0 for candidate in choice.candidates)
        if not total:
            return []
        shares = {c.action: (c.visits or 0) / total for c in choice.candidates}
        found.append(Growth(simulations, shares))
        simulations *= 2
    return found


def tree_of(state: State, spec: str) -> list[Branch]:
    """The first levels of the tree that a player grows, most visited first; nothing where it grows none."""
    player: Player = make_player(spec, state.game)
    player.choose(state.view())
    if isinstance(player, MctsPlayer):
        return _by_rollouts(player, state)
    if isinstance(player, AlphaZeroPlayer) and not state.game.hidden:
        return _by_network(player, state)
    return []


def _by_rollouts(player: MctsPlayer, state: State) -> list[Branch]:
    search = player.searches[0]
    nodes = search.memory.nodes

    def grow(node: int, mover: int, at: State, level: int) -> list[Branch]:
        children = sorted(search.children(node), key=lambda child: -int(nodes["visits"][child]))
        found = []
        for child in children[:WIDEST]:
            visits, action = int(nodes["visits"][child]), int(nodes["action"][child])
            if visits < LEAST_VISITS:
                break
            value = float(nodes["total"][child]) / visits * (1 if mover == 0 else -1)
            found.append(_branch(at, action, visits, value, None, level, child, grow))
        return found

    return grow(ROOT, state.mover, state, 1)


def _by_network(player: AlphaZeroPlayer, state: State) -> list[Branch]:
    nodes = player.search.model.searches.trees[0]

    def grow(node: int, mover: int, at: State, level: int) -> list[Branch]:
        record = nodes[node]
        first = int(record["first_child"])
        children = range(first, first + int(record["num_children"])) if first > 0 else range(0)
        found = []
        for child in sorted(children, key=lambda child: -int(nodes[child]["visits"]))[:WIDEST]:
            visits, action = int(nodes[child]["visits"]), int(nodes[child]["action"])
            if visits < 1:
                break
            value = float(nodes[child]["total"]) / visits
            found.append(_branch(at, action, visits, value, float(nodes[child]["prior"]), level, child, grow))
        return found

    return grow(ROOT, state.mover, state, 1)


def _branch(
    at: State,
    action: int,
    visits: int,
    value: float,
    prior: float | None,
    level: int,
    node: int,
    grow: object,
) -> Branch:
    after = at.copy()
    after.play(action)
    children: tuple[Branch, ...] = ()
    if level < LEVELS and not after.finished and callable(grow):
        children = tuple(grow(node, after.mover, after, level + 1))
    return Branch(at.game.notation.name(action), visits, value, prior, children)
