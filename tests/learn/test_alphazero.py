"""AlphaZero's loop: it learns, the same seed is the same run, and a killed run goes on unharmed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from zerosum.arena.match import play_match
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.alphazero.gate import gate_share
from zerosum.learn.alphazero.loop import AlphaZero
from zerosum.learn.alphazero.replay import Replay
from zerosum.learn.alphazero.selfplay import Worker
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.learn.events.listeners import Contest, JsonLines, Listeners
from zerosum.learn.run.metrics import Line, without_times
from zerosum.learn.run.run import Run
from zerosum.learn.training.trainer import Trainer
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.nets.building.registry import make_network
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.solved import solve_moves, solved_positions

QUICK = [
    "network=pooled:channels=8,blocks=1",
    "selfplay.games_at_once=16",
    "selfplay.positions=200",
    "search.simulations=12",
    "evaluation.every_iterations=2",
    "evaluation.games=4",
    'evaluation.opponents=["random"]',
    "learning.batch=64",
    "budget.minutes=null",
    "evaluation.solved_positions=20",
]


def train(folder: Path, iterations: int, seed: int = 0, spec: str = "tictactoe", changes: Any = ()) -> Run:
    game = make_game(spec)
    settings = alphazero_settings(game.spec, "fast", [*QUICK, *changes, f"budget.iterations={iterations}"])
    run = (
        Run.open(folder)
        if folder.exists()
        else Run.create(game.spec, "alphazero", seed, settings.as_json(), folder)
    )

    def match(learner: Any, opponent: str, games: int) -> Contest:
        result = play_match(game, learner, opponent, games).total
        return Contest(opponent, result.wins, result.draws, result.losses)

    with run.claim():
        learner = AlphaZero(game, settings, seed)
        listener = Listeners([JsonLines(run.metrics_path)])
        Trainer(run, learner, settings.budget, settings.evaluation, listener, match).train()
    return run


def measured(run: Run) -> list[Line]:
    return [without_times(line) for line in run.metrics()]


def learnt(run: Run) -> list[Line]:
    """Without the check at the end of each part."""
    return [line for line in measured(run) if line["kind"] == "learning"]


def test_the_same_seed_is_the_same_run_and_another_is_not(tmp_path: Path) -> None:
    first, again, other = (train(tmp_path / str(n), 3, seed) for n, seed in enumerate((1, 1, 2)))
    assert measured(first) == measured(again)
    assert measured(first) != measured(other)


def test_a_run_in_two_parts_is_the_run_in_one(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole", 4)
    train(tmp_path / "parts", 2)
    parts = train(tmp_path / "parts", 4)
    assert measured(parts) == measured(whole)


def test_a_killed_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = train(tmp_path / "whole", 5)
    code = (
        "from pathlib import Path; from tests.learn.test_alphazero import train;"
        f"train(Path({str(tmp_path / 'killed')!r}), 1000)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], env=_with_source()
    )
    metrics = tmp_path / "killed" / "metrics.jsonl"
    while not (metrics.exists() and '"iteration": 3' in metrics.read_text()):
        assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    resumed = train(tmp_path / "killed", 5)
    assert measured(resumed)[: len(measured(whole))] == measured(whole)


def _with_source() -> dict[str, str]:
    root = Path(__file__).parents[2]
    return {**os.environ, "PYTHONPATH": f"{root / 'src'}:{root}"}


def test_it_learns_to_beat_random_at_tictactoe(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 12, changes=["selfplay.positions=600", "learning.rate.start=0.003"])
    game = make_game("tictactoe")
    learnt = play_match(game, f"alphazero:0@{run.path}", "random", 100).total
    assert learnt.wins > 70  # a bare policy that knows nothing wins about half


@pytest.mark.parametrize(
    "spec", ["connect4:5x4x3", "othello:4x4", "qubic", "blokus", "./examples/hex.py:3x3"]
)
def test_self_play_works_for_every_kind_of_game(spec: str) -> None:
    game = make_game(spec)
    settings = alphazero_settings("tictactoe", "fast", QUICK)
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    played = Worker(game, settings, 4, seed=0).play(evaluator, 4, positions=30)
    assert len(played.values) >= 30
    assert np.allclose(played.policy_targets.sum(axis=1), 1, atol=1e-3)
    for row in range(0, len(played.values), 7):
        legal = State(game, played.positions[row]).legal_actions()
        chosen = played.actions[row][played.policy_targets[row] > 0]
        assert set(chosen.tolist()) <= set(legal)
    assert set(np.unique(played.values)) <= {-1.0, 0.0, 1.0}


def test_the_replay_shows_positions_turned_with_their_targets() -> None:
    game = make_game("tictactoe")
    settings = alphazero_settings("tictactoe", "fast", QUICK)
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    replay = Replay(game)
    replay.add(Worker(game, settings, 4, seed=0).play(evaluator, 8, positions=60), 4, 1000)
    replay.gather()
    batch = replay.draw(200, np.random.default_rng(0))
    stones = batch["planes"].sum(axis=1)  # [row, cell]
    assert ((stones == 0) == (batch["legal"] == 1)).all()
    assert (batch["policy"][batch["legal"] == 0] == 0).all()
    assert np.allclose(batch["policy"].sum(axis=1), 1, atol=1e-3)


def test_iterations_can_be_counted_in_games(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 2, changes=["selfplay.positions=null", "selfplay.games=20"])
    played = [line["games"] for line in run.metrics() if line["kind"] == "learning"]
    assert min(played) >= 20


def test_flips_are_the_reflections_along_axes() -> None:
    square, cube = make_game("tictactoe"), make_game("qubic")
    assert len(Replay(square, "all").turned) == 8
    assert len(Replay(square, "flips").turned) == 4
    assert len(Replay(cube, "flips").turned) == 8
    assert Replay(square, "none").turned.tolist() == [0]
    board = np.arange(9).reshape(3, 3)
    shown = [square.symmetries.cells[turn].tolist() for turn in Replay(square, "flips").turned]
    assert board[::-1].ravel().tolist() in shown
    assert board.T.ravel().tolist() not in shown


def test_a_gate_lets_a_network_pass_that_scores_the_share_and_no_other(tmp_path: Path) -> None:
    open_gate = train(tmp_path / "open", 2, changes=["gate.share=0", "gate.games=2"])
    shut_gate = train(tmp_path / "shut", 2, changes=["gate.share=1", "gate.games=6"])
    passed, stopped = (
        [line["gate_passed"] for line in run.metrics() if line["kind"] == "learning"]
        for run in (open_gate, shut_gate)
    )
    assert passed == [1, 1]
    assert stopped[0] == 0  # a network of one iteration does not win every game
    first = train(tmp_path / "first", 1, changes=["gate.share=1", "gate.games=6"])
    if stopped == [0, 0]:  # the cards differ in the budget, the networks do not
        one, other = (onnx.load_model(run.path / NETWORK_FILE).graph for run in (first, shut_gate))
        assert one == other


def test_a_network_scores_half_against_itself_at_the_gate() -> None:
    game = make_game("connect4")
    network = make_network("pooled:channels=4,blocks=1", game, 3)
    data = export_onnx(network, card_for(game, "pooled:channels=4,blocks=1"))
    assert gate_share(game, data, data, simulations=4, games=12, seed=1) == 0.5


def test_the_share_of_optimal_moves_is_measured_where_the_game_is_solved(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 2)
    shares = [line["share"] for line in run.metrics() if line.get("measure") == "optimal_moves"]
    game = make_game("tictactoe")
    player = make_player(f"alphazero:12@{run.path}", game)
    positions = solved_positions(game, 20, seed=0)
    right = sum(player.choose(position.view).action in position.best for position in positions)
    assert shares == [right / 20]


@pytest.mark.parametrize("change", ["search.keep_tree=true", "learning.sharpened_targets=true"])
def test_the_papers_search_trains_too(tmp_path: Path, change: str) -> None:
    whole = train(tmp_path / "whole", 2, changes=["search.kind=puct", change])
    train(tmp_path / "parts", 1, changes=["search.kind=puct", change])
    parts = train(tmp_path / "parts", 2, changes=["search.kind=puct", change])
    assert learnt(parts) == learnt(whole)


def test_sharpened_targets_are_one_move_once_the_temperature_is_0() -> None:
    game = make_game("tictactoe")
    changes = ["search.kind=puct", "learning.sharpened_targets=true", "search.temperature.until=0"]
    settings = alphazero_settings("tictactoe", "fast", [*QUICK, *changes])
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    played = Worker(game, settings, 4, seed=0).play(evaluator, 12, positions=60)
    assert set(np.unique(played.policy_targets)) == {0.0, 1.0}
    assert (played.policy_targets.max(axis=1) == 1).all()


def test_nothing_is_learnt_from_what_came_before_a_random_move() -> None:
    game = make_game("connect4")
    changes = ["selfplay.opening_plies=0", "selfplay.deviation_share=1", "selfplay.deviation_plies=1"]
    settings = alphazero_settings("connect4", "fast", [*QUICK, *changes])
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    played = Worker(game, settings, 4, seed=0).play(evaluator, 4, positions=60)
    assert (played.positions != game.new().position).any(axis=1).all()
    assert len(played.values) == played.plies - played.games


def test_a_proven_position_teaches_its_result_and_not_the_games() -> None:
    game = make_game("tictactoe")
    settings = alphazero_settings("tictactoe", "fast", [*QUICK, "search.simulations=200"])
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    played = Worker(game, settings, 8, seed=0).play(evaluator, 200, positions=150)
    wrong = 0
    for position, value in zip(played.positions, played.values, strict=True):
        state = State(game, position)
        if len(state.legal_actions()) <= 4:  # 200 simulations prove these
            wrong += solve_moves(state).value != value
    assert wrong == 0


def test_a_window_keeps_the_latest(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 3, changes=["learning.window_positions=300"])
    sizes = [line["replay_positions"] for line in run.metrics() if line["kind"] == "learning"]
    assert max(sizes) < 700


def test_a_network_of_another_game_is_refused(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 1)
    with pytest.raises(Exception, match="tictactoe"):
        make_player(f"alphazero:10@{run.path}", make_game("connect4"))
