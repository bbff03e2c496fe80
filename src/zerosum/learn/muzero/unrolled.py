"""What the model is taught: a position, the moves that followed, and what each step should have shown.

Values are for the player whose turn it is, and ``again`` says where that is the same as before, as after a
collision. Past the end of a game the moves are drawn at random, players take turns, there is no policy to
learn, and the result stands, so its sign changes from step to step.

Some lines stray: they leave their game for moves at random, by the rules, as a player would who tries things
out. Games that are played well show few of the ends which a search must see coming, for nobody walks into
them. A line that strays tells what is seen, what is legal and where a game ends; no search has judged it, so
there is no policy to learn, and a value only once it is over.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    INT,
    Rules,
    Words,
    boards_type,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.outcome import UNFINISHED, value_for
from zerosum.learn.alphazero.lessons.replay import SymmetryTables, symmetry_tables_type

Floats = NDArray[np.float32]

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
    strays: Any  # [stray, step] int64, numbers to draw moves by; the first picks stray, one for each row


NO_STRAYS = np.zeros((0, 1), dtype=np.int64)


class Unrolled(NamedTuple):
    """What the model is shown, and what it should answer, at every step from 0."""

    planes: Any  # [pick, step, plane * cell] float32: what is seen there
    seen: Any  # [pick, step] float32, 1 where that is known
    legal: Any  # [pick, step, action] float32, 1 where legal
    policy: Any  # [pick, step, action] float32, all 0 where there is none to learn
    values: Any  # [pick, step] float32
    judged: Any  # [pick, step] float32, 1 where the value is known
    over: Any  # [pick, step] float32, 1 at the end of the game and past it
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
number_rows_type = types.int64[:, ::1]
picks_type = types.NamedTuple(
    [numbers_type, numbers_type, number_rows_type, int_type, number_rows_type], Picks
)
unrolled_type = types.NamedTuple(
    [
        plane_rows_type,
        float_rows_type,
        plane_rows_type,
        plane_rows_type,
        float_rows_type,
        float_rows_type,
        float_rows_type,
        number_rows_type,
        float_rows_type,
    ],
    Unrolled,
)


@helper
def show(
    rules: Rules, table: Words, position: Words, cells: NDArray[np.int64], plain: Floats, planes: Floats
) -> None:
    """What is seen of a position, each cell where the symmetry puts it; ``plain`` is scratch."""
    rules.encode(table, position, plain)
    for start in range(0, len(plain), len(cells)):
        for cell in range(len(cells)):
            planes[start + cells[cell]] = plain[start + cell]


@kernel(types.void(rules_type, words_type, window_type, picks_type, symmetry_tables_type, unrolled_type))
def unroll(
    rules: Rules, table: Words, window: Window, picks: Picks, tables: SymmetryTables, lesson: Unrolled
) -> None:
    """Fill in the lesson: every pick and all that followed, as the pick's symmetry shows them."""
    steps = lesson.values.shape[1]
    plain = np.empty(lesson.planes.shape[2], dtype=np.float32)
    found = np.empty(tables.actions.shape[1], dtype=np.int64)
    last = np.empty(window.positions.shape[1], dtype=np.uint64)
    lesson.planes[:] = np.float32(0)
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
            lesson.judged[pick, step] = np.float32(1)
            lesson.over[pick, step] = np.float32(0 if step < left else 1)
            if seen:
                show(rules, table, last, cells, plain, lesson.planes[pick, step])


@kernel(types.void(rules_type, words_type, window_type, picks_type, symmetry_tables_type, unrolled_type))
def stray(
    rules: Rules, table: Words, window: Window, picks: Picks, tables: SymmetryTables, lesson: Unrolled
) -> None:
    """Let the first picks of an unrolled lesson go on by moves at random; the game must be an open one."""
    steps = lesson.values.shape[1]
    plain = np.empty(lesson.planes.shape[2], dtype=np.float32)
    found = np.empty(tables.actions.shape[1], dtype=np.int64)
    position = np.empty(window.positions.shape[1], dtype=np.uint64)
    for pick in range(len(picks.strays)):
        cells, turned = tables.cells[picks.symmetries[pick]], tables.actions[picks.symmetries[pick]]
        position[:] = window.positions[picks.rows[pick]]
        lesson.planes[pick, 1:] = np.float32(0)
        lesson.policy[pick, 1:] = np.float32(0)
        lesson.legal[pick, 1:] = np.float32(0)
        before = INT(rules.mover(table, position))
        value = 0.0  # of the end, for who is asked at the step; players take turns from there
        finished = False
        for step in range(steps):
            mover = INT(rules.mover(table, position))
            ends = not finished and rules.outcome(table, position) != UNFINISHED
            if ends:
                value = value_for(rules.outcome(table, position), 1 - before)
            elif finished:
                value = -value
            if step > 0:
                shown = not finished
                lesson.seen[pick, step] = np.float32(1 if shown else 0)
                lesson.again[pick, step] = np.float32(1 if shown and not ends and mover == before else 0)
                lesson.values[pick, step] = np.float32(value)
                lesson.judged[pick, step] = np.float32(1 if ends or finished else 0)
                lesson.over[pick, step] = lesson.judged[pick, step]
                if shown:
                    show(rules, table, position, cells, plain, lesson.planes[pick, step])
            finished = finished or ends
            if finished:
                lesson.actions[pick, step] = picks.after[pick, step]
                continue
            legal = rules.legal(table, position, found)
            if step > 0:
                for i in range(legal):
                    lesson.legal[pick, step, turned[found[i]]] = np.float32(1)
            action = found[picks.strays[pick, step] % legal]
            lesson.actions[pick, step] = turned[action]
            before = mover
            rules.play(table, position, action)
