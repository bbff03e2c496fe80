"""Thousands of games of one kind, stepped in one call of a kernel: an environment for learners of any kind.

Both sides are played from outside: ``movers`` says whose move it is in each game. A game that ends is counted
and begun again within the same step, so every row always has a legal action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    Rules,
    Words,
    actions_type,
    int_type,
    kernel,
    part,
    rules_type,
    words_type,
)
from zerosum.core.errors import BadSpec, IllegalMove
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND, UNFINISHED, value_for
from zerosum.core.random import make_rng, random_below
from zerosum.games import make_game

Bytes: TypeAlias = NDArray[np.uint8]
Floats: TypeAlias = NDArray[np.float32]

ALL_LEGAL = -1
VIEW = Rules._fields.index("view")  # by its place: numba takes ``.view`` for the method of an array
byte_rows = types.uint8[:, ::1]


class Rows(NamedTuple):
    """Games side by side, and what is seen of them; ``Step`` says what most arrays hold."""

    positions: Words  # [game, word]
    planes: Words  # [game, plane and cell]
    masks: Words
    movers: Words
    rewards: Words
    ended: Words
    legal: Words  # [max_legal] scratch
    seen: Words  # [word] scratch


rows_type = types.NamedTuple(
    [
        types.uint64[:, ::1],
        types.float32[:, ::1],
        byte_rows,
        types.uint8[::1],
        types.float32[:, ::1],
        types.uint8[::1],
        actions_type,
        words_type,
    ],
    Rows,
)


@part
def observe(rules: Rules, table: Words, rows: Rows, row: int) -> None:
    """Fill a row with what the player to move in its game may know."""
    positions, planes, masks, movers, _, _, legal, seen = rows
    mover = rules.mover(table, positions[row])
    rules[VIEW](table, positions[row], mover, seen)
    for action in range(masks.shape[1]):
        masks[row, action] = 0
    for i in range(rules.legal(table, seen, legal)):
        masks[row, legal[i]] = 1
    rules.encode(table, seen, planes[row])
    movers[row] = mover


@kernel(types.void(rules_type, words_type, rows_type, words_type), allocates=False)
def start_games(rules: Rules, table: Words, rows: Rows, rng: Words) -> None:
    """Begin every game anew."""
    for row in range(len(rows.positions)):
        rules.start(table, rows.positions[row], rng)
        observe(rules, table, rows, row)


@kernel(int_type(rules_type, words_type, rows_type, actions_type, words_type), allocates=False)
def step_games(rules: Rules, table: Words, rows: Rows, actions: Words, rng: Words) -> int:
    """Play an action in every game; returns ALL_LEGAL, or the first row whose action is not, nothing done."""
    positions, _, masks, _, rewards, ended, _, _ = rows
    for row in range(len(actions)):
        action = actions[row]
        if action < 0 or action >= masks.shape[1] or masks[row, action] == 0:
            return row
    for row in range(len(actions)):
        position = positions[row]
        rules.play(table, position, actions[row])
        outcome = rules.outcome(table, position)
        ended[row] = outcome != UNFINISHED
        rewards[row, FIRST] = value_for(outcome, FIRST)
        rewards[row, SECOND] = value_for(outcome, SECOND)
        if outcome != UNFINISHED:
            rules.start(table, position, rng)
        observe(rules, table, rows, row)
    return ALL_LEGAL


@kernel(types.void(byte_rows, actions_type, words_type))
def draw_actions(masks: Words, actions: Words, rng: Words) -> None:
    """A random legal action of every row."""
    for row in range(len(actions)):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[row, action]
        place = random_below(rng, count)
        for action in range(masks.shape[1]):
            if masks[row, action]:
                if place == 0:
                    actions[row] = action
                    break
                place -= 1


@dataclass(frozen=True)
class Step:
    """What a step came to: arrays of the environment, which the next step overwrites."""

    observations: Floats  # [game, plane, *board], seen by the player to move
    masks: Bytes  # [game, action], 1 where legal
    movers: Bytes  # [game], 0 or 1
    rewards: Floats  # [game, player]: 1, 0 or -1 of a game that ended with this step, else 0
    ended: Bytes  # [game], 1 where it did; what is observed is then the start of the next game


class VectorGames:
    """So many games at once; the same seed and actions give the same games."""

    def __init__(self, game: str | Game, number: int, seed: int = 0) -> None:
        if number < 1:
            raise BadSpec(f"an environment needs at least 1 game, not {number}")
        self.game = make_game(game) if isinstance(game, str) else game
        self.number = number
        planes, cells = len(self.game.planes), self.game.num_cells
        self._actions = np.zeros(number, dtype=np.int64)
        rows = Rows(
            positions=np.zeros((number, self.game.position_words), dtype=np.uint64),
            planes=np.zeros((number, planes * cells), dtype=np.float32),
            masks=np.zeros((number, self.game.num_actions), dtype=np.uint8),
            movers=np.zeros(number, dtype=np.uint8),
            rewards=np.zeros((number, 2), dtype=np.float32),
            ended=np.zeros(number, dtype=np.uint8),
            legal=np.zeros(self.game.max_legal, dtype=np.int64),
            seen=np.zeros(self.game.position_words, dtype=np.uint64),
        )
        shown = rows.planes.reshape(number, planes, *self.game.shape)
        self._rows = rows
        self._last = Step(shown, rows.masks, rows.movers, rows.rewards, rows.ended)
        self.reset(seed)

    def reset(self, seed: int = 0) -> Step:
        """Begin every game anew; the seed decides about starts that are drawn, and random actions."""
        self._rng = make_rng("vector", seed)
        self._last.rewards[:] = 0
        self._last.ended[:] = 0
        start_games(self.game.rules, self.game.table, self._rows, self._rng)
        return self._last

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action of each game, drawn evenly."""
        actions = np.empty(self.number, dtype=np.int64)
        draw_actions(self._last.masks, actions, self._rng)
        return actions

    def step(self, actions: NDArray[np.int64]) -> Step:
        """Play one action in each game; IllegalMove names the first that is not legal; nothing is played."""
        if np.shape(actions) != (self.number,):
            raise BadSpec(f"{self.number} games take {self.number} actions, not {np.shape(actions)}")
        self._actions[:] = actions
        last = self._last
        wrong = step_games(self.game.rules, self.game.table, self._rows, self._actions, self._rng)
        if wrong != ALL_LEGAL:
            legal = " ".join(map(str, np.flatnonzero(last.masks[wrong])[:60]))
            raise IllegalMove(f"game {wrong}: action {actions[wrong]} is not legal here; legal: {legal}")
        return last
