"""Abalone: push six of the other's marbles off a board of hexagons.

Spelling: abalone (the standard start), abalone:daisy (the Belgian daisy), abalone:300, abalone:daisy:300 (at
most so many plies, 200 if not given; then it is a draw)

A move is a group of one to three of one's own marbles in a line, and a step: along the line, pushing fewer of
the other's than it has itself, or sideways onto free cells. The table lists all, those along the line first.

A position holds the mover, the outcome, the first player's marbles, the second's and the plies so far.
Cell c of the 61 is bit c; on the grid of 9x9 rows shift to the right, and off the hexagon all is bricked
up. Official names: row a is the bottom, i the top, and numbers count along the diagonals.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from zerosum.core.bits import ONE, popcount
from zerosum.core.compiling.compile import INT, UINT, Word, Words, gather_rules, helper, rule
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.naming.notation import named_actions
from zerosum.core.outcome import DRAW, FIRST_WINS, UNFINISHED
from zerosum.core.picture import BRICK, EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.core.state import SEATS, State
from zerosum.core.symmetry import Symmetries
from zerosum.games.families.grids import MOVER, OUTCOME, first_word_mover, second_word_outcome

# The position.
MARBLES = 2  # after MOVER and OUTCOME: the first player's, then the second's
PLIES = 4
POSITION_WORDS = 5

# The table.
LIMIT = 0  # plies
PUSHES = 1  # how many actions are steps along the line
ACTIONS = 2
START = 3  # the two boards
STEPS = 5  # [cell, direction] the next cell, or OFF
SIZE = 9  # rows and columns of the grid
CELLS = 61
OFF = CELLS
PLACES = STEPS + 6 * CELLS  # [cell] on the grid
MOVES = PLACES + CELLS  # [action, 2] a push: cell and direction; a sidestep: the cells left and those taken

MARBLES_EACH = 14
LOST = 6  # marbles that lose the game
MOST_IN_LINE = 3
PLIES_UNLESS_SAID = 200
MOST_PLIES = 1000
MOST_LEGAL = 420  # 84 steps along lines, and four sideways of at most 42 pairs and 42 triples
DIRECTIONS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))  # rows and columns, in turn round a cell
STARTS = {
    "standard": ("a1a2a3a4a5b1b2b3b4b5b6c3c4c5", "i5i6i7i8i9h4h5h6h7h8h9g5g6g7"),
    "daisy": ("a1a2b1b2b3c2c3g7g8h7h8h9i8i9", "a4a5b4b5b6c5c6g4g5h4h5h6i5i6"),
}


@helper
def holds(marbles: Word, cell: int) -> bool:
    return (marbles >> UINT(cell)) & ONE != UINT(0)


@helper
def row_of(table: Words, marbles: Word, cell: int, direction: int) -> tuple[int, int]:
    """How many of these marbles lie in a row from a cell on, and the cell behind them, or OFF."""
    count = 0
    while cell != OFF and holds(marbles, cell):
        cell = INT(table[STEPS + 6 * cell + direction])
        count += 1
    return count, cell


@helper
def can_push(table: Words, own: Word, other: Word, cell: int, direction: int) -> bool:
    """Whether the marble on a cell, with those before it, can step along their line."""
    count, ahead = row_of(table, own, cell, direction)
    if count == 0 or count > MOST_IN_LINE or ahead == OFF:
        return False
    facing, behind = row_of(table, other, ahead, direction)
    return facing == 0 or (facing < count and (behind == OFF or not holds(own, behind)))


@helper
def list_moves(table: Words, own: Word, other: Word, actions: Words, enough: int) -> int:
    """Legal actions in ascending order, at least ``enough`` where there are so many; returns how many."""
    count = 0
    pushes = INT(table[PUSHES])
    for action in range(INT(table[ACTIONS])):
        at = MOVES + 2 * action
        if action < pushes:
            legal = can_push(table, own, other, INT(table[at]), INT(table[at + 1]))
        else:
            legal = table[at] & ~own == UINT(0) and table[at + 1] & (own | other) == UINT(0)
        if legal:
            actions[count] = action
            count += 1
            if count == enough:
                return count
    return count


@rule
def abalone_start(table: Words, position: Words, rng: Words) -> None:
    position[:] = UINT(0)
    position[MARBLES] = table[START]
    position[MARBLES + 1] = table[START + 1]


@rule
def abalone_legal(table: Words, position: Words, actions: Words) -> int:
    if position[OUTCOME] != UINT(UNFINISHED):
        return 0
    mover = INT(position[MOVER])
    return list_moves(table, position[MARBLES + mover], position[MARBLES + 1 - mover], actions, MOST_LEGAL)


@rule
def abalone_play(table: Words, position: Words, action: int) -> None:
    mover = INT(position[MOVER])
    own, other = position[MARBLES + mover], position[MARBLES + 1 - mover]
    at = MOVES + 2 * action
    if action < INT(table[PUSHES]):
        cell, direction = INT(table[at]), INT(table[at + 1])
        _, ahead = row_of(table, own, cell, direction)
        facing, behind = row_of(table, other, ahead, direction)
        if facing > 0:
            other &= ~(ONE << UINT(ahead))
            if behind != OFF:
                other |= ONE << UINT(behind)
        own = (own & ~(ONE << UINT(cell))) | (ONE << UINT(ahead))
    else:
        own = (own & ~table[at]) | table[at + 1]
    position[MARBLES + mover] = own
    position[MARBLES + 1 - mover] = other
    position[PLIES] += ONE
    if popcount(other) <= MARBLES_EACH - LOST:
        position[OUTCOME] = UINT(FIRST_WINS + mover)
    elif position[PLIES] >= table[LIMIT] or list_moves(table, other, own, np.empty(1, np.int64), 1) == 0:
        position[OUTCOME] = UINT(DRAW)
    position[MOVER] = UINT(1 - mover)


@rule
def abalone_score(table: Words, position: Words) -> int:
    """Marbles that the first player has pushed out, less those the second has."""
    return popcount(position[MARBLES]) - popcount(position[MARBLES + 1])


@rule
def abalone_heuristic(table: Words, position: Words) -> float:
    """Marbles first, and then who holds the middle, from which nobody is pushed."""
    lead = popcount(position[MARBLES]) - popcount(position[MARBLES + 1])
    closer = 0
    for cell in range(CELLS):
        row = INT(table[PLACES + cell]) // SIZE - SIZE // 2
        column = INT(table[PLACES + cell]) % SIZE - SIZE // 2
        off = max(abs(row), abs(column), abs(row + column))
        closer += off * (INT(holds(position[MARBLES + 1], cell)) - INT(holds(position[MARBLES], cell)))
    return lead / 8 + closer / 500


@rule
def abalone_encode(table: Words, position: Words, planes: Words) -> None:
    mover = INT(position[MOVER])
    own, other = position[MARBLES + mover], position[MARBLES + 1 - mover]
    grid = SIZE * SIZE
    planes[: 2 * grid] = np.float32(0)
    planes[2 * grid : 3 * grid] = np.float32(1)
    for cell in range(CELLS):
        place = INT(table[PLACES + cell])
        planes[place] = np.float32(holds(own, cell))
        planes[grid + place] = np.float32(holds(other, cell))
        planes[2 * grid + place] = np.float32(0)
    planes[3 * grid : 4 * grid] = np.float32((MARBLES_EACH - popcount(own)) / LOST)
    planes[4 * grid : 5 * grid] = np.float32((MARBLES_EACH - popcount(other)) / LOST)
    planes[5 * grid : 6 * grid] = np.float32(INT(position[PLIES]) / INT(table[LIMIT]))


RULES = gather_rules(
    start=abalone_start,
    legal=abalone_legal,
    play=abalone_play,
    mover=first_word_mover,
    outcome=second_word_outcome,
    encode=abalone_encode,
    score=abalone_score,
    heuristic=abalone_heuristic,
)

Point = tuple[int, int]
Move = tuple[frozenset[int], int]  # the group, for a push its last marble alone, and the direction
POINTS: list[Point] = [
    (row, column)
    for row in range(SIZE)
    for column in range(SIZE)
    if SIZE // 2 <= row + column <= 3 * (SIZE // 2)
]
NUMBER = {point: cell for cell, point in enumerate(POINTS)}
NAMES = [f"{'ihgfedcba'[row]}{column + 1}" for row, column in POINTS]


def step(point: Point, direction: int, times: int = 1) -> Point:
    rows, columns = DIRECTIONS[direction]
    return point[0] + times * rows, point[1] + times * columns


def _pushes() -> list[Move]:
    """Every cell and the directions in which the board goes on."""
    return [
        (frozenset({cell}), direction)
        for cell, point in enumerate(POINTS)
        for direction in range(6)
        if step(point, direction) in NUMBER
    ]


def _sidesteps() -> list[Move]:
    """Pairs and triples in a line, and the directions across it in which the board has room for them."""
    found = []
    for point in POINTS:
        for axis in range(3):
            for length in range(2, MOST_IN_LINE + 1):
                group = [step(point, axis, times) for times in range(length)]
                for direction in range(6):
                    taken = [step(cell, direction) for cell in group]
                    if direction % 3 != axis and all(cell in NUMBER for cell in (*group, *taken)):
                        found.append((frozenset(NUMBER[cell] for cell in group), direction))
    return found


def _targets(move: Move) -> list[int]:
    """Where the group of a move goes, cell by cell in the order of its cells."""
    group, direction = move
    return [NUMBER[step(POINTS[cell], direction)] for cell in sorted(group)]


def _turned(point: Point, turns: int, mirrored: bool) -> Point:
    """A point of the plane around the middle after so many sixths of a turn, mirrored first or not."""
    row, column = point[::-1] if mirrored else point
    for _ in range(turns):
        row, column = -column, row + column
    return row, column


def _symmetries(moves: list[Move], start: tuple[int, int]) -> Symmetries:
    """The turns and mirrorings of the hexagon that leave the start as it is."""
    middle = SIZE // 2
    number = {move: action for action, move in enumerate(moves)}
    cells, actions = [], []
    for mirrored in (False, True):
        for turns in range(6):
            around = [_turned((row - middle, column - middle), turns, mirrored) for row, column in POINTS]
            sent = [NUMBER[row + middle, column + middle] for row, column in around]
            ways = [DIRECTIONS.index(_turned(way, turns, mirrored)) for way in DIRECTIONS]
            if any({sent[cell] for cell in _cells(board)} != set(_cells(board)) for board in start):
                continue
            grid = np.arange(SIZE * SIZE)
            for cell, target in enumerate(sent):
                grid[_place(cell)] = _place(target)
            cells.append(grid)
            actions.append([number[frozenset(sent[c] for c in group), ways[way]] for group, way in moves])
    return Symmetries(np.array(cells), np.array(actions))


def _place(cell: int) -> int:
    """A cell's number on the grid."""
    row, column = POINTS[cell]
    return row * SIZE + column


