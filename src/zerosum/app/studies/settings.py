"""The settings a training would have, before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zerosum.learn.settings.base import describe, flat
from zerosum.learn.training.method import find_method


@dataclass(frozen=True)
class EffectiveSetting:
    path: str  # as --set takes it
    value: Any
    default: Any  # what holds where neither preset nor user says otherwise
    reason: str  # of the default


def effective_settings(
    game: str, method: str = "alphazero", preset: str = "fast", changes: Sequence[str] = ()
) -> list[EffectiveSetting]:
    """Every setting of a training, in order; ``game`` is its spec."""
    way = find_method(method)
    values = flat(way.settings_for(game, preset, changes).as_json())
    lines = describe(way.settings)
    found = [EffectiveSetting(line.path, values.get(line.path), line.default, line.reason) for line in lines]
    return [setting if not isinstance(setting.default, tuple) else _listed(setting) for setting in found]


def _listed(setting: EffectiveSetting) -> EffectiveSetting:
    """Tuples are lists to JSON."""
    return EffectiveSetting(setting.path, setting.value, list(setting.default), setting.reason)
