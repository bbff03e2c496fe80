"""``zerosum runs`` and ``zerosum plot``: what was trained, and how it went."""

from __future__ import annotations

import sys
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from zerosum.cli.common.arguments import Json
from zerosum.cli.common.results import screen_table
from zerosum.cli.common.screen import out, print_json, require_ending
from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    from zerosum.learn.run.listing import RunSummary

NARROW = 120  # columns below which a run takes several lines


class By(StrEnum):
    MINUTES = "minutes"
    ITERATION = "iteration"
    EPISODES = "episodes"


class Action(StrEnum):
    LIST = "list"
    SHOW = "show"
    COMPARE = "compare"
    DELETE = "delete"
    EXPORT = "export"


def runs(
    action: Annotated[Action, typer.Argument(help="What to do.")] = Action.LIST,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[RUN]...", help="Runs, by name or path.")
    ] = None,
    sort: Annotated[str, typer.Option(help="By name, date, game, method, minutes or score.")] = "name",
    game: Annotated[str | None, typer.Option(help="Only runs of this game.")] = None,
    method: Annotated[str | None, typer.Option(help="Only runs of this method.")] = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="For export: a file, .json for all, .csv for metrics.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    json: Json = False,
) -> None:
    """List the runs in ./runs, or show, compare, delete or export some.

    Example: zerosum runs compare tictactoe-alphazero-1 tictactoe-alphazero-2
    """
    chosen = names or []
    if action is Action.LIST:
        _list(sort, game, method, json)
    elif not chosen:
        raise BadSpec(f"name the runs to {action}, as in: zerosum runs {action} tictactoe-alphazero-1")
    elif action is Action.SHOW:
        _show(chosen, json)
    elif action is Action.COMPARE:
        _compare(chosen, json)
    elif action is Action.DELETE:
        _delete(chosen, yes, json)
    else:
        _export(chosen, to)


def _list(sort: str, game: str | None, method: str | None, json: bool) -> None:
    from zerosum.app.studies.compare import sort_runs
    from zerosum.learn.run.listing import list_runs

    kept = [
        run
        for run in list_runs()
        if (game is None or run.game == game) and (method is None or run.method == method)
    ]
    found = sort_runs(kept, sort)
    if json:
        print_json({"runs": [asdict(summary) for summary in found]})
        return
    if not found:
        out.print("no runs here yet; zerosum train tictactoe makes one")
        return
    if out.width < NARROW:
        for run in found:
            _print_card(run)
        return
    header = ["run", "game", "method", "seed", "date", "state", "minutes", "iterations", "last strength"]
    out.print(screen_table([header, *map(_row, found)]))


def _row(run: RunSummary) -> list[str]:
    known = [run.name, run.game, run.method, str(run.seed), _minute(run.created), run.state]
    return [*known, f"{run.minutes:.1f}", str(run.iterations), run.strength or run.problem]


def _print_card(run: RunSummary) -> None:
    """The same for narrow screens, in a few lines."""
    how = [run.game, run.method, f"seed {run.seed}", _minute(run.created)]
    came = f"{run.minutes:.1f} min, {run.iterations} iterations"
    out.print(Text.assemble((run.name, "bold"), f"  {run.state}"))
    lines = [run.problem] if run.problem else [", ".join(how), came, run.strength]
    out.print(Padding(Text("\n".join(filter(None, lines))), (0, 0, 0, 2)))


def _minute(moment: str) -> str:
    """A time to the minute, as in 2026-01-31 12:00."""
    return moment[:16].replace("T", " ")


def _show(names: list[str], json: bool) -> None:
    from zerosum.app.studies.compare import run_fields
    from zerosum.learn.run.run import Run
    from zerosum.learn.settings.base import flat

    found = [run_fields(Run.open(name)) for name in names]
    if json:
        print_json({"runs": found})
        return
    for fields in found:
        kept = ", ".join(f"#{s['iteration']} ({s['minutes']:.1f} min)" for s in fields["snapshots"])
        score = "" if fields["score"] is None else f"{fields['score']:.1%}"
        readable = {"minutes": f"{fields['minutes']:.1f}", "created": _minute(fields["created"])}
        facts = fields | readable | {"score": score, "snapshots": kept}
        told = {key: str(value) for key, value in facts.items() if key not in ("settings", "earlier")}
        settings = {key: _text(value) for key, value in flat(fields["settings"]).items()}
        rows = [[key, text] for key, text in (told | settings).items() if text]
        out.print(screen_table([["", ""], *rows]))


def _compare(names: list[str], json: bool) -> None:
    from zerosum.app.studies.compare import differences
    from zerosum.learn.run.listing import summary_of
    from zerosum.learn.run.run import Run

    found = [Run.open(name) for name in names]
    different = differences(found)
    if json:
        print_json({"runs": [run.name for run in found], "differences": different})
        return
    rows = [["", *(run.name for run in found)]]
    rows += [[path, *map(_text, values)] for path, values in different.items()]
    rows.append(["last strength", *(summary_of(run.path).strength for run in found)])
    out.print(screen_table(rows))
    if not different:
        out.print("they were trained alike", style="dim")


def _delete(names: list[str], yes: bool, json: bool) -> None:
    from zerosum.app.studies.compare import delete_run
    from zerosum.learn.run.run import Run

    found = [Run.open(name) for name in names]
    asked = ", ".join(str(run.path) for run in found)
    if not yes and not (sys.stdin.isatty() and typer.confirm(f"delete {asked} for good?", err=True)):
        raise BadSpec(f"nothing was deleted; to delete {asked} without a question add --yes")
    for run in found:
        delete_run(run)
    if json:
        print_json({"deleted": [str(run.path) for run in found]})
    else:
        out.print(f"deleted {asked}")


def _export(names: list[str], to: Path | None) -> None:
    from zerosum.app.studies.compare import export_csv, export_fields
    from zerosum.core.running.files import json_bytes, write_whole
    from zerosum.learn.run.run import Run

    require_ending(to, ".json", ".csv")
    found = [Run.open(name) for name in names]
    if to is not None and to.suffix.lower() == ".csv":
        tables = [export_csv(run) for run in found]
        if len({table.partition("\n")[0] for table in tables}) > 1:
            raise BadSpec("these runs measured different things: export them one by one, or as .json")
        body = "".join(table.partition("\n")[2] for table in tables)
        write_whole(to, (tables[0].partition("\n")[0] + "\n" + body).encode())
    elif to is not None:
        write_whole(to, json_bytes({"runs": [export_fields(run) for run in found]}))
    else:
        print_json({"runs": [export_fields(run) for run in found]})
        return
    out.print(f"wrote {to}", style="dim")


def _text(value: Any) -> str:
    return "none" if value is None else str(value)


def plot(
    names: Annotated[list[str], typer.Argument(metavar="RUN...", help="One run, or several to compare.")],
    to: Annotated[Path, typer.Option("--to", help="The picture to write.")] = Path("curves.png"),
    by: Annotated[
        By | None, typer.Option(help="What runs along the bottom; episodes where they are counted.")
    ] = None,
    json: Json = False,
) -> None:
    """Draw loss and strength curves of runs, as a PNG, SVG or PDF.

    Example: zerosum plot tictactoe-alphazero-1
    """
    require_ending(to, ".png", ".svg", ".pdf")
    from zerosum.learn.events.plot import plot_runs
    from zerosum.learn.run.run import Run

    plot_runs([Run.open(name) for name in names], to, by)
    if json:
        print_json({"picture": str(to)})
    else:
        out.print(f"wrote {to}")
