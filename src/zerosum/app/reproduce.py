"""Reproduce a paper: its experiments are in ``zerosum.papers``; here they get what trains their agents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from zerosum.app.training import NO_CHECKS, Training, new_training, resume_training
from zerosum.learn.events.listeners import Event, Iterated, Progressed
from zerosum.learn.run.run import Run
from zerosum.papers.lab import Tell
from zerosum.papers.paper import Agent, list_papers, minutes_needed, read_paper
from zerosum.papers.reproduce import RESULTS, Wishes, reproduce
from zerosum.papers.results import Results, read_results


def train_agent(
    agent: Agent, path: Path, origin: Path | None, changes: list[str], seed: int, tell: Tell
) -> None:
    """Train an agent into a run, or go on with it; nothing where it is finished."""
    if path.exists():
        run = Run.open(path)
        if run.state() == "finished":
            return
        training = resume_training(run)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        checks = [] if any(change.startswith("evaluation.opponents") for change in changes) else NO_CHECKS
        training = new_training(
            agent.game,
            agent.method,
            settings=[*changes, *checks],
            preset=agent.preset,
            run=path,
            seed=seed,
            start_from=origin,
        )
    training.train(_listener(training, path.name, tell))


def _listener(training: Training, name: str, tell: Tell) -> Callable[[Event], None]:
    """Tells how much of the budget is used; within an iteration, how far that is."""
    last = [0.0]

    def hear(event: Event) -> None:
        match event:
            case Iterated(moment, _):
                last[0] = 100 * (training.budget.share(moment) or 0.0)
                tell(f"training {name} (% of it)", last[0], 100)
            case Progressed():
                tell(f"training {name} (% of it)", last[0], 100)

    return hear


def reproduce_paper(
    name: str,
    entries: list[str],
    wishes: Wishes,
    tell: Tell = lambda what, done, total: None,
    on_entry: Callable[[str, dict[str, Any]], None] = lambda key, entry: None,
    root: Path = Path(),
) -> Results:
    """Train or load what the entries of a paper need, play their games, and return the results."""
    return reproduce(name, entries, wishes, train_agent, tell, on_entry, root)


def paper_rows(root: Path = Path()) -> list[list[str]]:
    """Every paper and entry, with the minutes that it took where it was made, or is thought to take."""
    rows = [["paper", "entry", "what", "minutes"]]
    for name in list_papers():
        paper = read_paper(name)
        results = read_results(root / RESULTS / f"{name}.json", name, paper)["entries"]
        for key, entry in paper.entries.items():
            known = results.get(key)
            took = known["minutes"] + known.get("training", 0.0) if known else 0.0
            minutes = f"{took:.1f}" if known else f"about {minutes_needed(paper, entry):g}"
            rows.append([name, key, entry.title, minutes])
    return rows
