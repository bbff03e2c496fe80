"""Pages that speak of the code: what they name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "zerosum"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
NAMED = re.compile(r"`((?:\w+/)+[\w.]*|\w+\.(?:py|toml))`")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def missing_files(text: str) -> list[str]:
    """Files and folders named in a page, from the package or the repository on, that are not there."""
    named = NAMED.findall(text)
    return [name for name in named if not (PACKAGE / name).exists() and not (ROOT / name).exists()]


def steps(title: str) -> set[str]:
    """The files named under a title of the page on architecture."""
    section = ARCHITECTURE.read_text().split(f"## {title}\n")[1].split("\n## ")[0]
    return {name for name in NAMED.findall(section) if name.endswith(".py")}


def test_every_file_that_the_architecture_names_is_there() -> None:
    text = ARCHITECTURE.read_text()
    assert len(NAMED.findall(text)) > 50
    assert missing_files(text) == []
    assert missing_files("`learn/alphazero/nothing.py` and `core/game.py`") == ["learn/alphazero/nothing.py"]


@pytest.mark.parametrize("path", ["The path of a move", "The path of a training step"])
def test_a_path_through_the_code_is_short(path: str) -> None:
    assert 8 <= len(steps(path)) < 15


@pytest.mark.parametrize(
    "page", [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], ids=lambda page: page.name
)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = LINK.findall(page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_links_every_page() -> None:
    linked = set(LINK.findall((ROOT / "README.md").read_text()))
    pages = {str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages - linked if not page.startswith("docs/papers/")} == set()
    assert "docs/papers/README.md" in linked
