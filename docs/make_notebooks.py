"""Notebooks from the scripts in examples/notebooks: built, run, and written with what they show.

./zerosum python docs/make_notebooks.py          # writes build/notebooks/*.ipynb

A script is cells in the "percent" format that editors know: '# %%' begins code, '# %% [markdown]' begins
text, every line of which is a comment. What the last line of a cell gives is shown below it, as a picture
where it can draw itself.
"""

from __future__ import annotations

import ast
import io
import json
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "examples" / "notebooks"
NOTEBOOKS = ROOT / "build" / "notebooks"
MARK = "# %%"
TEXT = "# %% [markdown]"


def cells(script: str) -> Iterator[tuple[str, str]]:
    """Kind ('code' or 'markdown') and source of each cell; what stands before the first is left out."""
    for part in f"\n{script}".split(f"\n{MARK}")[1:]:
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            yield (
                "markdown",
                "\n".join(line.removeprefix("#").removeprefix(" ") for line in body.splitlines()),
            )
        else:
            yield "code", body.strip()


def notebook(script: str, name: str) -> dict[str, Any]:
    """The notebook of a script, run from top to bottom; whatever a cell raises is passed on."""
    names: dict[str, Any] = {"__name__": name}
    made: list[dict[str, Any]] = []
    for kind, source in cells(script):
        cell: dict[str, Any] = {"cell_type": kind, "id": f"{name}-{len(made)}", "metadata": {}}
        cell["source"] = source.strip()
        if kind == "code":
            number = 1 + sum(earlier["cell_type"] == "code" for earlier in made)
            cell |= {"execution_count": number, "outputs": outputs(source, names, name, number)}
        made.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def outputs(source: str, names: dict[str, Any], name: str, number: int) -> list[dict[str, Any]]:
    """What running a cell shows: what it prints, and what its last line gives."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
    shown: list[dict[str, Any]] = []
    if printed.getvalue():
        shown.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue()})
    if value is not None:
        data = {"text/plain": repr(value)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_()
        result = {"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data}
        shown.append(result)
    return shown


def write(folder: Path) -> list[Path]:
    """Every notebook, built and run in a folder, where its runs stay too."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for script in sorted(SCRIPTS.glob("*.py")):
        with chdir(folder):
            made = notebook(script.read_text(), script.stem)
        written.append(folder / f"{script.stem}.ipynb")
        written[-1].write_text(json.dumps(made, indent=1) + "\n")
    return written


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "src")]
    for path in write(NOTEBOOKS):
        print(path)
