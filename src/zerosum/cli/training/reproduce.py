"""``zerosum reproduce``: the tables and figures of a paper, played again, beside the paper's own."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.text import Text

from zerosum.cli.common.arguments import Json
from zerosum.cli.common.results import screen_table
from zerosum.cli.common.screen import err, out, patience, print_json, stages


def reproduce(
    paper: Annotated[
        str, typer.Argument(metavar="[PAPER]", help="Which paper; without one, what there is.")
    ] = "",
    entries: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ENTRY...]", help="Which tables and figures; all if not given."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A look: few games, little training.")] = False,
    seeds: Annotated[int, typer.Option(min=1, help="How many times agents are trained.")] = 1,
    resume: Annotated[
        bool, typer.Option("--resume/--anew", help="Go on with what is trained and played, or begin anew.")
    ] = True,
    train: Annotated[
        bool, typer.Option("--train/--no-train", help="Train what is missing, or leave out what needs it.")
    ] = True,
    workers: Annotated[int | None, typer.Option(min=1, help="Games at once; the cores there are.")] = None,
    json: Json = False,
) -> None:
    """Train or load what a paper's experiments need, play them, and show the paper's figures beside ours.

    Example: zerosum reproduce brick table-4 --quick
    """
    with patience("getting ready"):
        from zerosum.app.reproduce import paper_rows, reproduce_paper
        from zerosum.papers.page import rows_of
        from zerosum.papers.reproduce import Wishes
    if not paper:
        rows = paper_rows()
        if json:
            print_json({"entries": [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]})
        else:
            out.print(screen_table(rows))
        return
    wishes = Wishes(quick, seeds, train, not resume, workers)

    def show(key: str, entry: dict[str, Any]) -> None:
        if json:
            return
        about = f" ({paper} {key}; {entry['minutes']:.1f} minutes)"
        out.print(Text.assemble("\n", (entry["title"], "bold"), about))
        if entry["rows"]:
            out.print(screen_table(rows_of(entry)))
        for note in entry["notes"]:
            out.print(note, style="dim")

    try:
        with stages() as tell:
            results = reproduce_paper(paper, entries or [], wishes, tell, show)
    except KeyboardInterrupt:
        err.print("stopped; what is trained and played is kept: the same command goes on")
        raise
    if json:
        print_json(results)
