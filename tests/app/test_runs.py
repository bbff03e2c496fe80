"""Runs as material: snapshots over a life, sweeps, comparisons; made runs where training is not the point."""

from __future__ import annotations

import csv
import io
from itertools import pairwise
from math import comb
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zerosum
from zerosum.app.studies.compare import delete_run, differences, export_csv, run_fields, sort_runs
from zerosum.app.studies.history import history_fields, history_of, history_rows
from zerosum.app.studies.history_picture import plot_history
from zerosum.app.studies.settings import effective_settings
from zerosum.app.studies.sweep import compare, curves, permutation_test, plan_sweep, run_sweep, summaries
from zerosum.app.studies.sweep_picture import plot_sweep
from zerosum.app.training import new_training, resume_training
from zerosum.core.errors import BadSpec
from zerosum.games import make_game
from zerosum.learn.run.listing import list_runs
from zerosum.learn.run.run import Run
from zerosum.learn.run.snapshots import MOST_STEPS, keep_snapshot
from zerosum.players.common.player import learnt_digest
from zerosum.players.common.registry import make_player
from zerosum.players.common.runs import BadRun, find_snapshot, snapshots_in

TINY = [
    "network=mlp",
    "search.simulations=4",
    "selfplay.games=8",
    "learning.steps=2",
    "evaluation.every_iterations=2",
    'evaluation.opponents=["random"]',
    "evaluation.games=4",
    "evaluation.solved_positions=0",
    "workers=1",
]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@given(st.integers(1, 400))
def test_snapshots_are_about_ten_and_spread_over_the_whole_life(iterations: int) -> None:
    """The rule alone: which iterations are left, without files."""
    kept: list[int] = [0]
    for iteration in range(1, iterations + 1):
        step = 1
        while iteration // step > MOST_STEPS:
            step *= 2
        kept = [old for old in kept if old % step == 0] + ([iteration] if iteration % step == 0 else [])
    assert len(kept) <= MOST_STEPS + 1
    assert len(kept) >= min(iterations, MOST_STEPS // 2) + 1
    gaps = {after - before for before, after in pairwise(kept)}
    assert len(gaps) == 1
    assert iterations - kept[-1] < gaps.pop()


def test_the_files_follow_the_rule_and_a_life_that_was_cut_back_is_forgotten(tmp_path: Path) -> None:
    for iteration in range(26):
        keep_snapshot(tmp_path, iteration, iteration / 2, {"network": bytes([iteration])})
    assert [snapshot.iteration for snapshot in snapshots_in(tmp_path)] == [0, 4, 8, 12, 16, 20, 24]
    keep_snapshot(tmp_path, 12, 99.0, {"network": b"again"})
    found = snapshots_in(tmp_path)
    assert [snapshot.iteration for snapshot in found] == [0, 4, 8, 12]
    assert (found[-1].folder / "network").read_bytes() == b"again"
    assert found[-1].minutes == 99.0
    keep_snapshot(tmp_path, 16, 100.0, {"table": bytes(17 << 20)})  # too much to keep ten times
    assert len(snapshots_in(tmp_path)) == 4


def test_a_snapshot_is_found_by_its_minute_or_its_iteration(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match="has no snapshots"):
        find_snapshot(tmp_path, "5min")
    for iteration in range(5):
        keep_snapshot(tmp_path, iteration, 3.0 * iteration, {})
    assert find_snapshot(tmp_path, "5min").iteration == 2
    assert find_snapshot(tmp_path, "3").iteration == 3
    assert find_snapshot(tmp_path, "900min").iteration == 4
    for wrong in ("", "x", "1.5", "5 hours"):
        with pytest.raises(BadRun, match="is no moment of a run"):
            find_snapshot(tmp_path, wrong)


def test_a_run_remembers_its_ages_from_before_the_first_iteration_and_goes_on_for_more_minutes() -> None:
    run = zerosum.train("tictactoe", settings=[*TINY, "budget.iterations=3"], run="runs/mine")
    checks = [line["iteration"] for line in run.metrics() if line["kind"] == "strength"]
    assert checks == [0, 2, 3]  # the untrained network is measured too
    assert [snapshot.iteration for snapshot in snapshots_in(run.path)] == [0, 1, 2, 3]
    assert run.record.preset == "fast"
    game = make_game("tictactoe")
    then, now = make_player("alphazero:4@mine#0", game), make_player("alphazero:4@mine", game)
    assert then.spec == "alphazero:4@mine#0"
    assert learnt_digest(then) != learnt_digest(now)
    found = history_of(run, games=2, simulations=2, positions=["", "b2"])
    assert [age.iteration for age in found.ages] == [0, 1, 2, 3]
    assert abs(sum(age.rating for age in found.ages)) < 1e-6
    assert all(age.error > 0 and len(age.opinions) == 2 for age in found.ages)
    assert history_rows(found)[0][-1] == "after b2"
    assert history_fields(found)["ages"][3]["minutes"] == pytest.approx(found.ages[3].minutes)
    plot_history(found, Path("history.png"))
    assert Path("history.png").stat().st_size > 10_000
    before = run.load(parts=[])
    assert before is not None
    longer = resume_training("mine", more=30)
    assert longer.budget.minutes == pytest.approx(30 + before.facts["clock"]["minutes"])


def test_a_training_that_is_refused_leaves_nothing_behind() -> None:
    for changes in (['evaluation.opponents=["nobody"]'], ["network=nothing"], ["search.simulations=0"]):
        with pytest.raises(BadSpec):
            new_training("tictactoe", settings=changes)
    assert not Path("runs").exists()


def test_the_settings_of_a_training_are_known_before_it() -> None:
    found = {s.path: s for s in effective_settings("tictactoe", changes=["search.simulations=7"])}
    assert found["search.simulations"].value == 7
    assert found["search.simulations"].default != 7
    training = new_training("tictactoe", run="mine")
    assert found["budget.minutes"].value == training.settings.as_json()["budget"]["minutes"]
    assert all(setting.reason for setting in found.values())


def test_a_sweep_trains_every_variant_and_seed_once_and_goes_on() -> None:
    game = make_game("tictactoe")
    quick = [
        "iteration_episodes=300",
        "evaluation.games=4",
        'evaluation.opponents=["random"]',
        "megabytes=16",
    ]
    plan = plan_sweep(game, "q-learning", 2, ["learning.rate=0.5,1.0"], settings=quick)
    assert plan == plan_sweep(game, "q-learning", 2, ["learning.rate=0.5,1.0"], settings=quick)
    assert [(r.variant.name, r.seed) for r in plan.runs] == [
        ("rate=0.5", 0),
        ("rate=0.5", 1),
        ("rate=1.0", 0),
        ("rate=1.0", 1),
    ]
    runs = run_sweep(plan, game, "q-learning", episodes=600, settings=quick)
    assert {run.state() for run in runs} == {"finished"}
    assert [run.record.settings["learning"]["rate"] for run in runs] == [0.5, 0.5, 1.0, 1.0]
    trained: list[object] = []
    again = run_sweep(plan, game, "q-learning", train=lambda training, _: trained.append(training))
    assert trained == []  # all were finished
    assert [run.path for run in again] == [run.path for run in runs]
    found = summaries(plan, runs)
    against = [row for row in found if row.measure == "against random"]
    assert [len(row.scores) for row in against] == [2, 2]
    assert all(0 <= row.mean <= 1 and row.spread is not None for row in against)
    told = [d for d in compare(found) if d.measure == "against random"]
    assert (told[0].first, told[0].second) == ("rate=0.5", "rate=1.0")
    assert told[0].p >= told[0].least_p == pytest.approx(2 / comb(4, 2))
    plot_sweep(curves(plan, runs), "a sweep", Path("sweep.png"))
    assert Path("sweep.png").stat().st_size > 10_000


def test_a_grid_that_is_none_is_refused() -> None:
    game = make_game("tictactoe")
    for wrong in ("search.simulations", "=1,2", "search.simulations="):
        with pytest.raises(BadSpec, match="no row of a grid"):
            plan_sweep(game, "alphazero", 1, [wrong])
    with pytest.raises(BadSpec, match="1000 are the most"):
        plan_sweep(game, "alphazero", 1001)
    lists = plan_sweep(game, "alphazero", 1, ["a.b=[1,2],[3]"])
    assert [run.variant.changes for run in lists.runs] == [("a.b=[1,2]",), ("a.b=[3]",)]


def test_scores_are_dealt_out_in_all_ways() -> None:
    assert permutation_test([1.0, 1.0, 1.0], [0.0, 0.0, 0.0]) == pytest.approx(2 / comb(6, 3))
    assert permutation_test([0.5, 0.6], [0.5, 0.6]) == 1.0
    assert permutation_test([0.1, 0.9], [0.2, 0.8]) == 1.0
    with pytest.raises(BadSpec, match="too many"):
        permutation_test([0.0] * 12, [1.0] * 12)


def test_runs_are_compared_exported_sorted_and_deleted() -> None:
    first = Run.create("tictactoe", "alphazero", 1, {"a": {"b": 1, "c": 2}}, preset="fast")
    second = Run.create("tictactoe", "alphazero", 2, {"a": {"b": 1, "c": 3}})
    assert differences([first, second]) == {"seed": [1, 2], "a.c": [2, 3]}
    first.metrics_path.write_text(
        '{"kind": "learning", "iteration": 1, "minutes": 1.0, "policy_loss": 0.5}\n'
        '{"kind": "strength", "iteration": 1, "minutes": 1.0, "opponent": "random", '
        '"wins": 3, "draws": 1, "losses": 0}\n'
    )
    rows = list(csv.DictReader(io.StringIO(export_csv(first))))
    assert [row["kind"] for row in rows] == ["learning", "strength"]
    assert rows[0]["seed"] == "1"
    assert (rows[0]["wins"], rows[1]["wins"]) == ("", "3")
    assert run_fields(first)["score"] == 0.875
    assert run_fields(first)["preset"] == "fast"
    runs = list_runs()
    assert [run.seed for run in sort_runs(runs, "score")] == [1, 2]
    assert [run.seed for run in sort_runs(runs, "date")] == [2, 1]
    with pytest.raises(BadSpec, match="sorted by name"):
        sort_runs(runs, "colour")
    delete_run(first)
    assert [run.seed for run in list_runs()] == [2]
