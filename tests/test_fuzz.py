"""A sample of the fuzzing that benchmarks/attacks/fuzz.py does for as long as one likes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("nicegui")

from tests.fuzz import Mutator, Target, attack, file_targets, text_targets

TEXTS, FILES = 60, 6  # inputs of each target; the same every time


def check(name: str, target: Target, inputs: int) -> None:
    """Whole inputs are taken, and spoilt ones taken or refused: anything else raises."""
    mutator = Mutator(name)
    for _ in range(inputs):
        attack(target, mutator.spoil(target.wholes))
    assert any(attack(target, whole) for whole in target.wholes), name


def test_whatever_is_typed_is_taken_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, target in text_targets().items():
        check(name, target, TEXTS)


def test_whatever_lies_in_a_file_is_taken_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, target in file_targets().items():
        check(name, target, FILES)


def test_the_same_seed_spoils_the_same_way() -> None:
    wholes = (b'{"a": [1, 2]}', b"other")
    first, second, third = (Mutator(seed) for seed in (1, 1, 2))
    spoilt = [first.spoil(wholes) for _ in range(50)]
    assert spoilt == [second.spoil(wholes) for _ in range(50)]
    assert spoilt != [third.spoil(wholes) for _ in range(50)]
