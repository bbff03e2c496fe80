"""Show results in the form that was asked for: a table on screen, JSON, CSV or Markdown."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from zerosum.cli.common.screen import out, print_json

Rows = list[list[str]]
GAP = 2  # columns between two of a table
LONG_WORD = 17  # letters of which a column has room at least; longer words may be broken


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


def screen_table(rows: Rows) -> RenderableType:
    """Text columns to the left, numbers to the right; where that is too wide, a card for each row."""
    header, *body = rows
    columns = list(zip(*rows, strict=True))
    longest = max((len(row[0]) for row in body), default=0)
    whole = longest <= out.width // 2  # the first column; or nothing is left for the figures
    words = [max((len(word) for cell in cells for word in cell.split()), default=0) for cells in columns]
    needed = (longest if whole else LONG_WORD) + sum(min(word, LONG_WORD) + GAP for word in words[1:])
    if needed > out.width or (len(columns) == 2 and not whole):
        return _cards(header, body)
    table = Table(box=None, padding=(0, GAP, 0, 0), show_header=any(header))
    for column, heading in enumerate(header):
        numeric = all(any(c.isdigit() for c in row[column]) or not row[column] for row in body) and column > 0
        table.add_column(
            heading,
            justify="right" if numeric else "left",
            no_wrap=column == 0 and whole,
            overflow="fold",
        )
    for row in body:
        table.add_row(*row)
    return table


def _cards(header: list[str], body: Rows) -> RenderableType:
    """Each row as a heading, its first cell, and a line for every other one that holds something."""
    parts: list[RenderableType] = []
    for first, *others in body:
        parts.append(Text(first, style="bold", overflow="fold"))
        card = Table.grid(padding=(0, GAP, 0, 0))
        card.add_column(no_wrap=True)
        card.add_column(overflow="fold")
        for heading, cell in zip(header[1:], others, strict=True):
            if cell:
                card.add_row(heading, cell)
        parts.append(Padding(card, (0, 0, 0, GAP), expand=False))
    return Group(*parts)
