"""Files of data run no code: what they name is ours, or it is refused until somebody trusts it."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")

from tests.learn.tiny import TINY
from zerosum.app.training import load_run, resume, train
from zerosum.arena.record import from_json, replay
from zerosum.cli.main import run as command
from zerosum.core.errors import Untrusted, ZerosumError
from zerosum.games import ships
from zerosum.players.common.runs import SETTINGS

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
