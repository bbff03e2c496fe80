"""What was reproduced, as a JSON file a paper: by entry, with all that the page and its pictures need."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from zerosum.core.errors import ZerosumError
from zerosum.core.running.files import json_bytes, parse_json, read_whole, write_whole
from zerosum.learn.run.surroundings import commit, version
from zerosum.papers.figures import Row
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, Paper

Results: TypeAlias = dict[str, Any]
FORMAT = 1
COLUMNS = {"paper": "the paper", "method": "its method here", "best": "our best", "verdict": "verdict"}


class Outcome:
    """What a kind found: rows of a table, pictures as data, and remarks.

    ``columns`` says how the parts of a row are called, where it is not the paper's figure that stands first.
    """

    def __init__(self, columns: Mapping[str, str] | None = None) -> None:
        self.columns = dict(columns or COLUMNS)
        self.rows: list[Row] = []
        self.pictures: list[dict[str, Any]] = []
        self.notes: list[str] = []

    def add(self, *rows: Row) -> None:
        self.rows += rows

    def curves(self, title: str, x: str, y: str, series: list[dict[str, Any]], **more: Any) -> None:
        """A picture of lines; a series has name, xs and ys, and maybe lows and highs."""
        self.pictures.append({"kind": "curves", "title": title, "x": x, "y": y, "series": series, **more})

    def grid(self, title: str, part: str, values: list[list[float | None]], most: float) -> None:
        """A picture of a board, with a number a cell; those of one title that follow each other are one."""
        last = self.pictures[-1] if self.pictures else {}
        if (last.get("kind"), last.get("title"), last.get("most")) != ("grid", title, most):
            self.pictures.append({"kind": "grid", "title": title, "most": most, "parts": []})
        self.pictures[-1]["parts"].append({"title": part, "values": values})

    def svg(self, title: str, text: str) -> None:
        """A picture that is drawn already."""
        self.pictures.append({"kind": "svg", "title": title, "text": text})


def read_results(file: Path, name: str, paper: Paper) -> Results:
    """The results in a file, or none yet; the paper's own words are those of its data now."""
    results: Results = {"format": FORMAT, "paper": name, "entries": {}}
    if file.exists():
        try:
            found = parse_json(read_whole(file))
            entries = {key: dict(entry) for key, entry in found["entries"].items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ZerosumError(f"{file} is damaged: it holds no results; delete it to begin anew") from None
        results["entries"] = {
            key: entry | _words(paper.entries[key]) for key, entry in entries.items() if key in paper.entries
        }
    return results | {"title": paper.title, "authors": paper.authors, "about": paper.about}


def entry_results(entry: Entry, outcome: Outcome, minutes: float, lab: Lab) -> dict[str, Any]:
    """One entry for the file: what was found with a lab in so many minutes, without those of trainings."""
    return {
        **_words(entry),
        "quick": lab.quick,
        "seeds": lab.seeds,
        "games": lab.games_played,
        "minutes": round(minutes, 2),
        "training": round(sum(lab.trainings.values()), 2),  # minutes; other entries may need the same agents
        "version": version("zerosum"),
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "columns": outcome.columns,
        "rows": [row.as_json() for row in outcome.rows],
        "pictures": outcome.pictures,
        "notes": outcome.notes,
    }


def _words(entry: Entry) -> dict[str, str]:
    """What is said of an entry, apart from what was measured."""
    return {name: getattr(entry, name) for name in ("title", "page", "says", "read", "found")}


def write_results(file: Path, results: Results) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json_bytes(results))
