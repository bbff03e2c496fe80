"""``zerosum train``: learn a game from nothing, by playing against oneself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import Json, Seed, Trust
from zerosum.cli.common.results import screen_table
from zerosum.cli.common.screen import err, load_game, out, patience, print_json
from zerosum.cli.common.training_screen import training_screen
from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    from zerosum.app.studies.sweep import PlannedRun
    from zerosum.app.training import Training


def train(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="What to learn; not needed with --resume.")
    ] = "",
    method: Annotated[str, typer.Option(help="How to learn; --method ? lists what there is.")] = "alphazero",
    minutes: Annotated[float | None, typer.Option(help="How long to train.")] = None,
    episodes: Annotated[int | None, typer.Option(help="How many games to learn from.")] = None,
    preset: Annotated[str, typer.Option(help="Settings: fast (ours) or paper (the papers').")] = "fast",
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", help="One setting, as in search.simulations=100; --set ? lists them."),
    ] = None,
    net: Annotated[str | None, typer.Option(help="The network, as in pooled:channels=64,blocks=5.")] = None,
    workers: Annotated[
        int | None, typer.Option(help="How many play games at once; the cores there are if not given.")
    ] = None,
    pool: Annotated[
        str | None, typer.Option(help="Who plays: threads, or ray for the workers of a Ray cluster.")
    ] = None,
    run: Annotated[
        Path | None, typer.Option(help="Where to keep the run; runs/GAME-... if not given.")
    ] = None,
    start_from: Annotated[
        str | None,
        typer.Option(
            "--from", help="Begin with what another run learnt: of another board, other bricks, or hidden."
        ),
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with a run, by its name or path.")] = None,
    trust: Trust = False,
    more: Annotated[float | None, typer.Option(help="With --resume: so many minutes on top.")] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Several runs, from so many seeds.")] = None,
    grid: Annotated[
        list[str] | None,
        typer.Option(help="Several runs, one a value, as in search.simulations=16,32,64; may be repeated."),
    ] = None,
    sweep: Annotated[str | None, typer.Option(help="What to call those runs; calling again goes on.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Show the settings it would have, and stop.")] = False,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Learn a game from nothing. Ctrl-C stops it; --resume goes on as if nothing had happened.

    Example: zerosum train tictactoe
    """
    if method == "?":
        _list_methods()
        return
    named = {"network": net, "workers": workers, "pool": pool}
    wishes = [
        *(change for change in changes or [] if change != "?"),
        *(f"{name}={value}" for name, value in named.items() if value is not None),
    ]
    if show or "?" in (changes or []):
        from zerosum.app.training import changes_for
        from zerosum.learn.training.method import find_method

        _list_settings(
            game, method, preset, changes_for(find_method(method), minutes, episodes, wishes), json
        )
        return
    if bool(game) == bool(resume):
        raise BadSpec("name a game to learn, or a run to go on with (--resume RUN)")
    if more is not None and (not resume or minutes is not None):
        raise BadSpec(
            "--more adds minutes to a run that goes on: give it with --resume, and without --minutes"
        )
    if seeds is not None or grid:
        if resume or run is not None:
            raise BadSpec("--seeds and --grid make runs of their own; the same call again goes on with them")
        _sweep(
            Question(game, method, minutes, episodes, preset, wishes, seeds or 1, grid or [], sweep, seed),
            json,
        )
        return
    if resume and start_from:
        raise BadSpec(
            "--resume goes on with a run, --from begins a new one with its weights: name one of them"
        )
    with patience("getting ready (the first time this compiles the search)"):
        from zerosum.app.training import new_training, resume_training

        if resume:
            training = resume_training(resume, minutes, episodes, wishes, more, trust)
        else:
            training = new_training(game, method, minutes, episodes, wishes, preset, run, seed, start_from)
    where = training.run
    how = f" in {where.path}; Ctrl-C stops, --resume {where.name} goes on"
    err.print(Text.assemble("learning ", (training.game.spec, "bold"), how))
    if training.iterations_done:
        err.print(f"going on after iteration {training.iterations_done}")
    try:
        with training_screen(training) as screen:
            training.train(screen)
    except KeyboardInterrupt:
        err.print(f"stopped; nothing is lost but the iteration in hand: zerosum train --resume {where.name}")
        raise
    _show(training, json)


