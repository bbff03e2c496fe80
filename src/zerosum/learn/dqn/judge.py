"""The line network inside a kernel: what every move of a position leads to, without a call per position.

A move changes one cell, and a cell lies on few lines (7 of 76 at most in Qubic). So the network is computed
once for the board as it stands, and for each move only the detectors of the lines that changed are looked at
again. Torch's own answer differs by rounding alone, whatever a move may change.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray
from torch import Tensor

from zerosum.core.compiling.compile import (
    Rules,
    Words,
    floats_type,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED, value_for
from zerosum.nets.lines import Lines
from zerosum.search.lookahead.foresee import foresee


class LineNet(NamedTuple):
    """Weights, and where the lines lie."""

    cells: Any  # [line, place]
    entries: Any  # [cell + 1] where a cell's part of the next two begins
    lines: Any  # [entry] a line through the cell
    places: Any  # [entry] and the cell's place in it
    detectors: Any  # [line, input, detector] float32
    detector_bias: Any  # [line, detector] float32
    dense: Any  # [unit, hidden] float32
    dense_bias: Any  # [hidden] float32
    value: Any  # [hidden] float32
    value_bias: Any  # [1] float32


class Desk(NamedTuple):
    """Room to work in; one a thread."""

    after: Any  # [word] the position after a move
    planes: Any  # [plane, cell], flat
    base: Any  # [cell, channel] the board that the next three belong to
    sums: Any  # [line, detector] before tanh
    found: Any  # [line, detector] after
    hidden: Any  # [hidden] before tanh
    board: Any  # [cell, channel] of the position in hand, as the others below
    new_sums: Any  # [line, detector], valid where touched
    new_hidden: Any  # [hidden]
    touched: Any  # [line] lines that changed, listed
    stamps: Any  # [line + 1] which look a line was last listed in; at the end, the number of looks
    actions: Any  # [max_legal]
    values: Any  # [max_legal]
    known: Any  # [max_legal] 1 where the value is a result that the rules foresee
    replies: Any  # [max_legal]
    reply: Any  # [word] the position after one


indices_type = types.int64[::1]
floats2_type = types.float32[:, ::1]
line_net_type = types.NamedTuple(
    [
        types.int64[:, ::1],
        indices_type,
        indices_type,
        indices_type,
        types.float32[:, :, ::1],
        floats2_type,
        floats2_type,
        floats_type,
        floats_type,
        floats_type,
    ],
    LineNet,
)
desk_type = types.NamedTuple(
    [
        words_type,
        floats_type,
        floats2_type,
        floats2_type,
        floats2_type,
        floats_type,
        floats2_type,
        floats2_type,
        floats_type,
        indices_type,
        indices_type,
        indices_type,
        floats_type,
        indices_type,
        indices_type,
        words_type,
    ],
    Desk,
)


def line_net(network: Lines, game: Game) -> LineNet:
    """The network as it is now; it does not follow the torch module when that learns on."""
    lines = np.ascontiguousarray(network.cells.numpy())
    through = [np.argwhere(lines == cell) for cell in range(game.num_cells)]
    order = np.concatenate(through)
    return LineNet(
        cells=lines,
        entries=np.cumsum([0, *map(len, through)]).astype(np.int64),
        lines=np.ascontiguousarray(order[:, 0]),
        places=np.ascontiguousarray(order[:, 1]),
        **weights_of(network),
    )


def weights_of(network: Lines) -> dict[str, NDArray[np.float32]]:
    """Copies of a network's weights, by the names of LineNet's fields; a bias that is not there is zero."""
    lines, _, detectors = network.detectors.shape
    hidden = network.dense.out_features
    return {
        "detectors": _copied(network.detectors),
        "detector_bias": _bias(network.detector_bias, lines * detectors).reshape(lines, detectors),
        "dense": np.ascontiguousarray(_copied(network.dense.weight).T),
        "dense_bias": _bias(network.dense.bias, hidden),
        "value": _copied(network.value.weight)[0],
        "value_bias": _bias(network.value.bias, 1),
    }


def _copied(tensor: Tensor) -> NDArray[np.float32]:
    array: NDArray[np.float32] = tensor.detach().numpy().copy()
    return array


def _bias(tensor: Tensor | None, size: int) -> NDArray[np.float32]:
    return np.zeros(size, np.float32) if tensor is None else _copied(tensor)


def make_desk(game: Game, net: LineNet) -> Desk:
    lines, _, detectors = net.detectors.shape
    board = (game.num_cells, len(game.planes) - 1)
    return Desk(
        after=np.zeros(game.position_words, np.uint64),
        planes=np.zeros(len(game.planes) * game.num_cells, np.float32),
        base=np.zeros(board, np.float32),
        sums=np.zeros((lines, detectors), np.float32),
        found=np.zeros((lines, detectors), np.float32),
        hidden=np.zeros(len(net.value), np.float32),
        board=np.zeros(board, np.float32),
        new_sums=np.zeros((lines, detectors), np.float32),
        new_hidden=np.zeros(len(net.value), np.float32),
        touched=np.zeros(lines, np.int64),
        stamps=np.zeros(lines + 1, np.int64),
        actions=np.zeros(game.max_legal, np.int64),
        values=np.zeros(game.max_legal, np.float32),
        known=np.zeros(game.max_legal, np.int64),
        replies=np.zeros(game.max_legal, np.int64),
        reply=np.zeros(game.position_words, np.uint64),
    )


@helper
def signed(planes: Words, board: Words, own: int) -> None:
    """What the network sees: 1 on own cells, -1 on the other's, further planes as they are."""
    cells, channels = board.shape
    for cell in range(cells):
        board[cell, 0] = planes[own * cells + cell] - planes[(1 - own) * cells + cell]
        for channel in range(1, channels):
            board[cell, channel] = planes[(channel + 1) * cells + cell]


