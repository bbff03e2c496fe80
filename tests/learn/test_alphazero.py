"""AlphaZero's loop: it learns, the same seed is the same run, and a killed run goes on unharmed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zerosum.arena.match import play_match
from zerosum.games.kit.registry import make_game
from zerosum.games.kit.state import State
from zerosum.learn.alphazero.loop import Trainer
from zerosum.learn.alphazero.replay import Replay
from zerosum.learn.alphazero.selfplay import Worker
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.learn.kit.listeners import Contest, JsonLines, Listeners
from zerosum.learn.kit.metrics import Line, without_times
from zerosum.learn.kit.run import Run
from zerosum.nets.kit.card import card_for
from zerosum.nets.kit.evaluator import Evaluator
from zerosum.nets.kit.export import export_onnx
from zerosum.nets.kit.registry import make_network
from zerosum.players.kit.registry import make_player

QUICK = [
    "network=pooled:channels=8,blocks=1",
    "selfplay.games_at_once=16",
    "selfplay.positions=200",
    "search.simulations=12",
    "evaluation.every_iterations=2",
    "evaluation.games=4",
    'evaluation.opponents=["random"]',
    "learning.batch=64",
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
        Trainer(run, game, settings, Listeners([JsonLines(run.metrics_path)]), match).train()
    return run


def measured(run: Run) -> list[Line]:
    return [without_times(line) for line in run.metrics()]


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
    assert np.allclose(played.shares.sum(axis=1), 1, atol=1e-3)
    for row in range(0, len(played.values), 7):
        legal = State(game, played.positions[row]).legal_actions()
        chosen = played.actions[row][played.shares[row] > 0]
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
    batch = replay.draw(200, np.random.default_rng(0), symmetric=True)
    stones = batch["planes"].sum(axis=1)  # [row, cell]
    assert ((stones == 0) == (batch["legal"] == 1)).all()
    assert (batch["policy"][batch["legal"] == 0] == 0).all()
    assert np.allclose(batch["policy"].sum(axis=1), 1, atol=1e-3)


def test_iterations_can_be_counted_in_games(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 2, changes=["selfplay.positions=null", "selfplay.games=20"])
    played = [line["games"] for line in run.metrics() if line["kind"] == "learning"]
    assert min(played) >= 20


def test_a_setting_without_effect_is_told_aloud(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 1, changes=["gate.share=0.55"])
    assert any("gate.share" in line["text"] for line in run.metrics() if line["kind"] == "warning")


def test_a_window_keeps_the_latest(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 3, changes=["learning.window_positions=300"])
    sizes = [line["replay_positions"] for line in run.metrics() if line["kind"] == "learning"]
    assert max(sizes) < 700


def test_a_network_of_another_game_is_refused(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 1)
    with pytest.raises(Exception, match="tictactoe"):
        make_player(f"alphazero:10@{run.path}", make_game("connect4"))
