"""Searches whose every number is kept in ``golden/``, so that no change to the search goes unnoticed.

``python -m tests.search.goldens`` writes the files again, ``python -m tests.search.goldens gumbel`` one of
them. The network that guides these searches is a made-up one: whole numbers until the last division by 64, so
that it says the same on every machine.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.core.random import make_rng, random_below
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.learn.alphazero.selfplay.worker import Worker
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.search.tree.guided import GuidedSearch, rank_of
from zerosum.search.tree.gumbel import gumbel_policy
from zerosum.search.tree.model import run_searches
from zerosum.search.tree.models.by_rules import model_by_rules
from zerosum.search.tree.nodes import ROOT
from zerosum.search.tree.pasts import CatchUpSearch, DeterminisedSearch
from zerosum.search.tree.policy import PolicyNumbers, TreePolicy
from zerosum.search.tree.puct import puct_policy
from zerosum.search.tree.uct import TreeSearch

GOLDEN = Path(__file__).parent / "golden"
OPEN = ("connect4", "othello:6x6", "tictactoe", "brick:E5", "qubic")
HIDDEN = ("invisible-tictactoe", "invisible-connect4")
PLIES = (0, 3, 8)
SIZE = 4  # searches of a batch
SIMULATIONS = 48
CONSIDERED = 4  # so few that every root has more moves, but for the last of a game
PUCT = PolicyNumbers(noise_share=0.25)
GUMBEL = PolicyNumbers(explore=1)

Golden = dict[str, Any]
Floats = NDArray[np.float32]


class MadeUpNetwork:
    """Logits and values in steps of 1/64 from a hash of the planes; in shape like an Evaluator."""

    def __init__(self, num_actions: int) -> None:
        self.num_actions = num_actions

    def evaluate(self, planes: Floats) -> tuple[Floats, Floats]:
        shown = np.rint(planes.reshape(len(planes), -1) * 64).astype(np.uint64)
        weights = np.arange(1, shown.shape[1] + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        keys = (shown * weights).sum(axis=1, dtype=np.uint64)
        actions = np.arange(self.num_actions, dtype=np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
        logits = self._spread(keys[:, None] ^ actions[None, :], 257) - 128
        values = self._spread(keys ^ np.uint64(0x94D049BB133111EB), 129) - 64
        return (logits / 64).astype(np.float32), (values / 64).astype(np.float32)

    @staticmethod
    def _spread(keys: NDArray[np.uint64], below: int) -> NDArray[np.int64]:
        mixed = (keys ^ (keys >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
        return ((mixed >> np.uint64(32)) % np.uint64(below)).astype(np.int64)


def random_state(spec: str, plies: int, seed: int) -> State:
    """A position after random moves, unfinished."""
    while True:
        state, rng = make_game(spec).new(seed), make_rng("golden", spec, plies, seed)
        for _ in range(plies):
            if legal := state.legal_actions():
                state.play(legal[random_below(rng, len(legal))])
        if not state.finished:
            return state
        plies -= 1


def guided(spec: str, plies: int) -> Golden:
    """A player's search."""
    state = random_state(spec, plies, 1)
    network = MadeUpNetwork(state.game.num_actions)
    search = GuidedSearch(model_by_rules(state.game, 1, SIMULATIONS), network, SIMULATIONS)
    found = search.run(state.view().position)
    return {
        "moves": [[m.action, m.visits, rank_of(m)] for m in found],
        "floats": [m.value or 0.0 for m in found],
    }


def batched(spec: str, plies: int, policy: TreePolicy) -> Golden:
    """Searches with noise, as in self-play; of every root its children's visits, means, priors and proofs."""
    game = make_game(spec)
    model = model_by_rules(game, SIZE, SIMULATIONS, seed=plies, slots=1 << 10)
    for number in range(SIZE):
        model.begin(number, random_state(spec, plies, number).view().position, SIMULATIONS)
    run_searches(model, policy, MadeUpNetwork(game.num_actions))
    found: Golden = {"moves": [], "floats": []}
    for nodes in model.searches.trees:
        first, count = int(nodes[ROOT]["first_child"]), int(nodes[ROOT]["num_children"])
        children = nodes[first : first + count]
        names = ("action", "visits", "proof")
        found["moves"].append([int(nodes[ROOT]["visits"]), int(nodes[ROOT]["proof"])])
        found["moves"] += [[int(child[name]) for name in names] for child in children]
        means = children["total"] / np.maximum(children["visits"], 1)
        found["floats"] += [float(x) for pair in zip(means, children["prior"], strict=True) for x in pair]
    return found


