"""Reproduce entries of a paper: measure each, write the results after each, and the page from them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from zerosum.core.errors import BadSpec, suggestion
from zerosum.core.naming.catalogue import import_from, names_in
from zerosum.papers.lab import Lab, Tell, Train
from zerosum.papers.page import write_page
from zerosum.papers.paper import Entry, choose_entries, read_paper
from zerosum.papers.results import Outcome, Results, entry_results, read_results, write_results

KINDS = tuple(Path(__file__).parent / "kinds" / room for room in ("", "playing", "exact"))
WORK = Path("runs") / "papers"  # where trainings and games are kept
RESULTS = Path("results")
PAGES = Path("docs") / "papers"


@dataclass(frozen=True)
class Wishes:
    """How to reproduce."""

    quick: bool = False
    seeds: int = 1
    may_train: bool = True
    anew: bool = False
    workers: int | None = None


def measure(entry: Entry, lab: Lab) -> Outcome:
    """What an entry's kind finds."""
    names = names_in(*KINDS)
    if entry.kind not in names:
        raise BadSpec(f"unknown kind of entry '{entry.kind}'{suggestion(entry.kind, names)}")
    outcome: Outcome = import_from(entry.kind, *KINDS).run(entry, lab)
    return outcome


def reproduce(
    name: str,
    wanted: list[str],
    wishes: Wishes,
    train: Train,
    tell: Tell,
    on_entry: Callable[[str, dict[str, Any]], None] = lambda key, entry: None,
    root: Path = Path(),
) -> Results:
    """The results of a paper with those entries measured, or all of them; files are written after each.

    A quick look writes no results and no page: its games and runs lie in a folder of their own. What was
    trained and played before is taken as it is, unless all is wanted anew.
    """
    paper = read_paper(name)
    entries = choose_entries(paper, wanted)
    folder = root / WORK / (f"{name}-quick" if wishes.quick else name)
    if wishes.anew:
        shutil.rmtree(folder, ignore_errors=True)
    file = folder / "results.json" if wishes.quick else root / RESULTS / f"{name}.json"
    results = read_results(file, name, paper)
    for key, entry in entries.items():
        lab = Lab(paper, folder, train, tell, wishes.quick, wishes.seeds, wishes.may_train, wishes.workers)
        began = monotonic()
        outcome = measure(entry, lab)
        minutes = (monotonic() - began - lab.seconds_training) / 60
        before = results["entries"].get(key)
        if before is not None and before["rows"] == [row.as_json() for row in outcome.rows]:
            minutes = max(minutes, before["minutes"])  # what was kept took its time when it was made
        found = entry_results(entry, outcome, minutes, lab)
        results["entries"][key] = found
        order = [other for other in paper.entries if other in results["entries"]]
        results["entries"] = {other: results["entries"][other] for other in order}
        write_results(file, results)
        if not wishes.quick:
            write_page(results, root / PAGES)
        on_entry(key, found)
    return results
