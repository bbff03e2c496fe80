"""``zerosum bench``: speed, beside OpenSpiel, pgx + mctx and the papers in the same run."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from zerosum.app.bench.figures import Row, number
from zerosum.cli.common.arguments import Json, Seed
from zerosum.cli.common.screen import err, out, patience, print_json
from zerosum.core.errors import BadSpec, ZerosumError

WHAT = "train: the speed of self-play, on both cores; signature: only whether searches find what they should."


def bench(
    what: Annotated[str, typer.Argument(metavar="[train|signature]", help=WHAT)] = "",
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Measure speed beside others' in the same run: a minute on an idle machine, or with train five.

    It begins with the signature of searches: one number that is the same on every machine.

    Example: zerosum bench
    """
    if what not in ("", "train", "signature"):
        raise BadSpec(f"bench measures by itself, with 'train' or with 'signature', not with '{what}'")
    found = _signature() if what != "train" else ""
    if what == "signature":
        if json:
            print_json({"signature": found})
        return
    with patience("getting ready (only the first time)"):
        from zerosum.app.bench.suites import speed_parts, training_parts

        if what:
            parts = training_parts(seed)
        else:
            from zerosum.adapters.peers.openspiel import uct_rate

            parts = speed_parts(uct_rate, seed)
    rows: list[Row] = []
    with err.status("measuring") as status:
        for part in parts:
            status.update(f"measuring {part.title}")
            for row in part.rows:
                rows.append(row)
                err.print(f"{row.name}: {number(row.ours)} {row.unit}", style="dim")
    if json:
        print_json({"rows": [row.fields() for row in rows]} | ({"signature": found} if found else {}))
    else:
        out.print(figures_table(rows))


def _signature() -> str:
    """The signature of searches, told; raises where it is not what it must be."""
    with patience("searching fixed positions"):
        from zerosum.app.bench.signature import SIGNATURE, signature

        found = signature()
    if found != SIGNATURE:
        raise ZerosumError(
            f"searches find something else here than elsewhere: signature {found}, which should be"
            f" {SIGNATURE}; please report it with your processor and versions"
        )
    err.print(f"signature of searches: {found}, as on every machine")
    return found


def figures_table(rows: list[Row]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("what", "unit"):
        table.add_column(heading)
    for heading in ("ours", "peer", "times"):
        table.add_column(heading, justify="right")
    with_targets = any(row.target is not None for row in rows)
    if with_targets:
        table.add_column("target", justify="right")
    table.add_column("peer is")
    for row in rows:
        peer = "" if row.peer is None else number(row.peer)
        ratio = Text("" if row.ratio is None else number(row.ratio), style="bold")
        target = "" if row.target is None else f"{number(row.target)} {'yes' if row.holds else 'NO'}"
        targets = [target] if with_targets else []
        table.add_row(row.name, row.unit, number(row.ours), peer, ratio, *targets, row.note or row.peer_name)
    return table