def _cells(board: int) -> list[int]:
    return [cell for cell in range(CELLS) if board >> cell & 1]


def _board(cells: str) -> int:
    return sum(1 << NAMES.index(name) for name in re.findall("..", cells))


def _name(move: Move) -> str:
    """e5-e6 is a step along the line, named by its last marble; e5=e7-f6 a pair or triple sideways."""
    group = sorted(move[0])
    ends = NAMES[group[0]] + (f"={NAMES[group[-1]]}" if len(group) > 1 else "")
    return f"{ends}-{NAMES[_targets(move)[0]]}"


def _words(moves: list[Move]) -> list[int]:
    """Two words an action, as MOVES has them."""
    words = []
    for move in moves:
        group, direction = move
        if len(group) == 1:
            words += [*group, direction]
        else:
            words += [sum(1 << cell for cell in group), sum(1 << cell for cell in _targets(move))]
    return words


def _read(variant: str) -> tuple[str, int]:
    """The start and the limit of plies."""
    start, limit = "standard", PLIES_UNLESS_SAID
    for part in filter(None, variant.split(":")):
        if part in STARTS:
            start = part
        elif part.isdigit() and 1 <= int(part) <= MOST_PLIES:
            limit = int(part)
        else:
            raise BadSpec(
                f"abalone: '{part}' is neither a start ({', '.join(STARTS)}) nor a number of plies from 1 to "
                f"{MOST_PLIES}; write abalone:daisy or abalone:daisy:300"
            )
    return start, limit