def _list_methods() -> None:
    from zerosum.learn.training.method import list_methods

    out.print(screen_table([["method", "how it learns"], *([m.name, m.summary] for m in list_methods())]))


def _list_settings(game: str, method: str, preset: str, wishes: list[str], json: bool) -> None:
    """Every setting as it would be: for the game and preset named, with the changes asked for."""
    from zerosum.app.studies.settings import effective_settings

    spec = load_game(game).spec if game else ""
    found = effective_settings(spec, method, preset, wishes)
    if json:
        settings = [
            {"setting": s.path, "value": s.value, "default": s.default, "why": s.reason} for s in found
        ]
        print_json({"game": spec, "method": method, "preset": preset, "settings": settings})
        return
    for_whom = f" for {spec}" if spec else ", before any game's own; name one to see those"
    out.print(f"settings of {method}, preset {preset}{for_whom} (* differs from the default)")
    rows = [["setting", "value", "why"]]
    rows += [[s.path, f"{s.value}{'' if s.value == s.default else ' *'}", s.reason] for s in found]
    out.print(screen_table(rows))


@dataclass(frozen=True)
class Question:
    """What several runs are to answer."""

    game: str
    method: str
    minutes: float | None
    episodes: int | None
    preset: str
    wishes: list[str]
    seeds: int
    grid: list[str]
    name: str | None
    first_seed: int


def _sweep(asked: Question, json: bool) -> None:
    """Train all runs of a question, then say what they came to."""
    game = load_game(asked.game)
    with patience("getting ready (the first time this compiles the search)"):
        from zerosum.app.studies import sweep as use
        from zerosum.app.studies.sweep_picture import plot_sweep
    plan = use.plan_sweep(
        game, asked.method, asked.seeds, asked.grid, asked.first_seed, asked.name, asked.preset, asked.wishes
    )
    how = f": {len(plan.runs)} runs; the same call again goes on with it"
    err.print(Text.assemble("sweep ", (plan.name, "bold"), how))

    def train(training: Training, planned: PlannedRun) -> None:
        number = plan.runs.index(planned) + 1
        which = f": {planned.variant.name} seed {planned.seed}"
        err.print(Text.assemble((f"run {number} of {len(plan.runs)}", "bold"), which))
        with training_screen(training) as screen:
            training.train(screen)

    runs = use.run_sweep(
        plan, game, asked.method, asked.minutes, asked.episodes, asked.wishes, asked.preset, train
    )
    found = use.summaries(plan, runs)
    differences = use.compare(found)
    picture = Path("runs") / f"{plan.name}.png"
    if found:
        plot_sweep(use.curves(plan, runs), f"{game.spec}: {plan.name}", picture)
    if json:
        print_json(use.sweep_fields(plan, found, differences) | {"picture": str(picture) if found else None})
        return
    rows = [["measure", "variant", "seeds", "mean", "spread"]]
    for row in found:
        spread = "" if row.spread is None else f"{row.spread:.1%}"
        rows.append([row.measure, row.variant or "all", str(len(row.scores)), f"{row.mean:.1%}", spread])
    out.print(screen_table(rows))
    for d in differences:
        sure = "differ" if d.p <= 0.05 else "may be the same"
        out.print(f"{d.measure}: {d.first} and {d.second} {sure}: {d.difference:+.1%}, p {d.p:.2f}")
    if differences and min(d.least_p for d in differences) > 0.05:
        out.print("so few seeds cannot show a difference at 5 %: take four or more", style="dim")
    if found:
        out.print(f"wrote {picture}", style="dim")


def _show(training: Training, json: bool) -> None:
    """How strong it became: the last checks against each opponent."""
    from zerosum.app.training import latest_checks
    from zerosum.learn.run.listing import strength_text

    run, game = training.run, training.game.spec
    latest = latest_checks(run)
    if json:
        print_json({"run": str(run.path), "game": game, "strength": latest})
        return
    rows = [["result", "after iteration"]]
    rows += [[strength_text(line), str(line["iteration"])] for line in latest]
    out.print(str(run.path), style="bold")
    if latest:
        out.print(screen_table(rows))
    out.print(f"play it: zerosum play {game} --against {training.player}", soft_wrap=True)
