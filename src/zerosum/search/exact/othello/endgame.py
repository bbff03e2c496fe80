"""Othello endgames solved exactly: the final score under best play, and every move that reaches it.

The score is the mover's lead in discs when the game ends, with the empty cells given to the winner as in
tournaments: a wipe-out on 8x8 counts 64. The search is alpha-beta with null windows (principal variation
search) in three storeys: the last two empty cells are written out; up to SHALLOW are tried in order of
parity; above that, moves are ordered by how few replies they leave (fastest first), and results are kept
in a transposition table. A score outside the window alpha..beta is a bound on the true one.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.bits import ONE, lowest, popcount
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
from zerosum.core.random import FIRST_MIX, GOLDEN, mix
from zerosum.core.running.watch import NODES, STOP, Watch, count_node
from zerosum.games.othello import BLACK, MOVER, MOVES, WHITE
from zerosum.games.othello import CORNERS as ALL_CORNERS
from zerosum.search.exact.othello.board import (
    NEIGHBOURS,
    NONE,
    discs_turned,
    final_score,
    moves_for,
    odd_quadrants,
    places_of,
    stable_discs,
    touching,
)
from zerosum.search.exact.solution import DRAW, LOSS, WIN, Solution

MOST_EMPTIES = 24  # hard positions of 24 take a minute or more, and each further cell two or three times that
SHALLOW = 6  # empty cells up to which sorting the moves costs more than it saves
KEPT_FROM = 8  # empty cells from which looking a result up costs less than finding it again
STABLE_FROM = (
    20  # alpha from which the other's stable discs are counted: a third less work on one-sided boards
)

MOST = 64  # no score is higher
UNKNOWN = -100  # below all scores
ABSENT = -1
MOST_BITS = 22  # a hundred megabytes of results

# What moves are sorted by, lowest first. Found by trying a few values on FFO 40 to 44.
FIRST_KEY = 1000
REPLY = 8
CORNER_REPLY = 8
OPEN_CELL = 2  # an empty cell beside own discs may become a reply
CORNER = 8
ODD_QUADRANT = 4

# The desk: constants of the board, then room for the sorted moves of each level.
BOARD = 0
CORNERS = 1
CELLS = 2
LEVEL_SIZE = 64

RESULT = np.dtype(
    [
        ("own", np.uint64),  # with other: the position, own discs being the mover's; 0 where nothing is kept
        ("other", np.uint64),
        ("lower", np.int8),  # bounds of the score
        ("upper", np.int8),
        ("move", np.uint8),  # the best cell found
    ],
    align=True,
)
results_type = types.Array(numba.from_dtype(RESULT), 1, "C")
Results: TypeAlias = Any  # array of RESULT, seen from a kernel
word_type = types.uint64


@helper
def solve_one(own: Word, other: Word, cell: Word) -> int:
    """Score with one empty cell left."""
    lead = popcount(own) - popcount(other)
    gained = popcount(discs_turned(own, other, cell))
    if gained > 0:
        return lead + 2 * gained + 1
    lost = popcount(discs_turned(other, own, cell))
    if lost > 0:
        return lead - 2 * lost - 1
    return lead + 1 if lead > 0 else lead - 1


@kernel(int_type(word_type, word_type, word_type, int_type, int_type))
def solve_two(own: Word, other: Word, empty: Word, alpha: int, beta: int) -> int:
    """Score with two empty cells left."""
    first = UINT(lowest(empty))
    second = UINT(lowest(empty & (empty - ONE)))
    best = UNKNOWN
    if NEIGHBOURS[first] & other != NONE:
        turned = discs_turned(own, other, first)
        if turned != NONE:
            best = -solve_one(other & ~turned, own | turned | (ONE << first), second)
            if best >= beta:
                return best
    if NEIGHBOURS[second] & other != NONE:
        turned = discs_turned(own, other, second)
        if turned != NONE:
            return max(best, -solve_one(other & ~turned, own | turned | (ONE << second), first))
    if best != UNKNOWN:
        return best
    # A pass: the other chooses the cell, and then it is our turn again.
    worst = -UNKNOWN
    turned = discs_turned(other, own, first)
    if turned != NONE:
        worst = solve_one(own & ~turned, other | turned | (ONE << first), second)
        if worst <= alpha:
            return worst
    turned = discs_turned(other, own, second)
    if turned != NONE:
        return min(worst, solve_one(own & ~turned, other | turned | (ONE << second), first))
    return worst if worst != -UNKNOWN else final_score(own, other, empty)


@kernel(int_type(word_type, word_type, word_type, int_type, int_type, actions_type))
def solve_few(own: Word, other: Word, empty: Word, alpha: int, beta: int, counters: Words) -> int:
    """Score with few empty cells left: quadrants with an odd number of them first."""
    count_node(counters)
    left = popcount(empty)
    if left <= 2:
        if left == 2:
            return solve_two(own, other, empty, alpha, beta)
        return solve_one(own, other, UINT(lowest(empty))) if left == 1 else final_score(own, other, empty)
    best = UNKNOWN
    first = empty & odd_quadrants(empty)
    then = empty & ~first
    while first | then != NONE:
        if first == NONE:
            first = then
            then = NONE
        cell = UINT(lowest(first))
        first &= first - ONE
        if NEIGHBOURS[cell] & other == NONE:
            continue
        turned = discs_turned(own, other, cell)
        if turned == NONE:
            continue
        disc = ONE << cell
        theirs, mine = other & ~turned, own | turned | disc
        reply = solve_few(theirs, mine, empty ^ disc, -beta, -max(alpha, best), counters)
        best = max(best, -reply)
        if best >= beta:
            return best
    if best != UNKNOWN:
        return best
    if moves_for(other, own, empty) == NONE:
        return final_score(own, other, empty)
    return -solve_few(other, own, empty, -beta, -alpha, counters)


@helper
def slot_of(own: Word, other: Word, results: Results) -> int:
    """The first of the two neighbouring slots where a position's result may lie."""
    return INT(mix(own * GOLDEN ^ other * FIRST_MIX) & UINT(len(results) - 2))


