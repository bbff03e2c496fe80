"""The ladder: its rungs are matches against perfect play, as a table, as JSON and as a picture."""

from __future__ import annotations

from pathlib import Path

from zerosum.app.studies.ladder import Entrant, Rung, climb, find_entrants, ladder_fields, ladder_rows
from zerosum.app.studies.ladder_picture import plot_ladder
from zerosum.arena.match import play_match
from zerosum.games import make_game


def test_a_rung_is_the_match_against_the_solver() -> None:
    game = make_game("tictactoe")
    heard: list[Rung] = []
    rungs = climb(game, [Entrant("random"), Entrant("solver", 1.5)], games=6, seed=3, on_rung=heard.append)
    match = play_match(game, "random", "solver", 12, seed=3)
    assert (rungs[0].as_first, rungs[0].as_second) == (match.as_first, match.as_second)
    assert rungs[0].as_second.losses > 0
    assert rungs[1].as_first.losses + rungs[1].as_second.losses == 0
    assert heard == rungs
    rows = ladder_rows(rungs)
    assert [row[0] for row in rows] == ["player", "random", "solver"]
    assert [row[1] for row in rows[1:]] == ["", "1.5"]
    assert all(len(row) == len(rows[0]) for row in rows)
    fields = ladder_fields(game, rungs)
    assert [player["as_second"]["losses"] for player in fields["players"]] == [match.as_second.losses, 0]


def test_what_a_game_cannot_have_is_left_out_with_the_reason() -> None:
    reasons: list[str] = []
    entrants = find_entrants(make_game("invisible-tictactoe"), leave_out=reasons.append)
    assert [entrant.player for entrant in entrants] == ["random", "alphazero:50"]
    assert len(reasons) == 4
    assert reasons[-1].startswith("value-iteration and q-learning: ")


def test_the_picture_is_a_png(tmp_path: Path) -> None:
    game = make_game("tictactoe")
    rungs = climb(game, [Entrant("random"), Entrant("greedy")], games=2)
    plot_ladder(game, rungs, tmp_path / "ladder.png")
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG")
