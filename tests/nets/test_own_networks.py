"""Networks that somebody else wrote, as files: they train and play like ours, and are not run unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from zerosum.app.training import resume, train
from zerosum.core.errors import BadSpec, Untrusted
from zerosum.core.outcome import FIRST
from zerosum.games import make_game
from zerosum.nets.building.registry import make_network, network_spec

TINY = Path(__file__).parents[2] / "examples" / "tiny_net.py"
SMALL = [
    "selfplay.games_at_once=8",
    "selfplay.positions=60",
    "search.simulations=4",
    "learning.batch=32",
    "evaluation.opponents=[]",
    "evaluation.solved_positions=0",
    "budget.minutes=null",
    "budget.iterations=1",
    "workers=1",
]


def test_a_file_is_a_network_with_settings() -> None:
    game = make_game("tictactoe")
    network = make_network(f"{TINY}:units=4", game)
    logits, values = network(torch.zeros(3, 2, 9))
    assert logits.shape == (3, 9)
    assert values.shape == (3,)
    assert network_spec(str(TINY)) == f"{TINY}:units=32"
    with pytest.raises(BadSpec, match="did you mean 'units'"):
        make_network(f"{TINY}:unit=4", game)


def test_a_file_that_is_no_network_is_refused_with_what_it_lacks(tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("'''Nothing.'''\n")
    with pytest.raises(BadSpec, match="lacks Settings and make"):
        make_network(str(tmp_path / "empty.py"), make_game("tictactoe"))
    with pytest.raises(BadSpec, match="no such file"):
        make_network(str(tmp_path / "none.py"), make_game("tictactoe"))


def test_it_is_trained_plays_without_its_file_and_goes_on_only_if_trusted(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(TINY.read_text())
    run = train("tictactoe", settings=[*SMALL, f"network={own}:units=4"], run=tmp_path / "run")
    with pytest.raises(Untrusted, match=r"own\.py"):
        resume(tmp_path / "run", settings=["budget.iterations=2"])
    resumed = resume(tmp_path / "run", settings=["budget.iterations=2"], trust=True)
    assert resumed.state() == "finished"
    own.unlink()
    game = make_game("tictactoe")
    player = run.player(4)
    player.new_game(0)
    assert game.new().mover == FIRST
    assert player.choose(game.new().view()).action in range(9)
