"""One figure of a benchmark beside a peer's, and tables of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.table import Table


@dataclass(frozen=True)
class Row:
    """One figure; of rates more is better, of seconds and MB less; the ratio says how many times better."""

    name: str
    unit: str
    ours: float
    peer: float | None = None
    peer_name: str = ""
    target: float | None = None  # the ratio to be reached
    note: str = ""  # why there is no peer

    @property
    def ratio(self) -> float | None:
        if self.peer is None:
            return None
        less_is_better = self.unit.startswith("s/") or self.unit == "MB"
        return self.peer / self.ours if less_is_better else self.ours / self.peer

    @property
    def holds(self) -> bool | None:
        """Whether the target was reached; None where there is none."""
        if self.target is None:
            return None
        return self.ratio is not None and self.ratio >= self.target

    def fields(self) -> dict[str, Any]:
        """For JSON; target and note only where there are any."""
        names = ("name", "unit", "ours", "peer", "peer_name", "ratio")
        fields = {name: getattr(self, name) for name in names}
        fields |= {} if self.target is None else {"target": self.target, "holds": self.holds}
        return fields | ({"note": self.note} if self.note else {})


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
        ratio = "" if row.ratio is None else f"[bold]{number(row.ratio)}[/]"
        target = "" if row.target is None else f"{number(row.target)} {'yes' if row.holds else 'NO'}"
        targets = [target] if with_targets else []
        table.add_row(row.name, row.unit, number(row.ours), peer, ratio, *targets, row.note or row.peer_name)
    return table


def number(value: float) -> str:
    """Three figures that matter, without exponents."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.001 or value == 0 else f"{value:.7f}".rstrip("0")
