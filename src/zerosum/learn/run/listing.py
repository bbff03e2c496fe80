"""What was trained: every run in a folder, at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zerosum.core.errors import ZerosumError
from zerosum.learn.run.metrics import Line
from zerosum.learn.run.run import Run
from zerosum.players.common.runs import RUNS, run_names


@dataclass(frozen=True)
class RunSummary:
    name: str
    game: str
    method: str
    state: str  # running, finished, stopped; or damaged, and then nothing else is known
    minutes: float = 0.0
    iterations: int = 0
    strength: str = ""  # the last check, as '37-2-1 against mcts:100'
    problem: str = ""  # of a damaged run
    seed: int = 0
    created: str = ""  # when, as in 2026-01-31T12:00:00+00:00
    preset: str = ""
    score: float | None = None  # share of the points, or of right moves, at the last check


def list_runs(folder: Path = RUNS) -> list[RunSummary]:
    """Every run in a folder, by name; one that cannot be read is listed as damaged."""
    return [summary_of(folder / name) for name in run_names(folder)]


def strength_text(line: Line) -> str:
    """A line of the kind 'strength' in a few words: wins-draws-losses, or a share."""
    if "opponent" in line:
        return f"{line['wins']}-{line['draws']}-{line['losses']} against {line['opponent']}"
    return f"{100 * line['share']:.1f} % {line['measure'].replace('_', ' ')}"


def summary_of(path: Path) -> RunSummary:
    """A run at a glance; one that cannot be read is damaged."""
    try:
        run = Run.open(path)
        lines = run.metrics()
    except ZerosumError as error:
        return RunSummary(path.name, "", "", "damaged", problem=str(error))
    checks = [line for line in lines if line.get("kind") == "strength"]
    return RunSummary(
        path.name,
        run.record.game,
        run.record.method,
        run.state(),
        lines[-1].get("minutes", 0.0) if lines else 0.0,
        lines[-1]["iteration"] if lines else 0,
        strength_text(checks[-1]) if checks else "",
        seed=run.record.seed,
        created=run.record.created,
        preset=run.record.preset,
        score=_score(checks[-1]) if checks else None,
    )


def _score(line: Line) -> float:
    if "opponent" not in line:
        return float(line["share"])
    games = line["wins"] + line["draws"] + line["losses"]
    return float((line["wins"] + line["draws"] / 2) / max(1, games))
