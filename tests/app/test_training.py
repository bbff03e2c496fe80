"""Training from Python: a run comes back, what is set counts, it can be stopped and goes on exactly."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

pytest.importorskip("torch")

import zerosum
from tests.learn.trained import learnt, measured
from zerosum.app.training import latest_checks, new_training, resume_training, train_once
from zerosum.core.errors import BadSpec
from zerosum.learn.events.listeners import (
    Checked,
    Ended,
    Event,
    Iterated,
    Played,
    Progressed,
    Started,
    Warned,
)
from zerosum.learn.run.run import Run
from zerosum.learn.training.stop import Stopped

QUICK: dict[str, Any] = {
    "network": "pooled:channels=8,blocks=1",
    "selfplay.games_at_once": 16,
    "selfplay.positions": 200,
    "search.simulations": 12,
    "learning.batch": 64,
    "evaluation.every_iterations": 2,
    "evaluation.games": 4,
    "evaluation.opponents": ["random"],
    "evaluation.solved_positions": 0,
    "budget.minutes": None,
    "budget.iterations": 3,
}
EPISODES = {"iteration_episodes": 500, "evaluation.games": 2, "evaluation.every_iterations": 100}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that nothing interrupts."""
    return zerosum.train("tictactoe", settings=QUICK, run=tmp_path_factory.mktemp("runs") / "whole")


def test_a_few_seconds_of_training_make_a_player(tmp_path: Path) -> None:
    heard: list[Event] = []
    run = zerosum.train("tictactoe", settings=QUICK, run=tmp_path / "run", seed=3, on_event=heard.append)
    assert run.state() == "finished"
    assert (run.record.game, run.record.method, run.record.seed) == ("tictactoe", "alphazero", 3)
    kinds = [type(event) for event in heard if not isinstance(event, Progressed)]
    once = [Iterated, Played]
    assert kinds == [Started, Checked, *once, *once, Checked, *once, Checked, Ended]
    game = zerosum.make_game("tictactoe")
    player = zerosum.make_player(f"alphazero:10@{run.path}", game)
    assert player.choose(game.new().view()).action in range(9)
    assert zerosum.load_run(run.path).metrics() == run.metrics()
    assert [line["opponent"] for line in latest_checks(run)] == ["random"]
    assert latest_checks(run)[0]["iteration"] == 3


def test_a_game_may_be_given_as_itself_and_minutes_and_episodes_are_the_budget(tmp_path: Path) -> None:
    game = zerosum.make_game("tictactoe")
    run = zerosum.train(game, "q-learning", episodes=1000, settings=EPISODES, run=tmp_path / "run")
    assert [line["episodes"] for line in learnt(run)] == [500, 1000]
    longer = zerosum.resume(run, episodes=1500)
    assert [line["episodes"] for line in learnt(longer)] == [500, 1000, 1500]
    assert longer.record.earlier[0].settings == {"budget.episodes": 1000}
    short = new_training(game, minutes=0.5, run=tmp_path / "short").settings.as_json()
    assert short["budget"]["minutes"] == 0.5


def test_a_run_in_two_parts_is_the_run_in_one_whatever_it_said_at_its_first_end(tmp_path: Path) -> None:
    whole = zerosum.train("tictactoe", "q-learning", 1, 1500, EPISODES, run=tmp_path / "whole")
    zerosum.train("tictactoe", "q-learning", 1, 1000, EPISODES, run=tmp_path / "parts")
    parts = zerosum.resume(tmp_path / "parts", episodes=1500)
    assert measured(parts) == measured(whole)
    again = zerosum.resume(tmp_path / "parts")  # nothing is left to do but the last check
    assert measured(again) == measured(whole)


def test_an_unknown_setting_is_refused_and_leaves_no_run(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match=r"did you mean 'search\.simulations'"):
        zerosum.train("tictactoe", settings={"search.simulation": 5}, run=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_budget_that_the_method_does_not_count_is_refused_in_words_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match=r"does not count episodes; it has budget\.minutes"):
        new_training("tictactoe", episodes=50, run=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_setting_that_only_has_another_name_now_is_not_noted_as_changed(tmp_path: Path) -> None:
    run = new_training("tictactoe", settings=QUICK, run=tmp_path / "run").run
    file = run.path / "settings.json"
    record = json.loads(file.read_text())
    search = record["settings"]["search"]
    search["rising"] = search.pop("simulation_schedule")
    file.write_text(json.dumps(record))
    zerosum.resume(run.path, settings={"budget.iterations": 1})
    stages = zerosum.load_run(run.path).record.earlier
    assert [stage.settings for stage in stages] == [{"budget.iterations": 3}]


def test_a_setting_that_gumbel_search_does_not_use_is_said_aloud_once(tmp_path: Path) -> None:
    heard: list[Event] = []
    changed = {**QUICK, "learning.sharpened_targets": True, "budget.iterations": 1}
    run = zerosum.train("tictactoe", settings=changed, run=tmp_path / "run", on_event=heard.append)
    said = [event.text for event in heard if isinstance(event, Warned)]
    assert len(said) == 1
    assert "learning.sharpened_targets does nothing under Gumbel search" in said[0]
    zerosum.resume(run, settings={"budget.iterations": 2}, on_event=heard.append)
    assert [line["text"] for line in run.metrics() if line["kind"] == "warning"] == said
    puct = new_training("tictactoe", settings={**changed, "search.kind": "puct"}, run=tmp_path / "puct")
    assert list(puct.learner.warnings()) == []


def test_a_training_stops_when_it_is_told_to_and_goes_on_exactly(tmp_path: Path, whole: Run) -> None:
    endless = {**QUICK, "selfplay.positions": 10_000_000}
    training = new_training("tictactoe", settings=endless, run=tmp_path / "stopped")
    Timer(0.5, training.stop).start()
    heard: list[Event] = []
    assert training.train(heard.append) == "stopped"
    assert isinstance(heard[-1], Ended)
    assert training.run.state() == "stopped"
    resumed = zerosum.resume(training.run, settings=QUICK)
    assert measured(resumed) == measured(whole)


@pytest.mark.parametrize("kind", [Iterated, Checked, Progressed])
def test_a_listener_may_stop_training_anywhere(tmp_path: Path, whole: Run, kind: type) -> None:
    seen = 0

    def stop_at_the_second(event: Event) -> None:
        nonlocal seen
        seen += isinstance(event, kind)
        if seen == 2 and isinstance(event, kind):
            raise Stopped

    run = zerosum.train("tictactoe", settings=QUICK, run=tmp_path / "run", on_event=stop_at_the_second)
    assert run.state() == "stopped"
    assert measured(zerosum.resume(run)) == measured(whole)


def test_what_is_trained_once_is_not_trained_again(tmp_path: Path) -> None:
    changes = ["iteration_episodes=500", "budget.episodes=1000"]
    first = train_once("tictactoe", "q-learning", changes, tmp_path / "run")
    lines = first.metrics()
    assert [line["kind"] for line in lines if "opponent" in line] == []
    assert train_once("tictactoe", "q-learning", changes, tmp_path / "run").metrics() == lines
    (first.path / "finished").unlink()
    assert train_once("tictactoe", "q-learning", changes, tmp_path / "run").state() == "finished"


def test_a_resumed_training_knows_what_is_done(whole: Run) -> None:
    training = resume_training(whole.path)
    assert training.iterations_done == 3
    assert training.player == f"alphazero:100@{whole.path}"