def by_rollouts(spec: str, plies: int) -> Golden:
    """UCT, and what is left of its tree after a move."""
    state, search = random_state(spec, plies, 1), TreeSearch(make_game(spec), 1.4)
    rng = make_rng("golden", spec, plies)
    found: Golden = {"moves": [], "floats": []}
    for _ in range(3):
        search.run(state.position, 400, rng)
        ranked = search.root_actions()
        found["moves"] += [[move.action, move.visits] for move in ranked]
        found["floats"] += [move.value or 0.0 for move in ranked]
        state.play(ranked[0].action)
        if state.finished:
            break
        search.advance(ranked[0].action)
        found["moves"].append(search.principal_line())
    return found


def over_pasts(spec: str, plies: int) -> Golden:
    """Catching up, and pasts drawn at random."""
    view, game = random_state(spec, plies, 2).view(), make_game(spec)
    found: Golden = {"moves": [], "floats": []}
    for search in (CatchUpSearch(game, 1.4), DeterminisedSearch(game, 1.4, 8)):
        ranked = search.run(view, 600, make_rng("golden", spec, plies))
        found["moves"] += [[move.action, move.visits] for move in ranked]
        found["floats"] += [move.value or 0.0 for move in ranked]
    return found


def self_played(spec: str, kind: str) -> Golden:
    """Whole games: a digest of their positions, and sums of what is learnt from them."""
    settings = AlphaZeroSettings().model_dump()
    settings["search"] |= {"kind": kind, "considered": CONSIDERED, "simulations": 24}
    if kind == "gumbel":  # its noise to the end of a game, as presets have it
        settings["search"]["temperature"]["kind"] = "constant"
    worker = Worker(make_game(spec), AlphaZeroSettings.model_validate(settings), SIZE, seed=3)
    network: Any = MadeUpNetwork(worker.game.num_actions)
    found: Golden = {"moves": [], "floats": []}
    for _ in range(2):  # the second begins with games under way
        played = worker.play(network, 24, games=4)
        digest = hashlib.blake2b(played.positions.tobytes(), digest_size=8).hexdigest()
        found["moves"].append([digest, len(played.values), played.plies, played.first_won, played.drawn])
        found["floats"] += [float(played.values.sum()), float((played.policy_targets**2).sum())]
    return found


def all_goldens(file: str) -> dict[str, Golden]:
    """What a file of ``golden/`` holds, worked out anew."""
    if file == "guided":
        return {f"{spec} {plies}": guided(spec, plies) for spec in OPEN + HIDDEN for plies in PLIES}
    if file == "puct":
        return {
            f"{spec} {plies}": batched(spec, plies, puct_policy(PUCT))
            for spec in OPEN + HIDDEN
            for plies in PLIES
        }
    if file == "gumbel":  # with fewer candidates than moves, and with more
        return {
            f"{spec} {plies} {considered}": batched(
                spec, plies, gumbel_policy(GUMBEL._replace(considered=considered))
            )
            for considered in (CONSIDERED, 16)
            for spec in OPEN + HIDDEN
            for plies in PLIES
        }
    if file == "rollouts":
        return {f"{spec} {plies}": by_rollouts(spec, plies) for spec in OPEN for plies in PLIES}
    if file == "pasts":
        return {f"{spec} {plies}": over_pasts(spec, plies) for spec in HIDDEN for plies in PLIES}
    games = ("connect4", "othello:6x6", *HIDDEN)
    return {f"{spec} {kind}": self_played(spec, kind) for spec in games for kind in ("puct", "gumbel")}


FILES = ("guided", "puct", "gumbel", "rollouts", "pasts", "selfplay")


def main() -> None:
    for file in sys.argv[1:] or FILES:
        goldens = all_goldens(file)
        for golden in goldens.values():
            golden["floats"] = [round(number, 6) for number in golden["floats"]]
        lines = [f'  "{name}": {json.dumps(golden)}' for name, golden in goldens.items()]
        (GOLDEN / f"{file}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