@helper
def look(net: LineNet, base: Words, sums: Words, found: Words, hidden: Words) -> None:
    """The network, up to its hidden layer, of a whole board."""
    cells, detectors, dense = net.cells, net.detectors, net.dense
    lines, length = cells.shape
    channels = base.shape[1]
    kinds = detectors.shape[2]
    hidden[:] = net.dense_bias
    for line in range(lines):
        for kind in range(kinds):
            total = net.detector_bias[line, kind]
            for place in range(length):
                for channel in range(channels):
                    weight = detectors[line, place * channels + channel, kind]
                    total += base[cells[line, place], channel] * weight
            sums[line, kind] = total
            strength = np.float32(math.tanh(total))
            found[line, kind] = strength
            for unit in range(len(hidden)):
                hidden[unit] += strength * dense[line * kinds + kind, unit]


@helper
def look_again(net: LineNet, desk: Desk) -> float:
    """The network's value of desk.board, computed from desk.base where they agree."""
    entries, lines, places, detectors, dense = net.entries, net.lines, net.places, net.detectors, net.dense
    base, board, sums, found = desk.base, desk.board, desk.sums, desk.found
    new_sums, hidden, touched, stamps = desk.new_sums, desk.new_hidden, desk.touched, desk.stamps
    cells, channels = board.shape
    kinds = detectors.shape[2]
    stamps[-1] += 1
    count = 0
    for cell in range(cells):
        for channel in range(channels):
            change = board[cell, channel] - base[cell, channel]
            if change == np.float32(0.0):
                continue
            for entry in range(entries[cell], entries[cell + 1]):
                line = lines[entry]
                if stamps[line] != stamps[-1]:
                    stamps[line] = stamps[-1]
                    touched[count] = line
                    count += 1
                    for kind in range(kinds):
                        new_sums[line, kind] = sums[line, kind]
                for kind in range(kinds):
                    new_sums[line, kind] += change * detectors[line, places[entry] * channels + channel, kind]
    hidden[:] = desk.hidden
    for i in range(count):
        line = touched[i]
        for kind in range(kinds):
            change = np.float32(math.tanh(new_sums[line, kind])) - found[line, kind]
            for unit in range(len(hidden)):
                hidden[unit] += change * dense[line * kinds + kind, unit]
    value = net.value
    total = net.value_bias[0]
    for unit in range(len(hidden)):
        total += np.float32(math.tanh(hidden[unit])) * value[unit]
    return math.tanh(total)


@helper
def judge_moves(rules: Rules, table: Words, net: LineNet, desk: Desk, position: Words, plies: int) -> int:
    """Fill in desk.actions and what each gives the mover, desk.values; returns how many.

    A move whose result the rules foresee within so many plies is worth that; any other the opposite of what
    the network says of the position after it, in which the opponent is to move.
    """
    after, planes, board, actions, values = desk.after, desk.planes, desk.board, desk.actions, desk.values
    mover = rules.mover(table, position)
    count = rules.legal(table, position, actions)
    rules.encode(table, position, planes)
    signed(planes, desk.base, 1)  # as the opponent sees it, and will but for one stone after any move
    look(net, desk.base, desk.sums, desk.found, desk.hidden)
    for i in range(count):
        after[:] = position
        rules.play(table, after, actions[i])
        outcome = foresee(rules, table, after, plies, desk.replies, desk.reply)
        desk.known[i] = outcome != UNFINISHED
        if desk.known[i]:
            values[i] = np.float32(value_for(outcome, mover))
        else:
            rules.encode(table, after, planes)
            signed(planes, board, 0)
            values[i] = np.float32(-look_again(net, desk))
    return count


@helper
def highest(values: Words, count: int) -> int:
    """The first of the largest values."""
    best = 0
    for i in range(1, count):
        if values[i] > values[best]:
            best = i
    return best


@kernel(floats_type(rules_type, words_type, line_net_type, desk_type, types.uint64[:, ::1], int_type))
def best_values(rules: Rules, table: Words, net: LineNet, desk: Desk, positions: Words, plies: int) -> Words:
    """What the best move of each unfinished position is worth to its mover."""
    values = np.empty(len(positions), dtype=np.float32)
    for row in range(len(positions)):
        count = judge_moves(rules, table, net, desk, positions[row], plies)
        values[row] = desk.values[highest(desk.values, count)]
    return values


@kernel(types.void(rules_type, words_type, types.uint64[:, ::1], types.float32[:, :, ::1]))
def encode_all(rules: Rules, table: Words, positions: Words, planes: Words) -> None:
    """Positions as their movers see them, [row, plane, cell]."""
    for row in range(len(positions)):
        rules.encode(table, positions[row], planes[row].reshape(planes.shape[1] * planes.shape[2]))


@kernel(int_type(rules_type, words_type, line_net_type, desk_type, words_type, int_type))
def judge_one(rules: Rules, table: Words, net: LineNet, desk: Desk, position: Words, plies: int) -> int:
    """judge_moves, for Python to call."""
    return judge_moves(rules, table, net, desk, position, plies)


def judge_position(
    game: Game, net: LineNet, position: NDArray[np.uint64], plies: int = 1
) -> dict[int, float]:
    """What each legal action of a position is worth to its mover."""
    desk = make_desk(game, net)
    count = judge_one(game.rules, game.table, net, desk, position, plies)
    return dict(zip(desk.actions[:count].tolist(), desk.values[:count].tolist(), strict=True))
