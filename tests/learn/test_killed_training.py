"""Every method, killed at any write, sync or renaming, or by a power cut: nothing is lost or doubled."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

pytest.importorskip("torch")

from tests.faults import Died, Disk
from tests.learn.tiny import TINY, Outcome, outcome, train_tiny
from zerosum.core.running.files import DRAFT

# Of one method all steps are tried, of the others some, evenly spread: benchmarks/attacks/kills.py tries all.
TRIED = {
    "alphazero": 2,
    "cfr": 6,
    "dqn": 3,
    "muzero": 2,
    "policy-set-iteration": 4,
    "q-learning": 8,
    "value-iteration": 8,
}


@cache
def unbroken(method: str) -> tuple[list[str], Outcome]:
    """The steps of a training that nothing interrupts, and what it leaves."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        with Disk(root) as disk:
            run = train_tiny(method, root / "run")
        disk.close()
        return disk.steps, outcome(run)


def killed(root: Path, method: str, step: int, survives: Callable[[], bool] | None) -> Outcome:
    """What a training leaves that dies at a step and is then begun again as a person would."""
    with Disk(root, dies_at=step) as disk, pytest.raises(Died):
        train_tiny(method, root / "run")
    if survives is None:
        disk.close()
    else:
        disk.lose_power(survives)
    run = train_tiny(method, root / "run")
    assert not list(run.path.glob(f"*{DRAFT}"))
    return outcome(run)


@pytest.mark.parametrize("power_cut", [False, True])
@pytest.mark.parametrize("method", TINY)
def test_a_training_that_dies_at_any_step_ends_as_if_it_had_not(
    method: str, power_cut: bool, tmp_path: Path
) -> None:
    steps, expected = unbroken(method)
    last = expected.lines[-1]
    assert last["kind"] == "strength"
    assert expected.files
    luck = random.Random(method)
    every = max(1, len(steps) // TRIED.get(method, len(steps)))
    for step in range(luck.randrange(every), len(steps), every):
        root = tmp_path / str(step)
        root.mkdir()
        survives = luck.choice((bool, lambda: luck.random() < 0.5)) if power_cut else None
        assert killed(root, method, step, survives) == expected, (step, steps[step])


@pytest.mark.parametrize("method", TINY)
def test_a_player_that_was_deleted_or_never_published_comes_back(method: str, tmp_path: Path) -> None:
    _, expected = unbroken(method)
    run = train_tiny(method, tmp_path / "run")
    for name in expected.files:
        (run.path / name).unlink()
    assert outcome(train_tiny(method, run.path)) == expected
    for name in expected.files:
        (run.path / name).write_bytes(b"an old one")
    assert outcome(train_tiny(method, run.path)) == expected


@pytest.mark.parametrize("method", ["q-learning", "value-iteration"])
def test_a_finished_run_may_be_resumed_again_and_again(method: str, tmp_path: Path) -> None:
    for _ in range(3):
        run = train_tiny(method, tmp_path / "run")
    assert outcome(run) == unbroken(method)[1]
