"""Q-learning: the updates are those of the books, what it learns is true, and a run can be cut in two."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.learn.trained import learnt, train
from zerosum.arena.match import play_match
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, value_for
from zerosum.core.random import make_rng, random_below, random_unit
from zerosum.core.state import State
from zerosum.core.symmetry import identity_only
from zerosum.games import make_game
from zerosum.learn.q_learning.episodes import ROWS, draw_towards_untried
from zerosum.learn.q_learning.loop import QLearning
from zerosum.learn.q_learning.memory import row_bytes
from zerosum.learn.run.listing import list_runs
from zerosum.learn.training.method import find_method
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.canonical import Canon

KNOWN: dict[bytes, float] = {}  # what positions of tic-tac-toe are worth
SMALL = ["megabytes=2", "iteration_episodes=4000", "budget.episodes=12000", "evaluation.opponents=[]"]


def settings(game: Game, *changes: str) -> Any:
    return find_method("q-learning").settings_for(game.spec, "fast", [*SMALL, *changes])


def without_symmetries(spec: str) -> Game:
    game = make_game(spec)
    return replace(game, symmetries=identity_only(game.num_cells, game.num_actions))


class Book:
    """Q(lambda) of the books, offline, with traces that end where a move explored; all moves are random.

    Draws the random numbers that the kernel draws, so that it plays the same games.
    """

    def __init__(self, game: Game, rate: float, slowing: float, discount: float, traces: float) -> None:
        self.game, self.rate, self.slowing = game, rate, slowing
        self.discount, self.traces = discount, traces
        self.values: dict[bytes, dict[int, float]] = {}
        self.counts: dict[tuple[bytes, int], int] = defaultdict(int)
        self.rng = make_rng("q-learning", 0)

    def episode(self) -> None:
        state, steps = self.game.new(), []
        random_unit(self.rng)  # whether to begin elsewhere: never
        while not state.finished:
            key, legal = state.position.tobytes(), state.legal_actions()
            row = self.values.setdefault(key, dict.fromkeys(legal, 0.0))
            random_unit(self.rng)  # whether to explore: always
            action = legal[random_below(self.rng, len(legal))]
            steps.append((key, action, state.mover, row[action] < max(row.values())))
            state.play(action)
        updates: dict[tuple[bytes, int], float] = defaultdict(float)
        for time, (key, action, mover, _) in enumerate(steps):
            if time + 1 < len(steps):
                after, _, other, _ = steps[time + 1]
                sign = 1 if other == mover else -1
                goal = sign * self.discount * max(self.values[after].values())
            else:
                goal = value_for(state.outcome, mover)
            error = goal - self.values[key][action]
            trace = 1.0
            for back in range(time, -1, -1):
                before, taken, whose, explored = steps[back]
                count = self.counts[before, taken]
                updates[before, taken] += self.rate / (1 + count * self.slowing) * trace * error
                if explored:
                    break
                sign = 1 if back > 0 and steps[back - 1][2] == whose else -1
                trace *= sign * self.discount * self.traces
        for (key, action), change in updates.items():
            self.values[key][action] += change
            self.counts[key, action] += 1


@pytest.mark.plain_python
@pytest.mark.parametrize(
    ("rate", "slowing", "traces"), [(0.5, 0.0, 0.0), (1.0, 0.1, 0.0), (0.3, 0.05, 0.6), (0.4, 0.0, 0.95)]
)
def test_updates_are_those_of_eligibility_traces(rate: float, slowing: float, traces: float) -> None:
    game = without_symmetries("tictactoe")
    changes = [
        f"learning.rate={rate}",
        f"learning.slowing={slowing}",
        f"learning.traces={traces}",
        "learning.latest=false",
        "learning.replay=false",
        "learning.initial=0",
        "exploration.decay=0",
        "exploration.untried_first=false",
        "exploration.starts=0",
        "iteration_episodes=60",
    ]
    learner, book = QLearning(game, settings(game, *changes), 0), Book(game, rate, slowing, 0.9, traces)
    learner.iterate(1, lambda *_: None)
    for _ in range(60):
        book.episode()
    rows = np.flatnonzero(learner.memory.keys)
    assert len(rows) == len(book.values) == learner.totals[ROWS]
    for row in rows:
        expected = book.values[learner.memory.positions[row].tobytes()]
        assert learner.memory.values[row][list(expected)] == pytest.approx(list(expected.values()), abs=1e-5)


def test_lambda_1_without_cuts_learns_the_result() -> None:
    game = without_symmetries("tictactoe")
    changes = [
        "learning.traces=1",
        "learning.cut_traces=false",
        "learning.discount=1",
        "learning.replay=false",
        "iteration_episodes=1",
    ]
    learner = QLearning(game, settings(game, *changes), 0)
    learner.iterate(1, lambda *_: None)
    learnt_values = learner.memory.values[learner.memory.counts > 0]
    assert len(learnt_values) >= 5
    assert len(set(np.abs(learnt_values).tolist())) == 1  # the same result for all, with the mover's sign


def test_tictactoe_is_learnt_perfectly(tmp_path: Path) -> None:
    run = train("q-learning", tmp_path / "run", "tictactoe", SMALL)
    shares = {line["measure"]: line for line in run.metrics() if line["kind"] == "strength"}
    assert shares["optimal_moves"]["share"] == shares["wins_taken"]["share"] == 1
    assert shares["optimal_moves"]["positions"] == 627  # all that are unfinished, up to symmetry
    game = make_game("tictactoe")
    assert play_match(game, f"q-learning@{run.path}", "solver", 40).total.losses == 0


def test_the_measured_share_is_the_share_of_right_moves() -> None:
    """After a few games much is wrong: measure it a second time, by the player's own choices."""
    game = make_game("tictactoe")
    learner = QLearning(game, settings(game, "iteration_episodes=150"), 3)
    learner.iterate(1, lambda *_: None)
    measured = next(iter(learner.measures(1)))
    assert 0.3 < measured.share < 0.99
    player = learner.player(1)(game)
    expected = 0.0
    for row in np.flatnonzero(learner.memory.keys):
        state = game.new()
        state.position[:] = learner.memory.positions[row]
        candidates = player.choose(state.view()).candidates
        best = [c.action for c in candidates if c.value == candidates[0].value]
        expected += sum(worth(after(state, a)) == worth(state) for a in best) / len(best)
    assert measured.share == pytest.approx(expected / measured.positions)


