"""Pages as one HTML file each: nothing to fetch, no scripts, readable on a phone and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #2a2620; --dim: #6d6a63; --paper: #fdfbf6; --line: #d9d4c6; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eceae4; --dim: #a8a49a; --paper: #1d1b18; --line: #48443c; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
p.note, figcaption { color: var(--dim); font-size: .9rem; }
div.wide { overflow-x: auto; } svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; }
div.boards { display: flex; flex-wrap: wrap; gap: 1.2rem; } figure { margin: 0; max-width: 20rem; }
""".strip()


def page(title: str, parts: Iterable[str]) -> str:
    """A whole document; ``parts`` are HTML, the title is text."""
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<style>{STYLE}</style></head><body>",
            f"<h1>{escape(title)}</h1>",
            *parts,
            "</body></html>\n",
        ]
    )


def heading(text: str) -> str:
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str, note: bool = False) -> str:
    return f'<p class="note">{escape(text)}</p>' if note else f"<p>{escape(text)}</p>"


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of text, the header first; columns of numbers stand to the right."""
    header, *body = rows
    numeric = [
        column > 0 and bool(body) and all(_is_number(row[column]) for row in body)
        for column in range(len(header))
    ]
    lines = [_row(header, "th", numeric), *(_row(row, "td", numeric) for row in body)]
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def boards(figures: Iterable[str]) -> str:
    return f'<div class="boards">{"".join(figures)}</div>'


def _row(cells: Sequence[str], tag: str, numeric: Sequence[bool]) -> str:
    marked = (
        f"<{tag}{' class=number' if number else ''}>{escape(cell)}</{tag}>"
        for cell, number in zip(cells, numeric, strict=True)
    )
    return f"<tr>{''.join(marked)}</tr>"


def _is_number(cell: str) -> bool:
    return not cell or any(letter.isdigit() for letter in cell)
