"""Training tells listeners what happens, an event at a time; it neither prints nor writes metrics itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from zerosum.learn.run.metrics import append_line
from zerosum.learn.settings.schedule import Moment as Moment  # listeners are told of them

Metrics: TypeAlias = Mapping[str, float]  # by name; metrics.py lists the names that learners share


@dataclass(frozen=True)
class Contest:
    """A strength check against an opponent; results are the learner's, in all and by who moved first."""

    opponent: str
    wins: int
    draws: int
    losses: int
    as_first: tuple[int, int, int] = (0, 0, 0)  # wins, draws and losses of the games it began
    as_second: tuple[int, int, int] = (0, 0, 0)


@dataclass(frozen=True)
class Measure:
    """A strength check against the truth, such as the share of optimal moves."""

    measure: str
    share: float  # 0 to 1
    positions: int


@dataclass(frozen=True)
class Started:
    """Training begins, or goes on after the iteration of this moment."""

    moment: Moment


@dataclass(frozen=True)
class Progressed:
    """Part of an iteration is done, such as 120 of 256 games of 'self-play'."""

    stage: str
    done: int
    total: int


@dataclass(frozen=True)
class Iterated:
    """An iteration is over; this is what it measured."""

    moment: Moment
    metrics: Metrics


@dataclass(frozen=True)
class Played:
    """One of the iteration's games of self-play, from the usual start to its end."""

    moment: Moment
    moves: tuple[str, ...]  # as people write them


@dataclass(frozen=True)
class Checked:
    """Strength was checked after the iteration of this moment."""

    moment: Moment
    strength: Contest | Measure


@dataclass(frozen=True)
class Warned:
    """Something goes wrong; the text says what, and what to do."""

    moment: Moment
    text: str


@dataclass(frozen=True)
class Ended:
    """Training ends: the budget is used, nothing is left to learn, or somebody stopped it."""

    moment: Moment
    reason: str


Event: TypeAlias = Started | Progressed | Iterated | Played | Checked | Warned | Ended
OnEvent: TypeAlias = Callable[[Event], None]


class Listeners:
    """Many listeners as one."""

    def __init__(self, listeners: Sequence[OnEvent]) -> None:
        self._listeners = tuple(listeners)

    def __call__(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)


class JsonLines:
    """Writes ``metrics.jsonl``, a line an event; metrics.py says which, and what the lines hold."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __call__(self, event: Event) -> None:
        match event:
            case Iterated(moment, metrics):
                self._append("learning", moment, metrics)
            case Played(moment, moves):
                self._append("game", moment, {"moves": moves})
            case Checked(moment, strength):
                self._append("strength", moment, asdict(strength))
            case Warned(moment, text):
                self._append("warning", moment, {"text": text})

    def _append(self, kind: str, moment: Moment, more: Mapping[str, object]) -> None:
        append_line(self._path, {"kind": kind, **asdict(moment), **more})
