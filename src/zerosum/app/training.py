"""Train and go on training: the one place where a run, its learner and its listeners come together."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeAlias

from zerosum.arena.workers import check_counts
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.games import INVISIBLE, make_game
from zerosum.learn.events.listeners import JsonLines, Listeners, OnEvent
from zerosum.learn.events.tensorboard_events import TensorBoard
from zerosum.learn.run.metrics import Line
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import Settings, describe, override, read_settings
from zerosum.learn.settings.schedule import Budget, Evaluation
from zerosum.learn.training.method import Method, find_method
from zerosum.learn.training.trainer import Learner, StartsFromAnother, Trainer
from zerosum.players.common.registry import make_player

# What to set otherwise: {"search.simulations": 100}, or as on the command line, ["search.simulations=100"].
Changes: TypeAlias = Mapping[str, Any] | Sequence[str]

# Where nothing else is said: the usual ones look at positions, which nobody sees in a hidden game.
OPPONENTS_OF_HIDDEN_GAMES = 'evaluation.opponents=["random", "determinised:100"]'
NO_CHECKS = ("evaluation.opponents=[]",)  # for runs that play their contests afterwards


@dataclass(frozen=True)
class Training:
    """A run, new or to be resumed, and all that it takes to train it, once."""

    run: Run
    game: Game
    method: Method
    settings: Settings
    learner: Learner

    @property
    def budget(self) -> Budget:
        return self.method.budget(self.settings)

    @property
    def player(self) -> str:
        """The spec of what is learnt."""
        return self.method.player.format(run=self.run.name)

    @property
    def check_simulations(self) -> int | None:
        """Simulations a move with which strength is checked; None where nothing is searched."""
        wanted: int | None = getattr(self.method.evaluation(self.settings), "simulations", None)
        return (
            getattr(getattr(self.settings, "search", None), "simulations", None) if wanted is None else wanted
        )

    @property
    def iterations_done(self) -> int:
        """Those that are saved, and will not be done again."""
        checkpoint = self.run.load(parts=[])
        return checkpoint.iteration if checkpoint else 0

    def train(self, on_event: OnEvent | None = None) -> str:
        """Train until the budget is used, nothing is left to learn or ``stop`` is called; returns why.

        ``on_event`` hears in this thread of all that happens, which the run writes down as well. Ctrl-C is
        passed on after a second or two. However this ends, ``resume_training`` goes on as if it had not; only
        where the first iteration is refused, as for want of memory, nothing is left of the run.
        """
        run = self.run
        ours = False
        try:
            with run.claim(), closing(TensorBoard(run.events_path)) as board:
                ours = True
                run.change_settings(self.settings.as_json())
                tell = Listeners([JsonLines(run.metrics_path), board, *([on_event] if on_event else [])])
                return self.trainer(tell).train()
        except (ZerosumError, MemoryError):
            if ours and run.load(parts=[]) is None and not run.metrics():
                rmtree(run.path)
            raise

    def trainer(self, tell: OnEvent) -> Trainer:
        """What trains the run, once it is claimed."""
        return Trainer(self.run, self.learner, self.budget, self.method.evaluation(self.settings), tell)

    def stop(self) -> None:
        """Let ``train`` come back soon; may be called from any thread."""
        self.learner.stop.set()


def new_training(
    game: str | Game,
    method: str = "alphazero",
    minutes: float | None = None,
    episodes: int | None = None,
    settings: Changes = (),
    preset: str = "fast",
    run: str | Path | None = None,
    seed: int = 0,
    start_from: str | Path | None = None,
) -> Training:
    """The training of a new run, in the empty folder ``run``, or in runs/GAME-METHOD-NUMBER.

    Minutes or episodes are the budget, where the preset's is not wanted. With ``start_from`` it begins with
    what another run has learnt of this game, or of one that differs in its board, its starts or in what is
    hidden. What is refused leaves no folder.
    """
    way = find_method(method)
    played = make_game(game) if isinstance(game, str) else game
    changes = changes_for(way, minutes, episodes, settings)
    wanted = way.settings_for(played.spec, preset, changes)
    if played.hidden and way.evaluation(wanted).opponents == Evaluation().opponents:
        wanted = way.settings_for(played.spec, preset, [OPPONENTS_OF_HIDDEN_GAMES, *changes])
    check_counts(way.evaluation(wanted).games, None)
    learner = way.learner(played, wanted, seed)  # before the run: it may refuse
    origin = None
    if start_from is not None:
        origin = Run.open(start_from)
        _start_from(learner, method, origin, played)
    path = None if run is None else Path(run)
    for opponent in way.evaluation(wanted).opponents:
        make_player(opponent, played)  # before the run too, for the same reason
    name = "" if origin is None else origin.name
    made = Run.create(played.spec, method, seed, wanted.as_json(), path, preset, name)
    training = Training(made, played, way, wanted, learner)
    if origin is not None:
        with made.claim():  # so that it goes on from here whatever becomes of the other run
            training.trainer(Listeners([])).save()
    return training


def _start_from(learner: Learner, method: str, origin: Run, game: Game) -> None:
    if not isinstance(learner, StartsFromAnother):
        raise BadSpec(f"{method} starts from nothing; it cannot take over what {origin.path} has learnt")
    families = {spec.partition(":")[0].removeprefix(INVISIBLE) for spec in (origin.record.game, game.spec)}
    if len(families) > 1:
        raise BadSpec(f"{origin.path} learnt {origin.record.game}, which is another game than {game.spec}")
    learner.start_from(origin)


def resume_training(
    run: str | Path | Run,
    minutes: float | None = None,
    episodes: int | None = None,
    settings: Changes = (),
    more: float | None = None,
    trust: bool = False,
) -> Training:
    """The training that goes on with a run, given by its name or path; what is set otherwise is noted.

    ``more`` are minutes on top of those that it has been trained for. A run comes from anywhere: one that
    names Python files, as its game or elsewhere, must be trusted.
    """
    found = run if isinstance(run, Run) else Run.open(run)
    if more is not None:
        checkpoint = found.load(parts=[])
        minutes = more + (checkpoint.facts["clock"]["minutes"] if checkpoint else 0.0)
    way = find_method(found.record.method)
    before = read_settings(way.settings, found.record.settings)
    found.trusted = found.trusted or trust
    game = found.game(way.evaluation(before).opponents, learns=True)
    # As they are called now: a setting that only has another name than then has not changed.
    found.record = found.record.model_copy(update={"settings": before.as_json()})
    wanted = override(before, changes_for(way, minutes, episodes, settings))
    check_counts(way.evaluation(wanted).games, None)
    return Training(found, game, way, wanted, way.learner(game, wanted, found.record.seed))


def train(
    game: str | Game,
    method: str = "alphazero",
    minutes: float | None = None,
    episodes: int | None = None,
    settings: Changes = (),
    preset: str = "fast",
    run: str | Path | None = None,
    seed: int = 0,
    on_event: OnEvent | None = None,
    start_from: str | Path | None = None,
) -> Run:
    """Learn a game, from nothing or from what another run knows, in a new run, which comes back when done.

    ``settings`` are what differs from the preset, as in {"search.simulations": 100}; ``on_event`` hears of
    everything that happens. What was learnt plays as ``run.player()``, or by its spec, for example
    f"alphazero:100@{run.path}".

    >>> import zerosum
    >>> run = zerosum.train("tictactoe", method="q-learning", episodes=2000, run="mine")
    >>> run.state(), run.player().spec
    ('finished', 'q-learning@mine')
    """
    training = new_training(game, method, minutes, episodes, settings, preset, run, seed, start_from)
    training.train(on_event)
    return training.run


def resume(
    run: str | Path | Run,
    minutes: float | None = None,
    episodes: int | None = None,
    settings: Changes = (),
    on_event: OnEvent | None = None,
    trust: bool = False,
) -> Run:
    """Go on with a run as if it had never stopped; ``minutes`` of a larger budget count from its start.

    A run whose game is a file of yours needs ``trust=True``: resuming it runs that file.

    >>> import zerosum
    >>> run = zerosum.train("tictactoe", method="q-learning", episodes=1000, run="mine")
    >>> zerosum.resume("mine", episodes=2000).state()
    'finished'
    """
    training = resume_training(run, minutes, episodes, settings, trust=trust)
    training.train(on_event)
    return training.run


def load_run(name: str | Path, trust: bool = False) -> Run:
    """The run of a path, or of a name in ./runs: its record, metrics and state.

    Where its game is a file of yours, ``run.player()`` and ``resume`` need ``trust=True``: they run it.

    >>> import zerosum
    >>> _ = zerosum.train("tictactoe", method="value-iteration", run="mine")
    >>> zerosum.load_run("mine").record.game
    'tictactoe'
    """
    run = Run.open(name)
    run.trusted = trust
    return run


def train_once(
    game: str | Game, method: str, settings: Sequence[str], run: Path, seed: int = 0, preset: str = "fast"
) -> Run:
    """The finished run in a folder, without checks of its strength: made, gone on with, or found as it is."""
    if not run.exists():
        return train(game, method, settings=[*settings, *NO_CHECKS], preset=preset, run=run, seed=seed)
    found = Run.open(run)
    found.named = (game if isinstance(game, str) else game.spec,)
    return found if found.state() == "finished" else resume(found)


def latest_checks(run: Run) -> list[Line]:
    """The last strength check against each opponent and by each measure, as lines of metrics."""
    lines = [line for line in run.metrics() if line["kind"] == "strength"]
    return list({str(line.get("opponent", line.get("measure"))): line for line in lines}.values())


def changes_for(
    way: Method, minutes: float | None, episodes: int | None, settings: Changes = ()
) -> list[str]:
    """All that is wanted otherwise, as the command line writes it."""
    if isinstance(settings, Mapping):
        changes = [f"{path}={json.dumps(value)}" for path, value in settings.items()]
    else:
        changes = list(settings)
    counted = [line.path for line in describe(way.settings) if line.path.startswith("budget.")]
    for path, wanted in {"budget.minutes": minutes, "budget.episodes": episodes}.items():
        if wanted is not None and path not in counted:
            raise BadSpec(f"this method does not count {path.partition('.')[2]}; it has {', '.join(counted)}")
        changes += [f"{path}={wanted}"] if wanted is not None else []
    return changes
