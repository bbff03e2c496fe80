"""Boards with what a player thinks of each move: prior, visits and the move chosen.

Options: ``on`` (a game), ``player``, ``moves`` (a list of games so far, in the game's notation).
"""

from __future__ import annotations

from zerosum.games import make_game
from zerosum.papers.figures import Row
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome
from zerosum.players.common.explanation import explain
from zerosum.players.common.explanation_svg import draw_explanation
from zerosum.players.common.registry import make_player


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    game = make_game(option(entry, "on"))
    try:
        player = make_player(lab.player(option(entry, "player")), game)
    except NotTrained as missing:
        outcome.notes.append(str(missing))
        return outcome
    for moves in option(entry, "moves"):
        state = game.new()
        state.play_moves(moves)
        view = state.view()
        choice = player.choose(view)
        name = game.notation.name(choice.action)
        first = choice.candidates[0]
        told = f"plays {name}: {first.visits} visits, prior {first.prior or 0:.0%}"
        outcome.add(Row(f"after {moves or 'nothing'}", more=told))
        outcome.svg(
            f"After {moves or 'nothing'}",
            draw_explanation(explain(view, player.spec.partition("@")[0], choice)),
        )
    return outcome
