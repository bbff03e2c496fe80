"""The example that learns with another library, run with a stand-in for that library."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "maskable_ppo.py"


class MaskablePPO:
    """Takes steps in the environment as a learner would, and then plays the last legal action."""

    def __init__(self, policy: str, environment: Any, **settings: Any) -> None:
        self.environment = environment
        self.steps = 0

    def learn(self, total_timesteps: int) -> None:
        self.environment.reset(seed=1)
        while self.steps < total_timesteps:
            action = int(self.environment.action_masks().nonzero()[0][0])
            _, _, over, _, _ = self.environment.step(action)
            self.steps += 1
            if over:
                self.environment.reset()

    def predict(self, observation: Any, action_masks: Any, deterministic: bool) -> tuple[Any, None]:
        assert observation.shape == self.environment.observation_space.shape
        return np.int64(action_masks.nonzero()[0][-1]), None


def test_the_example_trains_and_enters_a_tournament(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in = ModuleType("sb3_contrib")
    vars(stand_in)["MaskablePPO"] = MaskablePPO
    monkeypatch.setitem(sys.modules, "sb3_contrib", stand_in)
    runpy.run_path(str(EXAMPLE))["main"]("tictactoe", 50, games=2)
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines()].count("maskable-ppo") == 1
    assert len(printed.splitlines()) == 4
