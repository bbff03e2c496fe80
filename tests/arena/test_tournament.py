"""Tournaments: everybody meets everybody, and a killed one ends like an unbroken one."""

from __future__ import annotations

import fcntl
import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.arena.stubs import Stub, stub
from zerosum.arena import state_file
from zerosum.arena.records.record import GameRecord
from zerosum.arena.tally import Tally
from zerosum.arena.tournament import Settings, TournamentInterrupted, TournamentResult, run_tournament
from zerosum.arena.workers import Entrant
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.games import make_game
from zerosum.players.common.player import Player

ENTRANTS: list[Entrant] = ["random", stub(3), stub(6), stub(9)]
NAMES = ("random", "stub:3", "stub:6", "stub:9")
GAMES = 6


class Killed(BaseException):
    """Stands for the end of the process."""


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return make_game("tictactoe")


@pytest.fixture(scope="module")
def unbroken(tictactoe: Game) -> TournamentResult:
    return run_tournament(tictactoe, ENTRANTS, GAMES, seed=1)


def test_every_pair_plays_half_its_games_from_either_seat(unbroken: TournamentResult) -> None:
    assert {pair: results.games for pair, results in unbroken.table().items()} == {
        (a, b): GAMES // 2 for a in NAMES for b in NAMES if a != b
    }
    assert len(unbroken.records) == unbroken.planned == GAMES * 6


def test_ordered_pairs_play_the_whole_number_each(tictactoe: Game) -> None:
    result = run_tournament(tictactoe, ENTRANTS[:3], 2, ordered=True)
    assert all(results.games == 2 for results in result.table().values())
    assert len(result.records) == result.planned == 12


def test_mirrored_everybody_meets_itself_too_and_the_ratings_stay(tictactoe: Game) -> None:
    plain = run_tournament(tictactoe, ENTRANTS[:3], 4, ordered=True)
    result = run_tournament(tictactoe, ENTRANTS[:3], 4, ordered=True, mirrored=True)
    assert {pair: results.games for pair, results in result.table().items()} == {
        (a, b): 4 for a in NAMES[:3] for b in NAMES[:3]
    }
    assert len(result.records) == result.planned == 4 * 9
    assert _without_seconds(result) == _without_seconds(plain)
    own = [record.actions for record in result.records if record.players == ("random", "random")]
    assert len(set(own)) == 4  # each seat draws for itself


def _without_seconds(result: TournamentResult) -> list[object]:
    return [(row.name, row.rating, row.error, row.total) for row in result.standings()]


def test_a_mirrored_tournament_goes_on_where_it_was(tictactoe: Game, tmp_path: Path) -> None:
    kept = tmp_path / "state"
    whole = run_tournament(tictactoe, ENTRANTS[:2], 3, state_file=kept, mirrored=True)
    lines = kept.read_text().splitlines()
    kept.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
    again = run_tournament(tictactoe, ENTRANTS[:2], 3, state_file=kept, mirrored=True)
    assert [record.actions for record in again.records] == [record.actions for record in whole.records]
    with pytest.raises(ZerosumError, match="another tournament"):
        run_tournament(tictactoe, ENTRANTS[:2], 2, state_file=kept, mirrored=True)


@pytest.mark.parametrize("players", range(2, 8))
def test_odd_numbers_of_games_favour_nobody(players: int) -> None:
    settings = Settings("tictactoe", tuple(f"p{number}" for number in range(players)), 3, False, 0)
    starts = Counter(fixture.seats[0] for fixture in settings.fixtures())
    assert max(starts.values()) - min(starts.values()) <= 1


def test_different_pairs_play_different_games(unbroken: TournamentResult) -> None:
    seeds = [seed for record in unbroken.records for seed in record.player_seeds]
    assert len(set(seeds)) == len(seeds)


def test_the_result_does_not_depend_on_the_workers(tictactoe: Game, unbroken: TournamentResult) -> None:
    assert run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, workers=1) == unbroken
    assert run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, workers=5) == unbroken
    assert run_tournament(tictactoe, ENTRANTS, GAMES, seed=2) != unbroken


