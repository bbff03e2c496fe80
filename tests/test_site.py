"""The site's pages: every game in the gallery, every name in the reference, no link that leads nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest

import zerosum
from scripts import docs_site as site


def test_the_pages_of_the_site_are_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "PAGES", tmp_path / "pages")
    site.write_pages()
    assert site.broken_links() == []
    gallery = (tmp_path / "pages" / "gallery.md").read_text()
    assert all(f"gallery/{listing.name}.svg" in gallery for listing in zerosum.list_games())
    assert "### play_match\n" in (tmp_path / "pages" / "reference.md").read_text()
    configuration = (tmp_path / "mkdocs.yml").read_text()
    pages = [path.relative_to(tmp_path / "pages").as_posix() for path in (tmp_path / "pages").rglob("*.md")]
    assert [configuration.count(f"- {page}\n") for page in pages] == [1] * len(pages)
    assert "scheme: slate" in configuration
    (tmp_path / "pages" / "wrong.md").write_text("[here](nowhere.md)")
    assert site.broken_links() == ["wrong.md: nowhere.md"]
