"""Hidden games from the definition, in plain Python: every history, by the game's rules.

An information set is the tuple of what a player saw whenever it was to move, each with what it then tried.
"""

from __future__ import annotations

from collections.abc import Callable

from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.state import State

Known = tuple[tuple[bytes, int], ...]
Weighted = tuple[State, Known, float]  # a history, what the player asked about knows, its weight
Chances = Callable[[int, bytes], dict[int, float]]  # of each action, for a player and what it sees


def after(state: State, action: int) -> State:
    twin = state.copy()
    twin.play(action)
    return twin


def value(state: State, chances: Chances) -> float:
    """To the first player, when both play by their chances."""
    if state.finished:
        return value_for(state.outcome, 0)
    mixed = chances(state.mover, state.view().position.tobytes())
    return sum(chance * value(after(state, action), chances) for action, chance in mixed.items())


def response(game: Game, player: int, chances: Chances) -> tuple[float, int]:
    """The best that a player can get against the other's chances, and its information sets on the way."""
    return _response(player, chances, [(game.new(), (), 1.0)])


def _response(player: int, chances: Chances, likely: list[Weighted]) -> tuple[float, int]:
    """The same from histories that the player cannot tell apart."""
    total, sets = 0.0, 0
    waiting: dict[Known, list[Weighted]] = {}
    while likely:
        state, known, weight = likely.pop()
        if state.finished:
            total += weight * value_for(state.outcome, player)
        elif state.mover == player:
            now = (*known, (state.view().position.tobytes(), -1))
            waiting.setdefault(now, []).append((state, known, weight))
        else:
            mixed = chances(state.mover, state.view().position.tobytes())
            likely += [(after(state, action), known, weight * chance) for action, chance in mixed.items()]
    for now, alike in waiting.items():
        seen, best = now[-1][0], float("-inf")
        sets += 1
        for action in alike[0][0].legal_actions():
            then = [
                (after(state, action), (*known, (seen, action)), weight) for state, known, weight in alike
            ]
            found, below = _response(player, chances, then)
            best, sets = max(best, found), sets + below
        total += best
    return total, sets
