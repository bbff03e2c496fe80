"""Whether the network that plays does so in eight bits: where that is faster here, and as good.

Which is faster is measured once a run and then kept, so that a resumed run is the same. Whether it is as
good is looked at each iteration, on positions that its scales were not made from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zerosum.nets.artifact.container import EVALUATE, TWINS, pack, unpack
from zerosum.nets.artifact.eight_bit import Given, eight_bit_twin
from zerosum.nets.artifact.evaluator import PLANES, Evaluator, Floats

Wish: TypeAlias = Literal["auto", "always", "never"]
Answers: TypeAlias = tuple[Floats, Floats]  # logits [row, action] and values [row]

CALIBRATED_ON = 512  # positions: enough that the largest activations hardly grow with more
CHECKED_ON = 128  # others
PAYS = 1.1  # times as fast; less is not worth any loss
TRIALS = 5  # of each, in turn; the fastest counts, for a busy machine only slows down
MOST_VALUE_ERROR = 0.05  # on average; a good twin's is 0.01 to 0.02, and results differ by 1 or 2
MOST_DIVERGENCE = 0.02  # of the policies, Kullback-Leibler; a good twin's is 0.002 to 0.005
NAME = "the network in training"


class EightBitChoice:
    """What a run has found out: ``chosen`` is None before it has looked."""

    functions: ClassVar[Sequence[str]] = (EVALUATE,)  # of the network: those that play spends its time in

    def __init__(self, wish: Wish, threads: int, at_once: int) -> None:
        """So many positions are judged at once in play."""
        self.chosen: bool | None = None if wish == "auto" else wish == "always"
        self.threads = threads
        self.at_once = at_once

    def outfit(self, network: bytes, planes: Floats, legal: Floats) -> tuple[bytes, dict[str, float]]:
        """The network's file with its eight-bit twin, or without where that does not pay; and what was seen.

        ``planes`` [row, plane, cell] and ``legal`` [row, action] are fresh positions, the first of which set
        the scales and the last CHECKED_ON of which, or half of few, are the test.
        """
        functions = unpack(network, NAME)
        if self.chosen is False or not set(self.functions) <= set(functions):
            return network, {}
        plain = self.opened(network)
        split = max(len(planes) - CHECKED_ON, len(planes) // 2)
        twins: dict[str, bytes] = {}
        for name, given in self.questions(plain, planes[:split]).items():
            twin = eight_bit_twin(functions[name], given, self.threads)
            if twin is None:
                self.chosen = False
                return network, {}
            twins[TWINS[name]] = twin
        both = pack(functions | twins)
        quick = self.opened(both)
        found: dict[str, float] = {}
        if self.chosen is None:
            asked = planes[: self.at_once]
            found["eight_bit_speedup"] = _speedup(
                lambda: self.answers(plain, asked), lambda: self.answers(quick, asked)
            )
            self.chosen = found["eight_bit_speedup"] >= PAYS
            if not self.chosen:
                return network, found
        tested = planes[split:]
        value_error, divergence = compare(
            self.answers(plain, tested), self.answers(quick, tested), self.considered(legal[split:])
        )
        good = value_error <= MOST_VALUE_ERROR and divergence <= MOST_DIVERGENCE
        found |= {
            "eight_bit": float(good),
            "eight_bit_value_error": value_error,
            "eight_bit_divergence": divergence,
        }
        return both if good else network, found

    def opened(self, network: bytes) -> Any:
        """Ready to be asked, in eight bits where it has them."""
        return Evaluator(network, eight_bit=True)

    def questions(self, plain: Any, planes: Floats) -> dict[str, Given]:
        """What each function is asked about positions, by the names of its inputs."""
        return {EVALUATE: {PLANES: planes.reshape(*planes.shape[:2], *plain.board)}}

    def answers(self, evaluator: Any, planes: Floats) -> Answers:
        """Logits and values."""
        found: Answers = evaluator.evaluate(planes)
        return found

    def considered(self, legal: Floats) -> Floats:
        """Of which actions the answers tell the shares."""
        return legal


def differences(plain: Evaluator, other: Evaluator, planes: Floats, legal: Floats) -> tuple[float, float]:
    """How far the other strays in judging positions, see ``compare``."""
    return compare(plain.evaluate(planes), other.evaluate(planes), legal)


def compare(plain: Answers, other: Answers, legal: Floats) -> tuple[float, float]:
    """The mean error of values, and the mean divergence of legal moves' policies."""
    (logits, values), (other_logits, other_values) = plain, other
    policy, other_policy = _log_policy(logits, legal), _log_policy(other_logits, legal)
    with np.errstate(invalid="ignore"):
        terms = np.where(legal > 0, np.exp(policy) * (policy - other_policy), 0.0)
    return float(np.abs(values - other_values).mean()), float(terms.sum(axis=1).mean())


def _log_policy(logits: Floats, legal: Floats) -> NDArray[np.float64]:
    """[row, action]: the logarithm of each legal move's share."""
    masked = np.where(legal > 0, logits, -np.inf).astype(np.float64)
    masked -= masked.max(axis=1, keepdims=True)
    return np.asarray(masked - np.log(np.exp(masked).sum(axis=1, keepdims=True)))


def _speedup(plain: Callable[[], object], other: Callable[[], object]) -> float:
    """How many times as fast the other is at its best."""
    best = [np.inf, np.inf]
    for _ in range(TRIALS):
        for which, ask in enumerate((plain, other)):
            began = perf_counter()
            ask()
            best[which] = min(best[which], perf_counter() - began)
    return best[0] / best[1]
