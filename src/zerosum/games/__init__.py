"""Find a game by what the user typed: a name, a path to a file, or module:attribute.

Every file of ``zerosum/games``, but those in ``families``, is a game, and its ``make(variant)`` builds it; so
is every module that an installed package offers as an entry point of the group 'zerosum.games'. Files are
not imported until they are needed.
"""

from __future__ import annotations

import inspect
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from zerosum.core.errors import BadSpec, RulesError, Untrusted, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import (
    GAMES,
    Listing,
    files_in,
    import_from,
    listings_in,
    names_in,
    read_listing,
)
from zerosum.core.naming.loading import (
    add,
    installed,
    installed_listings,
    is_importable,
    load_file,
    load_module,
    run_foreign,
    split_path,
)

INVISIBLE = "invisible-"
ENTRY_POINTS = "zerosum.games"


def list_games() -> list[Listing]:
    """The games that there are, by name: those of the package, then those of packages installed beside it.

    >>> import zerosum
    >>> [listing.name for listing in zerosum.list_games()][:3]
    ['abalone', 'blokus', 'brick']
    """
    return [*listings_in(*GAMES), *installed_listings(ENTRY_POINTS)]


def rules_text(spec: str) -> str:
    """How a game is played, in a few sentences, as its file says; '' where it says nothing."""
    name = spec.strip().partition(":")[0].lower()
    path, _ = split_path(spec.strip())
    path = files_in(*GAMES).get(name, path)
    if path is None or not path.is_file():
        return ""
    listing = read_listing(path, name)
    return f"{listing.summary} {listing.rules[:1].upper()}{listing.rules[1:]}".strip()


def make_game(spec: str) -> Game:
    """The game that a spec names; ``make_game(game.spec)`` gives the same game again.

    >>> import zerosum
    >>> zerosum.make_game("othello:6x6").shape
    (6, 6)
    """
    name, _, variant = spec.strip().partition(":")
    names = names_in(*GAMES)
    if name.lower() in names:
        module = import_from(name.lower(), *GAMES)
        game: Game = module.make(variant)
        return game
    if name.lower().startswith(INVISIBLE):
        from zerosum.games.families.invisible import make_invisible

        shown = spec.strip()[len(INVISIBLE) :]
        if shown.lower().startswith(INVISIBLE):
            raise BadSpec(f"{shown} hides something as it is")
        return make_invisible(make_game(shown))
    path, file_variant = split_path(spec.strip())
    if path is not None:
        return replace(_build(load_file(path, "game"), "make", file_variant, str(path)), spec=spec.strip())
    offered = installed(ENTRY_POINTS)
    if name in offered:
        module = run_foreign(offered[name].load, offered[name].value)
        return replace(_build(module, "make", variant, offered[name].value), spec=spec.strip())
    if variant and is_importable(name):
        return replace(_build(load_module(name), variant, "", spec), spec=spec.strip())
    if "/" in name:
        raise BadSpec(
            f"'{name}' is no game file: its name ends in .py, as in ./my_game.py or ./my_game.py:7x7"
        )
    raise BadSpec(f"unknown game '{name}'{suggestion(name, [*names, *offered])}")


def add_game(name: str, game: Game) -> None:
    """Let a game be named like any other, in this process: in contests, trainings and on the page.

    >>> import zerosum
    >>> zerosum.add_game("small-connect", zerosum.make_game("connect4:5x4x3"))
    >>> zerosum.make_game("small-connect").shape
    (4, 5)
    """
    if name in names_in(*GAMES):
        raise BadSpec(f"there is a game '{name}' already; choose another name")
    add(ENTRY_POINTS, name, lambda variant: game)


def ships(spec: str) -> bool:
    """Whether making a spec runs no code but what is installed; an unknown name runs none, it is refused."""
    shown = spec.strip()
    if shown.lower().startswith(INVISIBLE):
        shown = shown[len(INVISIBLE) :]
    name, _, variant = shown.partition(":")
    if name.lower() in names_in(*GAMES) or name in installed(ENTRY_POINTS):
        return True
    may_be_module = bool(variant) and ("." in name or is_importable(name))
    return split_path(shown)[0] is None and not may_be_module


def make_shipped_game(spec: str, origin: str) -> Game:
    """The game that some file names; raises Untrusted where that would run other code than ours."""
    if not ships(spec):
        raise Untrusted(origin, spec)
    return make_game(spec)


def _build(module: ModuleType | SimpleNamespace, attribute: str, variant: str, where: str) -> Game:
    made: Any = getattr(module, attribute, None)
    if made is None:
        raise RulesError(f"{where}: there is no '{attribute}'; a game file defines make(variant) -> Game")
    if callable(made) and not run_foreign(lambda: inspect.signature(made), where).parameters:
        raise RulesError(
            f"{where}: '{attribute}' takes no variant; a game file defines make(variant) -> Game"
        )
    game = run_foreign(lambda: made(variant), where) if callable(made) else made
    if not isinstance(game, Game):
        raise RulesError(f"{where}: '{attribute}' gives a {type(game).__name__}, not a Game")
    table: Any = game.table  # anything, in a file that nobody type-checked
    if not isinstance(table, np.ndarray) or table.dtype != np.uint64 or table.ndim != 1:
        raise RulesError(f"{where}: the table must be np.array([...], dtype=np.uint64), flat")
    return game
