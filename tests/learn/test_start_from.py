"""A run that begins with what another has learnt: the same answers at first, or a reason why not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from zerosum.app.training import new_training, resume, train
from zerosum.core.errors import BadNetwork, BadSpec, ZerosumError
from zerosum.games import make_game
from zerosum.learn.alphazero.loop import BATCH_LOSSES
from zerosum.learn.run.run import Run
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.store import NETWORK_FILE
from zerosum.players.common.registry import make_player
from zerosum.players.common.runs import BadRun

SMALL = [
    "selfplay.games_at_once=8",
    "selfplay.positions=60",
    "search.simulations=4",
    "learning.batch=32",
    "learning.average=0.5",
    "evaluation.opponents=[]",
    "evaluation.solved_positions=0",
    "budget.minutes=null",
    "budget.iterations=2",
    "workers=1",
]


def learnt(
    folder: Path, game: str, net: str = "pooled:channels=8,blocks=1", start: Path | None = None
) -> Run:
    return train(game, settings=[*SMALL, f"network={net}"], run=folder, start_from=start)


@pytest.fixture(scope="module")
def tictactoe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learnt(tmp_path_factory.mktemp("runs") / "open", "tictactoe").path


def begun(tmp_path: Path, game: str, origin: Path, net: str = "pooled:channels=8,blocks=1") -> Path:
    """A run that has taken over another's weights and not learnt yet."""
    new_training(game, settings=[*SMALL, f"network={net}"], run=tmp_path / "new", start_from=origin)
    return tmp_path / "new"


def test_on_the_same_game_the_network_is_the_same(tictactoe: Path, tmp_path: Path) -> None:
    game = make_game("tictactoe")
    planes = np.random.default_rng(1).integers(0, 2, (5, 2, 9)).astype(np.float32)
    old, new = (
        Evaluator(run / NETWORK_FILE, game).evaluate(planes)
        for run in (tictactoe, begun(tmp_path, "tictactoe", tictactoe))
    )
    assert np.array_equal(old[0], new[0])
    assert np.array_equal(old[1], new[1])
    assert np.abs(old[1]).max() > 0  # it has learnt something


def test_on_another_board_it_answers_as_the_old_one_does_there(tictactoe: Path, tmp_path: Path) -> None:
    game = make_game("tictactoe:5x5")
    planes = np.random.default_rng(1).integers(0, 2, (5, 2, 25)).astype(np.float32)
    old = Evaluator(tictactoe / NETWORK_FILE, game).evaluate(planes)
    new = Evaluator(begun(tmp_path, "tictactoe:5x5", tictactoe) / NETWORK_FILE, game).evaluate(planes)
    assert np.allclose(old[0], new[0], atol=1e-5)


def test_in_the_invisible_game_what_is_new_weighs_nothing_at_first(tictactoe: Path, tmp_path: Path) -> None:
    hidden, shown = make_game("invisible-tictactoe"), make_game("tictactoe")
    run = begun(tmp_path, "invisible-tictactoe", tictactoe)
    planes = np.random.default_rng(1).integers(0, 2, (5, len(hidden.planes), 9)).astype(np.float32)
    new = Evaluator(run / NETWORK_FILE, hidden).evaluate(planes)
    old = Evaluator(tictactoe / NETWORK_FILE, shown).evaluate(np.ascontiguousarray(planes[:, :2]))
    assert np.allclose(old[0], new[0], atol=1e-5)
    assert np.allclose(old[1], new[1], atol=1e-5)


def test_it_learns_on_from_there_and_says_where_it_came_from(tictactoe: Path, tmp_path: Path) -> None:
    run = learnt(tmp_path / "new", "invisible-tictactoe", start=tictactoe)
    assert run.record.started_from == str(tictactoe)
    assert [line["iteration"] for line in run.metrics() if line["kind"] == "learning"] == [1, 2]


