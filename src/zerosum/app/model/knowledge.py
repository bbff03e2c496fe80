"""What a learnt model knows of its game, by depth: held against the rules, what it sees, and the solver.

Lines of real games are imagined from a position on, move by move, and each imagined position is compared with
the real one. Nothing of this is known to the player.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zerosum.core.game import Game
from zerosum.core.outcome import UNFINISHED
from zerosum.core.state import State
from zerosum.learn.muzero.lines import random_games, replay_of
from zerosum.learn.muzero.unrolled import NO_STRAYS, Picks, Unrolled
from zerosum.nets.artifact.latent import LatentEvaluator
from zerosum.search.enumerate.solved import MOST_EMPTY, solve_moves

DEPTHS = 10  # moves that are imagined
OWN, RANDOM = "its own games", "random games"
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Depth:
    """Means over all positions so many imagined moves away that are still part of a game, unless said."""

    source: str  # OWN or RANDOM
    depth: int
    positions: int
    boards: float  # share drawn wholly right, the end of the game included
    cells: float  # share of cells drawn right
    illegal: float  # prior mass on illegal moves
    value_gap: float  # between the value of what is imagined and of what is seen there
    value_error: float  # to the exact result where a solver knows it, else to the game's
    end_error: float | None  # to the result, where the game is over by then; None where none is
    policy_gap: float  # Kullback-Leibler divergence of the imagined policy from the one of what is seen
    same_move: float  # share where both prefer the same move
    turns: float  # share where it knows who moves
    right_move: float | None  # share where the preferred legal move is right by the solver; None without one


class Imagined(NamedTuple):
    """What a model makes of positions so many moves away."""

    latents: Floats  # [row, channel, row, column]
    logits: Floats  # [row, action]
    values: Floats  # [row]
    right_turns: NDArray[np.bool_]  # [row] whether it is for the player who moves there


def own_games(evaluator: LatentEvaluator, game: Game, number: int, rng: np.random.Generator) -> list[State]:
    """Games in which the network draws its moves by its policy, without a search."""
    games = [game.new(seed) for seed in range(number)]
    while running := [state for state in games if not state.finished]:
        views = [state.view() for state in running]
        planes = np.stack([encoded(game, view.position) for view in views])
        _, logits, _ = evaluator.root(planes)
        for state, view, row in zip(running, views, logits, strict=True):
            legal = view.legal_actions()
            shares = _softmax(row[legal].astype(np.float64))
            state.play(int(rng.choice(legal, p=shares)))
    return games


def encoded(game: Game, position: NDArray[np.uint64]) -> Floats:
    """[plane, cell] of a position as its mover sees it."""
    planes = np.zeros(len(game.planes) * game.num_cells, dtype=np.float32)
    game.rules.encode(game.table, position, planes)
    return planes.reshape(len(game.planes), game.num_cells)


def measure_depths(
    evaluator: LatentEvaluator,
    game: Game,
    games: int,
    seed: int,
    on_progress: Callable[[str, int], None] = lambda source, depth: None,
) -> list[Depth]:
    """For games of its own and for random ones, at every depth from 0; ``on_progress`` hears what is done."""
    found = []
    for source in (OWN, RANDOM):
        rng = np.random.default_rng([seed, source == RANDOM])
        played = own_games(evaluator, game, games, rng) if source == OWN else random_games(game, games, rng)
        found += _measure(evaluator, game, source, played, rng, on_progress)
    return found


def _measure(
    evaluator: LatentEvaluator,
    game: Game,
    source: str,
    played: Sequence[State],
    rng: np.random.Generator,
    on_progress: Callable[[str, int], None],
) -> list[Depth]:
    replay = replay_of(played, DEPTHS)
    rows = np.arange(len(replay))
    after = rng.integers(game.num_actions, size=(len(rows), DEPTHS + 1))
    lesson = replay.read(Picks(rows, np.zeros_like(rows), after, int(game.hidden), NO_STRAYS))
    truth = _Truth(game)
    found = []
    latents, logits, values = evaluator.root(lesson.planes[:, 0])
    right_turns = np.ones(len(rows), dtype=np.bool_)
    for depth in range(DEPTHS + 1):
        if not lesson.policy[:, depth].any():  # no game is that long
            break
        if depth > 0:
            latents, logits, values, again, _ = evaluator.step(latents, lesson.actions[:, depth - 1])
            right_turns ^= again != (lesson.again[:, depth] > 0)
        positions = replay.columns["positions"]
        imagined = Imagined(latents, logits, values, right_turns)
        found.append(_compare(evaluator, source, depth, lesson, positions, imagined, truth))
        on_progress(source, depth)
    return found


def _compare(
    evaluator: LatentEvaluator,
    source: str,
    depth: int,
    lesson: Unrolled,
    positions: NDArray[np.uint64],
    imagined: Imagined,
    truth: _Truth,
) -> Depth:
    latents, logits, values, right_turns = imagined
    seen, on = lesson.seen[:, depth] > 0, lesson.policy[:, depth].sum(axis=1) > 0
    board, _ = evaluator.decode(latents)
    right = (board > 0) == (lesson.planes[:, depth, : board.shape[1]] > 0.5)  # [row, plane, cell]
    seen_logits, seen_values = evaluator.evaluate(lesson.planes[on, depth])
    ours, theirs = _softmax(logits[on]), _softmax(seen_logits)
    gap = (theirs * (np.log(theirs + 1e-9) - np.log(ours + 1e-9))).sum(axis=1)
    legal = lesson.legal[on, depth] > 0
    exact = lesson.values[:, depth].copy()
    rows = np.flatnonzero(on)
    best = np.where(legal, logits[on], -np.inf).argmax(axis=1)
    judged = []
    for number, row in enumerate(rows):
        known = truth.of(positions[row + depth])
        if known is not None:
            exact[row] = known[0]
            judged.append(best[number] in known[1])
    return Depth(
        source=source,
        depth=depth,
        positions=len(rows),
        boards=_mean(right[seen].all(axis=(1, 2))),
        cells=_mean(right[seen].all(axis=1)),
        illegal=_mean((_softmax(logits[on]) * ~legal).sum(axis=1)),
        value_gap=_mean(np.abs(values[on] - seen_values)),
        value_error=_mean(np.abs(values - exact)[on]),
        end_error=_mean(np.abs(values - exact)[~on]) if not on.all() else None,
        policy_gap=_mean(gap),
        same_move=_mean(ours.argmax(axis=1) == theirs.argmax(axis=1)),
        turns=_mean(right_turns[on]),
        right_move=_mean(np.array(judged)) if judged else None,
    )


class _Truth:
    """What a solver says of positions, each asked about once; nothing where it would take long."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.known: dict[bytes, tuple[int, frozenset[int]] | None] = {}

    def of(self, position: NDArray[np.uint64]) -> tuple[int, frozenset[int]] | None:
        """The value for the player to move, and every right move."""
        key = position.tobytes()
        if key not in self.known:
            self.known[key] = self._solve(position)
        return self.known[key]

    def _solve(self, position: NDArray[np.uint64]) -> tuple[int, frozenset[int]] | None:
        game = self.game
        if game.hidden or game.solver not in MOST_EMPTY:
            return None
        pieces = int((encoded(game, position)[:2] > 0).sum())
        unfinished = game.rules.outcome(game.table, position) == UNFINISHED
        if not unfinished or game.num_cells - pieces > MOST_EMPTY[game.solver]:
            return None
        solved = solve_moves(State(game, position.copy()))
        return solved.value, solved.best


def _softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    raised = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def _mean(values: NDArray[np.generic]) -> float:
    return float(values.mean()) if values.size else float("nan")
