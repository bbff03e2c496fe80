"""AlphaZero's loop: it learns, the same seed is the same run, and a killed run goes on unharmed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.learn import trained
from tests.learn.trained import learnt, measured
from zerosum.app.studies.watching import played_games, replayed
from zerosum.arena.match import play_match
from zerosum.core.errors import BadNetwork
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.alphazero.gate import NetworkEntrant, gate_fixtures, gate_share
from zerosum.learn.alphazero.lessons.replay import Replay
from zerosum.learn.alphazero.selfplay.samples import PlayedPositions
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import alphazero_settings
from zerosum.learn.pool.pool import PoolSpec, Samples, start_pool
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.nets.building.registry import make_network
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.solved import solved_positions

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
    wanted = [*QUICK, *changes, f"budget.iterations={iterations}"]
    return trained.train("alphazero", folder, spec, wanted, seed)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run that nothing interrupts."""
    return train(tmp_path_factory.mktemp("runs") / "whole", 4)


def test_the_same_seed_in_two_parts_is_the_same_run_and_another_is_not(whole: Run, tmp_path: Path) -> None:
    train(tmp_path / "parts", 2)
    parts, other = train(tmp_path / "parts", 4), train(tmp_path / "other", 1, seed=1)
    assert measured(parts) == measured(whole)
    assert learnt(other)[0] != learnt(whole)[0]


def test_a_killed_run_goes_on_as_if_it_had_not_been(whole: Run, tmp_path: Path) -> None:
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
        time.sleep(0.02)  # the core is wanted elsewhere
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    resumed = train(tmp_path / "killed", 4)
    assert measured(resumed)[: len(measured(whole))] == measured(whole)


def _with_source() -> dict[str, str]:
    root = Path(__file__).parents[2]
    return {**os.environ, "PYTHONPATH": f"{root / 'src'}:{root}"}


def test_it_learns_to_beat_random_at_tictactoe(tmp_path: Path) -> None:
    changes = ["workers=2", "selfplay.positions=600", "learning.rate.start=0.003"]
    run = train(tmp_path / "run", 16, changes=changes)
    game = make_game("tictactoe")
    learnt = play_match(game, f"alphazero:0@{run.path}", "random", 200).total
    assert learnt.wins > 130  # a bare policy that knows nothing wins about half


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
    replay.add([handed_over(Worker(game, settings, 4, seed=0).play(evaluator, 8, positions=60))], 4, 1000)
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
    assert len(Replay(square, "all").symmetries) == 8
    assert len(Replay(square, "flips").symmetries) == 4
    assert len(Replay(cube, "flips").symmetries) == 8
    assert Replay(square, "none").symmetries.tolist() == [0]
    board = np.arange(9).reshape(3, 3)
    shown = [square.symmetries.cells[number].tolist() for number in Replay(square, "flips").symmetries]
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
    assert stopped == [0, 0]  # a network of two iterations does not win every game
    first = train(tmp_path / "first", 1, changes=["gate.share=1", "gate.games=6"])
    # The cards differ in the budget, the networks do not.
    at_play = [onnx.load_model(run.path / NETWORK_FILE).graph for run in (first, shut_gate, open_gate)]
    assert at_play[0] == at_play[1] != at_play[2]


def test_a_network_scores_half_against_itself_at_the_gate() -> None:
    game = make_game("connect4")
    network = make_network("pooled:channels=4,blocks=1", game, 3)
    data = export_onnx(network, card_for(game, "pooled:channels=4,blocks=1"))
    pool = start_pool("threads", PoolSpec("connect4"))
    entrant = NetworkEntrant(data, 4, "gate")
    heard: list[int] = []
    assert gate_share(pool, game, (entrant, entrant), games=11, seed=1, tell=heard.append) == 0.5
    assert heard[-1] == 12  # in pairs


def test_the_gate_gives_each_network_both_sides_of_every_opening() -> None:
    game = make_game("brick:random")
    fixtures = gate_fixtures(game, 20, seed=5)
    assert [fixture.number for fixture in fixtures] == list(range(20))
    for first, second in zip(fixtures[::2], fixtures[1::2], strict=True):
        assert first.seats == second.seats[::-1] == (0, 1)
        assert first.opening == second.opening
        assert first.seeds is not None
        assert second.seeds is not None
        assert first.seeds.start == second.seeds.start
        state = game.new(first.seeds.start)
        for action in first.opening:
            state.play(action)
        assert not state.finished
    assert len({fixture.opening for fixture in fixtures}) > 5
    assert gate_fixtures(game, 20, seed=5) == fixtures != gate_fixtures(game, 20, seed=6)


