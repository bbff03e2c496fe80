"""The notebooks: each is built, runs from top to bottom, and shows boards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs import make_notebooks


@pytest.mark.parametrize("script", sorted(make_notebooks.SCRIPTS.glob("*.py")), ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_a_board(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_notebooks, "SCRIPTS", tmp_path / "scripts")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / script.name).write_text(script.read_text())
    (written,) = make_notebooks.write(tmp_path / "made")
    made = json.loads(written.read_text())
    assert made["nbformat"] == 4
    code = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    shown = [output for cell in code for output in cell["outputs"]]
    assert len(code) >= 4
    assert any("image/svg+xml" in output.get("data", {}) for output in shown)
    assert len({cell["id"] for cell in made["cells"]}) == len(made["cells"])


def test_there_are_three_and_a_cell_that_fails_fails_the_notebook() -> None:
    assert len(list(make_notebooks.SCRIPTS.glob("*.py"))) == 3
    with pytest.raises(ZeroDivisionError):
        make_notebooks.notebook("# %%\n1 / 0\n", "broken")
