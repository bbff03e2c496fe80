"""A game of one's own to begin with: a file that works, and a test that holds it to its rules."""

from __future__ import annotations

import re
from keyword import iskeyword
from pathlib import Path

from zerosum.core.errors import BadSpec, shortened
from zerosum.core.running.files import read_text, write_whole
from zerosum.games import list_games

TEMPLATES = Path(__file__).parent / "templates"
KINDS = {"placing": "stones are put on free cells", "moving": "men go from cell to cell"}


def write_new_game(name: str, folder: Path, kind: str = "placing") -> tuple[Path, Path]:
    """Write NAME.py and test_NAME.py into a folder, which is made; raises BadSpec rather than overwrite."""
    if kind not in KINDS:
        raise BadSpec(
            f"there is no kind '{shortened(kind)}' of games to begin with; known: {', '.join(KINDS)}"
        )
    spelt = name.strip().lower().replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", spelt) or iskeyword(spelt) or spelt.endswith("_"):
        raise BadSpec(
            f"'{shortened(name)}' cannot be a game's name: it has letters, digits and hyphens, and a letter "
            "comes first, as in my-game"
        )
    if spelt.replace("_", "-") in {listing.name for listing in list_games()}:
        raise BadSpec(f"there is a game '{spelt.replace('_', '-')}' already; choose another name")
    written = (folder / f"{spelt}.py", folder / f"test_{spelt}.py")
    for file in written:
        if file.exists():
            raise BadSpec(f"{file} is there already, and is not overwritten; choose another name or --folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSpec(f"cannot make the folder {folder}: {error.strerror}") from error
    for file, template in zip(written, (f"{kind}.txt", f"{kind}_test.txt"), strict=True):
        text = read_text(TEMPLATES / template)
        write_whole(file, text.replace("NAME", spelt).replace("TITLE", _title(spelt)).encode())
    return written


def _title(spelt: str) -> str:
    return " ".join(word.capitalize() for word in spelt.split("_"))
