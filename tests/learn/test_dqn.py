"""DQN: the kernel judges as torch does, lessons are what happened, runs resume exactly, and it learns."""

from __future__ import annotations

import json
import runpy
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.learn import trained
from tests.learn.trained import measured
from zerosum.arena.match import play_match
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.outcome import DRAW, FIRST_WINS, UNFINISHED, value_for
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.dqn.games import Group, Habits, Lessons, against_random
from zerosum.learn.dqn.judge import judge_position, line_net
from zerosum.learn.dqn.learner import AfterstateLearner, Memory
from zerosum.learn.dqn.loop import Dqn
from zerosum.learn.dqn.settings import DqnSettings, Learning
from zerosum.learn.events.listeners import Event, Iterated, Progressed
from zerosum.learn.methods.dqn import METHOD
from zerosum.learn.run.run import Run
from zerosum.learn.training.stop import Stopped
from zerosum.nets.artifact.half import halved
from zerosum.nets.building.registry import make_network
from zerosum.nets.lines import Lines

QUICK = [
    "budget.iteration=20",
    "evaluation.random_games=4",
    "evaluation.games=4",
    "evaluation.every_iterations=2",
    'evaluation.opponents=["random"]',
    "opponent.random_episodes=30",
    "opponent.replaced_every=20",
    "play.games_at_once=6",
    "learning.batch=8",
]


def settings_for(game: Game, *changes: str, preset: str = "fast") -> DqnSettings:
    settings = METHOD.settings_for(game.spec, preset, changes)
    assert isinstance(settings, DqnSettings)
    return settings


def some_net(game: Game, spec: str = "lines:bias=yes", seed: int = 3) -> Lines:
    network = make_network(spec, game, seed)
    assert isinstance(network, Lines)
    return network


def torch_values(network: Lines, state: State, plies: int) -> dict[int, float]:
    """What each action gives the mover, one position at a time."""
    found = {}
    for action in state.legal_actions():
        after = state.copy()
        after.play(action)
        planes = np.zeros((1, len(state.game.planes), state.game.num_cells), np.float32)
        state.game.rules.encode(state.game.table, after.position, planes.reshape(-1))
        with torch.no_grad():
            value = -network(torch.from_numpy(planes))[1].item()
        found[action] = value_for(after.outcome, state.mover) if after.finished else value
        if plies == 2 and wins_at_once(after):
            found[action] = -1.0
    return found


def wins_at_once(state: State) -> bool:
    replies = [state.copy() for _ in state.legal_actions()]
    for reply, action in zip(replies, state.legal_actions(), strict=True):
        reply.play(action)
    return any(value_for(reply.outcome, state.mover) == 1 for reply in replies)


@pytest.mark.parametrize("plies", [1, 2])
@pytest.mark.parametrize("spec", ["qubic", "connect4", "brick:random", "tictactoe", "mnk:9x9x5"])
def test_the_kernel_judges_every_move_as_torch_does(spec: str, plies: int) -> None:
    game = make_game(spec)
    network = some_net(game)
    net = line_net(network, game)
    state = game.new(5)
    rng = np.random.default_rng(1)
    while not state.finished:
        found = judge_position(game, net, state.position, plies)
        expected = torch_values(network, state, plies)
        assert found.keys() == expected.keys()
        assert np.allclose(list(found.values()), list(expected.values()), atol=1e-5)
        for _ in range(1 if plies == 1 else 3):
            if not state.finished:
                state.play(int(rng.choice(state.legal_actions())))


def played(game: Game, network: Lines, episodes: int, **habits: Any) -> tuple[Group, list[Lessons]]:
    """All lessons of a few episodes, while nothing is learnt."""
    net = line_net(network, game)
    group = Group(game, 4, net)
    group.begin(0, episodes)
    chosen = {"epsilon": 0.1, "foresight": 1, "random_episodes": 5, "self_play": 0, "one_seat": 0, **habits}
    lessons = []
    while group.busy:
        lessons.append(Lessons(*map(np.copy, group.ply(net, net, Habits(np.uint64(9), **chosen)))))
    return group, lessons


@pytest.mark.parametrize("foresight", [1, 2])
@pytest.mark.parametrize("self_play", [0, 1])
def test_a_lesson_is_an_afterstate_and_what_came_of_it(self_play: int, foresight: int) -> None:
    game = make_game("tictactoe")
    network = some_net(game)
    group, lessons = played(game, network, 20, self_play=self_play, foresight=foresight)
    results = set()
    count = 0
    for rows in lessons:
        for before, later, worth, ended in zip(*rows, strict=True):
            count += 1
            opponent = State(game, before).mover  # who answers the learner's move
            assert State(game, before).outcome == UNFINISHED
            assert foresight == 1 or not wins_at_once(State(game, before))  # what is known is not learnt
            reached = [State(game, before.copy()) for _ in State(game, before).legal_actions()]
            for state, action in zip(reached, State(game, before).legal_actions(), strict=True):
                state.play(action)
            assert any((state.position == later).all() for state in reached)
            after = State(game, later.copy())
            if ended:
                results.add(after.outcome)
                assert worth == value_for(after.outcome, 1 - opponent)
            else:
                assert after.mover == 1 - opponent
                assert worth == pytest.approx(max(torch_values(network, after, foresight).values()), abs=1e-5)
    assert group.results.sum() == 20
    assert (FIRST_WINS in results) == (foresight == 1)
    assert count > 20