def worth(state: State) -> float:
    """To the first player, by trying everything."""
    key = state.position.tobytes()
    if key not in KNOWN:
        if state.finished:
            KNOWN[key] = value_for(state.outcome, FIRST)
        else:
            best = max if state.mover == FIRST else min
            KNOWN[key] = best(worth(after(state, action)) for action in state.legal_actions())
    return KNOWN[key]


def after(state: State, action: int) -> State:
    child = state.copy()
    child.play(action)
    return child


def test_a_run_in_two_parts_is_the_run_in_one(tmp_path: Path) -> None:
    changes = [*SMALL, "learning.slowing=0.1"]
    whole = train("q-learning", tmp_path / "whole", "mnk:4x3x3", changes)
    train("q-learning", tmp_path / "parts", "mnk:4x3x3", [*changes, "budget.episodes=8000"])
    parts = train("q-learning", tmp_path / "parts", "mnk:4x3x3", changes)
    assert learnt(parts) == learnt(whole)
    assert (parts.path / "moves.npz").read_bytes() == (whole.path / "moves.npz").read_bytes()
    other = train("q-learning", tmp_path / "other", "mnk:4x3x3", changes, seed=1)
    assert learnt(other) != learnt(whole)


def test_a_run_cannot_change_the_size_of_its_table(tmp_path: Path) -> None:
    train("q-learning", tmp_path / "run", "tictactoe", [*SMALL, "budget.episodes=4000"])
    with pytest.raises(BadSpec, match="megabytes is 1, room for"):
        train("q-learning", tmp_path / "run", "tictactoe", [*SMALL, "megabytes=1"])


