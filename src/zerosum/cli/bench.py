"""``zerosum bench``: speed, beside OpenSpiel, pgx + mctx and the papers in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.app.bench.figures import Row, figures_table, number
from zerosum.cli.screen import Json, Seed, err, out, patience, print_json
from zerosum.core.errors import BadSpec

if TYPE_CHECKING:
    Parts = list[tuple[str, Iterator[Row]]]

WHAT = "train: the speed of self-play, on both cores; else that of rules, searches and solvers, on one."


def bench(
    what: Annotated[str, typer.Argument(metavar="[train]", help=WHAT)] = "",
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Measure speed beside others' in the same run: a minute on an idle machine, or with train five.

    Example: zerosum bench
    """
    if what not in ("", "train"):
        raise BadSpec(f"bench measures by itself or with 'train', not with '{what}'")
    with patience("getting ready (only the first time)"):
        parts = _training_parts(seed) if what else _parts(seed)
    rows: list[Row] = []
    with err.status("measuring") as status:
        for title, measured in parts:
            status.update(f"measuring {title}")
            for row in measured:
                rows.append(row)
                err.print(f"{row.name}: {number(row.ours)} {row.unit}", style="dim", emoji=False)
    if json:
        print_json({"rows": [row.fields() for row in rows]})
    else:
        out.print(figures_table(rows), emoji=False)


def _parts(seed: int) -> Parts:
    from zerosum.adapters.openspiel import uct_rate
    from zerosum.app.bench import speed

    return [
        ("UCT beside OpenSpiel", speed.uct_beside_openspiel(uct_rate, seed)),
        ("UCT", speed.uct_alone(seed)),
        ("seconds a move", speed.seconds_a_move(seed)),
        ("exact solvers", speed.solver_rates(seed)),
        ("start-up", speed.start_times()),
    ]


def _training_parts(seed: int) -> Parts:
    from zerosum.app.bench import training_speed as speed

    sizes = [(f"self-play with {size}", speed.self_play_rows(size, seed)) for size in speed.SIZES]
    return [
        *sizes,
        ("seconds a move", speed.seconds_a_move(seed)),
        ("Q-learning", speed.q_learning_rate(seed)),
        ("memory", speed.memory()),
    ]
