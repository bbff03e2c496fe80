"""What the model is taught: a position, the moves that followed, and what each step should have shown.

Values are for the player whose turn it is, and ``again`` says where that is the same as before, as after a
collision. Past the end of a game the moves are drawn at random, players take turns, there is no policy to
learn, and the result stands, so its sign changes from step to step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types

from zerosum.core.compiling.compile import (
    INT,
    Rules,
    Words,
    boards_type,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.learn.alphazero.lessons.replay import SymmetryTables, symmetry_tables_type

numbers_type = types.int64[::1]
plane_rows_type = types.float32[:, :, ::1]
float_rows_type = types.float32[:, ::1]


class Window(NamedTuple):
    """Positions of finished games, each game's in order; the columns of samples.py."""

    positions: Any  # [row, word]
    actions: Any  # [row, kept] uint16
    policy_targets: Any  # [row, kept] float32
    values: Any  # [row] float32, for the mover
    played: Any  # [row] uint16, the action that followed
    movers: Any  # [row] uint8
    left: Any  # [row] uint16, positions of the game from this one on
    results: Any  # [row] int8, how the game ended for the mover


class Picks(NamedTuple):
    """Which positions are learnt from, and how they are shown."""

    rows: Any  # [pick]
    symmetries: Any  # [pick]
    after: Any  # [pick, step] int64, actions to imagine past the end
    hidden: int  # 1: what is seen of a position says nothing of the one after


class Unrolled(NamedTuple):
    """What the model is shown, and what it should answer, at every step from 0."""

    planes: Any  # [pick, step, plane * cell] float32: what is seen there
    seen: Any  # [pick, step] float32, 1 where that is known
    legal: Any  # [pick, step, action] float32, 1 where legal
    policy: Any  # [pick, step, action] float32, all 0 past the end
    values: Any  # [pick, step] float32
    actions: Any  # [pick, step] int64, what leads to the next step
    again: Any  # [pick, step] float32, 1 where the player of the step before moves once more


window_type = types.NamedTuple(
    [
        boards_type,
        types.uint16[:, ::1],
        float_rows_type,
        types.float32[::1],
        types.uint16[::1],
        types.uint8[::1],
        types.uint16[::1],
        types.int8[::1],
    ],
    Window,
)
picks_type = types.NamedTuple([numbers_type, numbers_type, types.int64[:, ::1], int_type], Picks)
unrolled_type = types.NamedTuple(
    [
        plane_rows_type,
        float_rows_type,
        plane_rows_type,
        plane_rows_type,
        float_rows_type,
        types.int64[:, ::1],
        float_rows_type,
    ],
    Unrolled,
)


@kernel(types.void(rules_type, words_type, window_type, picks_type, symmetry_tables_type, unrolled_type))
def unroll(
    rules: Rules, table: Words, window: Window, picks: Picks, tables: SymmetryTables, lesson: Unrolled
) -> None:
    """Fill in the lesson: every pick and all that followed, as the pick's symmetry shows them."""
    steps = lesson.values.shape[1]
    num_cells = tables.cells.shape[1]
    plain = np.empty(lesson.planes.shape[2], dtype=np.float32)
    found = np.empty(tables.actions.shape[1], dtype=np.int64)
    last = np.empty(window.positions.shape[1], dtype=np.uint64)
    lesson.policy[:] = np.float32(0)
    lesson.legal[:] = np.float32(0)
    for pick in range(len(picks.rows)):
        first = picks.rows[pick]
        left = INT(window.left[first])
        cells, turned = tables.cells[picks.symmetries[pick]], tables.actions[picks.symmetries[pick]]
        for step in range(steps):
            row = first + min(step, left - 1)
            again = 0 < step < left and window.movers[row] == window.movers[row - 1]
            seen = step < left or (step == left and not picks.hidden)
            last[:] = window.positions[row]
            if step < left:
                lesson.values[pick, step] = window.values[row]
                lesson.actions[pick, step] = turned[window.played[row]]
                for k in range(window.actions.shape[1]):
                    if window.policy_targets[row, k] > 0.0:
                        action = turned[window.actions[row, k]]
                        lesson.policy[pick, step, action] = window.policy_targets[row, k]
                for i in range(rules.legal(table, last, found)):
                    lesson.legal[pick, step, turned[found[i]]] = np.float32(1)
            else:
                result = np.float32(window.results[row])  # for who made the last move
                lesson.values[pick, step] = -result if (step - left) % 2 == 0 else result
                lesson.actions[pick, step] = picks.after[pick, step]
                if seen:
                    rules.play(table, last, INT(window.played[row]))
            lesson.again[pick, step] = np.float32(1 if again else 0)
            lesson.seen[pick, step] = np.float32(1 if seen else 0)
            if seen:
                rules.encode(table, last, plain)
                for start in range(0, len(plain), num_cells):
                    for cell in range(num_cells):
                        lesson.planes[pick, step, start + cells[cell]] = plain[start + cell]
            else:
                lesson.planes[pick, step] = np.float32(0)
