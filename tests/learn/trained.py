"""Train any method in a test, through the loop that all share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zerosum.arena.match import play_match
from zerosum.games import make_game
from zerosum.learn.events.listeners import Contest, JsonLines, Listeners
from zerosum.learn.run.metrics import Line, without_times
from zerosum.learn.run.run import Run
from zerosum.learn.training.method import find_method
from zerosum.learn.training.trainer import Trainer


def train(
    name: str, folder: Path, spec: str, changes: Sequence[str] = (), seed: int = 0, preset: str = "fast"
) -> Run:
    """A run of a method, or its continuation where the folder holds one."""
    method, game = find_method(name), make_game(spec)
    settings: Any = method.settings_for(game.spec, preset, ["evaluation.games=2", *changes])
    run = (
        Run.open(folder) if folder.exists() else Run.create(game.spec, name, seed, settings.as_json(), folder)
    )

    def match(learner: Any, opponent: str, games: int) -> Contest:
        result = play_match(game, learner, opponent, games).total
        return Contest(opponent, result.wins, result.draws, result.losses)

    with run.claim():
        Trainer(
            run,
            method.learner(game, settings, seed),
            method.budget(settings),
            method.evaluation(settings),
            Listeners([JsonLines(run.metrics_path)]),
            match,
        ).train()
    return run


def learnt(run: Run) -> list[Line]:
    """What the iterations measured, without what depends on the clock."""
    return [without_times(line) for line in run.metrics() if line["kind"] == "learning"]
