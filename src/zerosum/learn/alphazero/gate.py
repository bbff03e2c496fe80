"""The gate: does a new network beat the one that plays?

Games come in pairs from one opening of a few random moves, each network starting once, so that neither a
lucky opening nor the first mover's advantage passes anyone.
"""

from __future__ import annotations

from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND, value_for
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.players.alphazero import AlphaZeroPlayer

OPENING_PLIES = 4  # at most; in open games players draw nothing, so without openings all pairs were alike


def gate_share(game: Game, latest: bytes, playing: bytes, simulations: int, games: int, seed: int) -> float:
    """The share of the points that the latest network takes from the one that plays, a draw being half."""
    new, old = (
        AlphaZeroPlayer(game, Evaluator(network, game), simulations, "gate") for network in (latest, playing)
    )
    points = 0.0
    for pair in range(-(-games // 2)):
        opening = _opening(game, seed, pair)
        for number, player in enumerate((new, old)):
            player.new_game(2 * pair + number)
        points += _points(opening.copy(), new, old, FIRST) + _points(opening.copy(), old, new, SECOND)
    return points / (2 * -(-games // 2))


def _opening(game: Game, seed: int, pair: int) -> State:
    """A few random moves, none for the first pair; never a finished game."""
    rng = make_rng("gate", seed, pair)
    state = game.new(seed=pair)
    for _ in range(random_below(rng, OPENING_PLIES + 1) if pair else 0):
        legal = state.legal_actions()
        state.play(legal[random_below(rng, len(legal))])
        if state.finished:
            state.undo()
            break
    return state


def _points(state: State, first: AlphaZeroPlayer, second: AlphaZeroPlayer, side: int) -> float:
    """What the player of a side gets: 1, a half or 0."""
    while not state.finished:
        player = first if state.mover == FIRST else second
        state.play(player.choose(state.view()).action)
    return (1 + value_for(state.outcome, side)) / 2
