"""Levels: what was measured is found by name, and refused where it is not what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zerosum.app.studies import levels as use
from zerosum.app.studies.levels import NAMES, find_level, levels_of, measure_levels, save_levels
from zerosum.core.errors import BadSpec
from zerosum.games import make_game
from zerosum.players.best import BestPlayer, heart_of
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.solved import solve_moves

KINDS = ("NETWORK", "HEURISTIC", "SEARCH", "POLICY", "HIDDEN_NETWORK", "HIDDEN_SEARCH")
KNOWN = [set(getattr(use, f"BY_{kind}")) for kind in KINDS]


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_measured_levels_rise_with_the_rating_and_are_found_by_name() -> None:
    game = make_game("mnk:3x3x3")
    heard: list[tuple[int, int]] = []
    found = measure_levels(game, games=4, seed=1, on_result=lambda *told: heard.append(told))
    assert [level.name for level in found.levels] == list(NAMES)
    ratings = [level.rating or 0.0 for level in found.levels]
    assert ratings == sorted(ratings)
    assert found.levels[0].player == "random"
    assert heard[-1] == (40, 40)
    assert levels_of(game) is None
    save_levels(found, game)
    assert levels_of(game) == found
    assert find_level(game, "Hard") == found.levels[3]
    assert find_level(game, "best") is None
    with pytest.raises(BadSpec, match="did you mean 'easy'"):
        find_level(game, "eazy")


def test_a_game_without_measured_levels_has_supposed_ones_and_says_so() -> None:
    game = make_game("mnk:6x6x4")
    assert levels_of(game) is None
    easy = find_level(game, "easy")
    assert easy == use.Level("easy", "mcts:20")
    assert str(easy) == "level easy: mcts:20, whose strength nobody has measured at this game"
    with pytest.raises(BadSpec, match="did you mean 'easy'"):
        find_level(game, "eazy")


@pytest.mark.parametrize(
    "spec", ["othello", "blokus", "abalone", "invisible-connect4", "invisible-mnk:4x4x3"]
)
def test_supposed_levels_can_play(spec: str) -> None:
    game = make_game(spec)
    for level in use.supposed_levels(game).levels:
        assert make_player(level.player, game).spec


def test_a_damaged_or_foreign_file_is_refused_in_a_line(at_home: Path) -> None:
    game = make_game("tictactoe")
    folder = at_home / "levels"
    folder.mkdir()
    for text in ("{", "[]", '{"game": "tictactoe", "games": 1, "seed": 0, "levels": [{}]}'):
        (folder / "tictactoe.json").write_text(text)
        with pytest.raises(BadSpec, match="does not hold levels"):
            levels_of(game)
    (folder / "tictactoe.json").write_text('{"game": "mnk:5x5x4", "games": 1, "seed": 0, "levels": []}')
    with pytest.raises(BadSpec, match="levels of mnk:5x5x4, not of tictactoe"):
        levels_of(game)


def test_levels_that_ship_are_of_games_and_players_that_there_are() -> None:
    files = sorted(use.SHIPPED.glob("*.json"))
    assert files
    for file in files:
        spec = json.loads(file.read_bytes())["game"]
        found = levels_of(make_game(spec))
        assert found is not None
        assert found.game == spec
        assert [level.name for level in found.levels] == list(NAMES)
        assert {level.player for level in found.levels} in KNOWN
        assert all(level.error for level in found.levels)
        ratings = [level.rating or 0.0 for level in found.levels]
        assert ratings[-1] - ratings[0] > 100


def test_the_best_player_of_every_game_is_its_network_where_one_ships() -> None:
    assert heart_of(make_game("connect4")).spec == "alphazero:400"
    assert heart_of(make_game("invisible-tictactoe")).spec == "cfr"
    assert heart_of(make_game("mnk:10x10x5")).spec == "minimax:2"  # long random games tell nothing
    assert heart_of(make_game("abalone")).spec == "minimax:2"
    assert heart_of(make_game("mnk:5x5x4")).spec == "mcts:20000"


def test_the_best_player_plays_what_is_proven() -> None:
    game = make_game("tictactoe")
    player = make_player("best:60s", game)
    assert isinstance(player, BestPlayer)
    player.heart = make_player("random", game)  # whoever it would be without the solver
    for seed, moves in enumerate(("a1", "a1 b1", "b2 a1 c3", "a1 b2 b1") * 3):
        state = game.new()
        state.play_moves(moves)
        player.new_game(seed)
        assert player.choose(state.view()).action in solve_moves(state).best
        assert player.speaker == "solver"