def test_standings_and_table_tell_the_same_story(unbroken: TournamentResult) -> None:
    table = unbroken.table()
    standings = unbroken.standings()
    assert sorted(row.name for row in standings) == sorted(NAMES)
    for row in standings:
        as_first = sum((table[row.name, other] for other in NAMES if other != row.name), Tally())
        as_second = sum((table[other, row.name].reversed() for other in NAMES if other != row.name), Tally())
        assert (row.as_first, row.as_second) == (as_first, as_second)
        assert row.total == as_first + as_second
        assert row.seconds_per_move is not None
    ratings = [row.rating for row in standings]
    assert ratings == sorted(ratings, reverse=True)
    # All have played as many games, so a better rating is a better score, and the other way round.
    scores = [row.total.points for row in standings]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("kills", [[1], [7, 20], [3, 4, 5, 6, 30]])
def test_a_killed_tournament_ends_like_an_unbroken_one(
    tictactoe: Game, unbroken: TournamentResult, tmp_path: Path, kills: list[int]
) -> None:
    path = tmp_path / "state.jsonl"
    for kill in kills:

        def stop(record: GameRecord, done: int, total: int, kill: int = kill) -> None:
            if done >= kill:
                raise Killed

        with pytest.raises(Killed):
            run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, state_file=path, on_result=stop)
    told: list[int] = []
    resumed = run_tournament(
        tictactoe,
        ENTRANTS,
        GAMES,
        seed=1,
        state_file=path,
        on_result=lambda r, done, total: told.append(done),
    )
    assert resumed == unbroken
    assert told == list(range(kills[-1] + 1, unbroken.planned + 1))
    assert len(path.read_text().splitlines()) == 1 + unbroken.planned
    again = run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, state_file=path, on_result=stop)
    assert again == unbroken


def test_a_state_file_cut_anywhere_is_made_whole(
    tictactoe: Game, unbroken: TournamentResult, tmp_path: Path
) -> None:
    path = tmp_path / "state.jsonl"
    assert run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, state_file=path) == unbroken
    data = path.read_bytes()
    header = data.index(b"\n") + 1
    for cut in (
        0,
        1,
        header // 2,
        header - 1,
        header,
        header + 1,
        len(data) // 3,
        len(data) // 2,
        len(data) - 1,
    ):
        path.write_bytes(data[:cut])
        resumed = run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, state_file=path)
        assert (resumed.settings, resumed.records) == (unbroken.settings, unbroken.records)
        assert len(resumed.ignored_lines) <= 1


def test_damaged_foreign_and_doctored_lines_are_ignored_and_played_again(
    tictactoe: Game, unbroken: TournamentResult, tmp_path: Path
) -> None:
    path = tmp_path / "state.jsonl"
    run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, state_file=path)
    lines = path.read_text().splitlines()
    doctored = json.loads(lines[1])
    doctored["outcome"] = "draw" if doctored["outcome"] != "draw" else "first player wins"
    foreign = json.loads(lines[2])
    foreign["player_seeds"] = [1, 2]
    lines[1:5] = [json.dumps(doctored), json.dumps(foreign), "\ufffd garbage", lines[4][:50]]
    path.write_text("\n".join(lines) + "\n")
    resumed = run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, state_file=path)
    assert resumed.records == unbroken.records
    assert resumed.ignored_lines == (2, 3, 4, 5)


def test_an_interrupted_tournament_tells_what_it_has(tictactoe: Game, tmp_path: Path) -> None:
    def interrupt(record: GameRecord, done: int, total: int) -> None:
        if done == 4:
            raise KeyboardInterrupt

    path = tmp_path / "state.jsonl"
    with pytest.raises(TournamentInterrupted) as stopped:
        run_tournament(tictactoe, ENTRANTS, 100, state_file=path, on_result=interrupt)
    partial = stopped.value.result
    assert 4 <= len(partial.records) < partial.planned
    assert len(path.read_text().splitlines()) == 1 + len(partial.records)
    assert len(partial.standings()) == 4  # those who have not played yet are rated too


