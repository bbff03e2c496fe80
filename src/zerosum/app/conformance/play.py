"""Checks on play: what it depends on, what a position's words say, and random play by the game itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zerosum.app.conformance.trial import NOT_RUN, WARNING, Place, Step, Trial
from zerosum.core.compiling.compile import absent_rollout
from zerosum.core.outcome import OUTCOME_NAMES
from zerosum.core.random import hash_key, make_rng, random_below


def check_play(trial: Trial) -> None:
    """Play two games in turns, move by move: each must pass through the same positions as before."""
    rules, table = trial.game.rules, trial.table
    for game, other in zip(trial.played, trial.played[1:] + trial.played[:1], strict=True):
        pair = [(played, played.steps[0].words.copy()) for played in (game, other) if played.steps]
        for ply in range(max(len(game.steps), len(other.steps)) - 1):
            for played, position in pair:
                if ply + 1 >= len(played.steps):
                    continue
                rules.play(table, position, played.actions[ply])
                if not np.array_equal(position, played.steps[ply + 1].words):
                    trial.report(
                        "play",
                        f"play gives another position the second time {trial.where(played, ply + 1)}: it may "
                        "depend on nothing but the position, the action and the table",
                    )
                    return


def check_identity(trial: Trial) -> None:
    """The words are a position's identity: look for two that share a key, and for words that differ idly."""
    keys: dict[int, tuple[bytes, Place]] = {}
    looks: dict[tuple[bytes, int, tuple[int, ...]], tuple[bytes, Place]] = {}
    for step, where in _positions(trial):
        here = (step.words.tobytes(), where)
        known = keys.setdefault(int(hash_key(step.words)), here)
        if known[0] != here[0]:
            trial.report("hash key", f"two positions have the same hash key: {known[1]} and {where}")
        known = looks.setdefault((_shown(trial, step), step.mover, step.legal), here)
        if step.legal and known[0] != here[0]:
            differ = np.frombuffer(known[0], np.uint64) != np.frombuffer(here[0], np.uint64)
            trial.report(
                "history",
                f"the positions {known[1]} and {where} have the same encoding, mover and legal actions but "
                f"differ in word {int(np.argmax(differ))}: if they play alike, keep history out of the words "
                "(searches take them for two positions); if not, show the difference in a plane",
                WARNING,
            )


def _shown(trial: Trial, step: Step) -> bytes:
    """All that anybody sees of a position: the encoding, or both views where something is hidden."""
    if not trial.game.hidden:
        return step.encoding.tobytes()
    seen = np.empty((2, len(step.words)), dtype=np.uint64)
    for player in (0, 1):
        trial.game.rules.view(trial.table, step.words, player, seen[player])
    return seen.tobytes()


def _positions(trial: Trial) -> Iterator[tuple[Step, Place]]:
    """All positions of the random games, and some reached by exchanging two moves of one player."""
    for game in trial.played:
        for ply, step in enumerate(game.steps):
            yield step, trial.where(game, ply)
    for game in trial.played:
        if len(game.steps) < 5:
            continue
        first = random_below(make_rng("exchange", trial.seed, game.number), len(game.steps) - 4)
        order = game.actions[: first + 3]
        order[first], order[first + 2] = order[first + 2], order[first]
        step = game.steps[first]
        for action in order[first:]:
            if action not in step.legal:
                break
            position = step.words.copy()
            trial.game.rules.play(trial.table, position, action)
            step = trial.see(position)
        else:
            yield step, Place(trial, game.number, order, len(order))


def check_rollout(trial: Trial) -> None:
    """A game's own rollout must be what drawing from the legal actions gives, only faster."""
    rules, table = trial.game.rules, trial.table
    if getattr(rules.rollout, "__wrapped__", rules.rollout) is absent_rollout:
        return
    if trial.failed("legal", "outcome", "length"):
        trial.report("rollout", "random games do not end as they should: mend that first", NOT_RUN)
        return
    actions = np.empty(trial.game.max_legal, dtype=np.int64)
    for game in trial.played:
        if not game.finished:
            continue
        ply = random_below(make_rng("rollout", trial.seed, game.number), len(game.steps))
        fast, slow = game.steps[ply].words.copy(), game.steps[ply].words.copy()
        outcome = int(rules.rollout(table, fast, actions, make_rng("dice", trial.seed, game.number)))
        rng = make_rng("dice", trial.seed, game.number)
        moves = list(game.actions[:ply])
        while (count := rules.legal(table, slow, actions)) > 0:
            moves.append(int(actions[random_below(rng, count)]))
            rules.play(table, slow, moves[-1])
        wanted = int(rules.outcome(table, slow))
        fault = ""
        if outcome != wanted:
            given = OUTCOME_NAMES[outcome] if 0 <= outcome < len(OUTCOME_NAMES) else str(outcome)
            fault = f"gives '{given}' instead of '{OUTCOME_NAMES[wanted]}'"
        elif not np.array_equal(fast, slow):
            fault = f"leaves another position ({np.flatnonzero(fast != slow).size} words differ)"
        if fault:
            trial.report(
                "rollout",
                f"rollout {fault} {trial.where(game, ply)}, where drawing from the legal actions plays "
                f"'{trial.names(moves[ply:])}': it must draw random_below(rng, count) for each move, "
                "play that one of the legal actions in ascending order, and leave the final position",
            )
            return
