"""The move to the position that a trained line network likes best, where the rules do not settle it.

Spelling: dqn (the network that ships with the package), dqn@RUN (one of yours, trained by zerosum train GAME
--method dqn, by the run's name or path), dqn:1 (takes a win, and leaves the rest to the network), dqn:2@RUN
(also avoids moves that the opponent answers with a win), dqn:0@RUN (asks the network about all, even what is
won at once); without a number as it was trained
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.random import make_rng
from zerosum.core.state import View
from zerosum.nets.artifact.card import Card
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.store import NETWORK_FILE, find_shipped
from zerosum.players.common.choosing import choose_best, refuse_hidden
from zerosum.players.common.player import Candidate, Choice
from zerosum.players.common.registry import Arguments
from zerosum.players.common.runs import SETTINGS, BadRun, find_in_run
from zerosum.search.lookahead.foresee import foreseen_values


class DqnPlayer:
    """Greedy in the values of afterstates; moves of the same value are drawn from at random."""

    def __init__(self, evaluator: Evaluator, foresight: int, spec: str) -> None:
        self.spec = spec
        self.digest = evaluator.digest
        self.evaluator = evaluator
        self.foresight = foresight  # plies in which the rules say how the game ends
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        self.rng = make_rng("dqn", seed)

    def choose(self, view: View) -> Choice:
        foreseen = foreseen_values(view.game, view.position, self.foresight)
        judged = iter(self._judge(view, [action for action, value in foreseen.items() if value is None]))
        candidates = [
            Candidate(action, value=next(judged) if value is None else value)
            for action, value in foreseen.items()
        ]
        return choose_best(candidates, self.rng)

    def _judge(self, view: View, actions: list[int]) -> list[float]:
        """What the network thinks that each action gives the mover."""
        if not actions:
            return []
        game = view.game
        planes = np.zeros((len(actions), len(game.planes), game.num_cells), np.float32)
        for row, action in enumerate(actions):
            after = view.position.copy()
            game.rules.play(game.table, after, action)
            game.rules.encode(game.table, after, planes[row].reshape(-1))
        _, values = self.evaluator.evaluate(planes)
        return [-float(value) for value in values]  # it speaks for the player to move, now the opponent


def make(arguments: Arguments, game: Game) -> DqnPlayer:
    arguments.require_only(value=True, run=True)
    refuse_hidden("dqn", game)
    if arguments.value not in ("", "0", "1", "2"):
        raise BadSpec(f"dqn foresees 0, 1 or 2 plies, as in dqn:1, not '{arguments.spec}'")
    file = find_in_run(arguments.run, NETWORK_FILE) if arguments.run else _shipped(game)
    evaluator = Evaluator(file, game)
    foresight = int(arguments.value or _foresight_of(evaluator.card, file))
    spec = f"dqn:{foresight}" + (f"@{arguments.run}" if arguments.run else "")
    return DqnPlayer(evaluator, foresight, spec)


def _foresight_of(card: Card, file: Path) -> int:
    """How far the player looked that was trained; of a file of an earlier version only its run can say."""
    try:
        settings = card.settings or json.loads((file.parent / SETTINGS).read_bytes())["settings"]
        return int(settings["play"]["foresight"])
    except (KeyError, OSError, TypeError, ValueError):
        raise BadRun(f"{file} was not trained by dqn: its settings name no play.foresight") from None


def _shipped(game: Game) -> Path:
    file = find_shipped(game, "dqn")
    if file is None:
        raise BadSpec(
            f"no line network for {game.spec} ships with the package; train one (zerosum train {game.spec}"
            " --method dqn) and name its run, as in dqn@RUN"
        )
    return file
