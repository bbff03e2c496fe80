"""Train to the end with nobody watching: for comparisons that play their contests afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from zerosum.core.game import Game
from zerosum.learn.events.listeners import Contest, JsonLines, Listeners
from zerosum.learn.run.run import Run
from zerosum.learn.training.method import find_method
from zerosum.learn.training.trainer import Trainer
from zerosum.players.common.player import Player

QUIET = ("evaluation.opponents=[]",)


def train_quietly(method: str, game: Game, changes: Sequence[str], seed: int, path: Path) -> Run:
    """A finished run at a path, with the preset ``fast`` and these changes: made, gone on with, or found."""
    way = find_method(method)
    settings = way.settings_for(game.spec, "fast", [*changes, *QUIET])
    learner = way.learner(game, settings, seed)
    if not path.exists():
        Run.create(game.spec, method, seed, settings.as_json(), path)
    run = Run.open(path)
    if run.state() != "finished":
        with run.claim():
            listeners = Listeners([JsonLines(run.metrics_path)])
            Trainer(run, learner, way.budget(settings), way.evaluation(settings), listeners, no_match).train()
    return run


def no_match(learner: Callable[[Game], Player], opponent: str, games: int) -> Contest:
    """In place of a match, where there are no opponents."""
    raise AssertionError(f"nobody asked for {games} games against {opponent}")
