"""Matches: fair, reproducible, and clear about whose fault it was."""

from __future__ import annotations

import os
import signal
import threading
import time
from math import sqrt

import pytest

from tests.arena.stubs import Cheat, Faulty, Stub, stub
from zerosum.arena.match import MatchInterrupted, MatchResult, play_match
from zerosum.arena.play import PlayerFailed, game_seeds, play_game
from zerosum.arena.records.record import GameRecord
from zerosum.arena.tally import Tally
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.result import FIRST_WINS
from zerosum.core.state import View
from zerosum.games import make_game
from zerosum.players.common.player import Choice


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return make_game("tictactoe")


def test_random_play_meets_the_exact_chances(tictactoe: Game) -> None:
    result = play_match(tictactoe, "random", "random", 2000, seed=1)
    starter = result.as_first + result.as_second.reversed()
    for count, chance in (
        (starter.wins, 737 / 1260),
        (starter.losses, 121 / 420),
        (starter.draws, 8 / 63),
    ):
        assert abs(count - 2000 * chance) < 4 * sqrt(2000 * chance * (1 - chance))


def test_the_result_depends_on_the_seed_and_not_on_the_workers(tictactoe: Game) -> None:
    alone, two, many = (
        play_match(tictactoe, "random", stub(5), 40, seed=7, workers=workers) for workers in (1, 2, 7)
    )
    assert alone == two == many
    assert alone != play_match(tictactoe, "random", stub(5), 40, seed=8, workers=1)


def test_a_longer_match_begins_with_the_games_of_a_shorter_one(tictactoe: Game) -> None:
    short = play_match(tictactoe, stub(3), stub(5), 5, seed=2)
    long = play_match(tictactoe, stub(3), stub(5), 12, seed=2)
    assert long.records[:5] == short.records


def test_players_start_in_turn(tictactoe: Game) -> None:
    result = play_match(tictactoe, stub(1), stub(2), 5)
    assert [record.players for record in result.records] == [
        ("stub:1", "stub:2") if number % 2 == 0 else ("stub:2", "stub:1") for number in range(5)
    ]
    assert result.as_first.games == 3
    assert result.as_second.games == 2
    assert result.total == result.as_first + result.as_second


def test_each_pair_of_games_has_one_start_and_every_seat_a_seed_of_its_own() -> None:
    seeds = [game_seeds(11, number) for number in range(20)]
    assert all(seeds[number].start == seeds[number + 1].start for number in range(0, 20, 2))
    assert len({seed.start for seed in seeds}) == 10
    assert len({player for seed in seeds for player in seed.players}) == 40
    assert all(seed.start < 2**53 for seed in seeds)


def test_random_bricks_are_the_same_for_both_games_of_a_pair() -> None:
    game = make_game("brick:random")
    records = play_match(game, stub(10), stub(9), 12, seed=5).records
    starts = [tuple(game.new(record.start_seed).position.tolist()) for record in records]
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) > 1


def test_players_are_told_the_seeds_of_the_record(tictactoe: Game) -> None:
    first, second = Stub(1), Stub(1)
    record = play_game(tictactoe, (first, second), seed=4, number=6)
    assert (first.seeds[0], second.seeds[0]) == record.player_seeds
    assert record.player_seeds == game_seeds(4, 6).players


def test_players_that_never_vary_are_found_out(tictactoe: Game) -> None:
    assert play_match(tictactoe, stub(10), stub(10), 6).repeats_itself
    assert not play_match(tictactoe, stub(10), stub(10), 2).repeats_itself
    assert not play_match(tictactoe, stub(10), "random", 6).repeats_itself


def test_a_player_may_meet_itself(tictactoe: Game) -> None:
    result = play_match(tictactoe, "random", "random", 10, seed=3)
    assert result.players == ("random", "random")
    assert result.total.games == 10


def test_the_first_named_players_results_are_told_by_seat(tictactoe: Game) -> None:
    # Against the lowest free cell, the lowest free cell wins by the diagonal c1 b2 a3 when it starts.
    result = play_match(tictactoe, stub(10), stub(10), 6)
    assert all(record.outcome == FIRST_WINS for record in result.records)
    assert result.as_first == Tally(3, 0, 0)
    assert result.as_second == Tally(0, 0, 3)
    assert result.mean_plies == 7


def test_scores_are_the_first_named_players_lead() -> None:
    def record(number: int, score: int | None) -> GameRecord:
        return GameRecord("x", ("a", "b"), number, 0, (0, 0), (), (), FIRST_WINS, score, (2, 1), (4.0, 1.0))

    result = MatchResult("x", ("a", "b"), 0, 2, (record(0, 6), record(1, 2)))
    assert result.mean_score_difference == 2
    assert result.seconds_per_move == (5 / 3, 5 / 3)
    assert MatchResult("x", ("a", "b"), 0, 1, (record(0, None),)).mean_score_difference is None


