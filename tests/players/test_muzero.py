"""MuZero's player: it cannot peek, says why it moves, and refuses what it cannot play in one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.nets.tools import SMALL, learned
from zerosum.core.compiling.compile import UINT, Words, gather_rules, rule
from zerosum.core.errors import BadNetwork, BadSpec
from zerosum.core.game import Game
from zerosum.core.state import View
from zerosum.games import make_game
from zerosum.games.families.stones import (
    stones_encode,
    stones_legal,
    stones_mover,
    stones_outcome,
    stones_play,
    stones_start,
)
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.players.alphazero import AlphaZeroPlayer
from zerosum.players.common.registry import make_player
from zerosum.players.muzero import MuZeroPlayer

WORDS = 5  # of a position of tic-tac-toe; behind the table of its rules lie the root's, and then the alarm


@rule
def watched_legal(table: Words, position: Words, actions: Words) -> int:
    for word in range(WORDS):
        if position[word] != table[len(table) - 1 - WORDS + word]:
            table[len(table) - 1] += UINT(1)  # asked about another position than the root
    return stones_legal(table, position, actions)


@rule
def watched_mover(table: Words, position: Words) -> int:
    for word in range(WORDS):
        if position[word] != table[len(table) - 1 - WORDS + word]:
            table[len(table) - 1] += UINT(1)
    return stones_mover(table, position)


@rule
def watched_encode(table: Words, position: Words, planes: Words) -> None:
    for word in range(WORDS):
        if position[word] != table[len(table) - 1 - WORDS + word]:
            table[len(table) - 1] += UINT(1)
    stones_encode(table, position, planes)


@rule
def watched_play(table: Words, position: Words, action: int) -> None:
    table[len(table) - 1] += UINT(1)
    stones_play(table, position, action)


@rule
def watched_outcome(table: Words, position: Words) -> int:
    table[len(table) - 1] += UINT(1)
    return stones_outcome(table, position)


def watched(game: Game, root: View) -> Game:
    """The same game, whose rules count in the last word of their table what they are asked below a root."""
    rules = gather_rules(
        start=stones_start,
        legal=watched_legal,
        play=watched_play,
        mover=watched_mover,
        outcome=watched_outcome,
        encode=watched_encode,
    )
    table = np.concatenate([game.table, root.position, np.zeros(1, dtype=np.uint64)])
    return replace(game, rules=rules, table=table)


def exported(game: Game, name: str = "latent") -> bytes:
    return export_onnx(learned(SMALL[name], game), card_for(game, name))


@pytest.mark.parametrize("moves", ["", "b2 a2", "b2 a2 a1 c3 b1"])
def test_the_rules_are_asked_at_the_root_and_nowhere_below(moves: str) -> None:
    state = make_game("tictactoe").new()
    state.play_moves(moves)
    assert len(state.position) == WORDS
    root = state.view()
    game = watched(state.game, root)
    data = exported(state.game)
    for simulations in (0, 1, 60):
        chosen = MuZeroPlayer(game, LatentEvaluator(data, game), simulations, "it").choose(
            replace(root, game=game)
        )
        assert chosen.action in state.legal_actions()
        assert int(game.table[-1]) == 0
    AlphaZeroPlayer(game, Evaluator(data, game), 20, "it").choose(replace(root, game=game))
    assert int(game.table[-1]) > 0  # whoever searches by the rules is noticed


def test_it_says_what_it_thinks_of_each_move(tmp_path: Path) -> None:
    game = make_game("connect4")
    (tmp_path / NETWORK_FILE).write_bytes(exported(game))
    (tmp_path / "settings.json").write_text("{}")
    state = game.new()
    state.play_moves("444444")
    player = make_player(f"muzero:40@{tmp_path}", game)
    assert player.spec == f"muzero:40@{tmp_path}"
    choice = player.choose(state.view())
    assert sorted(c.action for c in choice.candidates) == state.legal_actions()  # the middle is full
    assert sum(c.visits or 0 for c in choice.candidates) == 40
    assert sum(c.prior or 0 for c in choice.candidates) == pytest.approx(1)
    assert choice.line[0] == choice.action
    assert player.choose(state.view()) == choice
    bare = make_player(f"muzero:0@{tmp_path}", game).choose(state.view())
    assert bare.action == max(bare.candidates, key=lambda c: c.prior or 0).action


def test_what_it_cannot_play_it_refuses_in_one_line(tmp_path: Path) -> None:
    game = make_game("tictactoe")
    (tmp_path / "settings.json").write_text("{}")
    (tmp_path / NETWORK_FILE).write_bytes(exported(game, "pooled"))
    with pytest.raises(BadNetwork, match="has no model of its game"):
        make_player(f"muzero:10@{tmp_path}", game)
    (tmp_path / NETWORK_FILE).write_bytes(exported(game))
    with pytest.raises(BadNetwork, match="is a network for tictactoe; it cannot play connect4"):
        make_player(f"muzero:10@{tmp_path}", make_game("connect4"))
    with pytest.raises(BadSpec, match="muzero takes a number of simulations"):
        make_player(f"muzero:many@{tmp_path}", game)
    with pytest.raises(BadSpec, match=r"train one \(zerosum train gomoku\S* --method muzero\)"):
        make_player("muzero:10", make_game("gomoku"))
    other = make_game("tictactoe:4x4")
    assert make_player(f"muzero:10@{tmp_path}", other).choose(other.new().view()).action in range(16)


def test_a_network_of_the_open_game_plays_the_invisible_one_as_if_it_saw_all(tmp_path: Path) -> None:
    hidden, shown = make_game("invisible-tictactoe"), make_game("tictactoe")
    (tmp_path / "settings.json").write_text("{}")
    (tmp_path / NETWORK_FILE).write_bytes(exported(shown))
    player = make_player(f"muzero:20,from=tictactoe@{tmp_path}", hidden)
    start, plain = hidden.new().view(), make_player(f"muzero:20@{tmp_path}", shown)
    one, other = player.choose(start).candidates, plain.choose(shown.new().view()).candidates
    priors = {candidate.action: candidate.prior for candidate in other}
    for candidate in one:  # visits differ: in invisible games a player takes priors as they are
        assert candidate.prior == pytest.approx(priors.pop(candidate.action), abs=1e-6)
    assert not priors
    state = hidden.new()
    state.play(4)
    seen = {c.action for c in player.choose(state.view()).candidates}
    assert seen == set(range(9))  # nobody has shown the second player what is taken
    with pytest.raises(BadSpec, match="cannot play connect4"):
        make_player(f"muzero:20,from=tictactoe@{tmp_path}", make_game("connect4"))