def test_the_share_of_optimal_moves_is_measured_where_the_game_is_solved(whole: Run) -> None:
    shares = [line["share"] for line in whole.metrics() if line.get("measure") == "optimal_moves"]
    game = make_game("tictactoe")
    player = make_player(f"alphazero:12@{whole.path}", game)
    positions = solved_positions(game, 20, seed=0)
    right = sum(player.choose(position.view).action in position.best for position in positions)
    assert len(shares) == 3  # before the first iteration, after the second and after the fourth
    assert shares[-1] == right / 20


@pytest.mark.parametrize("change", ["search.keep_tree=true", "learning.sharpened_targets=true"])
def test_the_papers_search_trains_too(tmp_path: Path, change: str) -> None:
    whole = train(tmp_path / "whole", 2, changes=["search.kind=puct", change])
    train(tmp_path / "parts", 1, changes=["search.kind=puct", change])
    parts = train(tmp_path / "parts", 2, changes=["search.kind=puct", change])
    assert learnt(parts) == learnt(whole)


def test_sharpened_targets_are_one_move_once_the_temperature_is_0() -> None:
    game = make_game("tictactoe")
    changes = ["search.kind=puct", "learning.sharpened_targets=true", "search.temperature.first=0"]
    settings = alphazero_settings("tictactoe", "fast", [*QUICK, *changes])
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    played = Worker(game, settings, 4, seed=0).play(evaluator, 12, positions=60)
    assert set(np.unique(played.policy_targets)) == {0.0, 1.0}
    assert (played.policy_targets.max(axis=1) == 1).all()


@pytest.mark.parametrize("kind", ["gumbel", "puct"])
def test_moves_are_drawn_as_freely_as_the_temperature_says(kind: str) -> None:
    game = make_game("connect4")
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    changes = [f"search.kind={kind}", "search.noise_share=0", "selfplay.opening_plies=0"]
    changes += ["selfplay.deviation_share=0", "search.temperature.kind=step", "search.temperature.until=1"]
    settings = alphazero_settings("connect4", "fast", [*QUICK, *changes])
    samples = Worker(game, settings, 16, seed=0).play(evaluator, 16, games=16)
    starts = [i for i, seen in enumerate(samples.positions) if not seen[: game.position_words].any()]
    lines = {tuple(samples.played[i : i + 6].tolist()) for i in starts}
    assert len(starts) >= 16
    assert len({line[0] for line in lines}) == len(lines) > 3  # the first move is drawn, the others follow


def test_nothing_is_learnt_from_what_came_before_a_random_move() -> None:
    game = make_game("connect4")
    changes = ["selfplay.opening_plies=0", "selfplay.deviation_share=1", "selfplay.deviation_plies=1"]
    settings = alphazero_settings("connect4", "fast", [*QUICK, *changes])
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    played = Worker(game, settings, 4, seed=0).play(evaluator, 4, positions=60)
    assert (played.positions != game.new().position).any(axis=1).all()
    assert not len(played.whole_game(game))
    assert len(played.values) == played.plies - played.games


@pytest.mark.parametrize("spec", ["connect4", "invisible-tictactoe", "brick:D4"])
def test_one_of_the_games_can_be_looked_at_from_the_start_to_the_end(spec: str) -> None:
    game = make_game(spec)
    network = make_network("pooled:channels=4,blocks=1", game)
    evaluator = Evaluator(export_onnx(network, card_for(game, "pooled:channels=4,blocks=1")), game)
    for share, there in (("1", True), ("0.2", False)):  # searched or not, moves are played
        changes = ["selfplay.opening_plies=0", f"search.full_search_probability={share}"]
        settings = alphazero_settings("tictactoe", "fast", [*QUICK, *changes, "search.fast_simulations=2"])
        actions = Worker(game, settings, 4, seed=0).play(evaluator, 4, positions=150).whole_game(game)
        assert bool(len(actions)) == there
        state = game.new()
        for action in actions.tolist():
            state.play(action)
        assert state.finished == there


