"""Rules give the same with the compiler off: they are plain Python, and hide no overflow or wrong type."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.plain_trace import trace
from zerosum.games import list_games, make_game

ROOT = Path(__file__).parents[2]
HEX = f"{ROOT / 'examples' / 'hex.py'}"

# How a game is spelt here, and how many plies plain Python has the time for; others play 30 of their first.
PLANS = {
    "blokus": {"blokus": 3},
    "brick": {"brick:random": 30},
    "connect4": {"connect4": 30, "connect4:9x9x4": 30},
    "gomoku": {"gomoku:9x9": 20},
    "invisible-connect4": {"invisible-connect4": 30, "invisible-connect4:9x9x4": 30},
    "invisible-mnk": {"invisible-mnk:9x8x4": 20},
    "invisible-tictactoe": {"invisible-tictactoe": 17},
    "mnk": {"mnk:7x7x4": 30},
    "qubic": {"qubic": 20},
    "tictactoe": {"tictactoe": 9},
}


def plan() -> dict[str, int]:
    found = {f"{HEX}:4x3": 30, f"{HEX}:9x9": 20}
    for listing in list_games():
        found |= PLANS.get(listing.name, {listing.name: 30})
    return found


@pytest.fixture(scope="module")
def plain_traces() -> dict[str, object]:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(ROOT / "src")])}
    command = [sys.executable, "-W", "error", "-m", "tests.games.plain_trace", json.dumps(plan())]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    traces: dict[str, object] = json.loads(done.stdout)
    return traces


@pytest.mark.parametrize("spec", plan(), ids=lambda spec: Path(spec).name)
def test_compiled_and_plain_rules_agree(spec: str, plain_traces: dict[str, object]) -> None:
    compiled = json.loads(json.dumps(trace(make_game(spec), plan()[spec])))
    assert compiled == plain_traces[spec]
