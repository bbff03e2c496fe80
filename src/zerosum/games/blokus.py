"""Blokus Duo: lay polyominoes so that your own touch at corners, never along edges.

Spelling: blokus (14x14, two players)

Rules: in turn lay one of your 21 pieces, each once. The first covers your start point (e5 for the first
player, j10 for the second); every further one touches your own at a corner and nowhere along an edge.
Who cannot lay any passes. A square laid is a point; laying all gives 15 more, and 5 on top if the
single square came last. A move is a piece, the way it lies and its first square: L4b@c5 is piece L4,
turned the way b, with its first square in row order on c5; or the squares themselves: d5+e5+e6.

A position is, for the first player and then for the second,

    [squares covered | cells beside them | cells at their corners | pieces left | bonus points]

with four words for each of the three boards, followed by the mover and the outcome. All of it follows
from the squares covered and whose turn it is, but for the bonus: a player's pieces never touch along an
edge, so they can be told apart. Before a player's first piece the start point is the one cell 'at a
corner': the rule for first moves needs no code of its own.

What is open to a player only shrinks, whoever moves, and what a player's corners reach only grows, by
that player's moves: rollouts keep both as sets of placements and change them as they play.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase

import numpy as np

from zerosum.core.bits import ONE, has_bit, lowest, popcount
from zerosum.core.compiling.compile import INT, UINT, Word, Words, gather_rules, helper, rule
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import DRAW, FIRST, FIRST_WINS, SECOND, SECOND_WINS, UNFINISHED
from zerosum.core.picture import EMPTY, FIRST_MARK, SECOND_MARK, Picture
from zerosum.core.random import random_below
from zerosum.core.state import State
from zerosum.core.symmetry import Symmetries, compose_symmetries
from zerosum.games.families.placements import (
    BESIDE,
    BOARD_WORDS,
    CORNERS,
    COVERED,
    NUM_CELLS,
    NUM_PLACEMENTS,
    PIECE,
    RECORD,
    SET_WORDS,
    SIZE,
    count_shared,
    exclude_covering,
    exclude_piece,
    include_covering,
    pick_shared,
    placement_table,
)
from zerosum.games.families.polyominoes import (
    DRAWINGS,
    ORIENTED,
    PIECES,
    Placements,
    find_placements,
    turned_placements,
)
from zerosum.games.families.tiles import placement_notation, tile_groups

START_CELLS = (4 * SIZE + 4, 9 * SIZE + 9)
NUM_PIECES = len(PIECES)
NUM_SQUARES = 89
PASS = NUM_PLACEMENTS
NOWHERE = len(ORIENTED) * NUM_CELLS  # the place of the pass, behind one map of the board a way to lie

MONOMINO = PIECES.index("I1")
ALL_PLACED = 15  # points for laying all pieces
MONOMINO_LAST = 20  # points for laying all pieces, the monomino last
MOST_POINTS = NUM_SQUARES + MONOMINO_LAST  # that a player can be ahead
CORNER_WORTH = 0.45  # points; in choosing the next move 0, 1 and 2 lost to it, 0.2 did about as well

# A side's part of the position: its boards as in a placement's record, then these.
LEFT = 12
BONUS = 13
SIDE = 14
MOVER = 2 * SIDE
OUTCOME = MOVER + 1
POSITION_WORDS = OUTCOME + 1

PLANES = (
    "own squares",
    "other's squares",
    "closed to own pieces",
    "closed to other's pieces",
    "own free corners",
    "other's free corners",
    *(f"own {piece} left" for piece in PIECES),
    *(f"other's {piece} left" for piece in PIECES),
    "mover is the first player",
)


@helper
def closed_cells(position: Words, player: int, word: int) -> Word:
    """A word of the cells that a player may not cover."""
    own, other = player * SIDE, (1 - player) * SIDE
    return position[own + COVERED + word] | position[own + BESIDE + word] | position[other + COVERED + word]


@helper
def free_corners(position: Words, player: int, word: int) -> Word:
    """A word of the cells where a player's next piece may touch earlier ones."""
    return position[player * SIDE + CORNERS + word] & ~closed_cells(position, player, word)


@helper
def find_reached(table: Words, position: Words, player: int, reached: Words) -> None:
    """Make a set of the placements that touch a piece of the player's at a free corner."""
    reached[:] = UINT(0)
    for word in range(BOARD_WORDS):
        include_covering(table, reached, word, free_corners(position, player, word))


@helper
def exclude_closed(table: Words, position: Words, player: int, chosen: Words) -> None:
    """Take from a set what covers cells closed to the player, and the pieces laid already."""
    for word in range(BOARD_WORDS):
        exclude_covering(table, chosen, word, closed_cells(position, player, word))
    for piece in range(NUM_PIECES):
        if not has_bit(position, player * SIDE + LEFT, piece):
            exclude_piece(table, chosen, piece)


@helper
def find_legal(table: Words, position: Words, player: int, found: Words) -> None:
    """Make a set of what a player could lay if it were their turn."""
    find_reached(table, position, player, found)
    exclude_closed(table, position, player, found)


