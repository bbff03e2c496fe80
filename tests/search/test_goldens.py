"""Every search finds what it found when the golden files were written (``goldens.py``)."""

from __future__ import annotations

import json

import pytest

from tests.search.goldens import FILES, GOLDEN, all_goldens


@pytest.mark.parametrize("file", FILES)
def test_a_search_finds_what_it_always_found(file: str) -> None:
    kept = json.loads((GOLDEN / f"{file}.json").read_text())
    found = all_goldens(file)
    assert found.keys() == kept.keys()
    for name, golden in kept.items():
        assert found[name]["moves"] == golden["moves"], name
        assert found[name]["floats"] == pytest.approx(golden["floats"], abs=1e-5, rel=1e-5), name
