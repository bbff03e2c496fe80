"""A review as a page: the course of the game, the worst moves on their boards, every move in a table."""

from __future__ import annotations

from collections.abc import Sequence

from zerosum.app.pages.html import boards, figure, heading, page, paragraph, table
from zerosum.app.review import DOUBT, JudgedMove, Review
from zerosum.core.picture import EMPTY
from zerosum.core.state import State
from zerosum.draw.course import course_svg
from zerosum.draw.svg import draw_svg
from zerosum.draw.svg_hints import Hint

SEATS = ("first", "second")
MOST_BOARDS = 6
WORDS = {1: "win", 0: "draw", -1: "loss"}
EXPLAINED = (
    "A mistake is proven by the solver: it gave away a win or a draw. A doubtful move is one that the "
    f"reviewer, after a second look, thinks worth at least {DOUBT:g} less than another, on a scale from -1 "
    "(loss) to 1 (win). Values are for the one who moved."
)


def review_page(review: Review, states: Sequence[State]) -> str:
    """The page as HTML; ``states`` are the positions of the game that was reviewed."""
    first, second = review.players
    course = review.course()
    flaws = [judged.number - 1 for judged in review.worst()]
    parts = [
        paragraph(f"{first} moved first against {second}; {review.ended} after {len(review.moves)} moves."),
        boards([figure(draw_svg(states[-1].game.picture(states[-1]), 320), "How it ended")]),
        heading("The course of the game"),
        course_svg([point.value for point in course], flaws),
        paragraph("Up is good for the first player; red marks the moves below.", note=True),
        heading("What could have been better"),
    ]
    worst = review.worst(MOST_BOARDS)
    parts.append(
        boards(_board(judged, states[judged.number - 1]) for judged in worst)
        if worst
        else paragraph("Nobody found anything.")
    )
    parts += [paragraph(EXPLAINED, note=True), heading("Every move"), table(review_rows(review))]
    return page(f"Review: {states[0].game.title}", parts)


def review_rows(review: Review) -> list[list[str]]:
    """A row a move, the header first."""
    rows = [["move", "by", "value", "best", "worth", "judged by", ""]]
    for judged in review.moves:
        rows.append(
            [
                f"{judged.number}. {judged.move}",
                SEATS[judged.seat],
                value_text(judged.value, judged.exact),
                " ".join(judged.best[:5]),
                value_text(judged.best_value, judged.exact),
                judged.by,
                judged.verdict,
            ]
        )
    return rows


def sentence(judged: JudgedMove) -> str:
    """What was wrong with a move, and what was better, in a line."""
    better = " or ".join(judged.best[:3])
    said = f"{judged.number}. {judged.move} ({SEATS[judged.seat]})"
    value, best = (value_text(v, judged.exact) for v in (judged.value, judged.best_value))
    if judged.mistake:
        return f"{said} turns a {best} into a {value}; {better} keeps it"
    return f"{said} seems weaker than {better}: {value} against {best}, thinks {judged.by}"


def value_text(value: float | None, exact: bool) -> str:
    if value is None:
        return "?"
    return WORDS[round(value)] if exact else f"{value:+.2f}"


def _board(judged: JudgedMove, state: State) -> str:
    """The position before a move, with the best move's cells framed."""
    hints: dict[int, Hint] = {}
    before = state.game.picture(state)
    for name in judged.best[:1]:
        after = state.copy()
        after.play(state.game.notation.read(name))
        for cell in state.game.picture(after).last:
            if before.marks[cell] == EMPTY:
                hints[cell] = Hint(0.3, chosen=True)
    return figure(draw_svg(before, 320, hints), sentence(judged))