def test_killed_before_its_first_iteration_it_has_the_weights_still(tictactoe: Path, tmp_path: Path) -> None:
    whole = learnt(tmp_path / "whole", "tictactoe", start=tictactoe)
    again = resume(begun(tmp_path, "tictactoe", tictactoe))
    losses = [
        [line["policy_loss"] for line in run.metrics() if line["kind"] == "learning"]
        for run in (whole, again)
    ]
    assert losses[0] == losses[1]


def test_what_does_not_fit_is_refused_with_the_reason(tictactoe: Path, tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="learnt tictactoe, which is another game than connect4"):
        begun(tmp_path, "connect4", tictactoe)
    with pytest.raises(BadRun, match="has another network; say --net pooled:channels=8,blocks=1"):
        begun(tmp_path, "tictactoe", tictactoe, "pooled:channels=8,blocks=2")
    with pytest.raises(BadSpec, match="q-learning starts from nothing"):
        new_training("tictactoe", "q-learning", run=tmp_path / "q", start_from=tictactoe)
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "q").exists()


@pytest.mark.parametrize(
    ("net", "game"), [("mlp", "tictactoe:4x4"), ("conv:dense=8x8", "invisible-tictactoe")]
)
def test_networks_of_one_board_refuse_another(net: str, game: str, tmp_path: Path) -> None:
    learnt(tmp_path / "old", "tictactoe", net)
    with pytest.raises(ZerosumError, match=r"a network for tictactoe cannot start one for|would not see"):
        begun(tmp_path, game, tmp_path / "old", net)


def test_weights_that_the_network_does_not_know_are_refused() -> None:
    from zerosum.nets.building.registry import make_network
    from zerosum.nets.building.transplant import transplant

    game = make_game("tictactoe")
    with pytest.raises(BadNetwork, match="weights that this network does not have"):
        transplant(make_network("pooled", game).state_dict(), game, make_network("mlp", game), game)


def test_losses_of_every_batch_are_kept_where_wanted_through_a_resume(tmp_path: Path) -> None:
    settings = [*SMALL, "network=mlp", "learning.keep_batch_losses=true", "learning.steps=3"]
    whole = train("tictactoe", settings=settings, run=tmp_path / "whole")
    parts = train("tictactoe", settings=[*settings, "budget.iterations=1"], run=tmp_path / "parts")
    resume(parts, settings=["budget.iterations=2"])
    text = (whole.path / BATCH_LOSSES).read_text()
    assert text == (parts.path / BATCH_LOSSES).read_text()
    rows = np.array([line.split(",") for line in text.splitlines()[1:]], dtype=np.float64)
    assert rows[:, 0].tolist() == [1, 1, 1, 2, 2, 2]
    means = [line["policy_loss"] for line in whole.metrics() if line["kind"] == "learning"]
    assert [rows[rows[:, 0] == when, 1].mean() for when in (1, 2)] == pytest.approx(means, rel=1e-4)


@pytest.mark.parametrize("seat", ["first", "second"])
def test_contests_while_training_can_be_of_one_seat(seat: str, tmp_path: Path) -> None:
    wishes = ['evaluation.opponents=["random"]', "evaluation.games=4", f"evaluation.seat={seat}"]
    run = train("tictactoe", settings=[*SMALL, "network=mlp", *wishes], run=tmp_path / "run")
    check = [line for line in run.metrics() if line["kind"] == "strength"][-1]
    other = "second" if seat == "first" else "first"
    assert check[f"as_{seat}"] == [check["wins"], check["draws"], check["losses"]]
    assert sum(check[f"as_{seat}"]) == 4
    assert check[f"as_{other}"] == [0, 0, 0]


def test_training_without_proofs_proves_nothing(tmp_path: Path) -> None:
    wishes = ["search.kind=puct", "search.proofs=false", "search.untried=even", "search.simulations=30"]
    run = train("tictactoe", settings=[*SMALL, "network=mlp", *wishes], run=tmp_path / "run")
    done = next(line for line in run.metrics() if line["kind"] == "learning")
    assert done["simulations_done"] > 0
    assert make_player(f"alphazero:5@{run.path}", make_game("tictactoe")).spec.startswith("alphazero:5")
