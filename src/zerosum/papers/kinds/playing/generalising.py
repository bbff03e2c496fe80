"""How far networks of different shapes carry what they learnt: wins on all bricks, by the bricks in training.

Options: ``on`` (``brick:*``), ``against``, ``games`` on each, ``simulations``; ``bricks`` (how the steps of
variety are called) with ``printed``, the paper's results for them; ``groups``: by name, such as equal
minutes, and by shape, the agents that were trained with one, two and three bricks.
"""

from __future__ import annotations

from typing import Any

from zerosum.arena.tally import Tally
from zerosum.learn.run.run import Run
from zerosum.papers.figures import Row, judge, printed_figure, tally_figure
from zerosum.papers.kinds.playing.contests import boards_of, bricks_seen, told_apart
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    steps = 1 if lab.quick else None  # of variety
    bricks = option(entry, "bricks")[:steps]
    papers = [printed_figure(text) for text in option(entry, "printed")][:steps]
    printed = [figure.value for figure in papers if figure is not None and figure.value is not None]
    for group, shapes in option(entry, "groups").items():
        series: list[dict[str, Any]] = [_line("the paper's agents", printed)]
        for shape, agents in shapes.items():
            rows = [
                _row(f"{shape}, {seen}, {group}", agent, paper, entry, lab)
                for seen, agent, paper in zip(bricks, agents[:steps], papers, strict=True)
            ]
            outcome.add(*rows)
            values = [row.best.value for row in rows if row.best is not None and row.best.value is not None]
            if len(values) == len(rows):
                series.append(_line(shape, values))
        outcome.curves(
            f"Games won over all bricks after training for {group}",
            "bricks in training",
            "share of games won",
            series,
        )
    return outcome


def _line(name: str, values: list[float]) -> dict[str, Any]:
    return {"name": name, "xs": list(range(1, len(values) + 1)), "ys": values}


def _row(label: str, agent: str, paper: Any, entry: Entry, lab: Lab) -> Row:
    """All seeds together, beside the paper's figure for as many bricks, and what the training was."""
    spec = f"alphazero:{option(entry, 'simulations')}@{{{agent}}}"
    boards = boards_of(option(entry, "on")[0])[: 2 if lab.quick else None]
    games = lab.games(option(entry, "games"))
    pair = (spec, option(entry, "against"))
    try:
        by_board = {
            board: sum((lab.play(board, pair, games, "first", seed) for seed in lab.seeds_for(spec)), Tally())
            for board in boards
        }
        trained = [_training(Run.open(lab.run(agent, seed))) for seed in lab.seeds_for(spec)]
    except NotTrained as missing:
        return Row(label, paper, more=str(missing))
    figure = tally_figure(sum(by_board.values(), Tally()))
    figure = told_apart(figure, bricks_seen(lab, spec), by_board)
    return Row(label, paper, best=figure, verdict=judge(paper, None, figure), more="; ".join(trained))


def _training(run: Run) -> str:
    """How much a run played and worked."""
    lines = [line for line in run.metrics() if line.get("games") is not None]
    games = sum(line["games"] for line in lines)
    minutes = max((line["minutes"] for line in lines), default=0.0)
    return f"{games:,.0f} games in {minutes:.1f} minutes"
