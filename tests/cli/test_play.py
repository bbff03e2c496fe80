"""Playing, levels and reviews as a user meets them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

LOSING = "a1\na2\na3\nb1\nb2\nb3\nc1\nc2\nc3\n"


def test_a_game_ends_with_a_review(zerosum: Any) -> None:
    words = ["play", "tictactoe", "--against", "solver", "--moves", "a1 b1 a2", "--second", "--seed", "3"]
    ended = zerosum(*words, stdin=LOSING)
    assert "turns a draw into a loss" in ended.out
    assert "even" in ended.out
    assert "human, the second player: mistakes" in ended.out
    assert "seed 3" in ended.out
    assert "mistakes" not in zerosum(*words, "--no-review", stdin=LOSING).out


def test_a_game_that_was_given_up_is_kept_told_and_reviewed(zerosum: Any, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    words = ["play", "othello:4x4", "--against", "random", "--json", "--records", str(file)]
    data = zerosum(*words, stdin="moves\nresign\n").data
    assert data["resigned"] == 0
    assert data["result"] == -1
    assert data["score"] is None
    assert data["outcome"] == "second player wins"
    told = zerosum("review", str(file), "--json").data
    assert told["ended"] == "the first player resigned"


def test_the_seed_is_fresh_unless_given(zerosum: Any) -> None:
    words = ["play", "tictactoe", "--against", "random", "--json"]
    seeds = {zerosum(*words, stdin="resign\n").data["seed"] for _ in range(3)}
    assert len(seeds) == 3
    assert zerosum(*words, "--seed", "7", stdin="resign\n").data["seed"] == 7


def test_help_tells_the_rules_and_shows_the_pieces(zerosum: Any) -> None:
    told = zerosum("play", "blokus", "--against", "random", "--no-review", stdin="help\nresign\n").err
    assert "touches your own at a corner" in " ".join(told.split())
    assert "Z5" in told
    assert "#####" in told
    shown = zerosum("play", "connect4", "--against", "random", "--no-review", stdin="help\nresign\n").err
    assert "four in a row win. Players in turn" in " ".join(shown.split())


def test_a_level_is_played_by_its_name(zerosum: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    supposed = zerosum("play", "mnk:4x4x3", "--level", "easy", stdin="resign\n")
    assert "level easy: mcts:20, whose strength nobody has measured" in " ".join(supposed.err.split())
    assert "zerosum levels mnk:4x4x3 --measure" in zerosum("levels", "mnk:4x4x3").out
    assert zerosum("levels", "mnk:4x4x3", "--json").data["levels"][4]["rating"] is None
    measured = zerosum("levels", "mnk:4x4x3", "--measure", "--games", "2", "--json").data
    assert measured == zerosum("levels", "mnk:4x4x3", "--json").data
    played = zerosum("play", "mnk:4x4x3", "--level", "beginner", "--json", stdin="resign\n").data
    assert played["against"] == measured["levels"][0]["player"]
    both = zerosum("play", "mnk:4x4x3", "--level", "easy", "--against", "random")
    assert "not both" in both.err


def test_a_review_becomes_a_page(zerosum: Any, tmp_path: Path) -> None:
    file, page = tmp_path / "games.jsonl", tmp_path / "review.html"
    zerosum("match", "tictactoe", "random", "random", "--games", "1", "--records", str(file))
    assert f"wrote {page}" in zerosum("review", str(file), "--to", str(page)).out.replace("\n", "")
    assert page.read_text().startswith("<!doctype html>")
    refused = zerosum("review", str(file), "--to", str(tmp_path / "review.pdf"))
    assert "must end in .html or .json" in refused.err
