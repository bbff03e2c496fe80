"""All positions of a small line game, by ternary code: digit c is 0, 1 or 2, for free, first or second.

A code is a position if it passes MAZE's pruning rules: the first player has as many stones as the second or
one more; not both have a line; whoever has one moved last; and his last stone completed it. The paper
calls every position with two lines of one player invalid, but one stone may complete two lines at once:
such lines share that stone. With this reading the rules leave exactly the positions that can be reached.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.bits import ONE, popcount
from zerosum.core.compiling.compile import (
    INT,
    UINT,
    Word,
    Words,
    actions_type,
    helper,
    int_type,
    kernel,
    words_type,
)
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST_WINS, SECOND_WINS, UNFINISHED
from zerosum.games.families.lines import EXTRA, FULL_BOARD, mask_of
from zerosum.games.families.stones import STONES
from zerosum.search.enumerate.canonical import Canon
from zerosum.search.enumerate.graph import Graph, Links, links_type, marks_type, numbers_type

MOST_CELLS = 16  # 43 million codes
NOT_A_STATE = -1

codes_type = types.uint32[::1]
symmetries_type = types.int64[:, ::1]


def has_ternary_code(game: Game) -> bool:
    """Whether a position is just its stones: no bricks, no gravity, nothing else to remember."""
    return game.rules is STONES and game.table[int(game.table[EXTRA])] == 0


def count_codes(num_cells: int) -> int:
    """How many codes have as many first as second stones, or one more: an upper bound of the positions."""
    return sum(comb(num_cells, stones) * comb(stones, stones // 2) for stones in range(num_cells + 1))


@helper
def shared_cells(lines: Words, stones: Word) -> tuple[int, Word]:
    """How many whole lines the stones hold, and the cells that are on all of these."""
    count = 0
    shared = ~UINT(0)
    for line in lines:
        if line & ~stones == UINT(0):
            count += 1
            shared &= line
    return count, shared


@helper
def state_outcome(lines: Words, first: Word, second: Word, full: int, full_board: int) -> int:
    """The outcome of a code's stones, or NOT_A_STATE where the pruning rules say so."""
    lead = popcount(first) - popcount(second)
    if lead != 0 and lead != 1:
        return NOT_A_STATE
    first_lines, first_shared = shared_cells(lines, first)
    second_lines, second_shared = shared_cells(lines, second)
    if first_lines > 0:
        if second_lines > 0 or lead == 0 or first_shared == UINT(0):
            return NOT_A_STATE
        return FIRST_WINS
    if second_lines > 0:
        if lead == 1 or second_shared == UINT(0):
            return NOT_A_STATE
        return SECOND_WINS
    return full_board if popcount(first | second) == full else UNFINISHED


@helper
def next_code(stones: Words, cells: int) -> None:
    """From the stones of a code, first and second, to those of the next: add one, with carry."""
    bit = ONE
    for _ in range(cells):
        if stones[0] & bit != UINT(0):
            stones[0] ^= bit
            stones[1] |= bit
            return
        if stones[1] & bit == UINT(0):
            stones[0] |= bit
            return
        stones[1] ^= bit
        bit <<= ONE


@kernel(int_type(words_type, int_type, int_type, marks_type, words_type))
def judge_codes(lines: Words, cells: int, full_board: int, found: Words, stones: Words) -> int:
    """The outcome of every code, or NOT_A_STATE; returns the number of moves that the states have."""
    moves = 0
    for code in range(len(found)):
        outcome = state_outcome(lines, stones[0], stones[1], cells, full_board)
        found[code] = outcome
        if outcome == UNFINISHED:
            moves += cells - popcount(stones[0] | stones[1])
        next_code(stones, cells)
    return moves


@kernel(types.void(codes_type, actions_type, symmetries_type, numbers_type, links_type, marks_type))
def link_codes(
    codes: Words, powers: Words, symmetric_powers: Words, numbers: Words, links: Links, shown: Words
) -> None:
    """The moves of every state, whose turn it is, and whether it has the least code of its mirror images."""
    first, targets, movers, outcomes = links
    digits = np.zeros(len(powers), dtype=np.int64)
    move = 0
    for state in range(len(codes)):
        code = INT(codes[state])
        rest = code
        lead = 0
        for cell in range(len(powers)):
            digit = rest % 3
            rest //= 3
            digits[cell] = digit
            lead += 1 if digit == 1 else (-1 if digit == 2 else 0)
        movers[state] = lead
        if outcomes[state] == UNFINISHED:
            for cell in range(len(powers)):
                if digits[cell] == 0:
                    targets[move] = numbers[code + (lead + 1) * powers[cell]]
                    move += 1
        first[state + 1] = move
        least = code
        for symmetry in range(len(symmetric_powers)):
            mirrored = 0
            for cell in range(len(powers)):
                mirrored += digits[cell] * symmetric_powers[symmetry, cell]
            least = min(least, mirrored)
        shown[state] = least == code


def follow_codes(game: Game, limit: int) -> Graph:
    """The graph of a line game over all its states; raises Unsolvable where there are too many codes."""
    cells = game.num_cells
    expected = count_codes(cells)
    if cells > MOST_CELLS or expected > limit:
        most = f"{limit:,}" if cells <= MOST_CELLS else f"those of {MOST_CELLS} cells"
        raise Unsolvable(
            f"{game} has about {expected:.2g} positions, and a table holds {most}; choose a smaller board"
        )
    assert game.line_cells is not None
    lines = np.array([mask_of(line, 1)[0] for line in game.line_cells], dtype=np.uint64)
    found = np.zeros(3**cells, dtype=np.int8)
    moves = judge_codes(lines, cells, int(game.table[FULL_BOARD]), found, np.zeros(2, dtype=np.uint64))
    codes = np.flatnonzero(found != NOT_A_STATE).astype(np.uint32)
    outcomes = found[codes]
    numbers = np.cumsum(found != NOT_A_STATE, dtype=np.int32)
    numbers -= 1
    del found
    powers = 3 ** np.arange(cells, dtype=np.int64)
    first = np.zeros(len(codes) + 1, dtype=np.int32)
    targets = np.zeros(moves, dtype=np.int32)
    movers = np.zeros(len(codes), dtype=np.int8)
    marks = np.zeros(len(codes), dtype=np.int8)
    symmetric_powers = np.ascontiguousarray(powers[game.symmetries.cells])
    links = Links(first, targets, movers, outcomes)
    link_codes(codes, powers, symmetric_powers, numbers, links, marks)
    shown = np.flatnonzero(marks)
    positions = _positions(game, codes[shown], movers[shown], outcomes[shown])
    keys, _ = Canon(game).keys(positions)
    return Graph(first, targets, movers, outcomes, keys, shown, positions)


def _positions(
    game: Game, codes: NDArray[np.uint32], movers: NDArray[np.int8], outcomes: NDArray[np.int8]
) -> NDArray[np.uint64]:
    """Positions, [code, word], as the rules have them: first, second, bricks, mover, outcome."""
    positions = np.zeros((len(codes), game.position_words), dtype=np.uint64)
    rest = codes.copy()
    for cell in range(game.num_cells):
        for board in (0, 1):
            positions[:, board] |= (rest % 3 == board + 1).astype(np.uint64) << np.uint64(cell)
        rest //= 3
    positions[:, 3] = movers
    positions[:, 4] = outcomes
    return positions
