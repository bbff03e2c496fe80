"""Checks of the symmetries: the tables by themselves, then each game beside its turned twin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.app.conformance.trial import NOTE, Played, Step, Trial

STARTS_TRIED = 200  # seeds among which to look for the turned image of a start


def check_symmetries(trial: Trial) -> None:
    symmetries = trial.game.symmetries
    sound = _tables(trial, "cells", symmetries.cells, trial.game.num_cells)
    sound &= _tables(trial, "actions", symmetries.actions, trial.game.num_actions)
    if sound and len(symmetries.cells) != len(symmetries.actions):
        trial.report(
            "symmetries",
            f"there are {len(symmetries.cells)} symmetries of the cells but {len(symmetries.actions)} of the "
            "actions: row s of both tables belongs to the same symmetry",
        )
        sound = False
    turned = range(1, len(symmetries.cells))
    games = [game for game in trial.played if game.steps]
    if not sound or not turned or not games:
        return
    unmatched = set()
    for i in range(max(len(turned), len(games))):
        symmetry = turned[i % len(turned)]
        if symmetry not in unmatched and not _side_by_side(trial, games[i % len(games)], symmetry):
            unmatched.add(symmetry)
    if unmatched:
        trial.report(
            "symmetries",
            f"{len(unmatched)} of {len(symmetries.cells)} were not compared in play: they turn the start "
            "into a position that no game starts from",
            NOTE,
        )


def _tables(trial: Trial, what: str, table: NDArray[np.int64], size: int) -> bool:
    """Whether a table is a list of permutations, the identity first."""
    if table.ndim != 2 or table.shape[1] != size or len(table) == 0:
        trial.report("symmetries", f"the {what} table has shape {table.shape}, not [symmetry, {size}]")
        return False
    numbers = np.arange(size)
    if not np.array_equal(table[0], numbers):
        trial.report("symmetries", f"row 0 of the {what} table is not the identity 0, 1, 2 ...")
        return False
    for row, entries in enumerate(table):
        if not np.array_equal(np.sort(entries), numbers):
            trial.report(
                "symmetries", f"row {row} of the {what} table does not hold each of 0..{size - 1} once"
            )
            return False
    return True


def _side_by_side(trial: Trial, game: Played, symmetry: int) -> bool:
    """Play a game and its turned twin; whether there was a start to begin the twin from."""
    cells, actions = trial.game.symmetries.cells[symmetry], trial.game.symmetries.actions[symmetry]
    position = _turned_start(trial, game.steps[0], cells)
    if position is None:
        return False
    for ply, step in enumerate(game.steps):
        twin = trial.see(position)
        fault = ""
        if sorted(actions[list(step.legal)].tolist()) != list(twin.legal):
            fault = "the legal actions do not"
        elif not np.array_equal(_turned(step.encoding, cells), twin.encoding):
            fault = "the encoding does not"
        elif (step.mover, step.outcome) != (twin.mover, twin.outcome):
            fault = "mover and outcome do not"
        if fault:
            trial.report(
                "symmetries",
                f"symmetry {symmetry} does not commute with play: {trial.where(game, ply)} the turned game "
                f"has played '{trial.names(actions[game.actions[:ply]].tolist())}', and {fault} correspond; "
                f"look at row {symmetry} of both tables, or leave the symmetry out",
            )
            return True
        if ply < len(game.steps) - 1:
            trial.game.rules.play(trial.table, position, int(actions[game.actions[ply]]))
    return True


def _turned(encoding: NDArray[np.float32], cells: NDArray[np.int64]) -> NDArray[np.float32]:
    turned = np.empty_like(encoding)
    turned[:, cells] = encoding
    return turned


def _turned_start(trial: Trial, start: Step, cells: NDArray[np.int64]) -> NDArray[np.uint64] | None:
    """A start that looks like the given one turned: itself, another game's, or one of some other seeds."""
    wanted = _turned(start.encoding, cells)
    for words, encoding in [(start.words, start.encoding), *trial.starts(STARTS_TRIED)]:
        if np.array_equal(encoding, wanted):
            return words.copy()
    return None
