"""What was trained: every run in a folder, at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zerosum.learn.run.metrics import Line
from zerosum.learn.run.run import Run
from zerosum.players.common.runs import RUNS, BadRun, run_names


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


def list_runs(folder: Path = RUNS) -> list[RunSummary]:
    """Every run in a folder, by name; one that cannot be read is listed as damaged."""
    return [_summary(folder / name) for name in run_names(folder)]


def strength_text(line: Line) -> str:
    """A line of the kind 'strength' in a few words: wins-draws-losses, or a share."""
    if "opponent" in line:
        return f"{line['wins']}-{line['draws']}-{line['losses']} against {line['opponent']}"
    return f"{100 * line['share']:.1f} % {line['measure'].replace('_', ' ')}"


def _summary(path: Path) -> RunSummary:
    try:
        run = Run.open(path)
        lines = run.metrics()
    except BadRun as error:
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
    )
