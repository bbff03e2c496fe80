"""What a folder of games or players holds, read from its files without importing them.

A file's name is the thing's name, the first line of its docstring the summary. The paragraph that begins
'Spelling:' says how variants are written, a game's 'Rules:' how it is played. Adding a file adds the thing.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).parents[2]


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


def names_in(folder: Path) -> list[str]:
    """Names of the things a folder holds, in order."""
    return sorted(path.stem.replace("_", "-") for path in folder.glob("[a-z]*.py"))


def listings_in(folder: Path) -> list[Listing]:
    """Everything a folder holds, by name."""
    return [_listing(folder, name) for name in names_in(folder)]


def module_of(package: str, name: str) -> str:
    return f"{package}.{name.replace('-', '_')}"


def _listing(folder: Path, name: str) -> Listing:
    return read_listing(folder / f"{name.replace('-', '_')}.py", name)


def read_listing(path: Path, name: str) -> Listing:
    """What a file says of itself, without being run."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    summary, _, rest = docstring.partition("\n")
    return Listing(name, summary, _paragraph(rest, "Spelling:"), _paragraph(rest, "Rules:"))


def _paragraph(text: str, begins: str) -> str:
    return " ".join(text.partition(begins)[2].partition("\n\n")[0].split())