def test_an_illegal_move_is_reported_with_its_player_and_the_moves_so_far(tictactoe: Game) -> None:
    with pytest.raises(PlayerFailed, match=r"cheat, second player of tictactoe.*after 'a1'.*a1 is not legal"):
        play_match(tictactoe, stub(10), lambda game: Cheat(), 1)


def test_a_breakdown_is_reported_with_its_player_and_the_moves_so_far(tictactoe: Game) -> None:
    with pytest.raises(PlayerFailed, match=r"faulty, first player.*after 'a1 b1'.*ValueError: out of ideas"):
        play_match(tictactoe, lambda game: Faulty(), stub(10), 1)


@pytest.mark.parametrize(
    ("games", "workers", "complaint"), [(0, 1, "1 game, not 0"), (-3, 1, "not -3"), (2, 0, "1 worker")]
)
def test_a_match_of_nothing_is_refused(tictactoe: Game, games: int, workers: int, complaint: str) -> None:
    with pytest.raises(BadSpec, match=complaint):
        play_match(tictactoe, "random", "random", games, workers=workers)


def test_an_unknown_player_is_refused_before_any_game(tictactoe: Game) -> None:
    with pytest.raises(BadSpec, match="did you mean 'random'"):
        play_match(tictactoe, "random", "randon", 2)


def test_reasons_are_kept_on_request(tictactoe: Game) -> None:
    plain, explained = (
        play_match(tictactoe, stub(3), stub(4), 2, explain=explain) for explain in (False, True)
    )
    for record in explained.records:
        assert tuple(choice.action for choice in record.choices) == record.actions
        assert len(record.choices[0].candidates) == 9
    assert all(record.choices == () for record in plain.records)
    assert [record.actions for record in plain.records] == [record.actions for record in explained.records]


def test_every_result_is_told_as_it_comes(tictactoe: Game) -> None:
    told: list[tuple[GameRecord, int, int]] = []
    result = play_match(tictactoe, "random", "random", 9, on_result=lambda *news: told.append(news))
    assert {record.number for record, _, _ in told} == set(range(9))
    assert [(done, total) for _, done, total in told] == [(done, 9) for done in range(1, 10)]
    assert sorted((record for record, _, _ in told), key=lambda r: r.number) == list(result.records)


def test_an_interruption_keeps_what_was_played_and_leaves_no_thread(tictactoe: Game) -> None:
    def interrupt(record: GameRecord, done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    threads = threading.active_count()
    with pytest.raises(MatchInterrupted) as stopped:
        play_match(tictactoe, "random", "random", 5000, seed=6, on_result=interrupt)
    partial = stopped.value.result
    assert 5 <= partial.total.games < 5000
    assert partial.planned == 5000
    whole = play_match(tictactoe, "random", "random", max(r.number for r in partial.records) + 1, seed=6)
    assert set(partial.records) <= set(whole.records)
    assert threading.active_count() == threads


def test_ctrl_c_reaches_a_match_that_waits_for_its_threads(tictactoe: Game) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it

    class Impatient(Stub):
        def new_game(self, seed: int) -> None:
            super().new_game(seed)
            if len(self.seeds) == 10:
                os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(MatchInterrupted) as stopped:
        play_match(tictactoe, lambda game: Impatient(5), stub(5), 20_000, workers=1)
    assert 0 < len(stopped.value.result.records) < 20_000


def test_an_interruption_waits_for_a_move_and_not_for_the_game(tictactoe: Game) -> None:
    quick = game_seeds(0, 0).players
    interrupted = threading.Event()
    moves_after: list[int] = []

    class Slow(Stub):
        """Takes its time in every game but the first."""

        def choose(self, view: View) -> Choice:
            if self.seeds[-1] not in quick:
                if interrupted.is_set():
                    moves_after.append(len(view.history))
                time.sleep(0.05)
            return super().choose(view)

    def interrupt(record: GameRecord, done: int, total: int) -> None:
        if record.number == 0:
            interrupted.set()
            raise KeyboardInterrupt

    with pytest.raises(MatchInterrupted) as stopped:
        play_match(
            tictactoe, lambda game: Slow(10), lambda game: Slow(10), 100, workers=2, on_result=interrupt
        )
    assert len(stopped.value.result.records) < 100
    assert len(moves_after) <= 4  # two games of seven moves were under way


def test_a_callback_that_fails_ends_the_match(tictactoe: Game) -> None:
    def fail(record: GameRecord, done: int, total: int) -> None:
        raise OSError("disk full")

    threads = threading.active_count()
    with pytest.raises(OSError, match="disk full"):
        play_match(tictactoe, "random", "random", 1000, on_result=fail)
    assert threading.active_count() == threads
