"""Seconds a move: the mean over so many moves of each player from the start position, nothing remembered.

Options: ``on`` (a game), ``rows`` (player, printed seconds), ``moves``.
"""

from __future__ import annotations

from time import perf_counter

from zerosum.games import make_game
from zerosum.papers.figures import BEATEN, NOT_BEATEN, Figure, Row
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, PaperPlayer, option
from zerosum.papers.results import Outcome
from zerosum.players.common.guided import GuidedPlayer
from zerosum.players.common.registry import make_player


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    game = option(entry, "on")
    for name, printed in option(entry, "rows"):
        player = lab.paper.players.get(name, PaperPlayer(method=name))
        paper = Figure(f"{printed:g} s", float(printed))
        moves = lab.games(option(entry, "moves", 100))
        try:
            method = _seconds(game, lab.player(player.method), moves, lab)
            best = _seconds(game, lab.player(player.best), moves, lab) if player.best else None
        except NotTrained as missing:
            outcome.add(Row(name, paper, more=str(missing)))
            continue
        quickest = best if best is not None and player.best != player.method else method
        verdict = BEATEN if (quickest.value or 0.0) < printed else NOT_BEATEN
        outcome.add(
            Row(name, paper, method, best, verdict, f"{printed / (method.value or 1):,.3g} times as fast")
        )
    outcome.notes.append(
        "Seconds are those of the machine that made this file, one core, one move at a time."
    )
    return outcome


def _seconds(spec: str, player: str, moves: int, lab: Lab) -> Figure:
    """The mean of the moves after a first one, which loads and compiles."""
    game = make_game(spec)
    thinker = make_player(player, game)
    taken = []
    for number in range(moves + 1):
        thinker.new_game(number)
        if isinstance(thinker, GuidedPlayer):
            thinker.search.model.forget()  # it would know all about this board after its first move
        state = game.new(number)
        began = perf_counter()
        thinker.choose(state.view())
        taken.append(perf_counter() - began)
        lab.tell(f"seconds a move of {player.partition('@')[0]}", number, moves)
    mean = sum(taken[1:]) / moves
    return Figure(f"{mean:.3g} s", mean)
