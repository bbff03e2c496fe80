"""Players of invisible games know what they see and no more: boards that look alike are answered alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.nets.tools import learned
from zerosum.core.errors import BadNetwork, BadSpec
from zerosum.core.game import Game
from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State, View
from zerosum.games import make_game
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.players.common.player import Choice, Player
from zerosum.players.common.registry import list_players, make_player

GAMES = ["invisible-tictactoe", "invisible-connect4:4x4x3", "invisible-brick:4x4x3:B2"]
NEEDS_A_PERSON = {"human"}


def random_state(game: Game, seed: int, plies: int) -> State:
    state = game.new(seed)
    rng = make_rng("twins", seed)
    while not state.finished and len(state.history) < plies:
        legal = state.legal_actions()
        state.play(legal[random_below(rng, len(legal))])
    return state


def twins(game: Game) -> Iterator[tuple[State, State]]:
    """Pairs of different true positions in which the player to move sees and has tried the same."""
    known: dict[tuple[bytes, tuple[int, ...]], State] = {}
    for seed in range(600):
        state = random_state(game, seed, plies=1 + seed % 7)
        if state.finished:
            continue
        view = state.view()
        twin = known.setdefault((view.position.tobytes(), view.history), state)
        if not np.array_equal(twin.position, state.position):
            yield twin, state


def answers_alike(player: Player, pair: tuple[State, State]) -> bool:
    """Whether a player, asked about both with the same seed, says the same for the same reasons."""
    choices = []
    for state in pair:
        player.new_game(5)
        choices.append(player.choose(state.view()))
    return choices[0] == choices[1]


def fit_for(game: Game) -> list[str]:
    """Every player that agrees to play a game, with little effort where that can be set."""
    found = []
    for listing in list_players():
        if listing.name in NEEDS_A_PERSON:
            continue
        spec = f"{listing.name}:60" if ":" in listing.spelling else listing.name
        try:
            make_player(spec, game)
        except (BadSpec, BadNetwork):  # not for this game, or a network for another board of it
            continue
        found.append(spec)
    return found


def guided(game: Game) -> AlphaZeroPlayer:
    """AlphaZero with a network that knows nothing, as none ships for these games."""
    network = learned("pooled:channels=4,blocks=1", game)
    data = export_onnx(network, card_for(game, "pooled:channels=4,blocks=1"))
    return AlphaZeroPlayer(game, Evaluator(data, game), 60, "alphazero:60")


@pytest.mark.parametrize("spec", GAMES)
def test_every_player_answers_boards_that_look_alike_to_it_alike(spec: str) -> None:
    game = make_game(spec)
    pairs = list(twins(game))
    assert len(pairs) > 20
    assert {"random", "catchup:60", "determinised:60"} <= set(fit_for(game))
    for player in [*(make_player(name, game) for name in fit_for(game)), guided(game)]:
        assert all(answers_alike(player, pair) for pair in pairs[:40]), player.spec


class Peeking:
    """Given a view, looks at the true board all the same, as no player of the package can."""

    spec = "peeking"

    def __init__(self, *truths: State) -> None:
        self.truths = iter(truths)

    def new_game(self, seed: int) -> None:
        """Nothing is drawn at random."""

    def choose(self, view: View) -> Choice:
        """The first move that does not collide."""
        truth = next(self.truths)
        for action in view.legal_actions():
            trial = truth.copy()
            trial.play(action)
            if trial.finished or trial.mover != view.mover:
                return Choice(action)
        raise AssertionError("some cell is free while the game is on")


def test_a_player_that_peeks_is_caught() -> None:
    game = make_game("invisible-tictactoe")
    assert sum(not answers_alike(Peeking(*pair), pair) for pair in twins(game)) > 20


def test_players_that_must_see_everything_refuse_and_name_one_that_need_not() -> None:
    game = make_game("invisible-tictactoe")
    for name in ("greedy", "mcts:100", "minimax", "solver"):
        with pytest.raises(BadSpec, match="hides it; try catchup:1000"):
            make_player(name, game)


def test_nothing_a_view_holds_leads_to_the_truth() -> None:
    """All of a view is made from what the player saw: two that look alike are equal, field by field."""
    for first, second in twins(make_game("invisible-tictactoe")):
        one, two = first.view(), second.view()
        assert one.game is two.game
        assert np.array_equal(one.position, two.position)
        assert (one.history, one.mover) == (two.history, two.mover)
        assert set(vars(one)) == {"game", "position", "history", "mover"}
