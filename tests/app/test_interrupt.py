"""Ctrl-C ends training soon, wherever it is, and the run goes on as if it had never been stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

pytest.importorskip("torch")

import zerosum
from tests.learn.made_runs import environment
from tests.learn.trained import measured
from zerosum.learn.events.listeners import Event, Progressed
from zerosum.learn.run.metrics import Line

SOON = 5.0  # seconds; two on a machine with nothing else to do
PATIENCE = 300.0  # for a process to start and to get there, on a machine with much else to do

ALPHAZERO: dict[str, Any] = {
    "network": "pooled:channels=8,blocks=1",
    "selfplay.games_at_once": 16,
    "selfplay.positions": 200,
    "search.simulations": 12,
    "learning.steps": 5,
    "evaluation.every_iterations": 1,
    "evaluation.games": 2,
    "evaluation.opponents": ["random"],
    "evaluation.solved_positions": 0,
    "budget.minutes": None,
}
MUCH = 1_000_000

# A phase that would last for hours: what it is made of, and what training says when it is there.
PHASES: dict[str, tuple[dict[str, Any], str]] = {
    "self-play": ({"selfplay.positions": 100 * MUCH}, "Started"),
    "learning": ({"learning.steps": 100 * MUCH}, "learning"),
    "strength": ({"evaluation.games": MUCH, "evaluation.opponents": ["mcts:100"]}, "games against"),
}

PROGRAM = """
import json, sys, zerosum

def tell(event):
    print(getattr(event, "stage", type(event).__name__), flush=True)

try:
    zerosum.resume(sys.argv[1], settings=json.loads(sys.argv[2]), on_event=tell)
finally:
    print("over", flush=True)  # what comes now is Python's own way out
"""


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> list[Line]:
    """What three iterations measure, with a check of strength after each."""
    settings = {**ALPHAZERO, "budget.iterations": 3}
    folder = tmp_path_factory.mktemp("unbroken") / "run"
    return measured(zerosum.train("tictactoe", settings=settings, run=folder))


@pytest.mark.parametrize("phase", PHASES)
def test_ctrl_c_ends_a_training_soon_and_it_goes_on_exactly(
    phase: str, tmp_path: Path, unbroken: list[Line]
) -> None:
    run = zerosum.train("tictactoe", settings={**ALPHAZERO, "budget.iterations": 1}, run=tmp_path / "run")
    endless, sign = PHASES[phase]
    settings = json.dumps({**endless, "budget.iterations": 3})
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(run.path), settings],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stdout is not None
    try:
        deadline = time.monotonic() + PATIENCE
        while sign not in (said := process.stdout.readline()):
            assert said
            assert time.monotonic() < deadline
        time.sleep(1.0)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        while "over" not in process.stdout.readline():
            pass
        assert time.monotonic() - began < SOON
        _, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert "Interrupt" in errors.splitlines()[-1]
    assert run.state() == "stopped"
    resumed = zerosum.resume(run.path, settings={**ALPHAZERO, "budget.iterations": 3})
    assert measured(resumed) == unbroken


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt here, whatever the tests' own runner does with it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


QUIET: dict[str, Any] = {"evaluation.opponents": []}
Q_LEARNING = {**QUIET, "iteration_episodes": 500, "evaluation.known_states": 0}
DQN = {**QUIET, "budget.iteration": 50, "evaluation.random_games": 2}
CFR = {**QUIET, "learning.passes": 5, "budget.minutes": None}


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("method", "game", "once", "thrice", "endless"),
    [
        (
            "q-learning",
            "tictactoe",
            Q_LEARNING | {"budget.episodes": 500},
            Q_LEARNING | {"budget.episodes": 1500},
            {"iteration_episodes": MUCH * MUCH, "budget.episodes": 3 * MUCH * MUCH},
        ),
        (
            "dqn",
            "tictactoe",
            DQN | {"budget.episodes": 50},
            DQN | {"budget.episodes": 150},
            {"budget.iteration": MUCH * MUCH, "budget.episodes": 3 * MUCH * MUCH},
        ),
        (
            "cfr",
            "invisible-mnk:3x2x3",
            CFR | {"budget.iterations": 1},
            CFR | {"budget.iterations": 3},
            {"learning.passes": MUCH * MUCH, "budget.iterations": 3},
        ),
    ],
)
def test_every_method_stops_soon_and_goes_on_exactly(
    method: str,
    game: str,
    once: dict[str, Any],
    thrice: dict[str, Any],
    endless: dict[str, Any],
    tmp_path: Path,
) -> None:
    whole = zerosum.train(game, method, settings=thrice, run=tmp_path / "whole")
    run = zerosum.train(game, method, settings=once, run=tmp_path / "run")
    interrupted: list[float] = []

    def interrupt() -> None:
        interrupted.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    def wait_for_progress(event: Event) -> None:
        if isinstance(event, Progressed) and not timer.is_alive() and not interrupted:
            timer.start()

    timer = Timer(0.3, interrupt)
    with pytest.raises(KeyboardInterrupt):
        zerosum.resume(run, settings=endless, on_event=wait_for_progress)
    assert time.monotonic() - interrupted[0] < SOON
    assert measured(zerosum.resume(run.path, settings=thrice)) == measured(whole)
