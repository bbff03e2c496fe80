"""Training tells listeners what happens; it neither prints nor writes metrics itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from zerosum.learn.events.doctor import Doctor
from zerosum.learn.run.metrics import append_line
from zerosum.learn.settings.schedule import Moment as Moment  # listeners are told of them

Metrics: TypeAlias = Mapping[str, float]  # by name; metrics.py lists the names that learners share


@dataclass(frozen=True)
class Contest:
    """A strength check against an opponent; results are the learner's."""

    opponent: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Measure:
    """A strength check against the truth, such as the share of optimal moves."""

    measure: str
    share: float  # 0 to 1
    positions: int


class Listener(Protocol):
    def on_start(self, moment: Moment) -> None:
        """Training begins, or goes on after the iteration of this moment."""

    def on_progress(self, stage: str, done: int, total: int) -> None:
        """Part of an iteration is done, such as 120 of 256 games of 'self-play'."""

    def on_metrics(self, moment: Moment, metrics: Metrics) -> None:
        """An iteration is over; this is what it measured."""

    def on_strength(self, moment: Moment, strength: Contest | Measure) -> None:
        """Strength was checked after the iteration of this moment."""

    def on_warning(self, moment: Moment, text: str) -> None:
        """Something goes wrong; the text says what, and what to do."""

    def on_end(self, moment: Moment, reason: str) -> None:
        """Training ends: the budget is used, or somebody stopped it."""


class Listeners:
    """Many listeners as one. Where a doctor watches, all hear what it finds."""

    def __init__(self, listeners: Sequence[Listener], doctor: Doctor | None = None) -> None:
        self._listeners = tuple(listeners)
        self._doctor = doctor

    def on_start(self, moment: Moment) -> None:
        for listener in self._listeners:
            listener.on_start(moment)

    def on_progress(self, stage: str, done: int, total: int) -> None:
        for listener in self._listeners:
            listener.on_progress(stage, done, total)

    def on_metrics(self, moment: Moment, metrics: Metrics) -> None:
        for listener in self._listeners:
            listener.on_metrics(moment, metrics)
        for complaint in self._doctor.examine(metrics) if self._doctor else ():
            self.on_warning(moment, complaint)

    def on_strength(self, moment: Moment, strength: Contest | Measure) -> None:
        for listener in self._listeners:
            listener.on_strength(moment, strength)

    def on_warning(self, moment: Moment, text: str) -> None:
        for listener in self._listeners:
            listener.on_warning(moment, text)

    def on_end(self, moment: Moment, reason: str) -> None:
        for listener in self._listeners:
            listener.on_end(moment, reason)


class JsonLines:
    """Writes ``metrics.jsonl``, a line an event; metrics.py says what the lines hold."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def on_start(self, moment: Moment) -> None:
        """Nothing to write: what happened before is already there."""

    def on_progress(self, stage: str, done: int, total: int) -> None:
        """Nothing to write before the iteration is over."""

    def on_metrics(self, moment: Moment, metrics: Metrics) -> None:
        append_line(self._path, {"kind": "learning", **asdict(moment), **metrics})

    def on_strength(self, moment: Moment, strength: Contest | Measure) -> None:
        append_line(self._path, {"kind": "strength", **asdict(moment), **asdict(strength)})

    def on_warning(self, moment: Moment, text: str) -> None:
        append_line(self._path, {"kind": "warning", **asdict(moment), "text": text})

    def on_end(self, moment: Moment, reason: str) -> None:
        """Nothing to write: the run itself knows that it is finished."""
