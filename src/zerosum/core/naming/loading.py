"""What somebody else wrote: a file by its path, a module by its name, or a package that was installed.

A package offers games, players and networks by entry points of the groups 'zerosum.games', 'zerosum.players'
and 'zerosum.networks'. Each names a module that looks like one of the package's own files.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable
from functools import lru_cache
from importlib.machinery import SourceFileLoader
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple, TypeVar

from zerosum.core.errors import BadSpec, RulesError, ZerosumError
from zerosum.core.naming.catalogue import Listing
from zerosum.core.naming.moved import moved

Loaded = TypeVar("Loaded")

# Offered in the same way by the package itself, for other people's games and players: by name, never by an
# import, for they stand above all that is written here. They are not listed: what they offer is not ours.
ADAPTERS = (
    EntryPoint("openspiel", "zerosum.adapters.openspiel_theirs", "zerosum.games"),
    EntryPoint("openspiel", "zerosum.adapters.openspiel_bots", "zerosum.players"),
)


class Added(NamedTuple):
    """What a program offers to itself: like an entry point, for as long as it runs."""

    name: str
    group: str
    make: Callable[..., Any]
    value: str = "this program"
    dist: None = None

    def load(self) -> SimpleNamespace:
        return SimpleNamespace(make=self.make)


_added: dict[tuple[str, str], Added] = {}


def add(group: str, name: str, make: Callable[..., Any]) -> None:
    """Offer something under a name, as an installed package does; the latest of a name counts."""
    if not name.replace("-", "").replace("_", "").isalnum() or name != name.lower():
        raise BadSpec(f"'{name}' cannot be a name: small letters, digits and - only")
    _added[group, name] = Added(name, group, make)


def split_path(spec: str) -> tuple[Path | None, str]:
    """A file and what follows its name after ':', as in './mine.py:7x7'; None where a spec names no file."""
    head, dot_py, tail = spec.partition(".py")
    if not dot_py or (tail and tail[0] not in ":@"):
        return None, ""
    return Path(head + dot_py), tail.removeprefix(":")


def load_file(path: Path, kind: str) -> ModuleType:
    """Run a user's file as a module of its own; ``kind`` is what it should hold, as in 'game'."""
    try:
        there = path.is_file()
    except OSError as error:  # a name that no file can have, such as one of a thousand letters
        raise BadSpec(f"cannot read the {kind} file {path}: {error.strerror or error}") from error
    if not there:
        raise BadSpec(f"cannot read the {kind} file {path}: there is no such file")
    loader = SourceFileLoader(f"zerosum_user_{path.resolve().stem}", str(path.resolve()))
    module = ModuleType(loader.name)
    module.__file__ = loader.path
    sys.modules[loader.name] = module
    run_foreign(lambda: loader.exec_module(module), str(path))
    return module


def is_importable(name: str) -> bool:
    """Whether a module is installed, or lies in the working directory."""
    if "" not in sys.path:
        sys.path.append("")  # last, so that a file of the user's cannot stand in for an installed module
    top = name.partition(".")[0]
    try:
        return top.isidentifier() and importlib.util.find_spec(top) is not None
    except ValueError:  # '__main__', which is no file
        return False


def load_module(name: str) -> ModuleType:
    return run_foreign(lambda: importlib.import_module(name), name)


def installed(group: str) -> dict[str, EntryPoint | Added]:
    """What packages and this program offer, by name: of 'zerosum.games' and so on."""
    points: tuple[EntryPoint | Added, ...] = (*ADAPTERS, *_offered(group, tuple(sys.path)), *_added.values())
    return {point.name: point for point in points if point.group == group}


@lru_cache(maxsize=16)  # every installed package is looked at for it, and nobody installs one meanwhile
def _offered(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """What packages offer that lie in the folders of a path."""
    return tuple(entry_points(group=group))


def installed_listings(group: str) -> list[Listing]:
    """The same for people, by name."""
    return [
        Listing(name, f"from {point.dist.name if point.dist else point.value}", name)
        for name, point in sorted(installed(group).items())
        if point.value not in {ours.value for ours in ADAPTERS}
    ]


def run_foreign(load: Callable[[], Loaded], where: str) -> Loaded:
    """What a user's code gives; whatever it raises becomes one line that says where."""
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