@helper
def can_lay(table: Words, position: Words, player: int) -> bool:
    """Whether a player could lay anything if it were their turn."""
    corners = UINT(0)
    for word in range(BOARD_WORDS):
        corners |= free_corners(position, player, word)
    if corners == UINT(0) or has_bit(position, player * SIDE + LEFT, MONOMINO):
        return corners != UINT(0)  # the monomino goes on any free corner
    found = np.empty(SET_WORDS, dtype=np.uint64)
    find_legal(table, position, player, found)
    joined = UINT(0)
    for word in range(SET_WORDS):
        joined |= found[word]
    return joined != UINT(0)


@helper
def squares_laid(position: Words, player: int) -> int:
    laid = 0
    for word in range(BOARD_WORDS):
        laid += popcount(position[player * SIDE + COVERED + word])
    return laid


@helper
def lead(position: Words) -> int:
    """The first player's points minus the second's: squares left unlaid cost a point each."""
    bonus = INT(position[BONUS]) - INT(position[SIDE + BONUS])
    return bonus + squares_laid(position, FIRST) - squares_laid(position, SECOND)


@helper
def finish(position: Words) -> None:
    points = lead(position)
    position[OUTCOME] = UINT(DRAW if points == 0 else FIRST_WINS if points > 0 else SECOND_WINS)


@helper
def lay(table: Words, position: Words, placement: int) -> None:
    """Put a piece of the mover's on the board; mover and outcome stay as they are."""
    own = INT(position[MOVER]) * SIDE
    record = placement * RECORD
    for word in range(3 * BOARD_WORDS):
        position[own + word] |= table[record + word]
    piece = table[record + PIECE]
    position[own + LEFT] &= ~(ONE << piece)
    if position[own + LEFT] == UINT(0):
        position[own + BONUS] = UINT(MONOMINO_LAST if piece == UINT(MONOMINO) else ALL_PLACED)


@rule
def blokus_start(table: Words, position: Words, rng: Words) -> None:
    position[:] = UINT(0)
    for player in range(2):
        cell = START_CELLS[player]
        position[player * SIDE + CORNERS + (cell >> 6)] = ONE << UINT(cell & 63)
        position[player * SIDE + LEFT] = (ONE << UINT(NUM_PIECES)) - ONE


@rule
def blokus_legal(table: Words, position: Words, actions: Words) -> int:
    """Placements; or the pass alone, for a player who has none while the other has."""
    if position[OUTCOME] != UINT(UNFINISHED):
        return 0
    found = np.empty(SET_WORDS, dtype=np.uint64)
    find_legal(table, position, INT(position[MOVER]), found)
    count = 0
    for word in range(SET_WORDS):
        rest = found[word]
        while rest != UINT(0):
            actions[count] = 64 * word + lowest(rest)
            rest &= rest - ONE
            count += 1
    if count == 0:
        actions[0] = PASS
        return 1
    return count


@rule
def blokus_play(table: Words, position: Words, action: int) -> None:
    mover = INT(position[MOVER])
    if action != PASS:  # a pass never ends the game: it is played only while the other can lay
        lay(table, position, action)
        if not can_lay(table, position, 1 - mover) and not can_lay(table, position, mover):
            finish(position)
    position[MOVER] = UINT(1 - mover)


@rule
def blokus_rollout(table: Words, position: Words, actions: Words, rng: Words) -> int:
    """The moves are those of drawing from the legal ones."""
    if position[OUTCOME] != UINT(UNFINISHED):
        return INT(position[OUTCOME])
    open_to = np.full((2, SET_WORDS), ~UINT(0), dtype=np.uint64)
    reached = np.empty((2, SET_WORDS), dtype=np.uint64)
    for player in range(2):
        find_reached(table, position, player, reached[player])
        exclude_closed(table, position, player, open_to[player])
    while True:
        mover = INT(position[MOVER])
        count = count_shared(open_to[mover], reached[mover])
        if count > 0:
            chosen = pick_shared(open_to[mover], reached[mover], random_below(rng, count))
            lay(table, position, chosen)
            record = chosen * RECORD
            exclude_piece(table, open_to[mover], INT(table[record + PIECE]))
            for word in range(BOARD_WORDS):
                covered, sides = table[record + COVERED + word], table[record + BESIDE + word]
                exclude_covering(table, open_to[mover], word, covered | sides)
                exclude_covering(table, open_to[1 - mover], word, covered)
                include_covering(table, reached[mover], word, table[record + CORNERS + word])
        elif count_shared(open_to[1 - mover], reached[1 - mover]) > 0:
            random_below(rng, 1)  # a pass is drawn like any other move
        else:
            finish(position)
            return INT(position[OUTCOME])
        position[MOVER] = UINT(1 - mover)


@rule
def blokus_mover(table: Words, position: Words) -> int:
    return INT(position[MOVER])


@rule
def blokus_outcome(table: Words, position: Words) -> int:
    return INT(position[OUTCOME])


