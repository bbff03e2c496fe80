"""Reproducing: a look at real entries, results on disk, and a page that is made of them alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zerosum.app.reproduce import paper_rows, reproduce_paper
from zerosum.core.errors import ZerosumError
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import read_settings
from zerosum.papers.kinds.playing import scores
from zerosum.papers.lab import Lab
from zerosum.papers.page import rows_of, write_page
from zerosum.papers.paper import Paper, read_paper
from zerosum.papers.reproduce import Wishes, reproduce
from zerosum.papers.results import read_results

ARM = "from-ttt3-representation"
QUICK = Wishes(quick=True, workers=1)


def no_training(*_: Any) -> None:
    raise AssertionError("nothing is to be trained")


def silent(*_: Any) -> None:
    pass


def test_a_quick_look_trains_plays_and_compares(tmp_path: Path) -> None:
    heard = []
    results = reproduce_paper(
        "zerosum", ["table-1-first"], QUICK, lambda what, *_: heard.append(what), root=tmp_path
    )
    (row,) = results["entries"]["table-1-first"]["rows"]
    assert row["paper"]["text"] == "982-5-13"
    assert row["method"]["games"] == row["best"]["games"] == 4
    assert any("training tictactoe-0" in what for what in heard)
    assert not (tmp_path / "results").exists()
    assert not (tmp_path / "docs").exists()


def test_what_is_trained_and_played_is_not_made_again(tmp_path: Path) -> None:
    first = reproduce_paper("zerosum", ["table-1-second"], QUICK, root=tmp_path)
    again = reproduce("zerosum", ["table-1-second"], QUICK, skip_finished, silent, root=tmp_path)
    assert again["entries"]["table-1-second"]["rows"] == first["entries"]["table-1-second"]["rows"]


def skip_finished(agent: Any, path: Path, *_: Any) -> None:
    assert (path / "finished").exists()


def test_scores_count_wins_alone_beside_the_papers(tmp_path: Path) -> None:
    entry = {
        "title": "t",
        "page": "p",
        "kind": "scores",
        "says": "s",
        "options": {
            "opponent": "random",
            "games": 4,
            "paper_games": 100,
            "rows": [["it", "tictactoe", 20, 18.4], ["the other", "tictactoe", 20, 16.8]],
        },
    }
    players = {"it": {"method": "greedy", "best": "{nobody}"}, "the other": {"best": "greedy"}}
    text = {"title": "t", "authors": "a", "about": "b", "players": players, "entries": {"scores": entry}}
    paper = read_settings(Paper, {**text, "agents": {"nobody": {"game": "tictactoe"}}})
    lab = Lab(paper, tmp_path, no_training, silent, quick=True, may_train=False, workers=1)
    row, other = scores.run(paper.entries["scores"], lab).rows
    assert row.paper is not None
    assert row.method is not None
    assert (row.paper.text, row.paper.value) == ("18.4 of 20", 18.4)
    assert row.method.value in (0, 5, 10, 15, 20)
    assert row.best is None
    assert "nobody is not trained yet" in row.more
    assert other.method is None
    assert other.best == row.method, "the same player, whose own method is left out"


def test_rows_that_need_training_are_left_out_where_none_is_allowed(tmp_path: Path) -> None:
    wishes = Wishes(quick=True, may_train=False, workers=1)
    results = reproduce("zerosum", ["table-1-first"], wishes, no_training, silent, root=tmp_path)
    (row,) = results["entries"]["table-1-first"]["rows"]
    assert "method" not in row
    assert "not trained yet" in row["more"]


def test_full_results_are_written_with_their_page_and_pictures(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(Lab, "games", lambda self, wanted: 2)
    results = reproduce(
        "brick", ["table-3"], Wishes(may_train=False, workers=1), no_training, silent, root=tmp_path
    )
    saved = json.loads((tmp_path / "results" / "brick.json").read_text())
    assert saved == json.loads(json.dumps(results))
    page = (tmp_path / "docs" / "papers" / "brick.md").read_text()
    assert "| Random against Random, brick:D4 | 60-40 (50.2% to 69.1%) |" in page
    assert "`./zerosum reproduce brick table-3`" in page


def test_the_page_is_made_of_the_results_alone(tmp_path: Path) -> None:
    entry = {
        "title": "A table", "page": "Table 1", "says": "It says so.", "read": "", "found": "", "seeds": 2,
        "games": 10, "minutes": 1.0, "training": 3.0, "date": "2026-01-01", "notes": ["A remark."],
        "rows": [{"label": "a against b", "paper": {"text": "1-2"}, "verdict": "", "more": ""}],
        "pictures": [
            {"kind": "curves", "title": "T", "x": "x", "y": "y",
             "series": [{"name": "s", "xs": [1, 2], "ys": [0, 1]}]},
            {"kind": "grid", "title": "G", "most": 2, "parts": [{"title": "H", "values": [[1.0, None]]}] * 5},
            {"kind": "svg", "title": "S", "text": "<svg/>"},
        ],
    }  # fmt: skip
    results = {"paper": "p", "title": "P", "authors": "A", "about": "About.", "entries": {"e": entry}}
    page = write_page(results, tmp_path).read_text()
    assert "# P" in page
    assert "| a against b | 1-2 |" in page
    assert "`./zerosum reproduce p e`: 2 seeds, 3 minutes of training, then 1.0 minutes, 10 games" in page
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {
        "p-e-1.png",
        "p-e-2.png",
        "p-e-3.svg",
    }
    assert rows_of(entry)[0] == ["", "the paper"]


def test_damaged_results_are_refused_and_lists_know_the_minutes(tmp_path: Path) -> None:
    assert ["maze", "sweeps"] in [row[:2] for row in paper_rows(tmp_path)]
    (tmp_path / "brick.json").write_text("{}")
    with pytest.raises(ZerosumError, match="is damaged"):
        read_results(tmp_path / "brick.json", "brick", read_paper("brick"))


@pytest.mark.parametrize("entry", ["sweeps", "exploring"])
def test_a_look_at_maze_measures_something_new_too(entry: str, tmp_path: Path) -> None:
    found = reproduce_paper("maze", [entry], QUICK, root=tmp_path)["entries"][entry]
    assert len(found["rows"]) >= 2
    if entry == "sweeps":
        sweeps = [int(row["best"]["text"].split()[0]) for row in found["rows"]]
        assert sweeps[0] > max(sweeps[1:])


def test_a_race_says_what_each_reached_and_how_the_first_fares_against_the_others(tmp_path: Path) -> None:
    found = reproduce_paper("muzero", ["race-tictactoe"], QUICK, root=tmp_path)["entries"]["race-tictactoe"]
    rows = {row["label"]: row for row in found["rows"]}
    of_all = "muzero:50 in 4 of all 4,520 unfinished states"
    assert rows[f"MuZero: {of_all}"]["paper"]["text"] == "100 % right"
    assert rows[f"MuZero: {of_all}"]["verdict"] in ("reached", "not reached")
    other = rows["AlphaZero, equal games: alphazero:50 in 4 of all 4,520 unfinished states"]
    assert "paper" not in other
    assert not other["verdict"]
    assert rows["MuZero against AlphaZero, equal minutes, 50 simulations"]["best"]["games"] == 4
    assert "1 iterations" in rows["AlphaZero, equal games: training"]["more"]
    assert rows_of(found)[0] == ["", "wanted", "reached", "", "seed by seed"]


def test_what_is_carried_over_is_trained_as_the_target_is_and_measured_from_the_start(tmp_path: Path) -> None:
    found = reproduce_paper("muzero", ["carry-3-4"], QUICK, root=tmp_path)["entries"]["carry-3-4"]
    assert [row["label"] for row in found["rows"]] == ["nothing", "representation"]
    assert rows_of(found)[0] == [
        "",
        "at once",
        "in the end",
        "on average",
        "minutes to 60%",
        "with the source's",
    ]
    runs = tmp_path / "runs" / "papers" / "muzero-quick" / "runs"
    nothing, carried = (Run.open(runs / f"to-ttt4-{arm}-0") for arm in ("nothing", ARM))
    assert not nothing.record.started_from
    assert carried.record.started_from
    checks = [line["iteration"] for line in carried.metrics() if line.get("opponent") == "mcts:100"]
    assert checks[0] == 0
    (picture,) = found["pictures"]
    assert [line["name"] for line in picture["series"]] == ["nothing", "representation"]