@helper
def recall(own: Word, other: Word, results: Results) -> int:
    """Where a position's result lies, or ABSENT."""
    slot = slot_of(own, other, results)
    for at in range(slot, slot + 2):
        if results[at].own == own and results[at].other == other:
            return at
    return ABSENT


@helper
def keep(own: Word, other: Word, lower: int, upper: int, move: Word, results: Results) -> None:
    """Keep a result: in the first slot unless that holds a position with fewer discs, which took longer."""
    at = slot_of(own, other, results)
    held = results[at].own | results[at].other
    if held != NONE and popcount(held) < popcount(own | other):
        at += 1
    if results[at].own != own or results[at].other != other:
        results[at].own = own
        results[at].other = other
        results[at].lower = -MOST
        results[at].upper = MOST
    results[at].lower = max(INT(results[at].lower), lower)
    results[at].upper = min(INT(results[at].upper), upper)
    results[at].move = move


@helper
def list_moves(own: Word, other: Word, empty: Word, known: int, desk: Words, level: int) -> int:
    """Write the moves down on a level of the desk, each as a sort key above its cell; returns how many."""
    odd = odd_quadrants(empty)
    moves = moves_for(own, other, empty)
    count = 0
    while moves != NONE:
        cell = UINT(lowest(moves))
        moves &= moves - ONE
        disc = ONE << cell
        key = 0
        if INT(cell) != known:
            turned = discs_turned(own, other, cell)
            mine = own | turned | disc
            rest = empty ^ disc
            replies = moves_for(other & ~turned, mine, rest)
            key = FIRST_KEY + REPLY * popcount(replies) + CORNER_REPLY * popcount(replies & desk[CORNERS])
            key += OPEN_CELL * popcount(touching(mine) & rest)
            if disc & desk[CORNERS] != NONE:
                key -= CORNER
            if disc & odd != NONE:
                key -= ODD_QUADRANT
        desk[level + count] = (UINT(key) << UINT(8)) | cell
        count += 1
    return count


@helper
def take_best(desk: Words, at: int, end: int) -> Word:
    """Bring the move with the lowest key to the front of those not yet tried; returns its cell."""
    best = at
    for later in range(at + 1, end):
        if desk[later] < desk[best]:
            best = later
    chosen = desk[best]
    desk[best] = desk[at]
    desk[at] = chosen
    return chosen & UINT(0xFF)


class Work(NamedTuple):
    """Where the search works and what it knows."""

    desk: Words
    results: Results
    counters: Words  # see Watch


work_type = types.NamedTuple([words_type, results_type, actions_type], Work)