def test_a_run_tells_how_fast_it_plays(whole: Run) -> None:
    for line in whole.metrics():
        if line["kind"] == "learning":
            seconds = line["self_play_seconds"] + line["learning_seconds"]
            assert line["simulations_per_second"] * seconds == pytest.approx(line["simulations_done"])
            assert line["games_per_second"] * seconds == pytest.approx(line["games"])


def test_a_run_keeps_a_game_of_each_iteration(whole: Run) -> None:
    games = played_games(whole.metrics())
    assert [game.iteration for game in games] == [1, 2, 3, 4]
    for game in games:
        *_, last = replayed(make_game("tictactoe"), game.moves)
        assert last.finished


def test_a_window_keeps_the_latest(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 3, changes=["learning.window_positions=300"])
    sizes = [line["replay_positions"] for line in run.metrics() if line["kind"] == "learning"]
    assert max(sizes) < 700


def handed_over(played: PlayedPositions) -> Samples:
    return Samples(0, played.arrays(), played.counts())


def samples(rows: int, value: float) -> Samples:
    """Rows that can be told from others."""
    return handed_over(
        PlayedPositions(
            np.full((rows, 2), int(value), np.uint64),
            np.full((rows, 9), int(value), np.uint16),
            np.full((rows, 9), value, np.float32),
            np.full(rows, value, np.float32),
            np.zeros(rows, np.uint16),
            np.zeros(rows, np.uint8),
            np.zeros(rows, np.uint16),
            np.zeros(rows, np.int8),
            np.zeros(rows, np.float32),
            np.zeros((rows, 2), np.uint64),
            games=1,
            first_won=0,
            drawn=1,
            plies=rows,
        )
    )


@given(
    sizes=st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=3), min_size=1, max_size=12),
    most_parts=st.integers(1, 9),
    most=st.integers(1, 40),
)
def test_a_window_is_the_latest_parts_that_fit(sizes: list[list[int]], most_parts: int, most: int) -> None:
    """However they came, and whether or not the run was saved in between."""
    replay = Replay(make_game("tictactoe"))
    parts: list[tuple[int, int]] = []  # number, rows
    for iteration in sizes:
        new = [(len(parts) + number, rows) for number, rows in enumerate(iteration)]
        parts += new
        replay.add([samples(rows, number) for number, rows in new], most_parts, most)
        again = Replay(make_game("tictactoe"))
        again.restore(replay.arrays())
        replay = again
    kept = parts[-most_parts:]
    while len(kept) > 1 and sum(rows for _, rows in kept) > most:
        del kept[0]
    expected = [float(number) for number, rows in kept for _ in range(rows)]
    assert replay.columns["values"].tolist() == expected
    assert replay.columns["positions"][:, 1].tolist() == expected
    assert [part.number for part in replay.parts] == [number for number, _ in kept]
    assert len(replay) == len(expected)


def test_the_window_of_an_earlier_version_is_read_and_saved_in_parts() -> None:
    old: dict[str, NDArray[Any]] = {
        "replay/positions": np.arange(10, dtype=np.uint64).reshape(5, 2),
        "replay/actions": np.zeros((5, 9), np.uint16),
        "replay/shares": np.ones((5, 9), np.float32),
        "replay/values": np.arange(5, dtype=np.float32),
        "replay/chunks": np.array([[3, 1, 0, 1, 9], [2, 2, 1, 0, 11]]),
    }
    replay = Replay(make_game("tictactoe"))
    replay.restore(old)
    replay.add([samples(1, 7)], 2, 100)
    arrays = replay.arrays()
    assert arrays["part-000001/values"].tolist() == [3, 4]
    assert arrays["part-000001/counts"].tolist() == [2, 1, 0, 11]
    assert arrays["part-000002/values"].tolist() == [7]
    assert len(replay) == 3


def test_a_network_of_another_game_is_refused(whole: Run) -> None:
    with pytest.raises(BadNetwork, match="is a network for tictactoe; it cannot play connect4"):
        make_player(f"alphazero:10@{whole.path}", make_game("connect4"))