@rule
def blokus_score(table: Words, position: Words) -> int:
    return lead(position)


@rule
def blokus_heuristic(table: Words, position: Words) -> float:
    """The lead in points and, while the game goes on, in free corners to play from.

    There are 196 cells to be corners, so the sum stays within -2..2.
    """
    corners = 0
    if position[OUTCOME] == UINT(UNFINISHED):
        for word in range(BOARD_WORDS):
            corners += popcount(free_corners(position, FIRST, word))
            corners -= popcount(free_corners(position, SECOND, word))
    return (lead(position) + CORNER_WORTH * corners) / MOST_POINTS


@rule
def blokus_encode(table: Words, position: Words, planes: Words) -> None:
    """The planes of PLANES; those of pieces left and of the mover are all ones or all zeros."""
    mover = INT(position[MOVER])
    for seat in range(2):
        player = mover if seat == 0 else 1 - mover
        for cell in range(NUM_CELLS):
            word, bit = cell >> 6, UINT(cell & 63)
            squares = position[player * SIDE + COVERED + word]
            closed, corners = closed_cells(position, player, word), free_corners(position, player, word)
            planes[seat * NUM_CELLS + cell] = np.float32((squares >> bit) & ONE)
            planes[(2 + seat) * NUM_CELLS + cell] = np.float32((closed >> bit) & ONE)
            planes[(4 + seat) * NUM_CELLS + cell] = np.float32((corners >> bit) & ONE)
        for piece in range(NUM_PIECES):
            at = (6 + seat * NUM_PIECES + piece) * NUM_CELLS
            planes[at : at + NUM_CELLS] = np.float32(has_bit(position, player * SIDE + LEFT, piece))
    planes[(6 + 2 * NUM_PIECES) * NUM_CELLS :] = np.float32(mover == FIRST)


BLOKUS = gather_rules(
    start=blokus_start,
    legal=blokus_legal,
    play=blokus_play,
    mover=blokus_mover,
    outcome=blokus_outcome,
    encode=blokus_encode,
    score=blokus_score,
    heuristic=blokus_heuristic,
    rollout=blokus_rollout,
)


def make(variant: str) -> Game:
    if variant:
        raise BadSpec(f"blokus has no variant '{variant}'; write blokus")
    placements = find_placements(SIZE, SIZE)
    mirrored = compose_symmetries(
        (SIZE, SIZE), lambda p: (p[1], p[0])
    )  # the only symmetry that keeps both start points
    actions = [np.append(turned_placements(placements, cells), PASS) for cells in mirrored]
    return Game(
        spec="blokus",
        title="Blokus Duo 14x14",
        rules=BLOKUS,
        table=placement_table(placements),
        position_words=POSITION_WORDS,
        num_actions=NUM_PLACEMENTS + 1,
        max_legal=NUM_PLACEMENTS,  # random games stay below 1,000, but nothing much lower than all is proven
        max_plies=2 * NUM_PIECES,  # who has none left to lay passes only before a piece of the other's
        shape=(SIZE, SIZE),
        planes=PLANES,
        symmetries=Symmetries(mirrored, np.array(actions)),
        notation=placement_notation(placements, SIZE, SIZE),
        picture=_picture(placements),
        pieces=DRAWINGS,
        has_score=True,
        has_heuristic=True,
        flat_planes=2 * NUM_PIECES + 1,
        action_planes=len(ORIENTED),
        action_places=np.append(placements.oriented * NUM_CELLS + placements.first, NOWHERE)[:, None],
    )


def _picture(placements: Placements) -> Callable[[State], Picture]:
    def picture(state: State) -> Picture:
        marks = [EMPTY] * NUM_CELLS
        for player, mark in ((FIRST, FIRST_MARK), (SECOND, SECOND_MARK)):
            for cell in _bits(state, player, COVERED, NUM_CELLS):
                marks[cell] = mark
        laid = [action for action in state.history[-1:] if action != PASS]
        return Picture(
            shape=(SIZE, SIZE),
            marks=marks,
            row_labels=[str(row + 1) for row in range(SIZE)],
            column_labels=list(ascii_lowercase[:SIZE]),
            style="tiles",
            last=frozenset(
                cell for action in laid for cell in np.flatnonzero(placements.cells[action]).tolist()
            ),
            groups=tile_groups(marks, SIZE),
            caption=_caption(state),
            points=frozenset(START_CELLS),
        )

    return picture


def _bits(state: State, player: int, part: int, count: int) -> list[int]:
    return [bit for bit in range(count) if has_bit(state.position, player * SIDE + part, bit)]


def _caption(state: State) -> str:
    """What the mover may still lay; at the end the points."""
    if not state.finished:
        return "left: " + " ".join(PIECES[piece] for piece in _bits(state, state.mover, LEFT, NUM_PIECES))
    points = [
        int(state.position[player * SIDE + BONUS]) - NUM_SQUARES + squares_laid(state.position, player)
        for player in (FIRST, SECOND)
    ]
    return f"points: first player {points[0]}, second player {points[1]}"
