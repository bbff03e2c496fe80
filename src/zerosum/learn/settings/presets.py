"""Presets: settings as data files, one a preset, chosen by name and refined by game."""

from __future__ import annotations

import json
from pathlib import Path

from zerosum.core.errors import BadSpec, suggestion
from zerosum.learn.settings.base import Data, Names, Settings, SomeSettings, merge, read_settings


class Preset(Settings, frozen=True):
    """A file of presets. A game is looked up by its whole spec, its name, or the first word of that."""

    about: str
    notes: tuple[str, ...] = ()
    """What the source left open, and how it was read."""

    settings: Data
    """What differs from the defaults, for every game."""

    games: Data
    """What differs further for some games."""

    only_these_games: bool = False
    """Whether other games are refused."""

    see: Names
    """Games that have their settings from another preset."""


def list_presets(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.json"))


def read_preset(folder: Path, name: str) -> Preset:
    names = list_presets(folder)
    if name not in names:
        raise BadSpec(f"unknown preset '{name}'{suggestion(name, names)}")
    return read_settings(Preset, json.loads((folder / f"{name}.json").read_text(encoding="utf-8")))


def preset_settings(kind: type[SomeSettings], folder: Path, name: str, game: str) -> SomeSettings:
    """The settings that a preset has for a game, given by its spec."""
    preset = read_preset(folder, name)
    name_alone = game.partition(":")[0]
    spellings = (game, name_alone, name_alone.partition("-")[0])
    keys = [key for key in spellings if key in {**preset.games, **preset.see}]
    if keys and keys[0] in preset.see:
        return preset_settings(kind, folder, preset.see[keys[0]], game)
    if preset.only_these_games and not keys:
        known = ", ".join(sorted({**preset.games, **preset.see}))
        raise BadSpec(f"the preset '{name}' has no settings for {game}; it has some for {known}")
    data = merge(kind, kind.of_new_run().as_json(), preset.settings)
    if keys:
        data = merge(kind, data, preset.games[keys[0]])
    return read_settings(kind, data)
