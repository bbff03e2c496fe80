"""What a folder of games or players holds, read from its files without importing them.

A file's name is the thing's name, the first line of its docstring the summary, and its line that
begins 'Spelling:' (up to a blank line) says how variants are written. Adding a file adds the thing.
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
    >>> zerosum.list_games()[2].name
    'connect4'
    """

    name: str
    summary: str
    spelling: str


def names_in(folder: Path) -> list[str]:
    """Names of the things a folder holds, in order."""
    return sorted(path.stem.replace("_", "-") for path in folder.glob("[a-z]*.py"))


def listings_in(folder: Path) -> list[Listing]:
    """Everything a folder holds, by name."""
    return [_listing(folder, name) for name in names_in(folder)]


def module_of(package: str, name: str) -> str:
    return f"{package}.{name.replace('-', '_')}"


def _listing(folder: Path, name: str) -> Listing:
    path = folder / f"{name.replace('-', '_')}.py"
    docstring = ast.get_docstring(ast.parse(path.read_text())) or ""
    summary, _, rest = docstring.partition("\n")
    spelling = rest.partition("Spelling:")[2].partition("\n\n")[0]
    return Listing(name, summary, " ".join(spelling.split()))
