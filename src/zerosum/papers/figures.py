"""Figures side by side: the paper's, its method on our engine, and our best; and what to say of them."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from zerosum.arena.tally import Tally
from zerosum.core.errors import BadSpec
from zerosum.core.statistics import wilson_interval

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
BEATEN = "beaten"
LEVEL = "level"
NOT_BEATEN = "not beaten"


@dataclass(frozen=True)
class Figure:
    """A number as it is shown, and its value with a 95 % interval where it can be compared."""

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    games: float = 0.0  # or whatever was counted; 0 where nothing was

    @property
    def shown(self) -> str:
        """With its interval, as a page shows it."""
        if self.low is None or self.high is None or self.value is None:
            return self.text
        if self.games:
            return f"{self.text} ({self.low:.1%} to {self.high:.1%})"
        return f"{self.text} ({self.low:.3g} to {self.high:.3g})"

    def as_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Row:
    """One line of a table: what is compared, and the three figures, of which some may be missing."""

    label: str
    paper: Figure | None = None
    method: Figure | None = None
    best: Figure | None = None
    verdict: str = ""
    more: str = ""  # a remark

    def as_json(self) -> dict[str, Any]:
        parts = {"paper": self.paper, "method": self.method, "best": self.best}
        shown = {name: figure.as_json() for name, figure in parts.items() if figure is not None}
        return {"label": self.label, **shown, "verdict": self.verdict, "more": self.more}


def tally_figure(results: Tally, count: str = "wins") -> Figure:
    """Wins-losses-draws, as the papers write them, and the share of ``count`` among the games."""
    text = f"{results.wins}-{results.losses}" + (f"-{results.draws}" if results.draws else "")
    return _share(text, results.wins, results.losses, results.draws, count)


def printed_figure(text: str, count: str = "wins") -> Figure | None:
    """A result as a paper prints it: wins-losses or wins-losses-draws; nothing where it prints none."""
    if not text:
        return None
    if not re.fullmatch(r"[\d.]+(-[\d.]+){1,2}", text):
        return Figure(text)
    wins, losses, *rest = (float(part) for part in text.split("-"))
    return _share(text, wins, losses, rest[0] if rest else 0.0, count)


def _share(text: str, wins: float, losses: float, draws: float, count: str) -> Figure:
    games = wins + losses + draws
    if count == "wins":
        counted = wins
    elif count == "points":
        counted = wins + draws / 2
    elif count == "draws":
        counted = draws
    else:
        raise BadSpec(f"results are counted by wins, points or draws, not by '{count}'")
    if not games:
        return Figure(text)
    return Figure(text, counted / games, *wilson_interval(counted, games), games=games)


def judge(paper: Figure | None, method: Figure | None, best: Figure | None, better: str = "higher") -> str:
    """Whether the paper's own method gives the paper's figure here, and whether our best passes it.

    Reproduced: the two shares do not differ by more than their 95 % intervals allow (Newcombe's hybrid
    score interval of a difference holds 0). Beaten: all of our best's interval lies beyond the paper's
    figure; level: it holds the figure, or both are all there is to win.
    """
    if paper is None or paper.value is None:
        return ""
    said = []
    if method is not None and method.value is not None:
        said.append(REPRODUCED if agree(paper, method) else NOT_REPRODUCED)
    rival = best or method
    if rival is not None and rival.value is not None and better in ("higher", "lower"):
        ahead = _beyond(paper.value, rival, better)
        if best is not None or ahead == BEATEN:
            said.append(ahead)
    return ", ".join(said)


def agree(paper: Figure, ours: Figure) -> bool:
    """Whether two figures can be the same but for chance."""
    if paper.value is None or ours.value is None:
        return False
    low, high = (
        (paper.value if paper.low is None else paper.low),
        (paper.value if paper.high is None else paper.high),
    )
    our_low, our_high = (
        (ours.value if ours.low is None else ours.low),
        (ours.value if ours.high is None else ours.high),
    )
    gap = paper.value - ours.value
    down = sqrt((paper.value - low) ** 2 + (our_high - ours.value) ** 2)
    up = sqrt((high - paper.value) ** 2 + (ours.value - our_low) ** 2)
    return gap - down <= 1e-9 and gap + up >= -1e-9


def _beyond(printed: float, ours: Figure, better: str) -> str:
    low = ours.value if ours.low is None else ours.low
    high = ours.value if ours.high is None else ours.high
    if low is None or high is None or ours.value is None:
        return ""
    if better == "lower":
        return BEATEN if high < printed else LEVEL if low <= printed else NOT_BEATEN
    return BEATEN if low > printed else LEVEL if high >= printed else NOT_BEATEN
