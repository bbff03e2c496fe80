"""``zerosum ladder``: every kind of player on one game, side by side, against perfect play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.results import screen_table
from zerosum.cli.screen import GameSpec, Json, Seed, counting, err, load_game, out, patience, print_json
from zerosum.cli.train import training_screen

if TYPE_CHECKING:
    from zerosum.app.ladder import Rung
    from zerosum.core.game import Game
    from zerosum.learn.run.run import Run

PLAIN = ("random", "greedy", "minimax:2", "mcts:1000")
# Trained on the spot where there is no run yet; the first refuses, before all else, a game that is too large.
TABLES = ("value-iteration", "q-learning")
SIMULATIONS = 50


def ladder(
    game: GameSpec,
    games: Annotated[int, typer.Option(min=1, help="Games from each seat.")] = 100,
    to: Annotated[Path | None, typer.Option("--to", help="A picture to write as well.")] = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Hold players of every kind against perfect play; tables are trained first where there is no run yet.

    Example: zerosum ladder tictactoe --to ladder.png
    """
    rules = load_game(game)
    with patience("getting ready (the first time this compiles the learners)"):
        from zerosum.app.ladder import climb, ladder_fields, ladder_rows, plot_ladder

    entrants = [(player, 0.0) for player in PLAIN]
    entrants += [_trained(rules, method, seed) for method in TABLES]
    entrants += _shipped(rules)
    with counting(f"[dim]against the solver on {rules.spec}[/]") as bar:
        task = bar.add_task("players", total=len(entrants))

        def tell(rung: Rung) -> None:
            lost = f"{rung.kind}: {rung.as_first.losses} and {rung.as_second.losses} lost"
            bar.console.print(lost, style="dim")
            bar.advance(task)

        rungs = climb(rules, entrants, games, seed, tell)
    if json:
        print_json(ladder_fields(rules, rungs))
    else:
        out.print(screen_table(ladder_rows(rungs)))
    if to is not None:
        plot_ladder(rules, rungs, to)


def _trained(rules: Game, name: str, seed: int) -> tuple[str, float]:
    """The player of the latest finished run of a method, or of a new one, and its seconds of training."""
    from zerosum.learn.events.listeners import JsonLines, Listeners
    from zerosum.learn.run.listing import list_runs
    from zerosum.learn.run.run import Run
    from zerosum.learn.training.method import find_method
    from zerosum.learn.training.quietly import QUIET, no_match
    from zerosum.learn.training.trainer import Trainer

    method = find_method(name)
    found = [
        Run.open(run.name)
        for run in list_runs()
        if (run.game, run.method, run.state) == (rules.spec, name, "finished") and run.iterations
    ]
    if found:
        run = max(found, key=lambda run: run.metrics_path.stat().st_mtime)
        err.print(f"{name} plays as {run.name} has learnt", style="dim")
        return method.player.format(run=run.name), _training_seconds(run)
    settings = method.settings_for(rules.spec, "fast", QUIET)
    learner = method.learner(rules, settings, seed)
    run = Run.create(rules.spec, name, seed, settings.as_json())
    err.print(f"training {name} in {run.path}")
    budget = method.budget(settings)
    with run.claim(), training_screen(budget) as screen:
        listeners = Listeners([JsonLines(run.metrics_path), screen])
        Trainer(run, learner, budget, method.evaluation(settings), listeners, no_match).train()
    return method.player.format(run=run.name), _training_seconds(run)


def _training_seconds(run: Run) -> float:
    """Without the checks of its strength."""
    lines = [line for line in run.metrics() if line["kind"] == "learning"]
    return sum(value for line in lines for key, value in line.items() if key.endswith("_seconds"))


def _shipped(rules: Game) -> list[tuple[str, float]]:
    """The network that ships for a game, if there is one; the file beside it says how long it was trained."""
    from zerosum.nets.artifact.store import shipped_card

    card = shipped_card(rules, "alphazero")
    return [(f"alphazero:{SIMULATIONS}", 60 * card["minutes"])] if card else []
