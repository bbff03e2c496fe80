"""One game between two players, with every random number drawn from the match's seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from zerosum.arena.records.record import GameRecord
from zerosum.core.compiling.compile import UINT
from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND
from zerosum.core.random import make_rng
from zerosum.core.state import State
from zerosum.players.common.player import Choice, Player, learnt_digest

SEAT_NAMES = ("first player", "second player")


class PlayerFailed(ZerosumError):
    """A player that raised or played an illegal move; the message names it and the moves so far."""


@dataclass(frozen=True)
class GameSeeds:
    start: int
    players: tuple[int, int]  # by seat


def derive_seed(*parts: int | str) -> int:
    """A seed for one purpose: 53 bits, so that every reader of JSON holds it exactly."""
    return int(make_rng(*parts)[0] >> UINT(11))


def game_seeds(seed: int, number: int) -> GameSeeds:
    """The seeds of a match's game: they depend on the match's seed and the game's number, nothing else.

    Games 2k and 2k + 1 begin in the same position, so each player gets each start once.
    """
    return GameSeeds(
        derive_seed("start", seed, number // 2),
        (derive_seed("player", seed, number, FIRST), derive_seed("player", seed, number, SECOND)),
    )


def play_game(
    game: Game,
    players: tuple[Player, Player],
    seed: int = 0,
    number: int = 0,
    explain: bool = False,
    on_move: Callable[[State, Choice], None] | None = None,
    opening: Sequence[int] = (),
    seeds: GameSeeds | None = None,
) -> GameRecord:
    """Play game ``number`` of the match that ``seed`` names; players come by seat, the starter first.

    The record depends on nothing but the arguments, its seconds apart. With ``explain`` it keeps what the
    players thought of each move. ``on_move`` sees the state after each move; what it raises ends the game.
    The players go on from the ``opening``, which does not end the game. ``seeds`` take the place of those
    that follow from the match's.
    """
    seeds = seeds or game_seeds(seed, number)
    state = game.new(seeds.start)
    for action in opening:
        state.play(action)
    for seat, player in enumerate(players):
        with _blame(player, seat, state):
            player.new_game(seeds.players[seat])
    seconds, turns = [0.0, 0.0], [0, 0]
    choices: list[Choice] = []
    while not state.finished:
        view = state.view()
        seat = view.mover
        with _blame(players[seat], seat, state):
            began = time.perf_counter()
            choice = players[seat].choose(view)
            seconds[seat] += time.perf_counter() - began
            state.play(int(choice.action))
        turns[seat] += 1
        if explain:
            choices.append(choice)
        if on_move is not None:
            on_move(state, choice)
    return GameRecord(
        game=game.spec,
        players=(players[FIRST].spec, players[SECOND].spec),
        number=number,
        start_seed=seeds.start,
        player_seeds=seeds.players,
        actions=tuple(state.history),
        moves=tuple(state.names(state.history)),
        outcome=state.outcome,
        score=state.score if game.has_score else None,
        turns=(turns[FIRST], turns[SECOND]),
        seconds=(seconds[FIRST], seconds[SECOND]),
        networks=(learnt_digest(players[FIRST]), learnt_digest(players[SECOND])),
        choices=tuple(choices),
    )


@contextmanager
def _blame(player: Player, seat: int, state: State) -> Iterator[None]:
    """Turn whatever a player raises, or the refusal of its move, into one line that names the player."""
    try:
        yield
    except Exception as error:  # a player may be anyone's file, and may raise anything
        moves = " ".join(state.names(state.history))
        when = f"after '{moves}'" if moves else "at the first move"
        raise PlayerFailed(
            f"{player.spec}, {SEAT_NAMES[seat]} of {state.game.spec}, failed {when}: "
            f"{type(error).__name__}: {error}"
        ) from error
