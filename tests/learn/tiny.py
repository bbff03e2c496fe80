"""The smallest training of each method that still does all that training does: seconds for all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from tests.learn.trained import measured
from zerosum.app.training import resume, train
from zerosum.learn.run.metrics import Line
from zerosum.learn.run.run import Run
from zerosum.players.common.runs import SETTINGS


class Tiny(NamedTuple):
    game: str
    settings: dict[str, Any]


CHECKS: dict[str, Any] = {"evaluation.opponents": ["random"], "evaluation.games": 2}
ALPHAZERO: dict[str, Any] = {
    **CHECKS,
    "selfplay.games_at_once": 4,
    "selfplay.positions": 16,
    "search.simulations": 4,
    "learning.steps": 1,
    "evaluation.solved_positions": 0,
    "budget.minutes": None,
    "budget.iterations": 2,
    "workers": 1,
}
TINY = {
    "alphazero": Tiny("tictactoe", {**ALPHAZERO, "network": "pooled:channels=4,blocks=1"}),
    "cfr": Tiny(
        "invisible-mnk:2x2x2",
        {**CHECKS, "learning.passes": 2, "budget.minutes": None, "budget.iterations": 2},
    ),
    "dqn": Tiny(
        "tictactoe",
        {
            **CHECKS,
            "budget.iteration": 4,
            "budget.episodes": 8,
            "evaluation.random_games": 2,
            "play.games_at_once": 2,
        },
    ),
    "muzero": Tiny(
        "tictactoe",
        {**ALPHAZERO, "network": "latent:channels=4,representation=1,dynamics=1,prediction=1"},
    ),
    "policy-set-iteration": Tiny("mnk:2x2x2", CHECKS),
    "q-learning": Tiny(
        "tictactoe",
        {
            **CHECKS,
            "iteration_episodes": 20,
            "budget.episodes": 40,
            "evaluation.known_states": 0,
            "megabytes": 1,
        },
    ),
    "value-iteration": Tiny("mnk:2x2x2", CHECKS),
    "value-set-iteration": Tiny("mnk:2x2x2", CHECKS),
}


class Outcome(NamedTuple):
    """All that a training leaves that must not depend on what happened on the way."""

    state: str
    lines: list[Line]
    files: dict[str, bytes]  # what players load


def train_tiny(method: str, folder: Path) -> Run:
    """A whole run, or the rest of one, or a new one where not even its settings were written."""
    if (folder / SETTINGS).exists():
        return resume(folder)
    tiny = TINY[method]
    return train(tiny.game, method, settings=tiny.settings, run=folder)


def outcome(run: Run) -> Outcome:
    files = {path.name: path.read_bytes() for path in run.path.iterdir() if path.suffix in (".onnx", ".npz")}
    return Outcome(run.state(), measured(run), files)
