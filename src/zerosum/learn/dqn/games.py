"""Many games at once, a ply at a time: each move of the learner's teaches what its last one was worth.

The learner judges afterstates: positions that a move of its own leads to, the opponent to move. What one
was worth shows when the learner moves again, or when the opponent ends the game first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from zerosum.core.compiling.compile import (
    UINT,
    Rules,
    Word,
    Words,
    boards_type,
    float_type,
    helper,
    int_type,
    kernel,
    rules_type,
    words_type,
)
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND, UNFINISHED, value_for
from zerosum.core.random import GOLDEN, make_rng, mix, random_below, random_unit
from zerosum.learn.dqn.judge import (
    Desk,
    LineNet,
    desk_type,
    highest,
    judge_moves,
    line_net_type,
    make_desk,
)

BOTH = 2  # the learner sits on either side
ABSENT = -1

# Places in the counts.
NEXT = 0  # the next episode to begin
END = 1  # and the first not to
ROWS = 2  # lessons of this ply
PLIES = 3
RESULTS = 4  # wins, draws and losses of the learner as first player, then as second


class Games(NamedTuple):
    positions: Any  # [game, word]
    rngs: Any  # [game, 1]
    episodes: Any  # [game] its number, ABSENT where nothing is played
    seats: Any  # [game] the learner's: FIRST, SECOND or BOTH
    afterstates: Any  # [game, seat, word] the learner's last
    waiting: Any  # [game, seat] 1 where there is one, for its worth to be seen


class Lessons(NamedTuple):
    afterstates: Any  # [row, word]
    later: Any  # [row, word] the same player's next turn, or the end of the game
    worth: Any  # [row] float32, what that is worth to it: its best move's value, or the result
    ended: Any  # [row] 1 where it is the result


class Play(NamedTuple):
    """Games in progress, and what they teach."""

    games: Games
    lessons: Lessons
    counts: Any  # NEXT, END, ROWS, PLIES and RESULTS


class Nets(NamedTuple):
    learner: LineNet
    frozen: LineNet  # as the learner was: what an opponent plays with


class Habits(NamedTuple):
    seed: Any
    epsilon: float
    foresight: int  # plies
    random_episodes: int  # the opponent moves at random in the episodes before this one
    self_play: int  # 1: afterwards the learner plays both sides
    one_seat: int  # 1: it always moves first


games_type = types.NamedTuple(
    [
        boards_type,
        boards_type,
        types.int64[::1],
        types.int64[::1],
        types.uint64[:, :, ::1],
        types.int64[:, ::1],
    ],
    Games,
)
lessons_type = types.NamedTuple([boards_type, boards_type, types.float32[::1], types.int64[::1]], Lessons)
play_type = types.NamedTuple([games_type, lessons_type, types.int64[::1]], Play)
nets_type = types.NamedTuple([line_net_type, line_net_type], Nets)
habits_type = types.NamedTuple([types.uint64, float_type, int_type, int_type, int_type, int_type], Habits)


@helper
def begin_episode(rules: Rules, table: Words, games: Games, game: int, episode: int, habits: Habits) -> None:
    """Each episode has random numbers of its own, whichever games are played beside it."""
    games.episodes[game] = episode
    games.rngs[game, 0] = mix(habits.seed ^ mix(UINT(episode) + GOLDEN))
    rules.start(table, games.positions[game], games.rngs[game])
    games.waiting[game] = 0
    if habits.self_play and episode >= habits.random_episodes:
        games.seats[game] = BOTH
    else:
        games.seats[game] = FIRST if habits.one_seat else episode % 2


@helper
def write_lesson(play: Play, game: int, seat: int, worth: Word, ended: int) -> None:
    games, lessons, counts = play
    row = counts[ROWS]
    lessons.afterstates[row] = games.afterstates[game, seat]
    lessons.later[row] = games.positions[game]
    lessons.worth[row] = np.float32(worth)
    lessons.ended[row] = ended
    counts[ROWS] = row + 1


@kernel(types.void(rules_type, words_type, nets_type, desk_type, play_type, habits_type))
def play_ply(rules: Rules, table: Words, nets: Nets, desk: Desk, play: Play, habits: Habits) -> None:
    """One move in every game; new games begin where others have ended, while there are episodes left."""
    games, _, counts = play
    counts[ROWS] = 0
    for game in range(len(games.episodes)):
        if games.episodes[game] == ABSENT:
            if counts[NEXT] == counts[END]:
                continue
            begin_episode(rules, table, games, game, counts[NEXT], habits)
            counts[NEXT] += 1
        position, rng, seat = games.positions[game], games.rngs[game], games.seats[game]
        mover = rules.mover(table, position)
        learns = seat in (BOTH, mover)
        if learns or games.episodes[game] >= habits.random_episodes:
            net = nets.learner if learns else nets.frozen
            count = judge_moves(rules, table, net, desk, position, habits.foresight)
            chosen = highest(desk.values, count)
            if learns and games.waiting[game, mover]:
                write_lesson(play, game, mover, desk.values[chosen], 0)
            if random_unit(rng) < habits.epsilon:
                chosen = random_below(rng, count)
        else:
            chosen = random_below(rng, rules.legal(table, position, desk.actions))
        rules.play(table, position, desk.actions[chosen])
        counts[PLIES] += 1
        outcome = rules.outcome(table, position)
        if outcome == UNFINISHED:
            if learns:  # what is known need not be learnt
                games.afterstates[game, mover] = position
                games.waiting[game, mover] = 1 - desk.known[chosen]
            continue
        other = 1 - mover
        if learns and habits.foresight == 0:  # nobody else says that the game is won
            games.afterstates[game, mover] = position
            write_lesson(play, game, mover, value_for(outcome, mover), 1)
        if games.waiting[game, other]:
            write_lesson(play, game, other, value_for(outcome, other), 1)
        side = SECOND if seat == SECOND else FIRST
        counts[RESULTS + 3 * side + 1 - int(value_for(outcome, side))] += 1
        games.episodes[game] = ABSENT


class Group:
    """Games that one thread plays."""

    def __init__(self, game: Game, size: int, net: LineNet) -> None:
        self.game = game
        words = game.position_words
        self.games = Games(
            positions=np.zeros((size, words), np.uint64),
            rngs=np.zeros((size, 1), np.uint64),
            episodes=np.full(size, ABSENT, np.int64),
            seats=np.zeros(size, np.int64),
            afterstates=np.zeros((size, 2, words), np.uint64),
            waiting=np.zeros((size, 2), np.int64),
        )
        rows = 3 * size  # a ply that ends a game may teach both sides, one of them twice
        self.lessons = Lessons(
            afterstates=np.zeros((rows, words), np.uint64),
            later=np.zeros((rows, words), np.uint64),
            worth=np.zeros(rows, np.float32),
            ended=np.zeros(rows, np.int64),
        )
        self.counts = np.zeros(RESULTS + 6, np.int64)
        self.desk = make_desk(game, net)

    def begin(self, first: int, end: int) -> None:
        """Play the episodes from the first up to, not including, the end; all before are over."""
        self.counts[:] = 0
        self.counts[NEXT], self.counts[END] = first, end

    @property
    def busy(self) -> bool:
        return bool(self.counts[NEXT] < self.counts[END] or (self.games.episodes != ABSENT).any())

    @property
    def results(self) -> NDArray[np.int64]:
        """[seat, result]: wins, draws and losses of the learner; games with itself count as the first's."""
        return self.counts[RESULTS:].reshape(2, 3)

    def ply(self, learner: LineNet, frozen: LineNet, habits: Habits) -> Lessons:
        """One move in every game; what comes back is overwritten by the next."""
        nets, play = Nets(learner, frozen), Play(self.games, self.lessons, self.counts)
        play_ply(self.game.rules, self.game.table, nets, self.desk, play, habits)
        return Lessons(*(array[: self.counts[ROWS]] for array in self.lessons))


def against_random(game: Game, net: LineNet, games: int, foresight: int, seed: int) -> NDArray[np.int64]:
    """Games from each seat, without exploring: [seat, result] as wins, draws and losses."""
    group = Group(game, min(64, 2 * games), net)
    group.begin(0, 2 * games)
    habits = Habits(make_rng("against random", seed)[0], 0.0, foresight, 2 * games, 0, 0)
    while group.busy:
        group.ply(net, net, habits)
    return group.results
