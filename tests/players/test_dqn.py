"""The player of line networks: takes wins, says what it thinks of each move, and needs no torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.learn.made_runs import environment
from zerosum.arena.match import play_match
from zerosum.core.errors import BadNetwork, BadSpec
from zerosum.games import make_game
from zerosum.learn.dqn.judge import judge_position, line_net
from zerosum.nets.artifact.card import card_for
from zerosum.nets.artifact.export import export_onnx
from zerosum.nets.artifact.store import NETWORK_FILE, SHIPPED
from zerosum.nets.building.registry import make_network
from zerosum.nets.lines import Lines
from zerosum.players.common.registry import make_player
from zerosum.players.common.runs import BadRun


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run whose network, for bricks, has learnt nothing."""
    game = make_game("brick:D4")
    network = make_network("lines", game, seed=2)
    (tmp_path / "settings.json").write_text('{"settings": {"play": {"foresight": 2}}}')
    (tmp_path / NETWORK_FILE).write_bytes(export_onnx(network, card_for(game, "lines")))
    return tmp_path


def test_a_win_in_one_is_taken_whatever_the_network_thinks(run: Path) -> None:
    state = make_game("brick:D4").new()
    state.play_moves("A1 G7 A2 G6 A3 G5")
    choice = make_player(f"dqn@{run}", state.game).choose(state.view())
    assert state.game.notation.name(choice.action) == "A4"
    assert choice.candidates[0].value == 1.0


@pytest.mark.parametrize("plies", [1, 2])
def test_it_thinks_of_each_move_what_the_kernel_of_training_thinks(run: Path, plies: int) -> None:
    state = make_game("brick:D4").new()
    state.play_moves("A1 G7 B2 C3 C5 E5 A3 E7 F6" if plies == 1 else "A1 G7 B2 G6 C5 G5 A7")
    network = make_network("lines", state.game, seed=2)
    assert isinstance(network, Lines)
    expected = judge_position(state.game, line_net(network, state.game), state.position, plies)
    choice = make_player(f"dqn:{plies}@{run}", state.game).choose(state.view())
    found = {candidate.action: candidate.value or 0.0 for candidate in choice.candidates}
    assert found.keys() == expected.keys()
    assert np.allclose([found[action] for action in expected], list(expected.values()), atol=1e-5)
    assert choice.action == max(expected, key=lambda action: expected[action])


def test_the_opponents_win_is_blocked_unless_it_is_told_to_look_at_its_own_only(run: Path) -> None:
    state = make_game("brick:D4").new()
    state.play_moves("A1 G7 B2 G6 C5 G5")
    choice = make_player(f"dqn@{run}", state.game).choose(state.view())
    assert state.game.notation.name(choice.action) == "G4"
    assert sum(candidate.value == -1.0 for candidate in choice.candidates) == 41
    blind = make_player(f"dqn:1@{run}", state.game).choose(state.view())
    assert sum(candidate.value == -1.0 for candidate in blind.candidates) == 0


def test_without_a_number_it_looks_as_far_as_it_was_trained_to(run: Path) -> None:
    game = make_game("brick:D4")
    assert make_player(f"dqn@{run}", game).spec == f"dqn:2@{run}"
    (run / "settings.json").write_text('{"settings": {"play": {"foresight": 1}}}')
    assert make_player(f"dqn@{run}", game).spec == f"dqn:1@{run}"
    assert make_player(f"dqn:2@{run}", game).spec == f"dqn:2@{run}"
    (run / "settings.json").write_text("{}")
    with pytest.raises(BadRun, match="was not trained by dqn"):
        make_player(f"dqn@{run}", game)


def test_the_network_that_ships_beats_random_and_is_described_by_its_card() -> None:
    game = make_game("qubic")
    assert make_player("dqn", game).spec == "dqn:2"
    assert play_match(game, "dqn", "random", 20).total.wins == 20
    assert play_match(game, "dqn:1", "random", 20).total.wins >= 19
    card = json.loads((SHIPPED["dqn"] / "qubic.json").read_text())
    assert card["command"].startswith("zerosum train qubic --method dqn")
    assert {row["opponent"] for row in card["results"]} == {"random", "greedy", "mcts:100"}


def test_what_it_cannot_play_is_refused(run: Path) -> None:
    with pytest.raises(BadNetwork, match="cannot play connect4"):
        make_player(f"dqn@{run}", make_game("connect4"))
    with pytest.raises(BadSpec, match="train connect4 --method dqn"):
        make_player("dqn", make_game("connect4"))
    with pytest.raises(BadSpec, match="foresees 0, 1 or 2 plies"):
        make_player(f"dqn:5@{run}", make_game("brick:D4"))


def test_it_plays_without_torch(run: Path) -> None:
    program = (
        "import sys\n"
        "sys.modules['torch'] = None\n"
        "from zerosum.games import make_game\n"
        "from zerosum.players.common.registry import make_player\n"
        "game = make_game('brick:D4')\n"
        "print(make_player(sys.argv[1], game).choose(game.new().view()).action)\n"
    )
    command = [sys.executable, "-c", program, f"dqn@{run}"]
    told = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True).stdout
    assert 0 <= int(told) < 49
