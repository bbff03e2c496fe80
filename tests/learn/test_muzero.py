"""MuZero trains as AlphaZero does: same seed same run, resumed or killed, open and hidden; and it learns."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.learn import trained
from tests.learn.trained import learnt, measured
from zerosum.arena.match import play_match
from zerosum.core.errors import BadSpec
from zerosum.games import make_game
from zerosum.learn.muzero.settings import MuZeroSettings, muzero_settings
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import override
from zerosum.players.common.runs import BadRun

QUICK = [
    "workers=2",
    "network=latent:channels=8,representation=1,dynamics=1,prediction=1",
    "search.simulations=4",
    "search.simulation_schedule=[]",
    "selfplay.games_at_once=16",
    "selfplay.positions=64",
    "learning.batch=32",
    "learning.unroll=3",
    "learning.average=0.9",
    "evaluation.opponents=[]",
    "evaluation.solved_positions=0",
    "evaluation.every_iterations=100",
    "budget.minutes=null",
]


def train(folder: Path, iterations: int, seed: int = 0, spec: str = "tictactoe", changes: Any = ()) -> Run:
    wanted = [*QUICK, *changes, f"budget.iterations={iterations}"]
    return trained.train("muzero", folder, spec, wanted, seed)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that nothing interrupts."""
    return train(tmp_path_factory.mktemp("runs") / "whole", 3)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run whose parts others begin with."""
    return train(tmp_path_factory.mktemp("runs") / "source", 1)


def test_the_same_seed_is_the_same_run_and_in_two_parts_it_is_the_run_in_one(
    whole: Run, tmp_path: Path
) -> None:
    train(tmp_path / "parts", 1)
    parts, other = train(tmp_path / "parts", 3), train(tmp_path / "other", 1, seed=2)
    assert learnt(parts) == learnt(whole)
    assert learnt(other) != learnt(whole)[:1]


def test_a_killed_run_goes_on_as_if_it_had_not_been(whole: Run, tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from tests.learn.test_muzero import train;"
        f"train(Path({str(tmp_path / 'killed')!r}), 1000)"
    )
    root = Path(__file__).parents[2]
    path = {**os.environ, "PYTHONPATH": f"{root / 'src'}:{root}"}
    process = subprocess.Popen([sys.executable, "-c", code], cwd=root, env=path)
    metrics = tmp_path / "killed" / "metrics.jsonl"
    while not (metrics.exists() and '"iteration": 2' in metrics.read_text()):
        assert process.poll() is None
        time.sleep(0.02)  # the core is wanted elsewhere
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert measured(train(tmp_path / "killed", 3))[: len(measured(whole))] == measured(whole)


def test_it_learns_a_little_tictactoe_in_seconds(tmp_path: Path) -> None:
    changes = ["selfplay.positions=500", "learning.batch=64", "learning.replay_ratio=8"]
    changes += ["learning.rate.start=0.01", "selfplay.staleness=0"]
    run = train(tmp_path / "run", 15, changes=changes)
    lines = learnt(run)
    assert lines[-1]["decoder_loss"] < 0.6 * lines[0]["decoder_loss"]
    result = play_match(make_game("tictactoe"), f"muzero:0@{run.path}", "random", 200).total
    assert result.wins > 120  # a bare policy that knows nothing wins about 88


@pytest.mark.parametrize("spec", ["invisible-tictactoe", "othello:4x4", "connect4:4x4x3"])
def test_it_trains_and_plays_open_and_hidden_games(spec: str, tmp_path: Path) -> None:
    run = train(tmp_path / "run", 2, spec=spec)
    game = make_game(spec)
    assert play_match(game, f"muzero:6@{run.path}", "random", 4).total.games == 4
    assert lines_are_whole_games(run)


def lines_are_whole_games(run: Run) -> bool:
    """Whether positions of a game lie one behind another in the window, counted down to its last."""
    checkpoint = run.load()
    assert checkpoint is not None
    left = np.concatenate([a for n, a in sorted(checkpoint.arrays.items()) if n.endswith("/left")])
    steps = left[1:].astype(int) - left[:-1]
    return bool(left[-1] == 1 and ((steps == -1) | (left[:-1] == 1)).all())


def test_a_run_carries_its_parts_to_another_board(source: Run, tmp_path: Path) -> None:
    small = [*QUICK, "budget.iterations=1"]
    import zerosum

    for number, parts in enumerate((["dynamics"], ["representation", "prediction"])):
        changes = [*small, f"carried.parts={parts}".replace("'", '"')]
        target = zerosum.train(
            "tictactoe:4x4", "muzero", settings=changes, run=tmp_path / str(number), start_from=source.path
        )
        assert target.record.settings["carried"]["parts"] == parts
    hidden = zerosum.train(
        "invisible-tictactoe", "muzero", settings=small, run=tmp_path / "hidden", start_from=source.path
    )
    assert learnt(hidden)
    changes = [*small, "network=latent:channels=6"]
    with pytest.raises(BadRun, match="has another network; say --net latent:channels=8"):
        zerosum.train("tictactoe", "muzero", settings=changes, run=tmp_path / "x", start_from=source.path)


def test_frozen_parts_stay_as_they_were_carried(source: Run, tmp_path: Path) -> None:
    import zerosum

    changes = [*QUICK, "budget.iterations=1", 'carried.frozen=["dynamics"]']
    target = zerosum.train(
        "tictactoe:4x4", "muzero", settings=changes, run=tmp_path / "target", start_from=source.path
    )
    before, after = source.load(), target.load()
    assert before is not None
    assert after is not None
    same = {
        part: all(
            np.array_equal(before.arrays[f"average/module.{name}"], after.arrays[f"weights/{name}"])
            for name in (n.removeprefix("weights/") for n in after.arrays if n.startswith(f"weights/{part}."))
        )
        for part in ("representation", "dynamics", "prediction")
    }
    assert same == {"representation": False, "dynamics": True, "prediction": False}


def test_every_setting_that_a_preset_names_is_one() -> None:
    for game in ("tictactoe", "connect4", "othello:6x6", "blokus", "invisible-tictactoe", "gomoku"):
        assert muzero_settings(game).network.startswith("latent")
    assert muzero_settings("tictactoe", "paper").search.simulations == 25
    with pytest.raises(BadSpec, match="full_search_probability must be 1"):
        override(MuZeroSettings(), ["search.full_search_probability=0.5"])


def test_old_games_are_searched_anew_and_resumed_exactly(tmp_path: Path) -> None:
    changes = ["learning.reanalysed=0.5", "auxiliary.surprise=0.5"]
    whole = train(tmp_path / "whole", 2, changes=changes)
    train(tmp_path / "parts", 1, changes=changes)
    assert learnt(train(tmp_path / "parts", 2, changes=changes)) == learnt(whole)
    assert lines_are_whole_games(whole)
    assert learnt(whole)[-1]["new_positions"] >= 64 + 32
    assert learnt(whole)[-1]["games"] < learnt(whole)[-1]["new_positions"] / 4
