"""All that can be set in learning an equilibrium. Below each setting stands the reason for its default."""

from __future__ import annotations

from pathlib import Path

from zerosum.learn.settings.base import Count, PositiveOrZero, Settings, Share
from zerosum.learn.settings.schedule import Budget, Evaluation

PRESETS = Path(__file__).parent / "presets"


class Learning(Settings, frozen=True):
    passes: Count = 20
    """Updates of each player in an iteration, after which the exact measure is taken and a checkpoint
    written: it takes about as long as the measure."""
    exploration: Share = 0.001
    """Share of uniform play in how a player is supposed to have come to a view. Without any, views that its
    policy avoids would teach nothing."""
    weight_power: PositiveOrZero = 1.0
    """The policy of pass t weighs t to this power in the average: CFR+'s, so that early play is forgotten."""

    def complaint(self) -> str:
        return (
            ""
            if self.exploration > 0
            else "exploration cannot be 0: views that play avoids would teach nothing"
        )


class CfrSettings(Settings, frozen=True):
    learning: Learning = Learning()
    evaluation: Evaluation = Evaluation(opponents=("random",))
    """Contests are for show here; the measure that counts is exact."""
    budget: Budget = Budget(minutes=5.0)
    """Play is hard to exploit after one minute; later passes gain little."""