def make(variant: str) -> Game:
    start, limit = _read(variant)
    boards = (_board(STARTS[start][0]), _board(STARTS[start][1]))
    pushes, sidesteps = _pushes(), _sidesteps()
    moves = pushes + sidesteps
    steps = [NUMBER.get(step(point, direction), OFF) for point in POINTS for direction in range(6)]
    places = [_place(cell) for cell in range(CELLS)]
    table = [limit, len(pushes), len(moves), *boards, *steps, *places, *_words(moves)]
    names = [_name(move) for move in moves]
    cell = "[a-i][1-9]"
    # A network speaks of a move on the first cell of its group: a map for each direction, size and axis.
    kinds = sorted({_kind(move) for move in moves})
    places_of = [[kinds.index(_kind(move)) * SIZE * SIZE + _place(min(move[0]))] for move in moves]

    def picture(state: State) -> Picture:
        marks = [BRICK] * (SIZE * SIZE)
        for at, place in enumerate(places):
            held = [bool(int(state.position[MARBLES + player]) >> at & 1) for player in range(2)]
            marks[place] = FIRST_MARK if held[0] else SECOND_MARK if held[1] else EMPTY
        out = [MARBLES_EACH - marks.count(mark) for mark in (FIRST_MARK, SECOND_MARK)]
        last = [place for action in state.history[-1:] for place in _targets(moves[action])]
        return Picture(
            shape=(SIZE, SIZE),
            marks=marks,
            row_labels=list("ihgfedcba"),
            column_labels=[str(column + 1) for column in range(SIZE)],
            style="hexagons",
            colours=("#2a2a2a", "#e9e4d4"),
            last=frozenset(places[at] for at in last),
            caption=f"out: black {out[0]}, white {out[1]}",
        )

    return Game(
        spec=":".join(
            ["abalone", *[start][: start != "standard"], *[str(limit)][: limit != PLIES_UNLESS_SAID]]
        ),
        title="Abalone" + (", Belgian daisy" if start == "daisy" else ""),
        rules=RULES,
        table=np.array(table, dtype=np.uint64),
        position_words=POSITION_WORDS,
        num_actions=len(moves),
        max_legal=MOST_LEGAL,
        max_plies=limit,
        shape=(SIZE, SIZE),
        planes=(
            "own marbles",
            "other's marbles",
            "off the board",
            "share of six marbles lost",
            "share of six marbles pushed out",
            "share of the plies played",
        ),
        flat_planes=3,
        symmetries=_symmetries(moves, boards),
        notation=replace(named_actions(names, f"{cell}(?:={cell})?-{cell}"), example="c3-d3 or c3=c5-d3"),
        picture=picture,
        has_score=True,
        has_heuristic=True,
        setup=_set_up,
        action_planes=len(kinds),
        action_places=np.array(places_of),
    )


def _set_up(game: Game, marks: Sequence[int], mover: int | None) -> NDArray[np.uint64]:
    """Marbles and who moves, the first player unless told, as if no ply had been played."""
    position = np.zeros(POSITION_WORDS, dtype=np.uint64)
    position[MOVER] = mover or 0
    for player, mark in enumerate((FIRST_MARK, SECOND_MARK)):
        cells = [cell for cell in range(CELLS) if marks[_place(cell)] == mark]
        if len(cells) != list(marks).count(mark) or not MARBLES_EACH - LOST < len(cells) <= MARBLES_EACH:
            raise BadSpec(f"the {SEATS[player]} has {len(cells)} marbles on the board, and not 9 to 14")
        position[MARBLES + player] = sum(1 << cell for cell in cells)
    return position


def _kind(move: Move) -> tuple[int, int, int]:
    """What tells groups apart that begin on the same cell: size, direction, and how the line runs."""
    group = sorted(move[0])
    line = group[1] - group[0] if len(group) > 1 else 0
    return len(group), move[1], 0 if line in (0, 1) else 1 if POINTS[group[1]][1] < POINTS[group[0]][1] else 2
