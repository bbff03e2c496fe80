"""The window of positions that are learnt from: kept as compact positions, encoded when they are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    Rules,
    Words,
    actions_type,
    boards_type,
    helper,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.learn.alphazero.selfplay.samples import COLUMNS, COUNTS
from zerosum.learn.alphazero.settings import Auxiliary
from zerosum.learn.pool.pool import Samples
from zerosum.learn.run.checkpoint import PART

NO_MORE = Auxiliary()

planes_type = types.float32[:, ::1]
symmetries_type = types.int64[:, ::1]


class Rows(NamedTuple):
    """Positions to be shown, each as a symmetry shows it."""

    positions: Any  # [row, word]
    actions: Any  # [row, kept] uint16
    policy_targets: Any  # [row, kept] float32
    symmetries: Any  # [row] which one


class Endings(NamedTuple):
    """Final positions to be shown as a player sees them, each as a symmetry shows it."""

    positions: Any  # [row, word]
    movers: Any  # [row] uint8, whose view it is
    symmetries: Any  # [row] which one
    encoded: Any  # [plane * cell] float32, room for one of them


class SymmetryTables(NamedTuple):
    """Where each symmetry takes cells and actions."""

    cells: Any  # [symmetry, cell]
    actions: Any  # [symmetry, action]


class Lesson(NamedTuple):
    """What the network is shown, and what it should answer."""

    planes: Any  # [row, plane * cell] float32
    policy: Any  # [row, action] float32
    legal: Any  # [row, action] float32, 1 where legal


rows_type = types.NamedTuple([boards_type, types.uint16[:, ::1], planes_type, actions_type], Rows)
endings_type = types.NamedTuple([boards_type, types.uint8[::1], actions_type, types.float32[::1]], Endings)
symmetry_tables_type = types.NamedTuple([symmetries_type, symmetries_type], SymmetryTables)
lesson_type = types.NamedTuple([planes_type, planes_type, planes_type], Lesson)


@helper
def lay_policy(kept: Words, targets: Words, actions: Words, policy: Words) -> None:
    """Write a kept policy out, each action where a symmetry takes it."""
    for k in range(len(kept)):
        if targets[k] > 0.0:
            policy[actions[kept[k]]] = targets[k]


@kernel(types.void(rules_type, words_type, rows_type, symmetry_tables_type, lesson_type))
def read_positions(rules: Rules, table: Words, rows: Rows, tables: SymmetryTables, lesson: Lesson) -> None:
    """Encode positions, each as its symmetry shows it, with their targets: fills in the lesson."""
    planes, policy, legal = lesson
    plain = np.empty(planes.shape[1], dtype=np.float32)
    found = np.empty(tables.actions.shape[1], dtype=np.int64)
    num_cells = tables.cells.shape[1]
    policy[:] = 0.0
    legal[:] = 0.0
    for row in range(len(rows.positions)):
        cells, actions = tables.cells[rows.symmetries[row]], tables.actions[rows.symmetries[row]]
        rules.encode(table, rows.positions[row], plain)
        for start in range(0, len(plain), num_cells):
            for cell in range(num_cells):
                planes[row, start + cells[cell]] = plain[start + cell]
        for i in range(rules.legal(table, rows.positions[row], found)):
            legal[row, actions[found[i]]] = 1.0
        lay_policy(rows.actions[row], rows.policy_targets[row], actions, policy[row])


@kernel(types.void(rows_type, symmetry_tables_type, planes_type))
def read_policies(rows: Rows, tables: SymmetryTables, policy: Words) -> None:
    """The policy targets alone, each as its symmetry shows it."""
    policy[:] = 0.0
    for row in range(len(rows.actions)):
        actions = tables.actions[rows.symmetries[row]]
        lay_policy(rows.actions[row], rows.policy_targets[row], actions, policy[row])


@kernel(types.void(rules_type, words_type, endings_type, symmetry_tables_type, types.float32[:, :, ::1]))
def read_endings(rules: Rules, table: Words, endings: Endings, tables: SymmetryTables, pieces: Words) -> None:
    """Own and other's pieces, the first two planes of what is encoded, for whoever the row asks for."""
    num_cells = tables.cells.shape[1]
    plain = endings.encoded
    for row in range(len(endings.positions)):
        rules.encode(table, endings.positions[row], plain)
        swapped = rules.mover(table, endings.positions[row]) != INT(endings.movers[row])
        cells = tables.cells[endings.symmetries[row]]
        for plane in range(2):
            start = num_cells * (1 - plane if swapped else plane)
            for cell in range(num_cells):
                pieces[row, plane, cells[cell]] = plain[start + cell]