def test_without_foresight_the_end_of_a_game_is_a_lesson_of_its_own() -> None:
    game = make_game("tictactoe")
    _, lessons = played(game, some_net(game), 20, foresight=0, self_play=1)
    finished = [
        (State(game, before.copy()), worth)
        for rows in lessons
        for before, _, worth, ended in zip(*rows, strict=True)
        if ended and State(game, before.copy()).finished
    ]
    won = [worth for state, worth in finished if state.outcome != DRAW]
    assert len(finished) >= 10
    assert set(won) == {1.0}  # for who made the move


def test_the_learner_sits_on_both_sides_or_always_first() -> None:
    game = make_game("tictactoe")
    alternating, _ = played(game, some_net(game), 12)
    assert alternating.results.sum(axis=1).tolist() == [6, 6]
    first, lessons = played(game, some_net(game), 12, one_seat=1)
    assert first.results.sum(axis=1).tolist() == [12, 0]
    assert {State(game, before).mover for rows in lessons for before in rows.afterstates} == {1}


def test_episodes_do_not_depend_on_those_beside_them() -> None:
    game = make_game("connect4")
    net = line_net(some_net(game), game)
    tallies = []
    for size in (1, 5):
        group = Group(game, size, net)
        group.begin(0, 15)
        while group.busy:
            group.ply(net, net, Habits(np.uint64(4), 0.1, 2, 7, 0, 0))
        tallies.append(group.counts.tolist())
    assert tallies[0][3:] == tallies[1][3:]


def test_the_rate_against_random_is_that_of_the_arena() -> None:
    """The kernel's own games and the arena's, each by its own random numbers, agree within the noise."""
    game = make_game("tictactoe")
    learner = Dqn(game, settings_for(game, *QUICK), 0)
    ours = against_random(game, learner.learner.net, 300, 2, seed=1).sum(axis=0)
    theirs = play_match(game, learner.player(0), "random", 600).total
    assert ours.sum() == 600
    assert abs(int(ours[0]) - theirs.wins) < 50  # three standard errors


def one_lesson(game: Game, ended: int, worth: float) -> Lessons:
    state = game.new()
    state.play(4)
    later = state.copy()
    later.play(0)
    return Lessons(
        state.position[None].copy(),
        later.position[None].copy(),
        np.array([worth], np.float32),
        np.array([ended]),
    )


@pytest.mark.parametrize(("ended", "worth", "target"), [(0, 0.5, 0.45), (1, -1.0, -1.0), (0, 1.0, 0.9)])
def test_a_lesson_draws_the_value_towards_its_target(ended: int, worth: float, target: float) -> None:
    game = make_game("tictactoe")
    learner = AfterstateLearner(game, some_net(game), Learning(symmetric_copies=0), 1, 0)
    lesson = one_lesson(game, ended, worth)
    before = judge_position(game, learner.net, game.new().position)[4]
    learner.learn(lesson, 0.001)
    measured = learner.take_measures()
    gap = abs(before - target)
    assert measured["td_gap"] == pytest.approx(gap, abs=1e-5)
    assert measured["huber_loss"] == pytest.approx(gap**2 / 2 if gap <= 1 else gap - 0.5, abs=1e-5)
    for _ in range(600):
        learner.learn(lesson, 0.002)
    assert judge_position(game, learner.net, game.new().position)[4] == pytest.approx(target, abs=0.02)


def test_symmetric_afterstates_are_learnt_together_only_if_asked() -> None:
    game = make_game("tictactoe")
    spread = {}
    for copies in (0, 8):
        learner = AfterstateLearner(game, some_net(game), Learning(symmetric_copies=copies), 1, 0)
        state = game.new()
        state.play(0)
        lesson = one_lesson(game, 1, -1.0)._replace(afterstates=state.position[None].copy())
        for _ in range(200):
            learner.learn(lesson, 0.01)
        values = judge_position(game, learner.net, game.new().position)
        spread[copies] = max(abs(values[corner] + 1) for corner in (0, 2, 6, 8))
    assert spread[8] < 0.1 < spread[0]


def test_the_memory_forgets_the_oldest_and_comes_back_whole() -> None:
    game = make_game("tictactoe")
    memory = Memory(game, 5)
    for number in range(8):
        memory.add(one_lesson(game, 0, float(number)))
    assert sorted(memory.lessons.worth.tolist()) == [3.0, 4.0, 5.0, 6.0, 7.0]
    again = Memory(game, 5)
    again.restore({name: array.copy() for name, array in memory.arrays().items()})
    drawn = [kept.draw(9, np.random.default_rng(1)).worth.tolist() for kept in (memory, again)]
    assert drawn[0] == drawn[1]


