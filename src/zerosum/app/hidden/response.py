"""A learned answer to one player of an invisible game: what it wins, a perfect opponent wins at least.

Where a board is too large for the exact measure, a responder plays game after game against the player and
remembers what its moves brought: a tree search whose simulations are whole games, over what the responder
sees (after Timbers and others, 2022, who add a network). Where it has not been before it completes a line
if it sees one, and else does what the player itself would do in its place, or anything if the player does
not say its chances. So it begins with about what the player gets against itself, and improves on that.
Then it plays new games with what worked best, and only these count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from zerosum.arena.tally import Tally
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.random import make_rng, random_below, random_unit
from zerosum.core.state import State, View
from zerosum.players.common.asking import DrawsByChances
from zerosum.players.common.player import Player

EXPLORATION = 2.0  # of the mean result, which lies between -1 and 1
EVEN_SHARE = (
    0.5  # of the weight with which moves are tried first; the other half goes by the player's chances
)
LEARNING_SHARE = 0.7  # of the time; the rest goes to the games that count
FEWEST = 20  # games that count, however slow the player is
MOST_ANSWERS = 200_000  # of the player's that are remembered

# Told the share of the time that is used, 0 to 1.
Progress = Callable[[float], None]


@dataclass(frozen=True)
class LowerBound:
    """What a learned responder got, for the responder, from -1 to 1."""

    learnt_from: int  # games
    result: Tally  # of the games that count

    @property
    def value(self) -> float:
        return 2 * self.result.score_share - 1

    @property
    def interval(self) -> tuple[float, float]:
        """At 95 %."""
        low, high = self.result.score_interval
        return 2 * low - 1, 2 * high - 1


@dataclass
class Memory:
    """What the responder knows of its moves from one view."""

    weights: NDArray[np.float64]  # [action] how promising each is before it was tried; 0: not legal
    visits: NDArray[np.float64]  # [action]
    totals: NDArray[np.float64]

    def to_try(self) -> int:
        """The move to learn from next."""
        tried = self.visits.sum()
        mean = self.totals.sum() / max(1.0, tried)  # what an untried move is taken to bring
        means = np.where(self.visits > 0, self.totals / np.maximum(self.visits, 1.0), mean)
        worth = means + EXPLORATION * self.weights * np.sqrt(tried + 1.0) / (self.visits + 1.0)
        return int(np.argmax(np.where(self.weights > 0, worth, -np.inf)))

    def best(self) -> int:
        return int(np.argmax(self.visits))


class Responder:
    """Sits in one seat opposite one player, and learns."""

    def __init__(self, game: Game, player: Player, seat: int, seed: int) -> None:
        self.game = game
        self.player = player
        self.seat = seat
        self.rng = make_rng("responder", seat, seed)
        self.memories: dict[bytes, Memory] = {}
        self.answers: dict[bytes, NDArray[np.float64]] = {}  # cumulated chances
        self.games = 0

    def play(self, learning: bool) -> float:
        """One game; returns the responder's result and, if it is to learn, remembers what led there."""
        self.player.new_game(self.games)
        state = self.game.new(self.games)
        self.games += 1
        path: list[tuple[Memory, int]] = []
        known = True  # until the first view that was never seen
        while not state.finished:
            view = state.view()
            if view.mover != self.seat:
                state.play(self._answer(view))
                continue
            memory = self.memories.get(view.position.tobytes()) if known else None
            if memory is None and known and learning:
                memory = self.memories[view.position.tobytes()] = self._new_memory(view)
                known = False
            if memory is None:
                known = False
                state.play(self._natural(view))
                continue
            action = memory.to_try() if learning else memory.best()
            path.append((memory, action))
            state.play(action)
        result = value_for(state.outcome, self.seat)
        for memory, action in path if learning else ():
            memory.visits[action] += 1
            memory.totals[action] += result
        return result

    def _new_memory(self, view: View) -> Memory:
        legal = view.legal_actions()
        weights = np.zeros(self.game.num_actions)
        weights[legal] = 1.0 / len(legal)
        if isinstance(self.player, DrawsByChances):
            chances = np.diff(self._chances_ends(self.player, view), prepend=0.0)
            weights = EVEN_SHARE * weights + (1.0 - EVEN_SHARE) * chances
        return Memory(weights, np.zeros(len(weights)), np.zeros(len(weights)))

    def _natural(self, view: View) -> int:
        """A move that wins if the board is what the responder sees, else one that the player would make."""
        legal = view.legal_actions()
        for action in legal:
            trial = State(view.game, view.position.copy())
            trial.play(action)
            if trial.finished and value_for(trial.outcome, view.mover) > 0:
                return action
        if isinstance(self.player, DrawsByChances):
            return self._answer(view)
        return legal[random_below(self.rng, len(legal))]

    def _answer(self, view: View) -> int:
        """The player's move; one that says its chances is asked once about a view."""
        if not isinstance(self.player, DrawsByChances):
            return self.player.choose(view).action
        ends = self._chances_ends(self.player, view)
        return int(np.searchsorted(ends, random_unit(self.rng) * ends[-1], side="right"))

    def _chances_ends(self, player: DrawsByChances, view: View) -> NDArray[np.float64]:
        """The player's chances at a view, each added to those before it."""
        key = view.position.tobytes()
        if key not in self.answers:
            if len(self.answers) >= MOST_ANSWERS:
                self.answers.clear()
            self.answers[key] = np.cumsum(player.chances(view))
        return self.answers[key]


def bound_from_below(
    game: Game, player: Player, seat: int, seconds: float, seed: int, progress: Progress
) -> LowerBound:
    """Learn to answer a player from a seat for so long, and count what that brings."""
    if not game.hidden:
        raise BadSpec(
            f"{game.spec} hides nothing; a responder is learned for games such as invisible-connect4"
        )
    responder = Responder(game, player, seat, seed)
    for _ in _for_seconds(seconds, LEARNING_SHARE, 0.0, progress):
        responder.play(learning=True)
    learnt_from = responder.games
    wins = draws = losses = 0
    for _ in _for_seconds(seconds, 1.0, LEARNING_SHARE, progress):
        result = responder.play(learning=False)
        wins, draws, losses = wins + (result > 0), draws + (result == 0), losses + (result < 0)
    return LowerBound(learnt_from, Tally(wins, draws, losses))


def _for_seconds(seconds: float, until: float, since: float, progress: Progress) -> Iterator[int]:
    """Games, until a share of the time is used, counted from another."""
    began = monotonic()
    number = 0
    while number < FEWEST or since + (monotonic() - began) / seconds < until:
        yield number
        number += 1
        progress(min(until, since + (monotonic() - began) / seconds))
