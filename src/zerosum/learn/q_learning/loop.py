"""Q-learning: a table of what each move is worth in each position, learnt from games against oneself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from time import thread_time

import numpy as np
from numpy.typing import NDArray

from zerosum.core.compiling.memory import require_memory
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.learn.events.listeners import Measure, Metrics
from zerosum.learn.pool.pool import PoolSpec, start_pool
from zerosum.learn.q_learning.episodes import (
    DRAWN,
    FIRST_WON,
    ROWS,
    TOTALS,
    TURNED_AWAY,
    UPDATES,
    Course,
    Symmetries,
    empty_line,
    learn_episodes,
)
from zerosum.learn.q_learning.memory import ILLEGAL, empty_memory, row_bytes
from zerosum.learn.q_learning.options import pack_options
from zerosum.learn.q_learning.replay import replay
from zerosum.learn.q_learning.settings import QLearningSettings
from zerosum.learn.q_learning.truth import Truth, find_truth, judge
from zerosum.learn.run.checkpoint import Arrays, Facts
from zerosum.learn.training.stop import StopSignal
from zerosum.learn.training.trainer import Progress
from zerosum.players.common.tables import pack_table
from zerosum.players.tables.q_learning import MOVES_FILE, MovePlayer, MoveTable
from zerosum.search.enumerate.canonical import Canon

STEP = 10_000  # episodes between signs of life


class QLearning:
    """The learner: an open hash table with a row of moves for each position, up to symmetry."""

    def __init__(self, game: Game, settings: QLearningSettings, seed: int) -> None:
        if game.hidden:
            raise BadSpec(f"Q-learning needs to see the whole board, and {game.spec} hides it")
        self.stop = StopSignal()
        self.pool = start_pool("threads", PoolSpec(game.spec))
        self.game = game
        self.settings = settings
        actions = np.ascontiguousarray(game.symmetries.actions, dtype=np.int64)
        self.symmetries = Symmetries(Canon(game).forms, actions)
        self.line = empty_line(game)
        self.memory = empty_memory(game, self._rows_that_fit())
        self.options = pack_options(settings)
        self.totals = np.zeros(TOTALS, dtype=np.int64)
        self.rng = make_rng("q-learning", seed)
        self.episodes = 0

    def iterate(self, iteration: int, progress: Progress) -> Metrics:
        """Seconds are those of one core, whatever else the machine does."""
        end = min(iteration * self.settings.iteration_episodes, self.settings.budget.episodes)
        before, began, first = self.totals.copy(), thread_time(), self.episodes
        while self.episodes < end:
            progress("episodes", self.episodes - first, end - first)
            self._learn(min(self.episodes + STEP, end))
        learnt = thread_time()
        replayed = 0
        if self.settings.learning.replay:
            progress("replay", 0, 1)
            replayed = replay(self.memory, self.options)
        seconds = learnt - began
        new, played = self.totals - before, max(1, end - first)
        return {
            "episodes": float(self.episodes),
            "positions": float(self.totals[ROWS]),
            "untried_moves": float(self.memory.untried.sum()),
            "updates": float(new[UPDATES]),
            "replayed": float(replayed),
            "decisive_share": 1 - float(new[DRAWN]) / played,
            "first_player_share": float(new[FIRST_WON]) / played,
            "turned_away": float(new[TURNED_AWAY]),
            "learning_seconds": seconds,
            "replay_seconds": thread_time() - learnt,
            "updates_per_second": float(new[UPDATES]) / max(seconds, 1e-9),
        }

    def player(self, iteration: int) -> Callable[[Game], MovePlayer]:
        table = self._moves()
        return lambda game: MovePlayer(game, table, "q-learning")

    def measures(self, iteration: int) -> Iterator[Measure]:
        """Of the visited positions, where the best known move is best; and where a win in one is taken."""
        if self._truth is None:
            return
        found = judge(self.game, self._truth, self.memory.keys, self.memory.values)
        yield Measure("optimal_moves", found.optimal_share, found.visited)
        yield Measure("wins_taken", found.wins_taken_share, found.with_a_win_in_one)

    def settled(self) -> str:
        return ""

    def warnings(self) -> Iterable[str]:
        return ()

    def arrays(self) -> Arrays:
        """Rows in the order of their keys, and only moves that were tried: a fraction of the table."""
        rows = self._rows()
        counts, memory = self.memory.counts[rows], self.memory
        own = {
            "rows": rows,
            "legal": np.packbits(memory.values[rows] > ILLEGAL, axis=1),
            "counts": counts[counts > 0],
            "followers": memory.followers[rows][counts > 0],
            "positions": memory.positions[rows],
            "depths": memory.depths[rows],
            "untried": memory.untried[rows],
            "totals": self.totals,
            "rng": self.rng,
        }
        return {**self._moves()._asdict(), **own}

    def facts(self) -> Facts:
        return {"episodes": self.episodes, "slots": len(self.memory.keys)}

    def restore(self, arrays: Arrays, facts: Facts) -> None:
        if facts["slots"] != len(self.memory.keys):
            raise BadSpec(
                f"megabytes is {self.settings.megabytes}, room for {len(self.memory.keys):,} positions; the"
                f" run has room for {facts['slots']:,}, and that cannot change on the way"
            )
        self.episodes = facts["episodes"]
        self.totals[:] = arrays["totals"]
        self.rng[:] = arrays["rng"]
        rows = arrays["rows"]
        for name in ("keys", "positions", "depths", "untried"):
            getattr(self.memory, name)[rows] = arrays[name]
        tried, legal = (
            np.unpackbits(arrays[name], axis=1, count=self.game.num_actions).astype(bool)
            for name in ("tried", "legal")
        )
        self.memory.values[rows] = np.where(legal, arrays["initial"], np.float32(ILLEGAL))
        places = rows[np.nonzero(tried)[0]], np.nonzero(tried)[1]
        for name in ("values", "counts", "followers"):
            getattr(self.memory, name)[places] = arrays[name]

    def files(self) -> dict[str, bytes]:
        return {MOVES_FILE: pack_table(self.game, **self._moves()._asdict())}

    def _rows_that_fit(self) -> int:
        """As many as the memory allows: a power of two."""
        rows = 1 << ((self.settings.megabytes << 20) // row_bytes(self.game)).bit_length() - 1
        require_memory(rows * row_bytes(self.game), f"a table of {rows:,} positions")
        if rows < 1024:
            raise BadSpec(f"{self.settings.megabytes} MB hold {rows} positions of {self.game}; allow more")
        return rows

    def _learn(self, end: int) -> None:
        game = self.game
        course = Course(self.episodes, end, self.options, self.rng, self.totals)
        learn_episodes(game.rules, game.table, self.symmetries, self.memory, course, self.line)
        self.episodes = end

    def _rows(self) -> NDArray[np.int64]:
        """The rows in use, by key."""
        used = np.flatnonzero(self.memory.keys)
        return used[np.argsort(self.memory.keys[used])]

    def _moves(self) -> MoveTable:
        """What players need."""
        rows = self._rows()
        tried = self.memory.counts[rows] > 0
        initial = np.array([self.settings.learning.initial], dtype=np.float32)
        values = self.memory.values[rows][tried]
        return MoveTable(self.memory.keys[rows], np.packbits(tried, axis=1), values, initial)

    @cached_property
    def _truth(self) -> Truth | None:
        return find_truth(self.game, self.settings.evaluation.known_states)
