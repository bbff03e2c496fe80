"""Methods of learning, by name: every file in ``learn/methods`` is one, and adding a file adds one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from zerosum.core.errors import BadSpec, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import Listing, import_from, listings_in, names_in
from zerosum.learn.settings.base import Settings, override
from zerosum.learn.settings.presets import preset_settings
from zerosum.learn.settings.schedule import Budget, Evaluation
from zerosum.learn.training.trainer import Learner

FOLDER = Path(__file__).parents[1] / "methods"


@dataclass(frozen=True)
class Method:
    """How a method is trained. Its module calls it METHOD."""

    settings: type[Settings]
    presets: Path  # a folder; see presets.py
    learner: Callable[[Game, Any, int], Learner]  # from the game, the settings and the seed
    player: str  # the spec of what was learnt, with {run} where the run's name goes
    budget: Callable[[Any], Budget] = attrgetter("budget")  # from the settings
    evaluation: Callable[[Any], Evaluation] = attrgetter("evaluation")

    def settings_for(self, game: str, preset: str, changes: Sequence[str]) -> Settings:
        """A preset's settings for a game, given by its spec, with changes such as budget.minutes=10."""
        return override(preset_settings(self.settings, self.presets, preset, game), changes)


def list_methods() -> list[Listing]:
    return listings_in(FOLDER)


def find_method(name: str) -> Method:
    """The method of a name; raises BadSpec on an unknown one."""
    names = names_in(FOLDER)
    if name not in names:
        raise BadSpec(f"unknown method '{name}'{suggestion(name, names)}")
    method: Method = import_from(name, FOLDER).METHOD
    return method
