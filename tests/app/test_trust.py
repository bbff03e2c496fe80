"""Files of data run no code: what they name is ours, or it is refused until somebody trusts it."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tests.learn.tiny import TINY
from zerosum.app.model.report import report_model
from zerosum.app.studies.history import history_of
from zerosum.app.studies.levels import SHIPPED, find_level
from zerosum.app.studies.sweep import plan_sweep, run_sweep
from zerosum.app.studies.watching import glances
from zerosum.app.training import load_run, resume, train
from zerosum.arena.records.record import from_json, replay
from zerosum.cli.main import run as command
from zerosum.core.errors import Untrusted, ZerosumError
from zerosum.games import make_game, ships
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.nets.building.registry import make_network, network_spec
from zerosum.players.common.runs import SETTINGS, SNAPSHOTS
from zerosum.web.desk import jobs

HEX = Path(__file__).parents[2] / "examples" / "hex.py"


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A file that leaves a trace when it is run."""
    path = tmp_path / "trap.py"
    path.write_text("from pathlib import Path\nPath(__file__).with_suffix('.ran').touch()\n")
    return path


def record_of(game: str) -> str:
    fields: dict[str, Any] = {
        "game": game,
        "players": ["random", "random"],
        "number": 0,
        "outcome": "draw",
        "score": None,
        "moves": [],
        "actions": [],
        "start_seed": 0,
        "player_seeds": [0, 0],
        "turns": [0, 0],
        "seconds": [0, 0],
    }
    return json.dumps(fields)


def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[Any, str]:
    monkeypatch.setattr("sys.argv", ["zerosum", *words])
    with pytest.raises(SystemExit) as stopped:
        command()
    return stopped.value.code, capsys.readouterr().err


@pytest.mark.parametrize("how", ["path", "module", "invisible"])
@pytest.mark.parametrize("words", [("replay",), ("review",)])
def test_a_record_runs_no_file_until_it_is_trusted(
    words: tuple[str, ...],
    how: str,
    trap: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "trap", raising=False)  # of the test before
    game = {"path": str(trap), "module": "trap:make", "invisible": f"invisible-{trap}"}[how]
    records = tmp_path / "games.jsonl"
    records.write_text(record_of(game) + "\n")
    code, said = call(monkeypatch, capsys, *words, str(records))
    assert code == 2
    assert "is Python code and would be run" in said
    assert "--trust" in said
    with pytest.raises(Untrusted):
        list(replay(from_json(record_of(game))))
    assert not trap.with_suffix(".ran").exists()
    code, said = call(monkeypatch, capsys, *words, str(records), "--trust")
    assert code == 2
    assert "there is no 'make'" in said
    assert trap.with_suffix(".ran").exists()


@pytest.mark.parametrize("where", ["game", "opponent", "opponent's game", "method"])
def test_a_runs_settings_run_no_file_until_they_are_trusted(where: str, trap: Path, tmp_path: Path) -> None:
    tiny = TINY["value-set-iteration"]
    run = train(tiny.game, "value-set-iteration", settings=tiny.settings, run=tmp_path / "run")
    data = json.loads((run.path / SETTINGS).read_text())
    if where == "game":
        data["game"] = str(trap)
    elif where == "method":
        data["method"] = str(trap)
    else:
        opponent = f"alphazero:1,from={trap}" if where == "opponent's game" else str(trap)
        data["settings"]["evaluation"]["opponents"] = [opponent]
    (run.path / SETTINGS).write_text(json.dumps(data))
    with pytest.raises(ZerosumError, match=r"trap\.py"):
        resume(run.path)
    if where in ("game", "method"):
        with pytest.raises(Untrusted, match=r"settings\.json names .*trap\.py"):
            load_run(run.path).player()
    assert not trap.with_suffix(".ran").exists()


