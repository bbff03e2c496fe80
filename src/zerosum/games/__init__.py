"""Find a game by what the user typed: a name, a path to a file, or module:attribute.

Every file of ``zerosum/games`` is a game, and its ``make(variant)`` builds it. Files are not imported
until they are needed.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np

from zerosum.core.errors import BadSpec, RulesError, Untrusted, ZerosumError, suggestion
from zerosum.core.files import cannot
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import Listing, listings_in, module_of, names_in
from zerosum.core.naming.moved import moved

GAMES = Path(__file__).parent
INVISIBLE = "invisible-"
Loaded = TypeVar("Loaded")


def list_games() -> list[Listing]:
    """The games that ship with the package, by name."""
    return listings_in(GAMES)


def make_game(spec: str) -> Game:
    """The game that a spec names; ``make_game(game.spec)`` gives the same game again."""
    name, _, variant = spec.strip().partition(":")
    names = names_in(GAMES)
    if name.lower() in names:
        module = importlib.import_module(module_of("zerosum.games", name.lower()))
        game: Game = module.make(variant)
        return game
    if name.lower().startswith(INVISIBLE):
        from zerosum.games.families.invisible import make_invisible

        shown = spec.strip()[len(INVISIBLE) :]
        if shown.lower().startswith(INVISIBLE):
            raise BadSpec(f"{shown} hides something as it is")
        return make_invisible(make_game(shown))
    path, file_variant = _split_path(spec.strip())
    if path is not None:
        return replace(_build(_load(path), "make", file_variant, str(path)), spec=spec.strip())
    if variant and _importable(name):
        return replace(_build(_import(name), variant, "", spec), spec=spec.strip())
    if "/" in name:
        raise BadSpec(
            f"'{name}' is no game file: its name ends in .py, as in ./my_game.py or ./my_game.py:7x7"
        )
    raise BadSpec(f"unknown game '{name}'{suggestion(name, names)}")


def ships(spec: str) -> bool:
    """Whether a spec names a game of the package: making it runs no code but ours."""
    name = spec.strip().partition(":")[0].lower()
    names = names_in(GAMES)
    return name in names or name.removeprefix(INVISIBLE) in names


def make_shipped_game(spec: str, origin: str) -> Game:
    """The game that some file names; raises Untrusted where that would run other code than ours."""
    if not ships(spec):
        raise Untrusted(origin, spec)
    return make_game(spec)


def _split_path(spec: str) -> tuple[Path | None, str]:
    head, dot_py, tail = spec.partition(".py")
    if not dot_py or (tail and not tail.startswith(":")):
        return None, ""
    return Path(head + dot_py), tail.removeprefix(":")


def _load(path: Path) -> ModuleType:
    """Run a user's file as a module of its own."""
    try:
        there = path.is_file()
    except OSError as error:  # a name that no file can have, such as one of a thousand letters
        raise cannot(f"read the game file {path}", error) from error
    if not there:
        raise BadSpec(f"cannot read the game file {path}: there is no such file")
    loader = SourceFileLoader(f"zerosum_user_{path.resolve().stem}", str(path.resolve()))
    module = ModuleType(loader.name)
    module.__file__ = loader.path
    sys.modules[loader.name] = module
    _run(lambda: loader.exec_module(module), str(path))
    return module


def _importable(name: str) -> bool:
    """Whether a module is installed, or lies in the working directory."""
    if "" not in sys.path:
        sys.path.append("")  # last, so that a file of the user's cannot stand in for an installed module
    top = name.partition(".")[0]
    try:
        return top.isidentifier() and importlib.util.find_spec(top) is not None
    except ValueError:  # '__main__', which is no file
        return False


def _import(name: str) -> ModuleType:
    return _run(lambda: importlib.import_module(name), name)


def _run(load: Callable[[], Loaded], where: str) -> Loaded:
    try:
        return load()
    except ZerosumError:
        raise
    except SyntaxError as error:
        raise RulesError(f"{where}, line {error.lineno}: {error.msg}") from error
    except (Exception, SystemExit) as error:  # whatever a user's file may raise is the user's to mend
        number, line = _line(error, where)
        complaint = moved(line) if isinstance(error, ModuleNotFoundError) else ""
        raise RulesError(f"{where}{number}: {complaint or f'{type(error).__name__}: {error}'}") from error


def _line(error: BaseException, where: str) -> tuple[str, str]:
    """The line of the user's file that was at work when something went wrong: its number, its text."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).name == Path(where).name:
            return f", line {frame.lineno}", frame.line or ""
    return "", ""


def _build(module: ModuleType, attribute: str, variant: str, where: str) -> Game:
    made: Any = getattr(module, attribute, None)
    if made is None:
        raise RulesError(f"{where}: there is no '{attribute}'; a game file defines make(variant) -> Game")
    if callable(made) and not _run(lambda: inspect.signature(made), where).parameters:
        raise RulesError(
            f"{where}: '{attribute}' takes no variant; a game file defines make(variant) -> Game"
        )
    game = _run(lambda: made(variant), where) if callable(made) else made
    if not isinstance(game, Game):
        raise RulesError(f"{where}: '{attribute}' gives a {type(game).__name__}, not a Game")
    table: Any = game.table  # anything, in a file that nobody type-checked
    if not isinstance(table, np.ndarray) or table.dtype != np.uint64 or table.ndim != 1:
        raise RulesError(f"{where}: the table must be np.array([...], dtype=np.uint64), flat")
    return game
