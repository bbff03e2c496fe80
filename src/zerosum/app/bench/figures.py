"""One figure of a benchmark beside a peer's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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


def number(value: float) -> str:
    """Three figures that matter, without exponents."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 0.001 or value == 0 else f"{value:.7f}".rstrip("0")
