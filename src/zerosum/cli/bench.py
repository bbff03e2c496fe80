"""``zerosum bench``: speed, beside OpenSpiel and the papers in the same run."""

from __future__ import annotations

from rich.table import Table

from zerosum.cli.screen import Json, Seed, err, out, patience, print_json


def bench(json: Json = False, seed: Seed = 0) -> None:
    """Measure speed on one core, beside OpenSpiel in the same run. Takes about a minute.

    Example: zerosum bench
    """
    with patience("getting ready (only the first time)"):
        from zerosum.cli import speed
    parts = [
        ("UCT beside OpenSpiel", speed.uct_beside_openspiel(seed)),
        ("UCT", speed.uct_alone(seed)),
        ("seconds a move", speed.seconds_a_move(seed)),
        ("exact solvers", speed.solver_rates(seed)),
        ("start-up", speed.start_times()),
    ]
    rows: list[speed.Row] = []
    with err.status("measuring") as status:
        for what, measured in parts:
            status.update(f"measuring {what}")
            for row in measured:
                rows.append(row)
                err.print(f"{row.name}: {number(row.ours)} {row.unit}", style="dim")
    if json:
        columns = ("name", "unit", "ours", "peer", "peer_name", "ratio")
        print_json({"rows": [{c: getattr(row, c) for c in columns} for row in rows]})
        return
    table = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("what", "unit"):
        table.add_column(heading)
    for heading in ("ours", "peer", "times"):
        table.add_column(heading, justify="right")
    table.add_column("peer is")
    for row in rows:
        peer = "" if row.peer is None else number(row.peer)
        ratio = "" if row.ratio is None else f"[bold]{number(row.ratio)}[/]"
        table.add_row(row.name, row.unit, number(row.ours), peer, ratio, row.peer_name)
    out.print(table)


def number(value: float) -> str:
    """Three figures that matter, without exponents."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.001 else f"{value:.7f}".rstrip("0")
