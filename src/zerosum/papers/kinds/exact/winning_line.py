"""A proven win as pictures: best play from the start of a game to its end, its threats marked.

Options: ``claims`` (a game, and a first move that the paper says wins), ``lines`` (a game, and the moves that
a line begins with, maybe none), ``prove`` (games that the first player is to win, or ``brick:*``).
"""

from __future__ import annotations

from zerosum.core.places import cells_of
from zerosum.core.running.watch import Watch
from zerosum.draw.svg import PAPER, draw_svg, svg_size
from zerosum.draw.svg_hints import Hint
from zerosum.draw.svg_marks import element, number
from zerosum.games import make_game
from zerosum.papers.figures import NOT_REPRODUCED, REPRODUCED, Figure, Row
from zerosum.papers.kinds.playing.contests import boards_of
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, option
from zerosum.papers.results import Outcome
from zerosum.search.exact.best_play import Step, best_play
from zerosum.search.exact.solution import LOSS, WIN
from zerosum.search.exact.solve import solve

BOARD = 190  # pixels of a board
ACROSS = 4
CAPTION = 22


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    for spec, move in option(entry, "claims")[: 1 if lab.quick else None]:
        state = make_game(spec).new()
        state.play_moves(move)
        proven = solve(state.game, state.position, Watch()).value == LOSS
        said = Figure(f"{move} wins")
        found = Figure(f"{move} wins: proven" if proven else f"{move} does not win")
        outcome.add(Row(spec, said, best=found, verdict=REPRODUCED if proven else NOT_REPRODUCED))
    for spec, begin in option(entry, "lines")[: 1 if lab.quick else None]:
        lab.tell(f"best play of {spec}", 0, 1)
        state = make_game(spec).new()
        state.play_moves(begin)
        steps = best_play(state, Watch())
        last = steps[-1].state
        moves = " ".join(state.game.notation.name(action) for action in last.history)
        outcome.add(
            Row(f"{spec}, a line of best play", best=Figure(moves), more=f"{len(last.history)} plies")
        )
        outcome.svg(f"Best play of {spec}, threats marked", draw_line(steps))
    boards = [board for game in option(entry, "prove") for board in boards_of(game)][
        : 3 if lab.quick else None
    ]
    wins = 0
    for done, board in enumerate(boards, start=1):
        game = make_game(board)
        wins += solve(game, game.new().position, Watch()).value == WIN
        lab.tell("bricks proven", done, len(boards))
    found = Figure(f"{wins} of {len(boards)} proven")
    verdict = REPRODUCED if wins == len(boards) else NOT_REPRODUCED
    outcome.add(Row("the first player wins", Figure("for every brick"), best=found, verdict=verdict))
    return outcome


def draw_line(steps: list[Step]) -> str:
    """All positions of a line on one page, row by row, what the last mover threatens marked."""
    pictures = [step.state.picture() for step in steps]
    wide, high = svg_size(pictures[0], BOARD)
    rows = -(-len(steps) // ACROSS)
    page = f'width="{number(ACROSS * wide)}" height="{number(rows * (high + CAPTION))}"'
    paper = element("rect", width="100%", height="100%", fill=PAPER)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {page}>', paper]
    for place, (step, picture) in enumerate(zip(steps, pictures, strict=True)):
        x, y = place % ACROSS * wide, place // ACROSS * (high + CAPTION)
        cells = cells_of(step.state.game, step.threats)
        board = draw_svg(picture, BOARD, {cell: Hint(1.0, ("!",), bold=0) for cell in cells})
        parts.append(board.replace("<svg ", f'<svg x="{number(x)}" y="{number(y + CAPTION)}" ', 1).rstrip())
        played = step.state.history
        said = f"{len(played)}. {step.state.game.notation.name(played[-1])}" if played else "the start"
        parts.append(
            f'<text x="{number(x + 14)}" y="{number(y + 17)}" font-family="system-ui, sans-serif" '
            f'font-size="13" fill="#2a2620">{said}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])