def test_targets_come_from_older_weights_until_they_catch_up() -> None:
    game = make_game("tictactoe")
    settings = Learning(replay=64, batch=1, target_every=3)
    learner = AfterstateLearner(game, some_net(game), settings, 1, 0)
    targets = []
    for _ in range(6):
        targets.append(learner.target.value.tolist())
        learner.learn(one_lesson(game, 1, -1.0), 0.01)
    changed = [before != after for before, after in pairwise(targets)]
    assert changed == [False, False, True, False, False]


def test_the_opponent_is_replaced_on_schedule() -> None:
    game = make_game("tictactoe")
    learner = Dqn(game, settings_for(game, *QUICK, "opponent.replaced_every=40"), 0)
    frozen = []
    for iteration in range(1, 7):
        learner.iterate(iteration, lambda *_: None)
        frozen.append(learner.frozen_at)
    assert frozen == [-1, 20, 20, 60, 60, 100]


def train(
    folder: Path, episodes: int, changes: tuple[str, ...] = (), interrupted_after: int | None = None
) -> Run:
    """A run of so many episodes on tic-tac-toe, or its first iterations."""
    iterations = 0

    def interrupt(event: Event) -> None:
        nonlocal iterations
        iterations += isinstance(event, Iterated)
        if isinstance(event, Progressed) and iterations == interrupted_after:
            raise Stopped

    wanted = [*QUICK, *changes, f"budget.episodes={episodes}"]
    return trained.train("dqn", folder, "tictactoe", wanted, seed=1, on_event=interrupt)


@pytest.mark.parametrize(
    "changes",
    [
        (),
        ("opponent.then=self", "play.games_at_once=1", "learning.batch=1"),
        ("learning.replay=50", "learning.repeats=2", "learning.target_every=7"),
    ],
)
def test_a_run_in_two_parts_is_the_run_in_one(tmp_path: Path, changes: tuple[str, ...]) -> None:
    whole = train(tmp_path / "whole", 80, changes)
    train(tmp_path / "parts", 80, changes, interrupted_after=2)
    parts = train(tmp_path / "parts", 80, changes)
    assert measured(parts) == measured(whole)
    assert measured(whole)[-1]["iteration"] == 4
    assert (parts.path / "network.onnx").read_bytes() == (whole.path / "network.onnx").read_bytes()


def test_a_budget_that_is_no_multiple_of_an_iteration_is_kept_to(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 50)
    assert [line["episodes"] for line in measured(run) if line["kind"] == "learning"] == [20, 40, 50]


def test_a_run_ships_with_a_card_of_its_command_and_contests(tmp_path: Path) -> None:
    run = train(tmp_path / "run", 40)
    script = Path(__file__).resolve().parents[2] / "scripts" / "ship.py"
    shipped = runpy.run_path(str(script))["ship"](run, tmp_path / "networks", games=2)
    assert shipped.read_bytes() == halved((run.path / "network.onnx").read_bytes(), "the run's network")
    card = json.loads(shipped.with_suffix(".json").read_text())
    assert card["command"].startswith("zerosum train tictactoe --method dqn --seed 1 ")
    assert "--episodes 40" in card["command"]
    assert (card["games"], card["iterations"]) == (40, 2)
    assert len(card["results"]) == 12  # two players, three opponents, two seats
    assert all(row["wins"] + row["draws"] + row["losses"] == 1 for row in card["results"])


def test_it_learns_to_beat_random_at_tictactoe(tmp_path: Path) -> None:
    changes = ("budget.iteration=500", "opponent.random_episodes=1500", "play.games_at_once=16")
    run = train(tmp_path / "run", 1500, (*changes, "learning.rate=0.003", "learning.last_rate=0.001"))
    result = play_match(make_game("tictactoe"), f"dqn@{run.path}", "random", 200).total
    assert result.wins > 160  # random wins 44 % of its games with itself
    assert result.losses < 12


def test_the_papers_preset_is_the_papers(tmp_path: Path) -> None:
    game = make_game("qubic")
    settings = settings_for(game, preset="paper")
    assert sum(p.numel() for p in Dqn(game, settings, 0).learner.network.parameters()) == 10_976
    assert (settings.play.epsilon, settings.play.games_at_once, settings.play.foresight) == (0.1, 1, 1)
    assert (settings.learning.batch, settings.learning.symmetric_copies, settings.learning.replay) == (
        1,
        0,
        0,
    )
    assert (settings.learning.discount, settings.learning.rate) == (0.9, 0.001)
    assert settings.opponent.random_episodes == 5000


@pytest.mark.parametrize(
    ("spec", "changes", "complaint"),
    [
        ("othello:6x6", [], "othello:6x6 has none"),
        ("connect4", ["network=pooled"], "dqn learns line networks"),
        ("connect4", ["learning.repeats=2"], "set replay"),
        ("connect4", ["learning.replay=5"], "less than one batch"),
    ],
)
def test_what_cannot_be_learnt_is_refused(spec: str, changes: list[str], complaint: str) -> None:
    game = make_game(spec)
    with pytest.raises(BadSpec, match=complaint):
        Dqn(game, settings_for(game, *changes), 0)
