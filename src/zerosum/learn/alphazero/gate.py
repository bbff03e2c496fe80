"""The gate: does a new network beat the one that plays?

Games come in pairs from one opening of a few random moves, each network starting once, so that neither a
lucky opening nor the first mover's advantage passes anyone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from zerosum.arena.match import match_total
from zerosum.arena.play import GameSeeds
from zerosum.arena.workers import Fixture
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.learn.pool.contests import play_contest
from zerosum.learn.pool.pool import Pool
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.players.common.guided import GuidedPlayer
from zerosum.search.tree.guided import TO_WIN
from zerosum.search.tree.policy import PolicyNumbers

OPENING_PLIES = 4  # at most; in open games players draw nothing, so without openings all pairs were alike


@dataclass(frozen=True)
class NetworkEntrant:
    """A network that enters a contest: plain data, which makes a player wherever the games are played.

    As in self-play, what the file has in eight bits plays so on every machine.
    """

    network: bytes
    simulations: int
    spec: str
    numbers: PolicyNumbers = TO_WIN
    prior_temperature: float | None = None  # None is what plays best

    def __call__(self, game: Game) -> GuidedPlayer:
        return AlphaZeroPlayer(
            game,
            Evaluator(self.network, game, eight_bit=True),
            self.simulations,
            self.spec,
            numbers=self.numbers,
            prior_temperature=self.prior_temperature,
        )


def gate_share(
    pool: Pool,
    game: Game,
    contestants: tuple[NetworkEntrant, NetworkEntrant],
    games: int,
    seed: int,
    tell: Callable[[int], None],
) -> float:
    """The share of the points that the first network takes from the second, a draw being half.

    An odd number of games is made even. ``tell`` hears how many are played, and stops them by raising.
    """
    fixtures = gate_fixtures(game, games, seed)
    return match_total(play_contest(pool, contestants, fixtures, tell)).points / len(fixtures)


def gate_fixtures(game: Game, games: int, seed: int) -> list[Fixture]:
    """Pairs of games from one opening, in which the two start in turn."""
    pairs = -(-games // 2)
    fixtures = []
    for pair in range(pairs):
        opening = _opening(game, seed, pair)
        for number in (2 * pair, 2 * pair + 1):
            seats = (0, 1) if number % 2 == 0 else (1, 0)
            seeds = GameSeeds(start=pair, players=(2 * number, 2 * number + 1))
            fixtures.append(Fixture(seats, seed, number, opening, seeds))
    return fixtures


def _opening(game: Game, seed: int, pair: int) -> tuple[int, ...]:
    """A few random moves, none for the first pair; never a finished game."""
    rng = make_rng("gate", seed, pair)
    state = game.new(seed=pair)
    for _ in range(random_below(rng, OPENING_PLIES + 1) if pair else 0):
        legal = state.legal_actions()
        state.play(legal[random_below(rng, len(legal))])
        if state.finished:
            state.undo()
            break
    return tuple(state.history)