def test_a_state_file_of_another_tournament_is_refused_by_the_difference(
    tictactoe: Game, tmp_path: Path
) -> None:
    path = tmp_path / "state.jsonl"
    run_tournament(tictactoe, ENTRANTS[:2], 2, seed=1, state_file=path)
    before = path.read_bytes()
    with pytest.raises(ZerosumError, match="holds another tournament: games is 2 there, 4 here"):
        run_tournament(tictactoe, ENTRANTS[:2], 4, seed=1, state_file=path)
    with pytest.raises(ZerosumError, match="seed is 1 there, 2 here"):
        run_tournament(tictactoe, ENTRANTS[:2], 2, seed=2, state_file=path)
    with pytest.raises(ZerosumError, match="players is random stub:3 there, random stub:6 here"):
        run_tournament(tictactoe, [ENTRANTS[0], ENTRANTS[2]], 2, seed=1, state_file=path)
    with pytest.raises(ZerosumError, match="game is tictactoe there, connect4 here"):
        run_tournament(make_game("connect4"), ENTRANTS[:2], 2, seed=1, state_file=path)
    with pytest.raises(ZerosumError, match="ordered is False there, True here"):
        run_tournament(tictactoe, ENTRANTS[:2], 2, seed=1, state_file=path, ordered=True)
    path.write_bytes(before.replace(b'"version": 1', b'"version": 9'))
    with pytest.raises(ZerosumError, match="is of format 9, not 1"):
        run_tournament(tictactoe, ENTRANTS[:2], 2, seed=1, state_file=path)


def test_a_file_of_something_else_is_refused_and_left_alone(tictactoe: Game, tmp_path: Path) -> None:
    path = tmp_path / "diary.txt"
    path.write_text("Dear diary,\n")
    with pytest.raises(ZerosumError, match=r"diary.txt is not the state file of a tournament"):
        run_tournament(tictactoe, ENTRANTS[:2], 2, state_file=path)
    assert path.read_text() == "Dear diary,\n"


@pytest.mark.parametrize(
    ("entrants", "games", "complaint"),
    [
        (["random"], 2, "at least 2 players, not 1"),
        ([], 2, "at least 2 players, not 0"),
        (["random", "random"], 2, "names 'random' twice"),
        (["random", stub(3)], 0, "at least 1 game, not 0"),
    ],
)
def test_impossible_tournaments_are_refused(
    tictactoe: Game, entrants: list[Entrant], games: int, complaint: str
) -> None:
    with pytest.raises(BadSpec, match=complaint):
        run_tournament(tictactoe, entrants, games)


class Learner(Stub):
    """A player that says what it has learnt."""

    def __init__(self, digest: str) -> None:
        super().__init__(5)
        self.spec = "learner"
        self.digest = digest


def learner(digest: str) -> Entrant:
    return lambda game: Learner(digest)


def test_a_state_file_is_refused_once_a_network_has_changed(tictactoe: Game, tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    entrants: list[Entrant] = ["random", learner("old")]
    played = run_tournament(tictactoe, entrants, 4, state_file=path)
    assert {record.networks for record in played.records} == {("", "old"), ("old", "")}
    assert run_tournament(tictactoe, entrants, 4, state_file=path) == played
    before = path.read_bytes()
    with pytest.raises(ZerosumError, match="what learner learnt has changed"):
        run_tournament(tictactoe, ["random", learner("new")], 4, state_file=path)
    assert path.read_bytes() == before


def test_a_network_replaced_while_the_tournament_runs_stops_it(tictactoe: Game, tmp_path: Path) -> None:
    made = []

    def replaced(game: Game) -> Player:
        made.append(1)
        return Learner("old" if len(made) == 1 else "new")

    path = tmp_path / "state.jsonl"
    with pytest.raises(ZerosumError, match="the network of learner was replaced"):
        run_tournament(tictactoe, ["random", replaced], 4, state_file=path)
    assert len(path.read_text().splitlines()) == 1  # not one game of the other network


def test_a_state_file_belongs_to_one_process_at_a_time(tictactoe: Game, tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    refused = []

    def interfere(record: GameRecord, done: int, total: int) -> None:
        with pytest.raises(ZerosumError, match="is in use: another process plays this tournament"):
            run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, state_file=path)
        refused.append(done)

    run_tournament(tictactoe, ENTRANTS, GAMES, seed=1, state_file=path, on_result=interfere)
    assert len(refused) == GAMES * 6
    assert len(path.read_text().splitlines()) == 1 + GAMES * 6


def test_a_state_file_deleted_before_it_could_be_locked_is_begun_anew(
    tictactoe: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state.jsonl"
    deleted: list[int] = []

    def lock_late(descriptor: int, how: int) -> None:
        if not deleted:
            path.unlink()
            deleted.append(descriptor)
        fcntl.flock(descriptor, how)

    monkeypatch.setattr(state_file, "fcntl", SimpleNamespace(**vars(fcntl) | {"flock": lock_late}))
    run_tournament(tictactoe, ENTRANTS[:2], 2, state_file=path)
    assert deleted
    assert len(path.read_text().splitlines()) == 3
