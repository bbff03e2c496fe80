"""Find a player by its spec, as in 'mcts:1000,c=1', 'alphazero:100@runs/mine' or './my_player.py:3'.

Every file of ``zerosum/players``, but those in ``common``, is a player, and its ``make(arguments, game)``
builds it; so is a file of the user's, and every module that an installed package offers as an entry point of
'zerosum.players'.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace
from typing import Any

from zerosum.core.errors import BadSpec, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import PLAYERS, Listing, import_from, listings_in, names_in
from zerosum.core.naming.loading import (
    add,
    installed,
    installed_listings,
    load_file,
    run_foreign,
    split_path,
)
from zerosum.games import ships as game_ships
from zerosum.players.common.player import Player

ENTRY_POINTS = "zerosum.players"
NO_OTHER_GAME = "tictactoe"  # any that ships
COMMANDS = ("gtp:", "gomocup:", "nboard:")  # what follows is a program to run


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
    """A spec taken apart; raises BadSpec where it has two values. A command line is left as it is."""
    if spec.strip().startswith(COMMANDS):
        return Arguments(spec.strip(), spec.strip().partition(":")[0])
    path, tail = split_path(spec.strip())
    if path is not None:
        return _split(spec.strip(), str(path), tail)
    head, at, run = spec.strip().partition("@")
    name, _, rest = head.partition(":")
    return _split(spec.strip(), name.strip().lower(), rest + at + run)


def list_players() -> list[Listing]:
    """The players that there are, by name: those of the package, then those of packages installed beside it.

    >>> import zerosum
    >>> "mcts" in [listing.name for listing in zerosum.list_players()]
    True
    """
    return [*listings_in(*PLAYERS), *installed_listings(ENTRY_POINTS)]


def make_player(spec: str, game: Game) -> Player:
    """The player that a spec names, for one game; raises BadSpec where it cannot play that game.

    >>> import zerosum
    >>> zerosum.make_player("mcts:1000", zerosum.make_game("connect4")).spec
    'mcts:1000'
    """
    names = names_in(*PLAYERS)
    name = re.split("[:@]", spec.strip())[0].strip().lower()
    if name in names:
        module = import_from(name, *PLAYERS)
        player: Player = module.make(split_spec(spec), game)
        return player
    arguments = split_spec(spec)
    offered = installed(ENTRY_POINTS)
    if arguments.name in offered:
        where = offered[arguments.name].value
        return _build(run_foreign(offered[arguments.name].load, where), arguments, game, where)
    path, _ = split_path(spec.strip())
    if path is not None:
        return _build(load_file(path, "player"), arguments, game, str(path))
    raise BadSpec(f"unknown player '{arguments.name}'{suggestion(arguments.name, [*names, *offered])}")


def add_player(name: str, make: Callable[[Game], Player]) -> None:
    """Let a class, or whatever makes players of a game, be named like any other player, in this process.

    >>> import zerosum
    >>> zerosum.add_player("first-move", lambda game: zerosum.make_player("greedy", game))
    >>> zerosum.play_match("tictactoe", "first-move", "random", games=2).planned
    2
    """
    if name in names_in(*PLAYERS):
        raise BadSpec(f"there is a player '{name}' already; choose another name")
    add(ENTRY_POINTS, name, lambda arguments, game: make(game))


def ships(spec: str) -> bool:
    """Whether a spec names a player that is installed: making it runs no code of anybody else's."""
    if spec.strip().lower().startswith(COMMANDS):
        return False
    arguments = split_spec(spec)
    known = arguments.name in (*names_in(*PLAYERS), *installed(ENTRY_POINTS))
    return known and game_ships(arguments.options.get("from", NO_OTHER_GAME))


def require_player(made: Any, where: str) -> Player:
    """What somebody's code gave, if it is a player; raises BadSpec that says what it lacks."""
    lacking = [part for part in ("spec", "new_game", "choose") if not hasattr(made, part)]
    if lacking:
        raise BadSpec(
            f"{where}: a {type(made).__name__} is no player: it lacks {' and '.join(lacking)};"
            " a player has spec, new_game(seed) and choose(view)"
        )
    player: Player = made
    return player


def _build(module: ModuleType | SimpleNamespace, arguments: Arguments, game: Game, where: str) -> Player:
    """The player of somebody else's file."""
    make: Any = getattr(module, "make", None)
    if make is None:
        raise BadSpec(f"{where}: there is no 'make'; a player file defines make(arguments, game) -> Player")
    return require_player(run_foreign(lambda: make(arguments, game), where), where)


def _split(spec: str, name: str, rest: str) -> Arguments:
    head, _, run = rest.partition("@")
    value = ""
    options: dict[str, str] = {}
    for part in filter(None, head.split(",")):
        key, equals, text = (word.strip() for word in part.partition("="))
        if key in options:
            raise BadSpec(f"'{spec}' says twice what '{key}' is")
        if equals:
            options[key] = text
        elif value:
            raise BadSpec(f"'{spec}' has two values, '{value}' and '{part}'; options are written key=value")
        else:
            value = part.strip()
    return Arguments(spec, name, value, options, run)
