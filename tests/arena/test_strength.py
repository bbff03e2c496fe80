"""The table of strengths: what it asks can be asked, and what is measured says whether it holds."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from zerosum.arena.strength.positions import (
    PositionSet,
    all_states,
    count_right,
    right_moves,
    solved_positions,
)
from zerosum.arena.strength.table import ALL_STATES, BRICKS, SOLVED_POSITIONS, TABLE, Trial
from zerosum.arena.strength.trials import Strength, measure_strength, trials_of
from zerosum.arena.tally import Tally
from zerosum.core.errors import BadSpec
from zerosum.core.running.watch import Watch
from zerosum.games import make_game
from zerosum.players.common.registry import make_player
from zerosum.search.exact.exhaustive import solve_exhaustively

ROOT = Path(__file__).resolve().parents[2]


def test_every_trial_names_games_and_opponents_that_there_are() -> None:
    for trial in TABLE:
        assert bool(trial.opponent) != bool(trial.positions)
        for board in (trial.boards or (trial.game,))[:2]:
            game = make_game(board)
            if trial.opponent:
                assert make_player(trial.opponent, game).spec == trial.opponent
        targets = [trial.wins, trial.losses, trial.right]
        assert len([target for target in targets if target is not None]) <= 1
        assert trial.games % len(trial.boards or (1,)) == 0
    assert len({make_game(brick).spec for brick in BRICKS}) == 49


def test_tic_tac_toe_has_4520_unfinished_states() -> None:
    states = all_states(make_game("tictactoe"))
    assert len(states.views) == 4520
    assert "4,520" in states.title
    assert len(states.sample(7).views) == 7


def test_a_solver_moves_right_and_chance_does_not() -> None:
    game = make_game("tictactoe")
    states = all_states(game).sample(100)
    seen: list[float] = []
    assert count_right(game, "solver", states, on_progress=seen.append) == 100
    assert seen[-1] == 1.0
    assert count_right(game, "random", states) < 100


@pytest.mark.parametrize("moves", ["", "1", "12", "2314"])
def test_right_moves_are_those_that_keep_the_result_however_long_the_win_takes(moves: str) -> None:
    game = make_game("connect4:4x4x3")
    state = game.new()
    state.play_moves(moves)
    by_rules_alone = solve_exhaustively(game, state.position, Watch())
    assert set(right_moves(state.view())) == set(by_rules_alone.best)


def test_the_positions_that_ship_are_of_every_stage_and_none_is_there_twice() -> None:
    found = solved_positions(make_game("connect4"))
    assert len({view.position.tobytes() for view in found.views}) == len(found.views) == 2500
    stones = [len(view.history) for view in found.views]
    assert [sum(low <= count <= high for count in stones) for low, high in ((8, 13), (14, 27), (28, 40))] == [
        500,
        1000,
        1000,
    ]
    assert found.right is not None
    for view, right in zip(found.views, found.right, strict=True):
        assert set(right) <= set(view.legal_actions())
    assert {move for view in found.views for move in view.legal_actions()} == set(range(7))


def test_the_right_moves_that_ship_are_those_of_the_solver() -> None:
    found = solved_positions(make_game("connect4"))
    assert found.right is not None
    late = [at for at, view in enumerate(found.views) if len(view.history) > 16][::5]
    assert len(late) > 300
    for at in late:
        assert set(right_moves(found.views[at])) == set(found.right[at])


@pytest.mark.parametrize(
    ("kind", "least", "most", "number"),
    [("middle", 15, 28, 1700), ("opening", 2, 14, 40), ("hardest", 2, 14, 13)],
)
def test_hard_positions_have_one_or_two_right_moves_and_wrong_ones(
    kind: str, least: int, most: int, number: int
) -> None:
    found = solved_positions(make_game("connect4"), kind)
    assert found.right is not None
    assert len({view.position.tobytes() for view in found.views}) == len(found.views) >= number
    assert {len(view.history) for view in found.views} <= set(range(least, most + 1))
    for view, right in zip(found.views, found.right, strict=True):
        assert 1 <= len(right) <= 2
        assert set(right) < set(view.legal_actions())


def test_hard_positions_are_judged_by_the_rules_alone_as_by_the_solver() -> None:
    found = solved_positions(make_game("connect4"), "middle")
    assert found.right is not None
    late = [at for at, view in enumerate(found.views) if len(view.history) >= 26][:20]
    assert len(late) == 20
    for at in late:
        solution = solve_exhaustively(found.views[at].game, found.views[at].position, Watch())
        assert solution.value >= 0  # there is something to lose
        assert set(solution.best) == found.right[at]


@pytest.mark.parametrize("kind", ["opening", "hardest"])
def test_the_right_moves_of_hard_openings_are_those_of_the_solver(kind: str) -> None:
    found = solved_positions(make_game("connect4"), kind)
    assert found.right is not None
    late = [at for at, view in enumerate(found.views) if len(view.history) >= 12][:5]
    assert late
    for at in late:
        assert set(right_moves(found.views[at])) == found.right[at]


def test_a_game_without_positions_of_its_own_is_refused() -> None:
    with pytest.raises(BadSpec, match="no solved positions of connect4:5x5"):
        solved_positions(make_game("connect4:5x5"))


def test_known_right_moves_are_believed_in_a_sample_too() -> None:
    game = make_game("connect4")
    sample = solved_positions(game).sample(12)
    assert sample.right is not None
    assert count_right(game, "solver", PositionSet("", sample.views[6:], sample.right[6:]), workers=2) == 6
    assert count_right(game, "solver", PositionSet("", sample.views[6:], [set()] * 6), workers=2) == 0


def test_the_table_is_measured_row_by_row_whatever_the_number_of_workers() -> None:
    def rows(workers: int) -> list[dict[str, Any]]:
        found = [r.fields() for r in measure_strength(trials_of("tictactoe"), games=6, workers=workers)]
        for row in found:
            del row["seconds"]
        return found

    measured = rows(1)
    assert measured == rows(2)
    bare, searched, first, second = measured
    for row in (bare, searched):
        assert (row["right"], row["of"], row["holds"]) == (6, 6, True)
    assert (first["seat"], second["seat"]) == ("first", "second")
    for row in (first, second):
        assert row["wins"] + row["draws"] + row["losses"] == 6
        assert row["holds"] == (row["losses"] == 0)
        assert row["target"] == "no losses"


def test_a_game_without_a_network_is_a_row_that_says_so() -> None:
    trials = (Trial("abalone", 10, "random", games=4, wins=4), Trial("abalone", 10, "random", games=4))
    with_target, without = measure_strength(trials)
    assert with_target.fields()["note"] == "no network ships"
    assert with_target.fields()["wins"] is None
    assert with_target.holds is False
    assert without.holds is None


def test_the_seats_of_both_are_told_apart() -> None:
    trial = Trial("tictactoe", 10, "random", games=8, wins=1)
    (result,) = measure_strength([trial])
    assert result.as_first is not None
    assert result.as_first.games == 4
    assert result.result.games == 8


def test_boards_share_the_games() -> None:
    boards = ("tictactoe", "tictactoe:3x3")
    trial = Trial("tictactoe", 0, "random", seat="first", games=6, boards=boards, losses=6)
    seen: list[float] = []
    (result,) = measure_strength([trial], on_progress=lambda _, share: seen.append(share))
    assert result.result.games == 6
    assert seen[-1] == 1.0


@pytest.mark.parametrize(
    ("trial", "tally", "target", "holds"),
    [
        (Trial("brick", 0, "minimax:2", games=490, wins=440), Tally(440, 0, 50), "440 wins of 490", True),
        (Trial("brick", 0, "minimax:2", games=490, wins=440), Tally(439, 0, 51), "440 wins of 490", False),
        (Trial("brick", 0, "minimax:2", games=490, wins=440), Tally(9, 0, 1), "9 wins of 10", True),
        (Trial("tictactoe", 0, "solver", games=200, losses=0), Tally(0, 199, 1), "no losses", False),
        (Trial("qubic", 0, "random", games=2), Tally(1, 0, 1), "", None),
    ],
)
def test_a_target_holds_for_the_share_of_the_games_played(
    trial: Trial, tally: Tally, target: str, holds: bool | None
) -> None:
    result = Strength(trial, tally)
    assert (result.target, result.holds) == (target, holds)
    low, high = result.interval
    assert low <= result.counted[1] / tally.games <= high


def test_a_share_of_right_moves_is_a_target_too() -> None:
    trial = Trial("connect4", 400, positions=SOLVED_POSITIONS, right=0.98)
    assert Strength(trial, right=980, of=1000).holds
    assert not Strength(trial, right=979, of=1000).holds
    assert Strength(Trial("tictactoe", 50, positions=ALL_STATES, right=1.0), right=4520, of=4520).holds


def test_a_game_that_the_table_lacks_is_refused_with_those_it_has() -> None:
    assert {trial.game for trial in trials_of("othello:8x8")} == {"othello"}
    with pytest.raises(BadSpec, match="abalone"):
        trials_of("abalone")


def test_a_run_is_shipped_with_a_card_that_says_how_it_was_trained(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from zerosum.learn.alphazero.settings import alphazero_settings
    from zerosum.learn.events.listeners import Iterated, JsonLines, Moment
    from zerosum.learn.run.run import Run
    from zerosum.nets.artifact.card import card_for
    from zerosum.nets.artifact.export import export_onnx
    from zerosum.nets.building.registry import make_network, network_spec

    changes = ["budget.minutes=2", "search.simulations=8", "network=pooled:channels=8,blocks=1"]
    settings = alphazero_settings("tictactoe", "fast", changes)
    run = Run.create("tictactoe", "alphazero", 3, settings.as_json(), tmp_path / "run")
    game = make_game("tictactoe")
    network = make_network(settings.network, game)
    with run.claim():
        run.publish("network.onnx", export_onnx(network, card_for(game, network_spec(settings.network))))
    lines = JsonLines(run.metrics_path)
    for iteration in (1, 2):
        numbers = {"games": 10.0, "new_positions": 70.0}
        lines(Iterated(Moment(iteration, 0.5 * iteration), numbers))
    ship = runpy.run_path(str(ROOT / "scripts" / "ship.py"))["ship"]
    shipped = ship(run, tmp_path, games=2)
    assert shipped == tmp_path / "tictactoe.onnx"
    assert shipped.read_bytes() == (run.path / "network.onnx").read_bytes()
    card = json.loads((tmp_path / "tictactoe.json").read_text())
    said = {name: card[name] for name in ("game", "preset", "seed", "minutes", "iterations", "games")}
    assert said == {
        "game": "tictactoe",
        "preset": "fast",
        "seed": 3,
        "minutes": 1.0,
        "iterations": 2,
        "games": 20,
    }
    assert card["positions"] == 140
    assert card["evaluations"] is None
    words = card["command"].split()
    assert words[:5] == ["zerosum", "train", "tictactoe", "--seed", "3"]
    assert "--minutes 2" in card["command"]
    sets = [words[at + 1] for at, word in enumerate(words) if word == "--set"]
    assert sorted(sets) == ["network=pooled:channels=8,blocks=1", "search.simulations=8"]
    assert card["parameters"] == sum(weights.numel() for weights in network.parameters())
    assert [row["of"] for row in card["results"] if "measure" in row] == [2, 2]
    assert all("interval" in row for row in card["results"])
