"""Compile all kernels and rules of the package, on all cores, as far as their code is not yet on disk.

Several processes that start at once would compile the same things, each for itself.
"""

from __future__ import annotations

import importlib
import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src"
ROOMS = ("core", "games", "search", "learn", "adapters")  # later ones find the code of those before
COMPILED = re.compile(r"^@(kernel|rule|first_class)\b", re.MULTILINE)


def compiled_modules() -> list[str]:
    """The modules that compile something when they are imported."""
    files = [file for room in ROOMS for file in sorted((SOURCES / "zerosum" / room).rglob("*.py"))]
    wanted = [file for file in files if COMPILED.search(file.read_text(encoding="utf-8"))]
    return [".".join(file.relative_to(SOURCES).with_suffix("").parts) for file in wanted]


def load(module: str) -> None:
    importlib.import_module(module)


def main() -> None:
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        list(pool.map(load, compiled_modules()))


if __name__ == "__main__":
    main()
