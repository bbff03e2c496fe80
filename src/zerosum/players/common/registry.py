"""Find a player by its spec, as in 'mcts:1000,c=1' or 'alphazero:100@runs/mine'.

Every file of ``zerosum/players`` is a player, and its ``make(arguments, game)`` builds it.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from pathlib import Path

from zerosum.core.errors import BadSpec, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import Listing, listings_in, module_of, names_in
from zerosum.players.common.player import Player

PLAYERS = Path(__file__).parents[1]


@dataclass(frozen=True)
class Arguments:
    """A player's spec taken apart: name:value,key=value@run."""

    spec: str
    name: str
    value: str = ""
    options: dict[str, str] = field(default_factory=dict)
    run: str = ""

    def require_only(self, *options: str, value: bool = False, run: bool = False) -> None:
        """Raise on anything in the spec that the player does not take."""
        for key in self.options:
            if key not in options:
                hint = suggestion(key, options) if options else "; it has none"
                raise BadSpec(f"{self.name} has no option '{key}' in '{self.spec}'{hint}")
        if self.value and not value:
            raise BadSpec(f"{self.name} takes no value; write {self.name}, not '{self.spec}'")
        if self.run and not run:
            raise BadSpec(f"{self.name} learns nothing, so there is no run to load in '{self.spec}'")

    def number(self, key: str, default: float) -> float:
        """A numeric option."""
        text = self.options.get(key)
        if text is None:
            return default
        try:
            return float(text)
        except ValueError:
            raise BadSpec(f"'{key}={text}' in '{self.spec}' is not a number") from None


def split_spec(spec: str) -> Arguments:
    head, _, run = spec.strip().partition("@")
    name, _, rest = head.partition(":")
    value = ""
    options: dict[str, str] = {}
    for part in filter(None, rest.split(",")):
        key, equals, text = part.partition("=")
        if equals:
            options[key.strip()] = text.strip()
        elif value:
            raise BadSpec(f"'{spec}' has two values, '{value}' and '{part}'; options are written key=value")
        else:
            value = part.strip()
    return Arguments(spec.strip(), name.strip().lower(), value, options, run)


def list_players() -> list[Listing]:
    """The players that ship with the package, by name."""
    return listings_in(PLAYERS)


def make_player(spec: str, game: Game) -> Player:
    """The player that a spec names, for one game; raises BadSpec where it cannot play that game."""
    arguments = split_spec(spec)
    names = names_in(PLAYERS)
    if arguments.name not in names:
        raise BadSpec(f"unknown player '{arguments.name}'{suggestion(arguments.name, names)}")
    module = importlib.import_module(module_of("zerosum.players", arguments.name))
    player: Player = module.make(arguments, game)
    return player
