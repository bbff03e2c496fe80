"""Guided search: its books balance, proofs are exact, symmetric positions get the same answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import random_play
from zerosum.core.game import Game
from zerosum.core.outcome import DRAW, UNFINISHED, value_for
from zerosum.core.running.watch import Watch
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.search.exact.solve import solve
from zerosum.search.lookahead.candidate import Candidate
from zerosum.search.tree.evaluations import canonical, make_evaluations
from zerosum.search.tree.guided import LOST, WON, GuidedSearch, rank_of
from zerosum.search.tree.gumbel import gumbel_policy
from zerosum.search.tree.model import run_searches
from zerosum.search.tree.models.by_rules import model_by_rules
from zerosum.search.tree.nodes import ABSENT, ROOT, children_of
from zerosum.search.tree.policy import PolicyNumbers, TreePolicy
from zerosum.search.tree.puct import puct_policy
from zerosum.search.tree.searches import DONE, SIMULATIONS

GAMES = ["tictactoe", "connect4", "brick:random", "othello:6x6", "qubic", "blokus"]
PUCT = puct_policy(PolicyNumbers(noise_share=0.25))
GUMBEL = gumbel_policy(PolicyNumbers(explore=1, considered=8))


class FakeNetwork:
    """Answers that depend on the board alone, in no sensible way."""

    def __init__(self, num_actions: int) -> None:
        self.num_actions = num_actions

    def evaluate(self, planes: Any) -> tuple[Any, Any]:
        flat = planes.reshape(len(planes), -1)
        weights = np.cos(np.arange(flat.shape[1]) * 0.7).astype(np.float32)
        sums = flat @ weights
        logits = np.sin(sums[:, None] + np.arange(self.num_actions)[None, :]).astype(np.float32)
        return logits, np.tanh(sums * 0.3).astype(np.float32)


def visits_of(move: Candidate) -> int:
    assert move.visits is not None
    return move.visits


def value_of(move: Candidate) -> float:
    assert move.value is not None
    return move.value


def guided_search(game: Game, simulations: int, network: Any = None) -> GuidedSearch:
    model = model_by_rules(game, 1, simulations)
    return GuidedSearch(model, network or FakeNetwork(game.num_actions), simulations)


def search_all(spec: str, policy: TreePolicy, size: int, simulations: int, seed: int = 0) -> Any:
    game = make_game(spec)
    model = model_by_rules(game, size, simulations, seed, slots=1 << 10)
    for number in range(size):
        model.begin(number, random_state(spec, number % 5, number).position, simulations)
    run_searches(model, policy, FakeNetwork(game.num_actions))
    return game, model.searches


def random_state(spec: str, plies: int, seed: int) -> State:
    return random_play.random_state(make_game(spec), plies, "test", seed)


@pytest.mark.parametrize("policy", [PUCT, GUMBEL])
@pytest.mark.parametrize("spec", GAMES)
def test_every_simulation_is_counted_once_at_each_level(spec: str, policy: TreePolicy) -> None:
    _, searches = search_all(spec, policy, 6, 40)
    assert (searches.status == DONE).all()
    assert searches.counters[SIMULATIONS] == searches.done.sum()
    for number in range(6):
        nodes = searches.trees[number]
        proven = nodes["proof"][ROOT] != UNFINISHED
        assert searches.done[number] == 40 or proven
        assert nodes["visits"][ROOT] == searches.done[number] + 1
        for node in range(int(searches.used[number])):
            first, count = int(nodes["first_child"][node]), int(nodes["num_children"][node])
            if count:
                below = nodes["visits"][first : first + count].sum()
                if nodes["proof"][node] == UNFINISHED or node == ROOT:
                    assert below == nodes["visits"][node] - 1
                else:  # once it is proven nobody looks below it
                    assert below < nodes["visits"][node]
                assert nodes["prior"][first : first + count].sum() == pytest.approx(1, abs=1e-4)
            assert abs(nodes["total"][node]) <= nodes["visits"][node] + 1e-4


@pytest.mark.parametrize("policy", [PUCT, GUMBEL])
def test_the_same_seed_gives_the_same_search(policy: TreePolicy) -> None:
    first, again, other = (search_all("connect4", policy, 4, 30, seed)[1].trees for seed in (1, 1, 2))
    assert (first == again).all()
    assert not (first == other).all()


def test_a_simulation_is_judged_by_the_network_by_memory_or_by_proof() -> None:
    _, searches = search_all("tictactoe", PUCT, 16, 50)
    simulations, evaluations, cached, proven = searches.counters.tolist()
    assert evaluations + cached + proven == simulations + 16  # each root is judged before its search
    assert cached > evaluations / 2


@pytest.mark.parametrize("spec", ["tictactoe", "connect4:4x4x3", "brick:4x4x3:B2"])
def test_what_is_proven_is_true(spec: str) -> None:
    proven = 0
    for seed in range(25):
        state = random_state(spec, 4 + seed % 4, seed)
        search = guided_search(state.game, 400)
        moves = search.run(state.position)
        truth = solve(state.game, state.position, Watch())
        proof = int(search.model.searches.trees[0]["proof"][ROOT])
        if proof != UNFINISHED:
            proven += 1
            assert (0 if proof == DRAW else value_for(proof, state.mover)) == truth.value
        for move in moves:
            child = state.copy()
            child.play(move.action)
            if rank_of(move) in (WON, LOST) and not child.finished:
                reply = solve(state.game, child.position, Watch()).value
                assert (reply < 0) == (rank_of(move) == WON)
    assert proven > 10


def test_a_win_in_one_is_found_with_any_network() -> None:
    state = make_game("connect4").new()
    state.play_moves("141414")
    search = guided_search(state.game, 50)
    best = min(search.run(state.position), key=lambda move: rank_of(move))
    assert state.game.notation.name(best.action) == "1"
    assert best.value == 1.0


def wins_at_once(state: State) -> int:
    """The outcome of a move by which the mover wins, by State alone; UNFINISHED if there is none."""
    for action in state.legal_actions():
        after = state.copy()
        after.play(action)
        if value_for(after.outcome, state.mover) > 0:
            return int(after.outcome)
    return UNFINISHED


@pytest.mark.parametrize("policy", [PUCT, GUMBEL])
def test_a_win_in_one_needs_one_simulation_among_many_moves(policy: TreePolicy) -> None:
    game = make_game("mnk:9x9x4")
    state = game.new()
    state.play_moves("a1 a9 b1 b9 c1")
    model = model_by_rules(game, 1, 3)
    for moves, won in (("c9", "d1"), ("d1", None), ("c9 e5", "d9")):
        after = state.copy()
        after.play_moves(moves)
        model.begin(0, after.position, 3)
        run_searches(model, policy, FakeNetwork(game.num_actions))
        nodes = model.searches.trees[0]
        children = nodes[children_of(nodes, ROOT)]
        wins = [
            game.notation.name(int(child["action"])) for child in children if child["proof"] != UNFINISHED
        ]
        assert wins == ([won] if won else [])
        assert nodes["visits"][ROOT] == (2 if won else 4)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "brick:random", "othello:4x4", "mnk:5x5x4"])
def test_a_move_that_lets_the_other_win_at_once_is_proven_lost_when_first_tried(spec: str) -> None:
    given_away = 0
    for seed in range(40):
        state = random_state(spec, 4 + seed % 8, seed)
        game = state.game
        for proofs in (0, 1):
            model = model_by_rules(game, 1, 2 * game.max_legal, slots=1 << 10)
            model.begin(0, state.position, 2 * game.max_legal)
            run_searches(model, puct_policy(PolicyNumbers(proofs=proofs)), FakeNetwork(game.num_actions))
            nodes = model.searches.trees[0]
            for number in range(int(nodes["num_children"][ROOT])):
                child = nodes[int(nodes["first_child"][ROOT]) + number]
                after = state.copy()
                after.play(int(child["action"]))
                if after.finished or child["visits"] == 0:
                    continue
                foreseen = wins_at_once(after) if proofs else UNFINISHED
                given_away += foreseen != UNFINISHED
                if foreseen != UNFINISHED or child["visits"] == 1:
                    assert child["proof"] == foreseen
                    assert child["first_child"] == ABSENT or foreseen == UNFINISHED
    assert given_away


def test_priors_are_told_as_the_network_has_them() -> None:
    state = random_state("connect4", 5, 1)
    network = FakeNetwork(7)
    planes = np.zeros((1, 2, 42), dtype=np.float32)
    state.game.rules.encode(state.game.table, state.position, planes.reshape(-1))
    shares = np.exp(network.evaluate(planes)[0][0].astype(np.float64))
    for move in guided_search(state.game, 10).run(state.position):
        assert move.prior == pytest.approx(shares[move.action] / shares.sum(), rel=1e-4)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "othello:6x6"])
def test_positions_that_are_alike_have_one_key(spec: str) -> None:
    game = make_game(spec)
    evaluations = make_evaluations(game, 2)
    planes = np.zeros(len(game.planes) * game.num_cells, dtype=np.float32)
    keys = set()
    for turn in range(len(game.symmetries)):
        state = game.new()
        for action in random_state(spec, 6, 3).history:
            state.play(int(game.symmetries.actions[turn, action]))
        game.rules.encode(game.table, state.position, planes)
        keys.add(int(canonical(planes, evaluations.cell_symmetries, evaluations.zobrist)[0]))
    assert len(keys) == 1
    game.rules.encode(game.table, random_state(spec, 6, 4).position, planes)
    assert int(canonical(planes, evaluations.cell_symmetries, evaluations.zobrist)[0]) not in keys


@pytest.mark.parametrize("policy", [PUCT, GUMBEL])
def test_policy_targets_are_probabilities_of_the_legal_moves(policy: TreePolicy) -> None:
    game, searches = search_all("othello:6x6", PUCT, 5, 30)
    for number in range(5):
        shares = np.zeros(game.max_legal)
        policy.teach(searches.trees[number], policy.numbers, 1.0, shares)
        count = int(searches.trees[number]["num_children"][ROOT])
        assert shares[:count].sum() == pytest.approx(1)
        assert (shares[:count] >= 0).all()
        assert (shares[count:] == 0).all()
