"""All that can be set in value iteration. The string below a setting is the reason for its default."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from zerosum.learn.settings.base import Count, CountOrZero, Settings, Share
from zerosum.learn.settings.schedule import Budget, Evaluation

PRESETS = Path(__file__).parent / "presets"
SET_PRESETS = Path(__file__).parent / "set_presets"
POLICY_PRESETS = Path(__file__).parent / "policy_presets"


class ValueIterationSettings(Settings, frozen=True):
    discount: Share = 0.9
    """Below 1, so that a sooner win is worth more than a later one; at 1 values are the bare results."""
    start: float = 1.0
    """The first estimate of every position, for the first player. From above, estimates only ever fall, and
    taking the better of two is never a step back."""
    policies: CountOrZero = 0
    """How many of the second player's latest policies are kept in the set; 0 is plain value iteration."""
    evaluates: Literal["values", "policies"] = "values"
    """What the next sweep starts from: the last sweep's values, bettered by what the set secures, or what the
    set secures alone, which is policy set iteration: fewer sweeps, each with a policy's exact evaluation."""
    states: Count = 12_000_000
    """At most so many, about 60 bytes each and 4 more for each policy: enough for tic-tac-toe 4x4."""
    evaluation: Evaluation = Evaluation(opponents=("random", "greedy", "mcts:100", "solver"), games=40)
    budget: Budget = Budget(minutes=None)

    def complaint(self) -> str:
        if self.evaluates == "policies" and self.policies == 0:
            return "evaluates=policies needs a set: policies is 0"
        return "" if -1 <= self.start <= 1 else f"start ({self.start:g}) must lie from -1 to 1"
