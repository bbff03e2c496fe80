"""Lines to complete: their geometry, how they lie in a table of constants, and what they are worth.

A board of up to 256 cells is held as ``words`` uint64 words a player, cell c at bit c % 64 of word
c // 64. The table starts with the header below; then come, for each line, its mask and the mask of its
inside cells (for the heuristic); for each cell, the masks of the lines through it; and for flat boards
of one word, the directions in which lines run: there a win is found faster by shifting the whole
board than by looking at the lines through one cell.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import popcount
from zerosum.core.compiling.compile import INT, UINT, Word, Words, helper

# The header: table[WORDS] is the number of words a board takes, and so on.
CELLS = 0
WORDS = 1
LINE_LENGTH = 2
NUM_LINES = 3
FIRST_LINE = 4  # where the lines begin: mask, then inside mask
THROUGH = 5  # where the index of lines through each cell begins
FULL_BOARD = 6  # the outcome when no cell is left
NUM_PLANES = 7
SHIFTING = 8  # 1 where wins are found by shifting, 0 where by the lines through a cell
COLUMNS = 9  # cells in a row
LEFT_COLUMN = 10  # mask of the first column, where the board takes one word
LAST_WORD = 11  # mask of the cells in the last word of a board
EXTRA = 12  # where the constants of the particular game begin
STEPS = 13  # for each direction: mask of the cells where its lines start, then the shifts

DIRECTIONS = 4
SHIFTS = 4  # enough for lines of 16
STEP_WORDS = 1 + SHIFTS
HEADER = STEPS + DIRECTIONS * STEP_WORDS

# BRICK's Table 2 gives the lines of player one, who moves first, one and a half times the weight of player
# two's: player one has the initiative, and so player two is made to block. The paper draws player one as O.
FIRST_PLAYER_WEIGHT = 1.5
STEP = 100.0  # each further stone in a line


def straight_lines(shape: tuple[int, ...], length: int) -> NDArray[np.int64]:
    """All straight runs of ``length`` cells in a grid of any dimension, as [line, cell]."""
    lines = []
    steps = [step for step in product((-1, 0, 1), repeat=len(shape)) if step > (0,) * len(shape)]
    for point in product(*(range(size) for size in shape)):
        for step in steps:
            run = [tuple(p + i * s for p, s in zip(point, step, strict=True)) for i in range(length)]
            if all(0 <= p < size for p, size in zip(run[-1], shape, strict=True)):
                lines.append([int(np.ravel_multi_index(cell, shape)) for cell in run])
    return np.array(lines, dtype=np.int64).reshape(-1, length)


def mask_of(cells: NDArray[np.int64] | list[int], words: int) -> list[int]:
    """The cells as bits of a board of so many words."""
    board = [0] * words
    for cell in cells:
        board[int(cell) // 64] |= 1 << (int(cell) % 64)
    return board


def line_table(
    lines: NDArray[np.int64], shape: tuple[int, ...], full_board: int, num_planes: int, extra: list[int]
) -> NDArray[np.uint64]:
    """The table of constants of a line game."""
    num_cells = int(np.prod(shape))
    words = (num_cells + 63) // 64
    steps = _steps(lines) if words == 1 and len(shape) == 2 and lines.shape[1] > 1 else []
    masks = [mask_of(line, words) for line in lines]
    insides = [mask_of(line[1:-1], words) for line in lines]
    listed = [word for mask, inside in zip(masks, insides, strict=True) for word in mask + inside]
    through = HEADER + len(listed)
    index: list[int] = []
    entries: list[int] = []
    first_entry = through + num_cells + 1
    for cell in range(num_cells):
        index.append(first_entry + len(entries))
        for line, mask in zip(lines, masks, strict=True):
            if cell in line:
                entries += mask
    index.append(first_entry + len(entries))
    body = listed + index + entries
    header = [0] * HEADER
    header[CELLS] = num_cells
    header[WORDS] = words
    header[LINE_LENGTH] = lines.shape[1]
    header[NUM_LINES] = len(lines)
    header[FIRST_LINE] = HEADER
    header[THROUGH] = through
    header[FULL_BOARD] = full_board
    header[NUM_PLANES] = num_planes
    header[SHIFTING] = int(bool(steps))
    header[STEPS : STEPS + len(steps)] = steps
    header[COLUMNS] = shape[-1]
    header[LEFT_COLUMN] = mask_of(list(range(0, num_cells, shape[-1])), words)[0]
    header[LAST_WORD] = mask_of(list(range(num_cells)), words)[-1]
    header[EXTRA] = HEADER + len(body)
    return np.array(header + body + extra, dtype=np.uint64)


def _steps(lines: NDArray[np.int64]) -> list[int]:
    """For each direction: where its lines start, then the shifts that find whole lines (see has_run)."""
    length = lines.shape[1]
    strides = []
    covered = 1
    while covered < length:
        strides.append(min(covered, length - covered))
        covered += strides[-1]
    strides += [0] * (SHIFTS - len(strides))
    starts: dict[int, list[int]] = {}
    for line in lines:
        starts.setdefault(int(line[1] - line[0]), []).append(int(line[0]))
    return [
        word
        for step, cells in starts.items()
        for word in (mask_of(cells, 1)[0], *(step * stride for stride in strides))
    ]


@helper
def runs_along(table: Words, stones: Word, at: int) -> Word:
    """Where lines of stones start in one direction.

    A shift by one step leaves the pairs of neighbours, a further one by two steps the fours, and so on.
    """
    run = stones & (stones >> table[at + 1])
    run &= run >> table[at + 2]
    if table[LINE_LENGTH] > UINT(4):
        run &= run >> table[at + 3]
        run &= run >> table[at + 4]
    return run & table[at]


@helper
def has_run(table: Words, stones: Word) -> bool:
    """Whether a board of one word holds a whole line; written out, because a loop is made slower by LLVM."""
    across = runs_along(table, stones, STEPS) | runs_along(table, stones, STEPS + STEP_WORDS)
    aslant = runs_along(table, stones, STEPS + 2 * STEP_WORDS)
    return across | aslant | runs_along(table, stones, STEPS + 3 * STEP_WORDS) != UINT(0)


@helper
def completes_line(table: Words, position: Words, first_word: int, cell: int) -> bool:
    """Whether the stones that begin at a word hold a whole line through the cell."""
    if table[SHIFTING] != UINT(0):
        return has_run(table, position[first_word])
    words = INT(table[WORDS])
    index = INT(table[THROUGH]) + cell
    at = INT(table[index])
    end = INT(table[index + 1])
    while at < end:
        missing = UINT(0)
        for word in range(words):
            missing |= table[at + word] & ~position[first_word + word]
        if missing == UINT(0):
            return True
        at += words
    return False


@helper
def line_worth(stones: int, all_inside: bool) -> float:
    """BRICK's Table 2, as multiples of one stone at an end: stones all inside count double.

    Such numbers add up exactly in whatever order the lines come (to eight in a row): mirror images have the
    same value, and players draw from them as equals.
    """
    worth = 2.0 if all_inside else 1.0
    for _ in range(stones - 1):
        worth *= STEP
    return worth


@helper
def of_a_whole_line(total: float, length: int) -> float:
    """A sum of line_worth in units of a whole line of so many stones."""
    return total / line_worth(length, False)


@helper
def one_word_value(table: Words, first: Word, second: Word, bricks: Word) -> float:
    """lines_value on a board of one word."""
    length = INT(table[LINE_LENGTH])
    at = INT(table[FIRST_LINE])
    total = 0.0
    for _ in range(INT(table[NUM_LINES])):
        mine = first & table[at]
        theirs = second & table[at]
        if bricks & table[at] == UINT(0) and (mine == UINT(0)) != (theirs == UINT(0)):
            stones = mine | theirs
            worth = line_worth(popcount(stones), stones & ~table[at + 1] == UINT(0))
            total += FIRST_PLAYER_WEIGHT * worth if theirs == UINT(0) else -worth
        at += 2
    return of_a_whole_line(total, length)


@helper
def lines_value(table: Words, position: Words) -> float:
    """BRICK's Table 2, for the first player, whose stones, the second's and the bricks lead the position.

    A line counts if it holds stones of one side only; the first player's weigh half as much again.
    """
    words = INT(table[WORDS])
    if words == 1:
        return one_word_value(table, position[0], position[1], position[2])
    length = INT(table[LINE_LENGTH])
    at = INT(table[FIRST_LINE])
    total = 0.0
    for _ in range(INT(table[NUM_LINES])):
        first = 0
        second = 0
        bricks = UINT(0)
        outside = UINT(0)
        for word in range(words):
            mask = table[at + word]
            mine = position[word] & mask
            theirs = position[words + word] & mask
            first += popcount(mine)
            second += popcount(theirs)
            bricks |= position[2 * words + word] & mask
            outside |= (mine | theirs) & ~table[at + words + word]
        at += 2 * words
        if bricks == UINT(0) and (first == 0) != (second == 0):
            worth = line_worth(first + second, outside == UINT(0))
            total += FIRST_PLAYER_WEIGHT * worth if second == 0 else -worth
    return of_a_whole_line(total, length)


def won_line(lines: NDArray[np.int64], stones: set[int]) -> list[int]:
    """Cells of the lines that the stones complete, for drawing."""
    return sorted({int(cell) for line in lines if stones.issuperset(line.tolist()) for cell in line})
