"""The page of a paper, from its results alone: what it found, what was found here, and how they compare."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import fill
from typing import Any

from zerosum.core.running.files import write_whole
from zerosum.papers.figures import Figure
from zerosum.papers.pictures import draw_picture
from zerosum.papers.results import COLUMNS, Results

WIDTH = 118
HOW_TO_READ = """
This page is written by `./zerosum reproduce {name}` from `results/{name}.json`: no figure in it is typed by
hand.
Results are wins-losses or wins-losses-draws of the player named first, as the papers write them, with 95 %
intervals of the share in brackets. *Reproduced* means that the two shares differ by no more than chance
allows; *beaten* that all of our interval lies beyond the paper's figure; *level* that it holds that figure.
"""
FIGURES = ("paper", "method", "best")
WORDS = ("verdict", "more")


def write_page(results: Results, folder: Path) -> Path:
    """Write PAPER.md and its pictures into a folder; returns the page's path."""
    name = results["paper"]
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    parts = [f"# {results['title']}", f"*{results['authors']}*", _prose(results["about"])]
    parts.append(_prose(HOW_TO_READ.format(name=name)))
    for key, entry in results["entries"].items():
        parts += _entry(name, key, entry, folder)
    path = folder / f"{name}.md"
    write_whole(path, ("\n\n".join(part for part in parts if part) + "\n").encode())
    return path


def rows_of(entry: dict[str, Any]) -> list[list[str]]:
    """An entry's table: the header, then a row a line, without columns that hold nothing."""
    titles = entry.get("columns", COLUMNS)
    figures = [key for key in FIGURES if any(key in row for row in entry["rows"])]
    words = [key for key in WORDS if any(row[key] for row in entry["rows"])]
    table = [["", *(titles.get(key, "") for key in (*figures, *words))]]
    for row in entry["rows"]:
        shown = [Figure(**row[key]).shown if key in row else "" for key in figures]
        table.append([row["label"], *shown, *(row[key] for key in words)])
    return table


def _entry(paper: str, key: str, entry: dict[str, Any], folder: Path) -> list[str]:
    made = f"{entry['minutes']:.1f} minutes, {entry['games']:,} games, {entry['date']}"
    if entry.get("training"):  # of what was measured earlier it is part of the minutes
        made = f"{entry['training']:.0f} minutes of training, then {made}"
    if entry["seeds"] > 1:
        made = f"{entry['seeds']} seeds, {made}"
    parts = [f"## {entry['title']}", _prose(f"({entry['page']}.) {entry['says']}")]
    if entry["read"]:
        parts.append(_prose(f"How it was read: {entry['read']}"))
    if entry["rows"]:
        parts.append(_markdown(rows_of(entry)))
    for number, picture in enumerate(entry["pictures"], start=1):
        file = f"{paper}-{key}-{number}" + (".svg" if picture["kind"] == "svg" else ".png")
        draw_picture(picture, folder / "pictures" / file)
        title = re.sub(r"[^\w ,.:()-]", "", picture["title"])
        parts.append(f"![{title}](pictures/{file})")
    parts += [_prose(note) for note in entry["notes"]]
    if entry["found"]:
        parts.append(_prose(entry["found"]))
    parts.append(f"`./zerosum reproduce {paper} {key}`: {made}.")
    return parts


def _markdown(rows: list[list[str]]) -> str:
    header, *body = rows
    lines = [header, ["---"] * len(header), *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _prose(text: str) -> str:
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    return "\n\n".join(
        fill(part, WIDTH, break_long_words=False, break_on_hyphens=False) for part in paragraphs
    )
