"""Exactly, not against one opponent: the share of moves that keep the proven result.

Options: ``on`` (games, or ``brick:*`` for one on each cell), ``rows`` (name, player), and whose positions:
``positions`` random ones of each game, late enough for the solver, in which the move matters; and, from
each of ``games`` between ``players``, one position that is won for the mover, as early as it may be.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from zerosum.arena.records.record import GameRecord, replay
from zerosum.core.errors import Unsolvable
from zerosum.core.game import Game
from zerosum.core.outcome import value_for
from zerosum.core.random import make_rng, random_below
from zerosum.core.running.watch import Watch
from zerosum.core.state import State, View
from zerosum.core.statistics import wilson_interval
from zerosum.games import make_game
from zerosum.papers.figures import Figure, Row
from zerosum.papers.kinds.playing.contests import boards_of
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome
from zerosum.players.common.registry import make_player
from zerosum.search.enumerate.solved import solved_positions
from zerosum.search.exact.solution import WIN
from zerosum.search.exact.solve import solve

NODES = 200_000  # positions that the solver may look at for one answer: about a second


@dataclass(frozen=True)
class Question:
    """A position, and who knows whether a move keeps its result; None where that is out of reach."""

    view: View
    keeps: Callable[[int], bool | None]


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    boards = [board for game in option(entry, "on") for board in boards_of(game)][: 2 if lab.quick else None]
    asked: dict[str, dict[str, list[Question]]] = {}
    for number, board in enumerate(boards):
        for kind, questions in _questions(entry, lab, board).items():
            asked.setdefault(kind, {})[board] = questions
        lab.tell("positions solved", number + 1, len(boards))
    for name, spec in option(entry, "rows"):
        for kind, by_board in asked.items():
            try:
                outcome.add(_row(f"{name}, {kind}", spec, by_board, lab))
            except NotTrained as missing:
                outcome.add(Row(f"{name}, {kind}", more=str(missing)))
    return outcome


def _questions(entry: Entry, lab: Lab, board: str) -> dict[str, list[Question]]:
    game, found = make_game(board), {}
    if count := option(entry, "positions", 0):
        solved = solved_positions(game, min(count, 3) if lab.quick else count, seed=0)
        found["random positions"] = [Question(known.view, known.best.__contains__) for known in solved]
    if players := option(entry, "players"):
        records = lab.records(board, players, 1 if lab.quick else option(entry, "games"))
        real = (won_position(record, game) for record in records)
        found["real games"] = [question for question in real if question is not None]
    return found


def won_position(record: GameRecord, game: Game) -> Question | None:
    """A position of a game that is proven won for who moves there, drawn among the first half of them."""
    won = [state for state in replay(record, game) if not state.finished and _value(state) == WIN]
    early = won[: (len(won) + 1) // 2]
    if not early:
        return None
    state = early[random_below(make_rng("won position", game.spec, record.number), len(early))]

    @cache
    def keeps(action: int) -> bool | None:
        after = state.copy()
        after.play(action)
        if after.finished:
            return value_for(after.outcome, state.mover) > 0
        value = _value(after)
        return None if value is None else (value == WIN) == (after.mover == state.mover)

    return Question(state.view(), keeps)


def _value(state: State) -> int | None:
    """What a position is worth to who moves there, or None where the solver would take too long."""
    try:
        return solve(state.game, state.position, Watch(nodes=NODES)).value
    except Unsolvable:
        return None


def _row(name: str, spec: str, by_board: dict[str, list[Question]], lab: Lab) -> Row:
    """Over all seeds: moves that keep the result among those of which the solver knows."""
    right = known = unknown = 0
    for seed in lab.seeds_for(spec):
        for number, (board, questions) in enumerate(by_board.items()):
            player = make_player(lab.player(spec, seed), make_game(board))
            player.new_game(seed)
            answers = [question.keeps(player.choose(question.view).action) for question in questions]
            right += answers.count(True)
            unknown += answers.count(None)
            known += len(answers) - answers.count(None)
            lab.tell(f"moves of {spec.partition('@')[0]}", number + 1, len(by_board))
    if not known:
        return Row(name, more="no move that the solver can judge")
    figure = Figure(f"{right} of {known}", right / known, *wilson_interval(right, known), games=known)
    return Row(name, best=figure, more=f"{unknown} more that the solver cannot judge" if unknown else "")
