"""Results as JSON, CSV and Markdown."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.arena.stubs import stub
from zerosum.arena.match import MatchResult, play_match
from zerosum.arena.tables import (
    match_fields,
    match_records,
    match_rows,
    to_csv,
    to_markdown,
    tournament_fields,
    tournament_records,
    tournament_rows,
)
from zerosum.arena.tournament import TournamentResult, run_tournament
from zerosum.games import make_game


@pytest.fixture(scope="module")
def match() -> MatchResult:
    return play_match(make_game("tictactoe"), "random", stub(7), 11, seed=3)


@pytest.fixture(scope="module")
def tournament() -> TournamentResult:
    return run_tournament(make_game("tictactoe"), ["random", stub(2), stub(7)], 8, seed=3)


def test_the_fields_of_a_match_add_up(match: MatchResult) -> None:
    fields = json.loads(json.dumps(match_fields(match)))
    for key in ("games", "wins", "draws", "losses"):
        assert fields[key] == fields["as_first"][key] + fields["as_second"][key]
    assert fields["games"] == fields["wins"] + fields["draws"] + fields["losses"] == 11
    assert fields["as_first"]["games"] == 6
    assert fields["win_interval"][0] <= fields["win_share"] <= fields["win_interval"][1]
    assert fields["players"] == ["random", "stub:7"]
    assert fields["mean_score_difference"] is None


def test_only_the_seconds_of_a_match_change_from_run_to_run(match: MatchResult) -> None:
    again = play_match(make_game("tictactoe"), "random", stub(7), 11, seed=3, workers=1)
    ours, theirs = match_fields(match), match_fields(again)
    assert len(ours.pop("seconds_per_move")) == len(theirs.pop("seconds_per_move")) == 2
    assert ours == theirs


def test_the_fields_of_a_tournament_add_up(tournament: TournamentResult) -> None:
    fields = json.loads(json.dumps(tournament_fields(tournament)))
    assert fields["games"] == fields["planned"] == 24
    assert [player["rating"] for player in fields["players"]] == sorted(
        (player["rating"] for player in fields["players"]), reverse=True
    )
    assert all(player["error"] > 0 and player["games"] == 16 for player in fields["players"])
    assert sum(player["wins"] for player in fields["players"]) == sum(
        row["wins"] + row["losses"] for row in fields["table"]
    )
    assert {(row["first"], row["second"]) for row in fields["table"]} == set(tournament.table())
    assert fields["starters"]["wins"] == sum(row["wins"] for row in fields["table"])


def test_a_csv_reads_back_as_its_rows(match: MatchResult, tournament: TournamentResult) -> None:
    for rows in (match_records(match), tournament_records(tournament)):
        assert list(csv.reader(io.StringIO(to_csv(rows)))) == rows
        assert {len(row) for row in rows} == {len(rows[0])}
        assert len(set(rows[0])) == len(rows[0])  # no two columns of one name


def test_a_spreadsheet_has_the_bounds_as_numbers(match: MatchResult, tournament: TournamentResult) -> None:
    for rows in (match_records(match), tournament_records(tournament)):
        header, *body = rows
        for row in body:
            line = dict(zip(header, row, strict=True))
            low, share, high = (float(line[f"score_{part}"]) for part in ("low", "share", "high"))
            assert 0 <= low <= share <= high <= 1
            assert int(line["games"]) == sum(int(line[name]) for name in ("wins", "draws", "losses"))
    assert {row[4] for row in match_records(match)[1:]} == {"all", "first", "second"}
    rated = [row for row in tournament_records(tournament)[1:] if row[3] == "" and row[4] == "all"]
    assert all(float(row[-2]) < float(row[-3]) < float(row[-1]) for row in rated)


def test_rows_are_as_long_as_their_header(match: MatchResult, tournament: TournamentResult) -> None:
    for rows in (match_rows(match), tournament_rows(tournament)):
        assert {len(row) for row in rows} == {len(rows[0])}
    assert len(match_rows(match)) == 4
    assert len(tournament_rows(tournament)) == 4


def test_the_cross_table_is_empty_on_its_diagonal_only(tournament: TournamentResult) -> None:
    cells = [row[9:] for row in tournament_rows(tournament)[1:]]
    for number, row in enumerate(cells):
        assert [cell == "" for cell in row] == [column == number for column in range(3)]
        assert all(sum(map(int, cell.split("-"))) == 4 for cell in row if cell)


def test_markdown_is_a_table_whose_bars_are_escaped() -> None:
    assert to_markdown([["a", "b"], ["x|y", ""]]) == "| a | b |\n| --- | --- |\n| x\\|y |  |\n"


def test_a_match_without_games_still_has_its_tables() -> None:
    empty = MatchResult("tictactoe", ("a", "b"), 0, 10, ())
    assert match_fields(empty)["mean_plies"] is None
    assert match_fields(empty)["score_interval"] == [0.0, 1.0]
    assert len(match_rows(empty)) == 4
