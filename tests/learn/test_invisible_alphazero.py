"""AlphaZero on invisible games: true games, learnt from what each mover saw; no foreign network unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.learn.test_alphazero import QUICK, train
from tests.learn.trained import learnt, measured
from tests.nets.tools import learned
from zerosum.arena.match import play_match
from zerosum.core.errors import BadNetwork, BadSpec
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.players.common.asking import DrawsByChances
from zerosum.players.common.registry import make_player

NET = "pooled:channels=4,blocks=1"


@pytest.mark.parametrize("kind", ["gumbel", "puct"])
@pytest.mark.parametrize(
    "spec", ["invisible-tictactoe", "invisible-connect4:4x4x3", "invisible-brick:random"]
)
def test_what_is_learnt_from_is_what_the_mover_saw(spec: str, kind: str) -> None:
    game = make_game(spec)
    settings = alphazero_settings(spec, "fast", [*QUICK, f"search.kind={kind}"])
    evaluator = Evaluator(export_onnx(learned(NET, game), card_for(game, NET)), game)
    played = Worker(game, settings, 6, seed=0).play(evaluator, 12, positions=80)
    assert len(played.values) >= 80
    assert np.allclose(played.policy_targets.sum(axis=1), 1, atol=1e-3)
    assert set(np.unique(played.values)) <= {-1.0, 0.0, 1.0}
    seen = np.empty(game.position_words, dtype=np.uint64)
    for row, position in enumerate(played.positions):
        state = State(game, position)
        game.rules.view(game.table, position, state.mover, seen)
        assert seen.tolist() == position.tolist()  # nothing is left to hide
        chosen = played.actions[row][played.policy_targets[row] > 0]
        assert set(chosen.tolist()) <= set(state.legal_actions())


@pytest.mark.parametrize("kind", ["gumbel", "puct"])
def test_a_run_in_two_parts_is_the_run_in_one(tmp_path: Path, kind: str) -> None:
    changes = [f"search.kind={kind}", "gate.share=0.5", "gate.games=2"]
    whole = train(tmp_path / "whole", 3, spec="invisible-tictactoe", changes=changes)
    train(tmp_path / "parts", 2, spec="invisible-tictactoe", changes=changes)
    parts = train(tmp_path / "parts", 3, spec="invisible-tictactoe", changes=changes)
    assert learnt(parts) == learnt(whole)
    assert any(line["kind"] == "strength" for line in measured(whole))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    folder = tmp_path_factory.mktemp("runs")
    specs = ("tictactoe", "invisible-tictactoe")
    return {spec: train(folder / spec, 1, spec=spec) for spec in specs}


@pytest.mark.parametrize(
    ("trained", "played"),
    [("tictactoe", "invisible-tictactoe"), ("invisible-tictactoe", "tictactoe")],
)
def test_a_network_of_the_twin_plays_only_if_told_so(runs: Any, trained: str, played: str) -> None:
    game, path = make_game(played), runs[trained].path
    with pytest.raises(BadNetwork, match=f"network for {trained}.*from={trained}"):
        make_player(f"alphazero:10@{path}", game)
    player = make_player(f"alphazero:10,from={trained}@{path}", game)
    assert make_player(player.spec, game).spec == player.spec
    assert play_match(game, player.spec, "random", 4).total.games == 4


def test_a_network_that_is_not_what_was_said_is_refused(runs: Any) -> None:
    path = runs["tictactoe"].path
    with pytest.raises(BadSpec, match="same board"):
        make_player(f"alphazero:10,from=tictactoe@{path}", make_game("invisible-tictactoe:4x4"))
    with pytest.raises(BadNetwork, match="for tictactoe"):
        make_player(f"alphazero:10,from=invisible-tictactoe@{path}", make_game("tictactoe"))
    with pytest.raises(BadSpec, match="above 0"):
        make_player(f"alphazero:10,t=0@{runs['invisible-tictactoe'].path}", make_game("invisible-tictactoe"))


def test_a_foreign_network_sees_the_board_that_it_knows() -> None:
    """A network of the open game judges a view as the open board that shows as much, and the reverse."""
    from zerosum.nets.artifact.foreign import ForeignEvaluator

    open_game, hidden = make_game("tictactoe"), make_game("invisible-tictactoe")
    state = open_game.new()
    state.play_moves("b2 a1 c3")
    twin = hidden.new()
    twin.play_moves("b2 b2 a1 a1 c3 c3")  # all is known to O, who moves
    shown = []
    for game, position in ((open_game, state.position), (hidden, twin.position)):
        planes = np.zeros((1, len(game.planes), 9), dtype=np.float32)
        game.rules.encode(game.table, position, planes.reshape(-1))
        shown.append(planes)
    for home, away in ((0, 1), (1, 0)):
        games = (open_game, hidden)
        data = export_onnx(learned(NET, games[home]), card_for(games[home], NET))
        there = ForeignEvaluator(data, games[home], games[away]).evaluate(shown[away])
        here = Evaluator(data, games[home]).evaluate(shown[home])
        assert all(np.allclose(a, b) for a, b in zip(here, there, strict=True))


def test_drawn_moves_keep_a_proven_win_and_leave_a_proven_loss(runs: Any) -> None:
    game = make_game("tictactoe")
    player = make_player(f"alphazero:400,t=5@{runs['tictactoe'].path}", game)
    assert isinstance(player, DrawsByChances)
    for moves, cells in (("a1 b1 a2 b2", {"a3"}), ("a1 b2 a2", {"a3"})):  # win at once; or stop it
        state = game.new()
        state.play_moves(moves)
        likely = {game.notation.name(int(action)) for action in np.flatnonzero(player.chances(state.view()))}
        assert likely == cells


@pytest.mark.parametrize("game_spec", ["tictactoe", "invisible-tictactoe"])
def test_its_chances_are_how_often_it_moves_so(runs: Any, game_spec: str) -> None:
    game = make_game(game_spec)
    state = game.new()
    state.play_moves("b2")
    path = runs[game_spec].path
    for spec in (f"alphazero:0@{path}", f"alphazero:20@{path}", f"alphazero:20,t=0.5@{path}"):
        player = make_player(spec, game)
        assert isinstance(player, DrawsByChances)
        chances = player.chances(state.view())
        assert chances.sum() == pytest.approx(1)
        counts = np.zeros(9)
        for seed in range(300):
            player.new_game(seed)
            counts[player.choose(state.view()).action] += 1
        assert np.abs(counts / 300 - chances).max() < 0.12


def test_it_learns_to_beat_random(tmp_path: Path) -> None:
    changes = ["selfplay.positions=1000", "learning.rate.start=0.01", "learning.average=0.9"]
    run = train(tmp_path / "run", 20, spec="invisible-tictactoe", changes=changes)
    learnt = play_match(make_game("invisible-tictactoe"), f"alphazero:0@{run.path}", "random", 200).total
    assert learnt.score_share > 0.65  # a bare policy that knows nothing gets half
