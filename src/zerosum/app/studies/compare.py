"""Runs as data: everything about one, what differs between several, and what becomes of them."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from zerosum.core.errors import BadSpec
from zerosum.core.running.files import cannot
from zerosum.learn.run.listing import RunSummary, summary_of
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import flat
from zerosum.players.common.runs import snapshots_in

SORTS = ("name", "date", "game", "method", "minutes", "score")


def run_fields(run: Run) -> dict[str, Any]:
    """All that is known of a run but its metrics and networks."""
    record = run.record
    return {
        **asdict(summary_of(run.path)),
        "path": str(run.path),
        "version": record.version,
        "commit": record.commit,
        "settings": record.settings,
        "earlier": [stage.as_json() for stage in record.earlier],
        "snapshots": [
            {"iteration": snapshot.iteration, "minutes": snapshot.minutes}
            for snapshot in snapshots_in(run.path)
        ],
    }


def differences(runs: Sequence[Run]) -> dict[str, list[Any]]:
    """Settings and facts in which runs differ, by path, with the value of each; None where it has none."""
    tables = []
    for run in runs:
        record = run.record
        facts = {"game": record.game, "method": record.method, "seed": record.seed, "version": record.version}
        tables.append({**facts, **flat(record.settings)})
    paths = dict.fromkeys(path for table in tables for path in table)
    found = {path: [table.get(path) for table in tables] for path in paths}
    return {path: values for path, values in found.items() if any(value != values[0] for value in values)}


def sort_runs(runs: Sequence[RunSummary], by: str = "name") -> list[RunSummary]:
    """By one of SORTS: names and games from A on, the rest from the newest, longest or best."""
    if by not in SORTS:
        raise BadSpec(f"runs are sorted by {', '.join(SORTS)}, not by '{by}'")
    if by in ("name", "game", "method"):
        return sorted(runs, key=lambda run: (getattr(run, by), run.name))
    if by == "date":
        return sorted(runs, key=lambda run: run.created, reverse=True)
    if by == "minutes":
        return sorted(runs, key=lambda run: -run.minutes)
    return sorted(runs, key=lambda run: -(run.score if run.score is not None else -1.0))


def export_fields(run: Run) -> dict[str, Any]:
    """Everything about a run as one object, its metrics line by line."""
    return {**run_fields(run), "metrics": run.metrics()}


def export_csv(run: Run) -> str:
    """A run's metrics as a table: a row a line, a column a name, empty where a line has no such number."""
    lines = run.metrics()
    columns = ["run", "game", "method", "seed"]
    columns += list(dict.fromkeys(key for line in lines for key in line))
    facts = {
        "run": run.name,
        "game": run.record.game,
        "method": run.record.method,
        "seed": run.record.seed,
    }
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({**facts, **line} for line in lines)
    return text.getvalue()


def delete_run(run: Run) -> None:
    """Take a run away for good; one that is being trained is refused."""
    with run.claim():
        try:
            shutil.rmtree(run.path)
        except OSError as error:
            raise cannot(f"delete {run.path}", error) from error
