"""Asking players what they play: exact chances, one answer, or as many as seeds."""

from __future__ import annotations

import numpy as np
import pytest

from zerosum.core.state import View
from zerosum.games import make_game
from zerosum.players.common.asking import ask
from zerosum.players.common.player import Choice
from zerosum.players.common.registry import make_player
from zerosum.search.imperfect.measurable import worlds_of
from zerosum.search.imperfect.values import uniform_policies

GAME = make_game("invisible-mnk:3x2x3")


def ignore(done: int, total: int) -> None:
    """Nobody looks."""


class LowestCell:
    spec = "lowest"

    def new_game(self, seed: int) -> None:
        self.seed = seed

    def choose(self, view: View) -> Choice:
        return Choice(view.legal_actions()[0])


class SometimesHighest(LowestCell):
    """Every fourth seed another cell."""

    def choose(self, view: View) -> Choice:
        return Choice(view.legal_actions()[-1 if self.seed % 4 == 1 else 0])


def test_a_player_that_says_its_chances_is_taken_at_its_word() -> None:
    asked = ask(make_player("random", GAME), GAME, 20, 0, ignore)
    for policy, uniform in zip(asked.policies, uniform_policies(worlds_of(GAME)), strict=True):
        assert policy == pytest.approx(uniform)
    assert asked.seeds == 0
    assert asked.views == sum(len(policy) for policy in asked.policies)


def test_a_player_without_chance_is_asked_twice_where_its_choices_lead() -> None:
    told: list[tuple[int, int]] = []
    asked = ask(LowestCell(), GAME, 20, 0, lambda done, total: told.append((done, total)))
    assert asked.seeds == 2
    assert told[-1] == (asked.views, asked.views)
    assert all(done <= total for done, total in told)
    first, _ = asked.policies
    assert first[0].tolist() == [1, 0, 0, 0, 0, 0]
    numbers = worlds_of(GAME).view_numbers(0)

    def number(own: int, seen: int) -> int:
        return numbers[np.array([own, seen, 0, 0, 0, seen, 0], dtype=np.uint64).tobytes()]

    assert first[number(0b1, 0b10)].tolist() == [0, 0, 1, 0, 0, 0]
    never = number(0b10, 0b0)
    assert first[never] == pytest.approx(uniform_policies(worlds_of(GAME))[0][never])


def test_a_player_that_draws_is_asked_from_every_seed() -> None:
    asked = ask(SometimesHighest(), GAME, 8, 0, ignore)
    assert asked.seeds == 8
    assert asked.policies[0][0].tolist() == [0.75, 0, 0, 0, 0, 0.25]
    assert np.allclose(asked.policies[1].sum(axis=1), 1)


def test_one_seed_is_enough_if_that_is_wanted() -> None:
    asked = ask(SometimesHighest(), GAME, 1, 0, ignore)
    assert asked.seeds == 1
    assert asked.policies[0][0].tolist() == [1, 0, 0, 0, 0, 0]