@kernel(int_type(word_type, word_type, int_type, int_type, work_type), allocates=False)
def solve_many(own: Word, other: Word, alpha: int, beta: int, work: Work) -> int:
    """Score with any number of empty cells left; means nothing once the search is told to stop."""
    desk, results, counters = work
    empty = desk[BOARD] & ~(own | other)
    left = popcount(empty)
    if left <= SHALLOW:
        return solve_few(own, other, empty, alpha, beta, counters)
    count_node(counters)
    if counters[STOP] != 0:
        return 0
    if alpha >= STABLE_FROM:
        most = INT(desk[CELLS]) - 2 * popcount(stable_discs(other, empty, ~desk[BOARD]))
        if most <= alpha:
            return most
    known = ABSENT
    if left >= KEPT_FROM:
        at = recall(own, other, results)
        if at != ABSENT:
            alpha = max(alpha, INT(results[at].lower))
            beta = min(beta, INT(results[at].upper))
            if alpha >= beta:
                return INT(results[at].lower) if INT(results[at].lower) >= beta else INT(results[at].upper)
            known = INT(results[at].move)
    level = LEVEL_SIZE * left
    end = level + list_moves(own, other, empty, known, desk, level)
    if end == level:
        if moves_for(other, own, empty) == NONE:
            return final_score(own, other, empty)
        return -solve_many(other, own, -beta, -alpha, work)
    best = UNKNOWN
    best_cell = NONE
    for at in range(level, end):
        cell = take_best(desk, at, end)
        turned = discs_turned(own, other, cell)
        mine = own | turned | (ONE << cell)
        theirs = other & ~turned
        floor = max(alpha, best)
        ceiling = beta if at == level else floor + 1
        value = -solve_many(theirs, mine, -ceiling, -floor, work)
        if ceiling <= value < beta:
            value = -solve_many(theirs, mine, -beta, -value, work)
        if value > best:
            best = value
            best_cell = cell
            if best >= beta:
                break
    if left >= KEPT_FROM and counters[STOP] == 0:
        keep(own, other, best if best > alpha else -MOST, best if best < beta else MOST, best_cell, results)
    return best


class Endgame:
    """One board and what is known about its positions, seen from Python."""

    def __init__(self, game: Game, empties: int, watch: Watch) -> None:
        self.game = game
        self.watch = watch
        self.places = places_of(game.shape[0])
        desk = np.zeros(LEVEL_SIZE * (MOST_EMPTIES + 1), dtype=np.uint64)
        desk[BOARD] = sum(1 << place for place in self.places)
        desk[CORNERS] = self._centred(game.table[ALL_CORNERS])
        desk[CELLS] = game.num_cells
        results = np.zeros(2 ** min(max(empties + 2, 10), MOST_BITS), dtype=RESULT)
        self.work = Work(desk, results, watch.counters)

    def score(self, position: NDArray[np.uint64], alpha: int = -MOST, beta: int = MOST) -> int:
        """The score of a position for its mover, or a bound on it outside the window."""
        mover = int(position[MOVER])
        own, other = self._centred(position[mover]), self._centred(position[1 - mover])
        counters = self.watch.counters
        found = solve_many(own, other, alpha, beta, self.work)
        if counters[STOP]:
            raise Unsolvable(f"{self.game}: stopped after {counters[NODES]:,} positions")
        return int(found)

    def _centred(self, mask: np.uint64) -> np.uint64:
        return UINT(sum(1 << place for cell, place in enumerate(self.places) if int(mask) >> cell & 1))


def solve_othello(game: Game, position: NDArray[np.uint64], watch: Watch) -> Solution:
    """The position's score for the mover, empty cells to the winner, and all best moves.

    Raises Unsolvable with more than MOST_EMPTIES empty cells, and when it is stopped.
    """
    empties = game.num_cells - int(position[BLACK] | position[WHITE]).bit_count()
    if empties > MOST_EMPTIES:
        raise Unsolvable(f"{game}: {empties} cells are empty; the solver takes at most {MOST_EMPTIES}")
    before = int(watch.counters[NODES])
    endgame = Endgame(game, empties, watch)
    score = UNKNOWN
    best: list[int] = []
    for action, child in _children(game, position):
        if best and -endgame.score(child, -score, 1 - score) < score:
            continue  # worse than what we have; most moves need no more than this
        value = -endgame.score(child, -MOST, 1 - score if best else MOST)
        if value > score:
            score = value
            best = []
        best.append(action)
    if not best:
        score = endgame.score(position)
    value = WIN if score > 0 else LOSS if score < 0 else DRAW
    return Solution(value, tuple(sorted(best)), True, score, int(watch.counters[NODES]) - before)


def _children(game: Game, position: NDArray[np.uint64]) -> list[tuple[int, NDArray[np.uint64]]]:
    """The legal actions and where they lead, those that leave the fewest replies first."""
    actions = np.empty(game.max_legal, dtype=np.int64)
    count = game.rules.legal(game.table, position, actions)
    children = []
    for action in actions[:count].tolist():
        child = position.copy()
        game.rules.play(game.table, child, action)
        children.append((action, child))
    return sorted(children, key=lambda move: int(move[1][MOVES]).bit_count())
