"""Show results in the form that was asked for: a table on screen, JSON, CSV or Markdown."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.table import Table

from zerosum.cli.common.screen import out, print_json

Rows = list[list[str]]
NARROW = 60  # columns below which even the first column may break: nothing is cut off


class Form(StrEnum):
    TABLE = "table"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"


FormOption = Annotated[Form, typer.Option("--format", help="How to print the result.")]
Workers = Annotated[int | None, typer.Option(help="Games at a time; the result does not depend on it.")]
Pool = Annotated[str, typer.Option(help="Who plays: threads here, or ray for the workers of a cluster.")]
Games = Annotated[int, typer.Option(help="Games to play.")]


def show(
    form: Form, tables: list[Rows], combined: Rows, records: Rows, fields: dict[str, Any], title: str
) -> None:
    """Several small tables on screen; one combined table as Markdown; records, all numbers, as CSV."""
    from zerosum.arena.tables import to_csv, to_markdown

    match form:
        case Form.JSON:
            print_json(fields)
        case Form.CSV:
            sys.stdout.write(to_csv(records))
        case Form.MARKDOWN:
            sys.stdout.write(to_markdown(combined))
        case Form.TABLE:
            out.print(title, style="bold")
            for rows in tables:
                out.print(screen_table(rows))


def screen_table(rows: Rows) -> Table:
    """Text columns to the left, numbers to the right."""
    header, *body = rows
    longest = max((len(row[0]) for row in body), default=0)
    fits = out.width >= NARROW and longest <= out.width // 2  # or nothing is left for the figures
    table = Table(box=None, padding=(0, 2, 0, 0))
    for column, heading in enumerate(header):
        numeric = all(any(c.isdigit() for c in row[column]) or not row[column] for row in body) and column > 0
        table.add_column(
            heading,
            justify="right" if numeric else "left",
            no_wrap=column == 0 and fits,
            overflow="fold",
        )
    for row in body:
        table.add_row(*row)
    return table
