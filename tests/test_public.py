"""The public Python API: every name has a docstring, an example that runs, and a line in the reference."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import pytest

import zerosum
from docs import make_reference
from zerosum.core.naming import loading

CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)
ROOT = Path(__file__).resolve().parents[1]
SHOWN = [
    name
    for name in zerosum.__all__
    if callable(getattr(zerosum, name))
    and not (inspect.isclass(getattr(zerosum, name)) and issubclass(getattr(zerosum, name), BaseException))
]


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs go to a folder of their own, and what is added under a name is gone after the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loading, "_added", {})


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("name", SHOWN)
def test_every_public_name_has_an_example_that_runs(name: str) -> None:
    public = getattr(zerosum, name)
    text = inspect.getdoc(public) or ""
    examples = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    assert examples.examples, f"{name} has no example"
    told: list[str] = []
    doctest.DocTestRunner().run(examples, out=told.append)
    assert "".join(told) == ""


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize("page", ["engines.md", "environments.md", "openspiel.md", "python.md"])
def test_the_code_on_a_page_runs(page: str) -> None:
    """One piece after the other, as a reader would."""
    pieces = CODE.findall((ROOT / "docs" / page).read_text())
    assert pieces
    names: dict[str, object] = {"__name__": "page"}
    for piece in pieces:
        exec(compile(piece, page, "exec"), names)


def test_boards_and_thoughts_draw_themselves_in_notebooks() -> None:
    state = zerosum.make_game("tictactoe").new()
    state.play_moves("b2 a1")
    assert state._repr_svg_() == zerosum.draw_svg(state.picture())
    assert zerosum.explain(state, "minimax:2")._repr_svg_().startswith("<svg")
    hidden = zerosum.make_game("invisible-tictactoe").new()
    hidden.play_moves("b2")
    assert hidden.view()._repr_svg_().count('class="first"') == 0
    assert hidden._repr_svg_().count('class="first"') == 1


def test_every_public_function_says_its_types() -> None:
    for name in SHOWN:
        public = getattr(zerosum, name)
        if inspect.isfunction(public):
            signature = inspect.signature(public)
            untyped = [p.name for p in signature.parameters.values() if p.annotation is p.empty]
            assert untyped == []
            assert signature.return_annotation is not signature.empty


def test_the_reference_lists_all_that_is_public_and_nothing_else() -> None:
    listed = re.findall(r"^- `(\w+)`", (ROOT / "docs" / "reference.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(zerosum.__all__), "run docs/make_reference.py"
    whole = make_reference.reference()
    assert all(f"### {name}\n" in whole for name in SHOWN)
    assert "train(\n    game: str | Game,\n    method: str = 'alphazero',\n" in whole
