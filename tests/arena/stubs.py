"""Tiny players for contests that need no search."""

from __future__ import annotations

from collections.abc import Callable

from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import View
from zerosum.players.common.player import Candidate, Choice, Player


class Stub:
    """Plays the lowest legal action with a chance of so many in ten, otherwise any."""

    def __init__(self, tenths: int) -> None:
        self.spec = f"stub:{tenths}"
        self.tenths = tenths
        self.seeds: list[int] = []

    def new_game(self, seed: int) -> None:
        self.seeds.append(seed)
        self.rng = make_rng(seed)

    def choose(self, view: View) -> Choice:
        legal = view.legal_actions()
        lowest = random_below(self.rng, 10) < self.tenths
        action = legal[0] if lowest else legal[random_below(self.rng, len(legal))]
        candidates = tuple(Candidate(other, visits=1, value=0.5) for other in legal)
        return Choice(action, candidates, line=(action,))


def stub(tenths: int) -> Callable[[Game], Player]:
    return lambda game: Stub(tenths)


class Cheat(Stub):
    """Plays the lowest action whether it is legal or not."""

    def __init__(self) -> None:
        super().__init__(10)
        self.spec = "cheat"

    def choose(self, view: View) -> Choice:
        return Choice(0)


class Faulty(Stub):
    """Breaks down at its second move."""

    def __init__(self) -> None:
        super().__init__(10)
        self.spec = "faulty"

    def choose(self, view: View) -> Choice:
        if len(view.history) >= 2:
            raise ValueError("out of ideas")
        return super().choose(view)
