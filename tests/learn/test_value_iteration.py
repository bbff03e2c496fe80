"""Value iteration and value set iteration: exact, in as many sweeps as they should need, and resumable."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.learn.trained import learnt, train
from zerosum.arena.match import play_match
from zerosum.core.errors import BadSpec, Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND, UNFINISHED, value_for
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.core.symmetry import identity_only
from zerosum.games import make_game
from zerosum.learn.training.method import find_method
from zerosum.learn.value_iteration.loop import ValueIteration, first_estimate
from zerosum.learn.value_iteration.settings import ValueIterationSettings
from zerosum.learn.value_iteration.sweeps import best_answer, sweep
from zerosum.players.common.registry import make_player
from zerosum.players.common.runs import BadRun
from zerosum.search.enumerate.canonical import Canon
from zerosum.search.enumerate.graph import exact_values
from zerosum.search.enumerate.starts import all_starts
from zerosum.search.exact.solve import solve

METHODS = ("policy-set-iteration", "value-iteration", "value-set-iteration")


def made(policies: int = 0, start: float = 1.0, discount: float = 1.0) -> ValueIteration:
    settings = ValueIterationSettings(policies=policies, start=start, discount=discount)
    return ValueIteration(make_game("tictactoe"), settings, 0)


def estimates(learner: ValueIteration) -> list[list[float]]:
    """The values of all states after each sweep, until they converged."""
    found: list[list[float]] = []
    while not learner.settled():
        learner.iterate(len(found) + 1, lambda *_: None)
        found.append(learner.values.tolist())
        assert len(found) < 30
    return found


def is_perfect(game: Game, player: str) -> bool:
    """Whether a player loses to the solver only where the game is lost from the start."""
    result, value = play_match(game, player, "solver", 12), solve(game, game.new().position, Watch()).value
    return (value < 0 or not result.as_first.losses) and (value > 0 or not result.as_second.losses)


@pytest.mark.plain_python
def test_all_5478_positions_of_tictactoe_get_their_exact_value() -> None:
    """Against a search that tries everything, written without the graph."""
    plain = make_game("tictactoe")
    game = replace(plain, symmetries=identity_only(plain.num_cells, plain.num_actions))  # shows all states
    learner = ValueIteration(game, ValueIterationSettings(discount=1.0), 0)
    assert (
        len(estimates(learner)) == 10
    )  # nine moves to the end of the longest game, and one that changes nothing
    exact: dict[bytes, float] = {}

    def search(state: State) -> float:
        key = state.position.tobytes()
        if key not in exact:
            if state.finished:
                exact[key] = value_for(state.outcome, FIRST)
            else:
                children = []
                for action in state.legal_actions():
                    child = state.copy()
                    child.play(action)
                    children.append(search(child))
                exact[key] = max(children) if state.mover == FIRST else min(children)
        return exact[key]

    search(game.new())
    keys = [position.tobytes() for position in learner.graph.positions]
    assert dict(zip(keys, learner.values.tolist(), strict=True)) == exact
    assert len(exact) == 5478


def test_all_9722011_positions_of_4x4_get_their_exact_value() -> None:
    game = make_game("tictactoe:4x4")
    learner = ValueIteration(game, ValueIterationSettings(discount=1.0), 0)
    sweeps = 0
    while not learner.settled():
        sweeps += 1
        learner.iterate(sweeps, lambda *_: None)
    graph = learner.graph
    assert (sweeps, len(graph), int(np.count_nonzero(graph.outcomes))) == (17, 9_722_011, 659_392)
    assert len(graph.shown) == len(np.unique(graph.keys)) == 1_217_977
    assert np.array_equal(learner.values, exact_values(graph))
    open_states = np.flatnonzero(graph.outcomes[graph.shown] == UNFINISHED)
    for number in open_states[:: len(open_states) // 200]:
        found = solve(game, graph.positions[number], Watch()).value
        state = graph.shown[number]
        assert learner.values[state] == (found if graph.movers[state] == FIRST else -found)


@pytest.mark.parametrize("policies", [0, 1, 4, 16])
@pytest.mark.parametrize("discount", [1.0, 0.9])
@pytest.mark.parametrize("start", [1.0, 0.0, -1.0])
def test_every_set_of_policies_leads_to_the_same_values(policies: int, discount: float, start: float) -> None:
    learner = made(policies, start, discount)
    final = estimates(learner)[-1]
    assert final == exact_values(learner.graph, discount).tolist()


@pytest.mark.parametrize("policies", [1, 4])
@pytest.mark.parametrize("discount", [0.9, 1.0])
def test_policy_set_iteration_finds_the_same_values_and_never_steps_back(
    policies: int, discount: float
) -> None:
    settings = ValueIterationSettings(policies=policies, evaluates="policies", discount=discount)
    found = np.array(estimates(ValueIteration(make_game("tictactoe"), settings, 0)))
    exact = np.array(estimates(made(discount=discount)))
    assert np.array_equal(found[-1], exact[-1])
    assert (np.diff(found, axis=0) <= 1e-6).all()
    assert len(found) < len(exact)


def test_policy_set_iteration_needs_a_set() -> None:
    with pytest.raises(ValueError, match="evaluates=policies needs a set"):
        ValueIterationSettings(evaluates="policies")


def test_without_policies_value_set_iteration_is_value_iteration() -> None:
    """Against sweeps written out by hand, for one code serves both."""
    learner = made()
    by_hand = first_estimate(learner.graph, 1.0)
    for values in estimates(learner):
        by_hand, _, _, _ = sweep(learner.graph, by_hand, 1.0)
        assert values == by_hand.tolist()


def test_policies_never_slow_it_down_from_above() -> None:
    exact = exact_values(made().graph)
    errors = {
        policies: [np.abs(np.array(values) - exact).sum() for values in estimates(made(policies))]
        for policies in (0, 1, 4)
    }
    for policies in (1, 4):
        assert len(errors[policies]) < len(errors[0])
        assert all(a <= b for a, b in zip(errors[policies], errors[0], strict=False))


def test_the_best_answer_is_found_by_searching_through_it() -> None:
    learner = made()
    learner.iterate(1, lambda *_: None)
    graph = learner.graph
    _, policy, _, _ = sweep(graph, learner.values, 1.0)
    found = best_answer(graph, policy, 1.0)

    def worth(state: int) -> float:
        children = graph.targets[graph.first[state] : graph.first[state + 1]]
        if len(children) == 0:
            return {1: 1.0, 2: -1.0, 3: 0.0}[int(graph.outcomes[state])]
        if graph.movers[state] == SECOND:
            return worth(children[policy[state]])
        return max(worth(child) for child in children)

    for state in range(len(graph) // 3, len(graph), 50):
        assert found[state] == worth(state)


def test_it_plays_perfectly_and_wins_as_soon_as_it_can(tmp_path: Path) -> None:
    run = train("value-iteration", tmp_path / "run", "mnk:4x3x3")
    player = f"value-iteration@{run.path}"
    game = make_game("mnk:4x3x3")
    assert is_perfect(game, player)
    state = game.new()
    state.play_moves("a1 d1 b1 d2")
    assert game.notation.name(make_player(player, game).choose(state.view()).action) == "c1"


@pytest.mark.parametrize("spec", ["connect4:4x4x3", "othello:4x4", "./examples/hex.py:3x3"])
def test_it_works_for_any_small_game(spec: str, tmp_path: Path) -> None:
    run = train("value-iteration", tmp_path / "run", spec, ['evaluation.opponents=["random"]'])
    game = make_game(spec)
    assert is_perfect(game, f"value-iteration@{run.path}")
    assert learnt(run)[-1]["largest_change"] == 0


@pytest.mark.parametrize("method", METHODS)
def test_a_run_in_two_parts_is_the_run_in_one(method: str, tmp_path: Path) -> None:
    whole = train(method, tmp_path / "whole", "tictactoe")
    train(method, tmp_path / "parts", "tictactoe", ["budget.iterations=2"])
    parts = train(method, tmp_path / "parts", "tictactoe", ["budget.iterations=null"])
    assert learnt(parts) == learnt(whole)
    assert (parts.path / "values.npz").read_bytes() == (whole.path / "values.npz").read_bytes()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("preset", ["fast", "paper"])
def test_every_preset_holds_its_own_against_the_solver(method: str, preset: str, tmp_path: Path) -> None:
    run = train(method, tmp_path / "run", "tictactoe", preset=preset)
    assert play_match(make_game("tictactoe"), f"{method}@{run.path}", "solver", 20).total.losses == 0


def test_what_cannot_be_is_refused() -> None:
    game = make_game("tictactoe:5x5")
    with pytest.raises(Unsolvable, match="about"):
        ValueIteration(game, ValueIterationSettings(), 0).iterate(1, lambda *_: None)
    with pytest.raises(BadSpec, match="start"):
        find_method("value-iteration").settings_for("tictactoe", "fast", ["start=2"])


def test_a_table_is_for_its_own_game_and_undamaged(tmp_path: Path) -> None:
    run = train("value-iteration", tmp_path / "run", "tictactoe")
    with pytest.raises(BadSpec, match="learnt from tictactoe, not from tictactoe:4x4"):
        make_player(f"value-iteration@{run.path}", make_game("tictactoe:4x4"))
    with pytest.raises(BadSpec, match="name the run"):
        make_player("value-iteration", make_game("tictactoe"))
    with pytest.raises(BadRun, match="another method"):
        make_player(f"q-learning@{run.path}", make_game("tictactoe"))
    file = run.path / "values.npz"
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(BadRun, match="damaged"):
        make_player(f"value-iteration@{run.path}", make_game("tictactoe"))


def test_a_position_it_does_not_have_counts_as_a_draw(tmp_path: Path) -> None:
    run = train("value-iteration", tmp_path / "run", "tictactoe")
    game = make_game("tictactoe")
    state = State(game, np.array([0b111, 0, 0, 1, 0], dtype=np.uint64))  # nobody plays so
    assert make_player(f"value-iteration@{run.path}", game).choose(state.view()).action in range(3, 9)


def test_every_layout_of_a_game_that_draws_its_bricks_is_in_the_table() -> None:
    game = make_game("brick:4x3x3:random")
    learner = ValueIteration(game, ValueIterationSettings(discount=1.0), 0)
    while not learner.settled():
        learner.iterate(1, lambda *_: None)
    keys, values = learner._by_key()
    known = dict(zip(keys.tolist(), values.tolist(), strict=True))
    for start in all_starts(game):
        key = int(Canon(game).keys(start[None, :])[0][0])
        assert known[key] == solve(game, start, Watch()).value


def test_a_table_of_one_layout_is_not_gone_on_with() -> None:
    """As earlier versions left it behind."""
    learner = ValueIteration(make_game("brick:3x3x3:random"), ValueIterationSettings(), 0)
    learner.restore({"values": np.zeros(100, dtype=np.float32)}, {"change": 0.0, "policies": 0})
    assert not learner.settled()
    while not learner.settled():
        learner.iterate(1, lambda *_: None)
    assert np.array_equal(learner.values, exact_values(learner.graph, 0.9))
