"""Says aloud when learning fails, and what to do; silent while it goes well.

Each symptom is a function of what was measured lately, one dictionary an iteration, and gives a complaint
or nothing. A learner that does not measure a thing is never told about it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import TypeAlias

from zerosum.learn.run.metrics import Line

History: TypeAlias = list[Mapping[str, float | None]]  # null is what became of a number that is none

COLLAPSED = 0.01  # entropy as a share of the largest; good play of a solved game stays well above
COLLAPSED_FOR = 5  # iterations: a sharp policy may pass through, a collapsed one stays
NOT_DECISIVE_FOR = 20
REJECTED_FOR = 10  # a better network may be unlucky a few times, hardly so often
RISING_BLOCKS = 4  # of RISING_BLOCK iterations each, so that noise averages out
RISING_BLOCK = 5
MEMORY = 100  # iterations; more than any patience above
RISING_BY = 1.06  # from each block to the next: noise does so now and then, not three times on end

EIGHT_BIT_ERRORS = ("eight_bit_value_error", "eight_bit_divergence")


class Doctor:
    def __init__(self, history: Iterable[Line] = ()) -> None:
        """With the lines of a run that is resumed, so that a patience of iterations is not begun anew."""
        self._history: History = []
        self._ailing: set[Symptom] = set()
        for line in history:
            if line.get("kind") == "learning":
                self.examine({key: value for key, value in line.items() if key != "kind"})

    def examine(self, metrics: Mapping[str, float | None]) -> list[str]:
        """What is newly wrong after one more iteration; what goes on being wrong is not repeated."""
        self._history = [*self._history[1 - MEMORY :], dict(metrics)]
        complaints = {symptom: symptom(self._history) for symptom in SYMPTOMS}
        new = [text for symptom, text in complaints.items() if text and symptom not in self._ailing]
        self._ailing = {symptom for symptom, text in complaints.items() if text}
        return new


def not_a_number(history: History) -> str:
    strange = [name for name, value in history[-1].items() if value is None or not math.isfinite(value)]
    if not strange:
        return ""
    return f"{', '.join(strange)} is no longer a number; resume with a tenth of the learning rate"


def nothing_to_learn_from(history: History) -> str:
    if _latest(history, "replay_positions", 1) != [0]:
        return ""
    return "the replay is empty, so nothing is learnt; let an iteration play more games"


def policy_collapsed(history: History) -> str:
    entropy = _latest(history, "policy_entropy", COLLAPSED_FOR)
    if not entropy or max(entropy) >= COLLAPSED:
        return ""
    return (
        f"the policy has collapsed to one move a position (entropy below {COLLAPSED:.0%} of the largest for "
        f"{COLLAPSED_FOR} iterations); more noise or temperature, or a lower learning rate, keeps it open"
    )


def no_decisive_games(history: History) -> str:
    decisive = _latest(history, "decisive_share", NOT_DECISIVE_FOR)
    if not decisive or max(decisive) > 0:
        return ""
    return (
        f"every game of {NOT_DECISIVE_FOR} iterations was drawn, so values teach nothing; unless perfect "
        "play is a draw and this is it, begin games with random plies or search more"
    )


def gate_rejects_everything(history: History) -> str:
    passed = _latest(history, "gate_passed", REJECTED_FOR)
    if not passed or max(passed) > 0:
        return ""
    return (
        f"the gate turned away the last {REJECTED_FOR} networks; ask for a smaller share, play more gate "
        "games, or do without a gate"
    )


def value_loss_rises(history: History) -> str:
    losses = _latest(history, "value_loss", RISING_BLOCKS * RISING_BLOCK)
    starts = range(0, len(losses), RISING_BLOCK)
    means = [sum(losses[start : start + RISING_BLOCK]) / RISING_BLOCK for start in starts]
    if not means or any(later < RISING_BY * sooner for sooner, later in pairwise(means)):
        return ""
    return (
        f"the value loss has been rising for {len(losses)} iterations, {means[0]:.3g} to {means[-1]:.3g}; "
        "learn from a larger window, less often from each position, or at a lower rate"
    )


def eight_bits_stray(history: History) -> str:
    good, *errors = (history[-1].get(name) for name in ("eight_bit", *EIGHT_BIT_ERRORS))
    if good != 0:
        return ""
    said = ", ".join(
        f"{name.replace('_', ' ')} {error:.3f}"
        for name, error in zip(EIGHT_BIT_ERRORS, errors, strict=True)
        if error is not None
    )
    return (
        f"in eight bits the network judges otherwise than it should ({said}), so it plays in "
        "floating point, and slower, until that is mended; set selfplay.eight_bit=never to be rid of this"
    )


def _latest(history: History, name: str, count: int) -> list[float]:
    """The last values that were measured, or none where there are fewer than that."""
    values = [value for metrics in history if (value := metrics.get(name)) is not None]
    return values[-count:] if len(values) >= count else []


Symptom: TypeAlias = Callable[[History], str]
SYMPTOMS: tuple[Symptom, ...] = (
    not_a_number,
    nothing_to_learn_from,
    policy_collapsed,
    no_decisive_games,
    gate_rejects_everything,
    value_loss_rises,
    eight_bits_stray,
)
