"""Compile all kernels and rules of the package, on all cores, as far as their code is not yet on disk.

Several processes that start at once would compile the same things, each for itself. So a module is loaded
once all that it imports is on disk.
"""

from __future__ import annotations

import ast
import importlib
import re
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from graphlib import TopologicalSorter
from multiprocessing import get_context
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[1] / "src"
ROOMS = ("core", "games", "search", "learn", "adapters")
COMPILED = re.compile(r"^@(kernel|rule|first_class)\b|^\w+ = compile_search\(", re.MULTILINE)


def module_of(file: Path) -> str:
    names = file.relative_to(SOURCES).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def imported_by(source: str) -> set[str]:
    """What a module imports as it is loaded; 'from a import b' counts as a and as a.b, which b may be."""
    found = [node for node in ast.parse(source).body if isinstance(node, ast.ImportFrom)]
    modules = {node.module or "" for node in found}
    return modules | {f"{node.module}.{alias.name}" for node in found for alias in node.names}


def compiled_modules() -> dict[str, set[str]]:
    """The modules that compile something when they are imported, and which of these each needs."""
    files = [file for room in ROOMS for file in (SOURCES / "zerosum" / room).rglob("*.py")]
    sources = {module_of(file): file.read_text(encoding="utf-8") for file in files}
    imports = {
        module: imported_by(source) & (sources.keys() - {module}) for module, source in sources.items()
    }
    compiled = {module for module, source in sources.items() if COMPILED.search(source)}
    needs: dict[str, set[str]] = {}
    for module in TopologicalSorter(imports).static_order():
        before = imports[module] | {far for near in imports[module] for far in needs[near]}
        needs[module] = before & compiled
    return {module: needs[module] for module in sorted(compiled)}


def load(module: str) -> None:
    importlib.import_module(module)


def main() -> None:
    order = TopologicalSorter(compiled_modules())
    order.prepare()
    running: dict[Future[None], str] = {}
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        while order.is_active():
            running |= {pool.submit(load, module): module for module in order.get_ready()}
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                done.result()
                order.done(running.pop(done))


if __name__ == "__main__":
    main()