class Part(NamedTuple):
    """What one worker added in one iteration: so many rows of the window."""

    number: int  # since the beginning of the run
    rows: int
    counts: tuple[int, ...]  # by COUNTS


class Replay:
    """Positions of the latest iterations, oldest first, each held once."""

    names: ClassVar[tuple[str, ...]] = COLUMNS

    def __init__(self, game: Game, symmetries: str = "all", auxiliary: Auxiliary = NO_MORE) -> None:
        self.game = game
        self.auxiliary = auxiliary
        self.kept = (*self.names, *auxiliary.columns)
        self.reach = np.zeros(0)  # [row], the weights of all rows up to it, where some are drawn more often
        self.parts: list[Part] = []
        self.columns: dict[str, NDArray[Any]] = {}  # by name, [row, ...]
        self.symmetries = _choose_symmetries(game, symmetries)
        self.tables = SymmetryTables(
            np.ascontiguousarray(game.symmetries.cells, dtype=np.int64),
            np.ascontiguousarray(game.symmetries.actions, dtype=np.int64),
        )

    def __len__(self) -> int:
        return sum(part.rows for part in self.parts)

    def add(self, played: Sequence[Samples], most_parts: int, most: int) -> None:
        """Keep what workers have played, a part each, and of all no more than so many parts and positions.

        The latest part is kept, however large it is.
        """
        rows_before = len(self)
        for new in played:
            number = self.parts[-1].number + 1 if self.parts else 0
            counts = tuple(new.counts[name] for name in COUNTS)
            self.parts.append(Part(number, len(new.arrays["values"]), counts))
        rows = len(self)
        self.parts = self.parts[-most_parts:]
        while len(self.parts) > 1 and len(self) > most:
            del self.parts[0]
        self._extend([new.arrays for new in played], rows - len(self), rows_before)

    def _extend(self, new: Sequence[Mapping[str, NDArray[Any]]], gone: int, before: int) -> None:
        """Add rows and forget the oldest, a column at a time: no more than one is ever held twice."""
        for name in self.kept:
            kept = [self.columns.pop(name)[gone:]] if before else []
            rows = np.concatenate([*kept, *(part[name] for part in new)])
            self.columns[name] = rows[max(0, gone - before) :]
        self._weigh()

    def _weigh(self) -> None:
        """How often each row is to be drawn: some of the lessons evenly, the others by surprise."""
        share = self.auxiliary.surprise
        if share and len(self):
            surprises = self.columns["surprises"].astype(np.float64)
            mean = surprises.mean()
            relative = surprises / mean if mean else np.ones(len(surprises))
            self.reach = np.cumsum(1 - share + share * relative)

    def draw(self, size: int, rng: np.random.Generator) -> dict[str, NDArray[np.float32]]:
        """A batch drawn at random, each position as a random symmetry shows it."""
        rows, symmetries = self.pick(size, rng), rng.choice(self.symmetries, size=size)
        return self._read(rows, symmetries) | self._read_further(rows, symmetries)

    def pick(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Rows drawn at random, some more often than others where surprises count."""
        if not self.auxiliary.surprise:
            return rng.integers(len(self), size=size)
        return np.searchsorted(self.reach, rng.random(size) * self.reach[-1], side="right")

    def fresh(self, size: int, among: int) -> dict[str, NDArray[np.float32]]:
        """So many of the latest positions, evenly spread over the last ``among``; all if there are fewer."""
        among = min(among, len(self))
        rows = len(self) - 1 - np.arange(min(size, among)) * max(1, among // size)
        return self._read(rows, np.zeros(len(rows), dtype=np.int64))

    def _read(self, rows: NDArray[np.int64], symmetries: NDArray[np.int64]) -> dict[str, NDArray[np.float32]]:
        game, columns, size = self.game, self.columns, len(rows)
        drawn = Rows(
            columns["positions"][rows], columns["actions"][rows], columns["policy_targets"][rows], symmetries
        )
        lesson = Lesson(
            planes=np.empty((size, len(game.planes) * game.num_cells), dtype=np.float32),
            policy=np.empty((size, game.num_actions), dtype=np.float32),
            legal=np.empty((size, game.num_actions), dtype=np.float32),
        )
        read_positions(game.rules, game.table, drawn, self.tables, lesson)
        shaped = lesson.planes.reshape(size, len(game.planes), game.num_cells)
        return lesson._asdict() | {"planes": shaped, "values": columns["values"][rows]}

    def _read_further(
        self, rows: NDArray[np.int64], symmetries: NDArray[np.int64]
    ) -> dict[str, NDArray[np.float32]]:
        """What auxiliary lessons tell of the rows."""
        game, columns = self.game, self.columns
        found = {}
        if self.auxiliary.final_board:
            encoded = np.empty(len(game.planes) * game.num_cells, dtype=np.float32)
            endings = Endings(columns["final_positions"][rows], columns["movers"][rows], symmetries, encoded)
            found["final_board"] = np.empty((len(rows), 2, game.num_cells), dtype=np.float32)
            read_endings(game.rules, game.table, endings, self.tables, found["final_board"])
        if self.auxiliary.reply:
            answers = np.minimum(rows + 1, len(self) - 1)  # a game's positions lie one behind another
            targets = columns["policy_targets"][answers]
            answered = (columns["left"][rows] > 1) & (columns["movers"][answers] != columns["movers"][rows])
            targets[~answered] = 0.0
            drawn = Rows(columns["positions"][answers], columns["actions"][answers], targets, symmetries)
            found["reply"] = np.empty((len(rows), game.num_actions), dtype=np.float32)
            read_policies(drawn, self.tables, found["reply"])
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All there is to save; a part never changes, so checkpoints write it once."""
        found: dict[str, NDArray[Any]] = {}
        start = 0
        for part in self.parts:
            name = f"{PART}{part.number:06d}"
            for column in self.kept:
                found[f"{name}/{column}"] = self.columns[column][start : start + part.rows]
            found[f"{name}/counts"] = np.array(part.counts, dtype=np.int64)
            start += part.rows
        return found

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Put back what ``arrays`` gave."""
        if "replay/chunks" in arrays:
            self._restore_in_one_piece(arrays)
            return
        names = sorted({name.partition("/")[0] for name in arrays if name.startswith(PART)})
        self.parts = [
            Part(
                int(name.removeprefix(PART)),
                len(arrays[f"{name}/values"]),
                tuple(arrays[f"{name}/counts"].tolist()),
            )
            for name in names
        ]
        for column in self.kept if names else ():  # a run that began with another's weights has no games yet
            self.columns[column] = np.concatenate([arrays[f"{name}/{column}"] for name in names])
        self._weigh()

    def _restore_in_one_piece(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """The window as earlier versions saved it, whole each time."""
        targets = "policy_targets" if "replay/policy_targets" in arrays else "shares"
        for column, name in zip(COLUMNS, ("positions", "actions", targets, "values"), strict=True):
            self.columns[column] = arrays[f"replay/{name}"]
        sizes = arrays["replay/chunks"].tolist()
        self.parts = [Part(number, rows, tuple(counts)) for number, (rows, *counts) in enumerate(sizes)]


def _choose_symmetries(game: Game, which: str) -> NDArray[np.int64]:
    """Numbers of symmetries: 'all' the game's, its 'flips' along axes, or 'none' but the identity."""
    if which == "none":
        return np.zeros(1, dtype=np.int64)
    numbers = np.arange(len(game.symmetries))
    if which == "all":
        return numbers
    board = np.arange(game.num_cells).reshape(game.shape)
    axes = [tuple(a for a in range(board.ndim) if bits >> a & 1) for bits in range(2**board.ndim)]
    flips = {np.flip(board, flipped).tobytes() for flipped in axes}
    return numbers[[row.tobytes() in flips for row in np.asarray(game.symmetries.cells, dtype=board.dtype)]]