def test_a_run_on_a_game_of_ones_own_goes_on_when_it_is_trusted(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    shutil.copy(HEX, own)
    tiny = TINY["q-learning"]
    run = train(f"{own}:2x2", "q-learning", settings=tiny.settings, run=tmp_path / "run")
    lines = len(run.metrics())
    with pytest.raises(Untrusted):
        resume(run.path)
    with pytest.raises(Untrusted):
        load_run(run.path).player()
    assert len(resume(run.path, trust=True).metrics()) == lines
    assert load_run(run.path, trust=True).player().spec


@pytest.mark.parametrize("spec", ["connect4", "mnk:7x7x4", "Invisible-TicTacToe", " brick:random "])
def test_games_of_the_package_are_ours(spec: str) -> None:
    assert ships(spec)


@pytest.mark.parametrize("spec", ["./connect4.py", "zerosum.games.connect4:make", "invisible-./a.py"])
def test_all_else_is_not(spec: str) -> None:
    assert not ships(spec)


def retold(run: Run, **changes: Any) -> None:
    """Write other things into a run's settings, as whoever sends one may."""
    data = json.loads((run.path / SETTINGS).read_text())
    (run.path / SETTINGS).write_text(json.dumps({**data, **changes}))


def test_looking_at_a_run_runs_no_file_that_it_names(trap: Path, tmp_path: Path) -> None:
    tiny = TINY["value-set-iteration"]
    run = train(tiny.game, "value-set-iteration", settings=tiny.settings, run=tmp_path / "run")
    for name in ("000001-0.10min", "000002-0.20min"):
        (run.path / SNAPSHOTS / name).mkdir(parents=True, exist_ok=True)
    retold(run, game=str(trap))
    for look in (history_of, lambda run: next(glances(run, games=1))):
        with pytest.raises(Untrusted, match=r"trap\.py"):
            look(load_run(run.path))
    assert not trap.with_suffix(".ran").exists()


def test_a_network_runs_no_file_that_its_card_names(trap: Path, tmp_path: Path) -> None:
    tiny = TINY["value-set-iteration"]
    run = train(tiny.game, "value-set-iteration", settings=tiny.settings, run=tmp_path / "run")
    game = make_game("tictactoe")
    card = replace(card_for(game, network_spec("mlp")), game=str(trap))
    (run.path / NETWORK_FILE).write_bytes(export_onnx(make_network("mlp", game), card))
    with pytest.raises(Untrusted, match=r"network\.onnx names .*trap\.py"):
        report_model(str(run.path))
    assert not trap.with_suffix(".ran").exists()


def test_a_file_of_levels_runs_none_either(
    trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    levels = json.loads((SHIPPED / "tictactoe.json").read_text())
    levels["levels"][1]["player"] = str(trap)
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "tictactoe.json").write_text(json.dumps(levels))
    with pytest.raises(ZerosumError, match=r"trap\.py, which is somebody's code"):
        find_level(make_game("tictactoe"), "easy")
    assert not trap.with_suffix(".ran").exists()


def test_a_sweep_and_the_page_go_on_with_what_they_were_given_and_with_nothing_else(
    trap: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(HEX, tmp_path / "own.py")
    game = make_game("./own.py:2x2")
    settings = [f"{name}={json.dumps(value)}" for name, value in TINY["q-learning"].settings.items()]
    plan = plan_sweep(game, "q-learning", 1, settings=settings)
    (run,) = run_sweep(plan, game, "q-learning", settings=settings)
    (run.path / "finished").unlink()
    launched: list[list[str]] = []
    monkeypatch.setattr(jobs, "_launch", lambda words, name: launched.append(list(words)))
    jobs.resume_training(run.name, None, own_file=True)
    assert launched == [["train", f"--resume={run.name}", "--trust"]]
    (again,) = run_sweep(plan, game, "q-learning", settings=settings)
    assert again.state() == "finished"
    (run.path / "finished").unlink()
    evaluation = {**run.record.settings["evaluation"], "opponents": [str(trap)]}
    retold(run, settings={**run.record.settings, "evaluation": evaluation})
    with pytest.raises(Untrusted, match=r"trap\.py"):
        run_sweep(plan, game, "q-learning", settings=settings)
    with pytest.raises(ZerosumError, match="meets players from files"):
        jobs.resume_training(run.name, None, own_file=True)
    assert not trap.with_suffix(".ran").exists()