@pytest.mark.plain_python
@pytest.mark.parametrize("spec", ["tictactoe", "othello:4x4"])
def test_after_a_replay_every_move_is_worth_what_it_leads_to(spec: str) -> None:
    game = make_game(spec)
    learner = QLearning(game, settings(game, "iteration_episodes=40", "learning.discount=0.5"), 0)
    learner.iterate(1, lambda *_: None)
    memory = learner.memory
    known = {(int(memory.keys[row])): row for row in np.flatnonzero(memory.keys)}
    canon, seen = Canon(game), 0
    for row in known.values():
        state = State(game, memory.positions[row].copy())
        _, turns = canon.keys(state.position[None, :])
        for action in state.legal_actions():
            child, move = after(state, action), game.symmetries.actions[turns[0], action]
            if memory.counts[row, move] == 0 or child.finished:
                continue
            found = known[int(canon.keys(child.position[None, :])[0][0])]
            sign = 0.5 if child.mover == state.mover else -0.5
            assert memory.values[row, move] == sign * memory.values[found].max()
            seen += 1
    assert seen > 100


def test_exploring_goes_where_most_is_untried() -> None:
    turned = np.array([3, 0, 2], dtype=np.int64)
    followers = np.array([5, 0, -2, 3], dtype=np.int32)  # actions 0, 2 and 3 lead to rows 4, 1 and 2
    untried, rng = np.array([9, 7, 0, 9, 6], dtype=np.uint16), make_rng("test", 0)
    assert draw_towards_untried(followers, untried, turned, 3, rng) == 2
    untried[1] = 5
    assert draw_towards_untried(followers, untried, turned, 3, rng) == 1
    untried[:] = 0
    assert {int(draw_towards_untried(followers, untried, turned, 3, rng)) for _ in range(60)} == {0, 1, 2}


def test_memory_is_bounded_and_what_does_not_fit_is_counted() -> None:
    game = make_game("tictactoe:4x4")
    learner = QLearning(game, settings(game, "megabytes=1"), 0)
    metrics = learner.iterate(1, lambda *_: None)
    assert metrics["turned_away"] > 0
    assert metrics["positions"] <= len(learner.memory.keys)
    assert (
        sum(array.nbytes for array in learner.memory) == row_bytes(game) * len(learner.memory.keys) <= 1 << 20
    )
    with pytest.raises(BadSpec, match="allow more"):
        QLearning(make_game("gomoku"), settings(game, "megabytes=1"), 0)


@pytest.mark.parametrize("spec", ["othello:4x4", "connect4:4x4x3", "brick:random", "./examples/hex.py:3x3"])
def test_it_learns_any_game(spec: str, tmp_path: Path) -> None:
    run = train(
        "q-learning", tmp_path / "run", spec, [*SMALL, "evaluation.known_states=20000", "megabytes=30"]
    )
    learnt_player = play_match(make_game(spec), f"q-learning@{run.path}", "random", 60).total
    assert learnt_player.points > 30 if spec != "brick:random" else learnt_player.games == 60


def test_episodes_need_not_be_whole_iterations(tmp_path: Path) -> None:
    run = train("q-learning", tmp_path / "run", "tictactoe", [*SMALL, "budget.episodes=5000"])
    assert [line["episodes"] for line in learnt(run)] == [4000, 5000]
    assert [summary.name for summary in list_runs(tmp_path)] == ["run"]


def test_a_player_knows_what_its_learner_knows(tmp_path: Path) -> None:
    run = train("q-learning", tmp_path / "run", "tictactoe", SMALL)
    game = make_game("tictactoe")
    state = game.new()
    state.play_moves("a1 a2 b1 b2")
    choice = make_player(f"q-learning@{run.path}", game).choose(state.view())
    assert game.notation.name(choice.action) == "c1"
    assert choice.candidates[0].value == 1.0
