"""What folders of games or players hold, read from their files without importing them.

A file's name is the thing's name, the first line of its docstring the summary. The paragraph that begins
'Spelling:' says how variants are written, a game's 'Rules:' how it is played. Adding a file adds the thing.
"""

from __future__ import annotations

import ast
import importlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from zerosum.core.compiling.parsing import parse_python

PACKAGE = Path(__file__).parents[2]
# Where the things are that people name; a folder beside these holds what they share.
GAMES = tuple(PACKAGE / "games" / room for room in ("", "invisible"))
PLAYERS = tuple(PACKAGE / "players" / room for room in ("", "engines", "tables"))


@dataclass(frozen=True)
class Listing:
    """One line of what there is to choose from.

    >>> import zerosum
    >>> zerosum.list_games()[0].name
    'abalone'
    """

    name: str
    summary: str
    spelling: str
    rules: str = ""  # of a game, in a few sentences


def files_in(*folders: Path) -> dict[str, Path]:
    """The files of the things that folders hold, by name and in its order."""
    files = [path for folder in folders for path in folder.glob("[a-z]*.py")]
    return dict(sorted((path.stem.replace("_", "-"), path) for path in files))


def names_in(*folders: Path) -> list[str]:
    """Names of the things that folders hold, in order."""
    return list(files_in(*folders))


def listings_in(*folders: Path) -> list[Listing]:
    """Everything that folders hold, by name."""
    return [read_listing(path, name) for name, path in files_in(*folders).items()]


def import_from(name: str, *folders: Path) -> ModuleType:
    """The module of a thing that one of the package's folders holds."""
    parts = files_in(*folders)[name].relative_to(PACKAGE.parent).with_suffix("").parts
    return importlib.import_module(".".join(parts))


def read_listing(path: Path, name: str) -> Listing:
    """What a file says of itself, without being run."""
    return _said_in(path.read_text(encoding="utf-8"), name)


@lru_cache(maxsize=256)  # pages list what there is for every card
def _said_in(text: str, name: str) -> Listing:
    docstring = ast.get_docstring(parse_python(text)) or ""
    summary, _, rest = docstring.partition("\n")
    return Listing(name, summary, _paragraph(rest, "Spelling:"), _paragraph(rest, "Rules:"))


def _paragraph(text: str, begins: str) -> str:
    return " ".join(text.partition(begins)[2].partition("\n\n")[0].split())
