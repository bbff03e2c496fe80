"""Q-learning: a table of what each move is worth in each position, learnt from games against oneself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from zerosum.errors import BadSpec
from zerosum.games.kit.game import Game
from zerosum.games.kit.random import make_rng
from zerosum.learn.kit.checkpoint import Arrays, Facts
from zerosum.learn.kit.listeners import Measure, Metrics
from zerosum.learn.kit.trainer import Progress
from zerosum.learn.q_learning.episodes import (
    CUT_TRACES,
    DECAY,
    DISCOUNT,
    DRAWN,
    EPSILON,
    FIRST_WON,
    INITIAL,
    LATEST,
    LEAST_EPSILON,
    OPTIONS,
    RATE,
    ROWS,
    SLOWING,
    STARTS,
    TOTALS,
    TRACES,
    TURNED_AWAY,
    UNTRIED_FIRST,
    UPDATES,
    learn_episodes,
)
from zerosum.learn.q_learning.settings import QLearningSettings
from zerosum.learn.q_learning.truth import Truth, find_truth, judge
from zerosum.players.kit.tables import pack_table
from zerosum.players.q_learning import MOVES_FILE, MovePlayer, MoveTable
from zerosum.search.canonical import Canon

STEP = 10_000  # episodes between signs of life


class QLearning:
    """The learner: an open hash table with a row of moves for each position, up to symmetry."""

    def __init__(self, game: Game, settings: QLearningSettings, seed: int) -> None:
        if game.hidden:
            raise BadSpec(f"Q-learning needs to see the whole board, and {game.spec} hides it")
        self.game = game
        self.settings = settings
        self.canon = Canon(game)
        self.action_turns = np.ascontiguousarray(game.symmetries.actions, dtype=np.int64)
        slots = self._slots()
        self.keys = np.zeros(slots, dtype=np.uint64)
        self.values = np.zeros((slots, game.num_actions), dtype=np.float32)
        self.counts = np.zeros((slots, game.num_actions), dtype=np.uint16)
        self.positions = np.zeros((slots, game.position_words), dtype=np.uint64)  # one of each row's images
        self.untried = np.zeros(
            slots, dtype=np.uint16
        )  # how many legal moves of each row were not updated yet
        self.totals = np.zeros(TOTALS, dtype=np.int64)
        self.rng = make_rng("q-learning", seed)
        self.episodes = 0

    def iterate(self, iteration: int, progress: Progress) -> Metrics:
        end = min(iteration * self.settings.iteration_episodes, self.settings.budget.episodes)
        before, began, first = self.totals.copy(), monotonic(), self.episodes
        while self.episodes < end:
            progress("episodes", self.episodes - first, end - first)
            self._learn(min(self.episodes + STEP, end))
        seconds = monotonic() - began
        new, played = self.totals - before, max(1, end - first)
        return {
            "episodes": float(self.episodes),
            "positions": float(self.totals[ROWS]),
            "untried_moves": float(self.untried.sum()),
            "updates": float(new[UPDATES]),
            "decisive_share": 1 - float(new[DRAWN]) / played,
            "first_player_share": float(new[FIRST_WON]) / played,
            "turned_away": float(new[TURNED_AWAY]),
            "learning_seconds": seconds,
            "updates_per_second": float(new[UPDATES]) / max(seconds, 1e-9),
        }

    def player(self, iteration: int) -> Callable[[Game], MovePlayer]:
        table = self._moves()
        return lambda game: MovePlayer(game, table, "q-learning")

    def measures(self, iteration: int) -> Iterator[Measure]:
        """Of the visited positions, where the best known move is best; and where a win in one is taken."""
        if self._truth is None:
            return
        found = judge(self.game, self._truth, self.keys, self.values)
        yield Measure("optimal_moves", found.optimal_share, found.visited)
        yield Measure("wins_taken", found.wins_taken_share, found.with_a_win_in_one)

    def settled(self) -> str:
        return ""

    def warnings(self) -> Iterable[str]:
        return ()

    def arrays(self) -> Arrays:
        """Rows in the order of their keys, and only moves that were tried: a fraction of the table."""
        rows = self._rows()
        counts = self.counts[rows]
        own = {
            "counts": counts[counts > 0],
            "positions": self.positions[rows],
            "slots": rows,
            "untried": self.untried[rows],
            "totals": self.totals,
            "rng": self.rng,
        }
        return {**self._moves()._asdict(), **own}

    def facts(self) -> Facts:
        return {"episodes": self.episodes}

    def restore(self, arrays: Arrays, facts: Facts) -> None:
        self.episodes = facts["episodes"]
        self.totals[:] = arrays["totals"]
        self.rng[:] = arrays["rng"]
        slots = arrays["slots"]
        self.keys[slots] = arrays["keys"]
        self.positions[slots] = arrays["positions"]
        self.untried[slots] = arrays["untried"]
        tried = np.unpackbits(arrays["tried"], axis=1, count=self.game.num_actions).astype(bool)
        values = np.full(tried.shape, arrays["initial"][0], dtype=np.float32)
        counts = np.zeros(tried.shape, dtype=np.uint16)
        values[tried] = arrays["values"]
        counts[tried] = arrays["counts"]
        self.values[slots] = values
        self.counts[slots] = counts

    def files(self) -> dict[str, bytes]:
        return {MOVES_FILE: pack_table(self.game, **self._moves()._asdict())}

    def _slots(self) -> int:
        """As many as the memory allows: a power of two."""
        row = 10 + 8 * self.game.position_words + 6 * self.game.num_actions  # all that a row holds
        slots = 1 << ((self.settings.megabytes << 20) // row).bit_length() - 1
        if slots < 1024:
            raise BadSpec(f"{self.settings.megabytes} MB hold {slots} positions of {self.game}; allow more")
        return slots

    def _learn(self, end: int) -> None:
        game = self.game
        sizes = (game.position_words, game.max_legal, game.max_plies, len(self.canon.planes))
        learn_episodes(
            game.rules, game.table, self.canon.zobrist, self.action_turns, self.keys, self.values,
            self.counts, self.positions, self.untried, self._options, self.rng, self.totals,
            np.array(sizes, dtype=np.int64), self.episodes, end,
        )  # fmt: skip
        self.episodes = end

    def _rows(self) -> NDArray[np.int64]:
        """The rows in use, by key."""
        used = np.flatnonzero(self.keys)
        return used[np.argsort(self.keys[used])]

    def _moves(self) -> MoveTable:
        """What players need."""
        rows = self._rows()
        tried = self.counts[rows] > 0
        initial = np.array([self.settings.learning.initial], dtype=np.float32)
        return MoveTable(self.keys[rows], np.packbits(tried, axis=1), self.values[rows][tried], initial)

    @cached_property
    def _options(self) -> NDArray[np.float64]:
        learning, exploration = self.settings.learning, self.settings.exploration
        options = np.zeros(OPTIONS)
        options[EPSILON] = exploration.start
        options[DECAY] = exploration.decay
        options[LEAST_EPSILON] = exploration.least
        options[STARTS] = exploration.starts
        options[RATE] = learning.rate
        options[SLOWING] = learning.slowing
        options[DISCOUNT] = learning.discount
        options[TRACES] = learning.traces
        options[CUT_TRACES] = learning.cut_traces
        options[LATEST] = learning.latest
        options[INITIAL] = learning.initial
        options[UNTRIED_FIRST] = exploration.untried_first
        return options

    @cached_property
    def _truth(self) -> Truth | None:
        return find_truth(self.game, self.settings.evaluation.known_states)
