"""Checks of what stands beside the rules: numbers, notation, estimates, pictures, the spec."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from zerosum.app.conformance.trial import WARNING, Trial
from zerosum.core.compiling.compile import is_absent
from zerosum.core.errors import IllegalMove
from zerosum.core.game import Game
from zerosum.core.naming.catalogue import GAMES, names_in
from zerosum.core.outcome import FIRST_WINS, SECOND_WINS
from zerosum.core.random import make_rng, random_below
from zerosum.draw.svg import draw_svg
from zerosum.draw.text import draw_text
from zerosum.games import make_game

MOST_ACTIONS = 65_535  # searches keep an action in 16 bits
NAMES_TRIED = 20_000
LARGEST_ESTIMATE = 2.0
GAMES_TO_JUDGE = 5  # won by either side, before the estimate's sign is judged
PICTURED_GAMES = 5


def faults_of_record(game: Game) -> Iterator[str]:
    """What is wrong with the numbers of the record, before any rule is called."""
    sizes = ("position_words", "num_actions", "max_legal", "max_plies")
    for name in sizes:
        if not isinstance(getattr(game, name), int) or getattr(game, name) < 1:
            yield f"{name} is {getattr(game, name)!r}: it must be a whole number above 0"
    if len(game.shape) not in (2, 3) or min(game.shape, default=0) < 1:
        yield f"shape is {game.shape}: it must be (rows, columns) or (layers, rows, columns)"
    if game.table.dtype != np.uint64 or game.table.ndim != 1 or not game.table.flags.c_contiguous:
        yield f"table must be a flat uint64 array, not {game.table.dtype} of shape {game.table.shape}"
    if not game.planes:
        yield "planes is empty: name at least one plane that encode fills"
    if not 0 <= game.flat_planes < max(1, len(game.planes)):
        yield f"flat_planes is {game.flat_planes}: at least one of {len(game.planes)} planes must be another"
    if game.num_actions > MOST_ACTIONS:
        yield f"num_actions is {game.num_actions}: searches number at most {MOST_ACTIONS} actions"
    if game.max_legal > game.num_actions:
        yield f"max_legal is {game.max_legal}, more than the {game.num_actions} actions there are"
    for name in ("score", "heuristic"):
        if getattr(game, f"has_{name}") == is_absent(getattr(game.rules, name)):
            flag = getattr(game, f"has_{name}")
            yield f"has_{name} is {flag}: set it to True just when there is a {name} rule"
    if game.hidden == is_absent(game.rules.view):
        yield f"hidden is {game.hidden}: set it to True just when there is a view rule"


def check_notation(trial: Trial) -> None:
    """Names and actions must be each other's inverse, alone and in the texts of games."""
    notation, total = trial.game.notation, trial.game.num_actions
    rng = make_rng("names", trial.seed)
    tried = range(total) if total <= NAMES_TRIED else [random_below(rng, total) for _ in range(NAMES_TRIED)]
    owner: dict[str, int] = {}
    for action in tried:
        name = notation.name(action)
        if owner.setdefault(name.lower(), action) != action:
            trial.report("notation", f"actions {owner[name.lower()]} and {action} are both called '{name}'")
        if not re.fullmatch(notation.pattern, name, re.IGNORECASE) or re.search(r"[\s,;]", name):
            trial.report(
                "notation",
                f"action {action} is called '{name}', which the pattern {notation.pattern} does not match "
                "as a whole (and a name has no spaces, commas or semicolons)",
            )
        elif (read := notation.read(name)) != action:
            trial.report("notation", f"action {action} is called '{name}', but parse('{name}') gives {read}")
    with suppress(IllegalMove):
        trial.report(
            "notation", f"parse('?') gives {notation.read('?')}: raise ValueError on what is no move"
        )
    for game in trial.played:
        names = [notation.name(action) for action in game.actions]
        if not _reads(trial.game, " ".join(names), game.actions):
            trial.report("notation", f"the moves '{' '.join(names)}' are not read as they were written")
        if not _reads(trial.game, "".join(names), game.actions):
            text = "".join(names[:8])
            trial.report("notation", f"moves need gaps: without them '{text}' reads otherwise", WARNING)


def _reads(game: Game, text: str, actions: list[int]) -> bool:
    try:
        return [move.action for move in game.notation.split(text)] == actions
    except IllegalMove:
        return False


def check_estimates(trial: Trial) -> None:
    """Score and heuristic change nothing; estimates are finite, in range and on the winner's side."""
    rules, table = trial.game.rules, trial.table
    last_estimates: dict[int, list[float]] = {FIRST_WINS: [], SECOND_WINS: []}
    for game in trial.played:
        for ply, step in enumerate(game.steps):
            position = step.words.copy()
            rules.score(table, position)
            estimate = float(rules.heuristic(table, position))
            where = trial.where(game, ply)
            if not np.array_equal(position, step.words):
                trial.report("looking", f"score or heuristic changes the position {where}: only play may")
            if not np.isfinite(estimate) or (step.legal and abs(estimate) > LARGEST_ESTIMATE):
                trial.report(
                    "heuristic",
                    f"heuristic gives {estimate:g} {where}: while the game is on it lies within "
                    f"-{LARGEST_ESTIMATE:g} and {LARGEST_ESTIMATE:g}, so divide it",
                )
            if ply == len(game.steps) - 2 and game.steps[-1].outcome in last_estimates:
                last_estimates[game.steps[-1].outcome].append(estimate)
    won, lost = last_estimates.values()
    if min(len(won), len(lost)) >= GAMES_TO_JUDGE and np.mean(won) < np.mean(lost):
        trial.report(
            "heuristic",
            f"before the last move heuristic averages {np.mean(won):.3g} in games that the first player won "
            f"and {np.mean(lost):.3g} in those it lost: its sign is for the first player, whoever is to move",
            WARNING,
        )


def check_picture(trial: Trial) -> None:
    """Pictures of the start and of some games, move by move, have a mark for each cell and can be drawn."""
    for game in trial.played[:PICTURED_GAMES]:
        state = trial.game.new(game.number)
        for ply in range(len(game.steps)):
            picture = trial.game.picture(state)
            where = trial.where(game, ply)
            cells = range(trial.game.num_cells)
            if len(picture.marks) != len(cells) or tuple(picture.shape) != trial.game.shape:
                trial.report(
                    "picture",
                    f"the picture has {len(picture.marks)} marks and shape {picture.shape} {where}: "
                    f"the board has {len(cells)} cells and shape {trial.game.shape}",
                )
            draw_text(picture)
            draw_svg(picture)
            for cell in (*picture.last, *picture.won):
                if cell not in cells:
                    trial.report(
                        "picture", f"the picture highlights cell {cell} {where}: there is no such cell"
                    )
            if ply < len(game.steps) - 1:
                state.play(game.actions[ply])


def check_spec(trial: Trial) -> None:
    """The spec of a game of the package names that game."""
    game = trial.game
    if game.spec.partition(":")[0] not in names_in(*GAMES):
        return
    again = make_game(game.spec)
    for name in ("spec", "position_words", "num_actions", "max_legal", "max_plies", "shape", "planes"):
        if getattr(again, name) != getattr(game, name):
            trial.report(
                "spec",
                f"make_game('{game.spec}') gives a game whose {name} is {getattr(again, name)}, not "
                f"{getattr(game, name)}: the spec must spell out the variant",
            )
    if not np.array_equal(again.table, game.table):
        trial.report(
            "spec", f"make_game('{game.spec}') gives another table: the spec must spell out the variant"
        )
