"""Draw the pictures of the documentation: ``python docs/make_pictures.py`` writes docs/pictures/*.svg.

To show another game, add its line to BOARDS, or to PAGES for its own page alone.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

from zerosum.app.explain import think
from zerosum.draw.svg import draw_svg
from zerosum.games import make_game
from zerosum.players.common.explanation_svg import draw_explanation

FOLDER = Path(__file__).parent / "pictures"
HEIGHT = 300.0  # of each board in the row
GAP = 14.0

# Game, what to write below it, and moves from games that UCT played against itself.
BOARDS = [
    ("brick:E5", "Brick Tic-Tac-Toe", "D3 D4 F5 E4 C4 G4 F4 C5 E2 F1 B5"),
    ("connect4", "Connect Four", "3443464453663631635551774227222"),
    ("othello", "Othello", "c4e3f6e6f2b3f4g3g5g6h2f3b4e2b2f1d6c3g7a4d3g4e1h3h4c2b5a1e7h5"),
    (
        "blokus",
        "Blokus Duo",
        "I5b@e2 Z5c@j9 Y5h@f7 W5c@j6 L5b@a7 Z4a@l10 I4a@f1 P5d@l4 Z4a@j2 L5d@h12 P5g@b9 T5c@k12 L4a@d12 "
        "O4a@f10 W5b@h3 F5a@h5 N5g@m1 Y5e@d8",
    ),
    (
        "qubic",
        "Qubic",
        "2b3 3b3 2c2 1d3 2a3 2c3 4a3 1d1 2a4 2d1 3b2 3d1 4d1 1d4 1d2 3c2 4a2",
    ),
]

# Games with a picture on their own page only.
EXAMPLES = Path(__file__).parents[1] / "examples"
PAGES = [
    ("abalone:daisy", "Abalone", "a1-b2 i5-h5 b2-c3 h5-g5 b3-c4"),
    (f"{EXAMPLES}/breakthrough.py:6x6", "Breakthrough", "b2-b3 e5-e4 d2-d3 c5-c4 d3xe4"),
    (f"{EXAMPLES}/dots_and_boxes.py", "Dots and Boxes", "b1 a2 d3 b3 c2 f1 g4 e6 d5 f7 c6 e4 c4"),
]

INVISIBLE_MOVES = "b2 b2 a1 a1 c3 c3 b1"  # three of them collisions

ElementTree.register_namespace("", "http://www.w3.org/2000/svg")


def draw_boards() -> dict[str, str]:
    """The pictures by file name: one for each game, and boards.svg with all of them in a row."""
    drawn = {f"{name_of(spec)}.svg": draw_board(spec, *rest) for spec, *rest in BOARDS}
    alone = {f"{name_of(spec)}.svg": draw_board(spec, *rest) for spec, *rest in PAGES}
    boards = in_a_row(list(drawn.values()), "Boards of several games")
    return drawn | alone | {"boards.svg": boards, "invisible.svg": draw_invisible()}


def name_of(spec: str) -> str:
    """A game's name, without its variant and, of a file, without its folder."""
    return Path(spec.partition(":")[0]).stem


def draw_board(spec: str, title: str, moves: str) -> str:
    """A game after some moves."""
    state = make_game(spec).new()
    state.play_moves(moves)
    return draw_svg(replace(state.game.picture(state), caption=title))


def draw_invisible() -> str:
    """An invisible game as it is, as its first player sees it, and as its second player does."""
    state = make_game("invisible-tictactoe").new()
    state.play_moves(INVISIBLE_MOVES)
    truth = replace(state.game.picture(state), caption="the true board")
    first, second = (
        replace(state.view(player).picture(), caption=f"what {side} sees") for player, side in enumerate("XO")
    )
    return in_a_row([draw_svg(picture) for picture in (truth, first, second)], "A board and two views of it")


def draw_thoughts() -> str:
    """What a network and its search think of each move; apart, for its last digits are the processor's."""
    state = make_game("tictactoe").new()
    state.play_moves("b2 a2")
    return draw_explanation(think(state, "alphazero:200").explanation)


def in_a_row(pictures: list[str], title: str) -> str:
    """Pictures side by side in one, all of the same height."""
    placed = []
    right = 0.0
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        width = HEIGHT * float(root.attrib["width"]) / float(root.attrib["height"])
        for attribute, value in (("x", right), ("width", width), ("height", HEIGHT)):
            root.set(attribute, f"{value:.2f}")
        placed.append(ElementTree.tostring(root, encoding="unicode"))
        right += width + GAP
    width = right - GAP
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.2f}" height="{HEIGHT:.2f}" '
        f'viewBox="0 0 {width:.2f} {HEIGHT:.2f}" role="img" aria-label="{title}">'
    )
    return "\n".join([head, f"<title>{title}</title>", *placed, "</svg>\n"])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in (draw_boards() | {"explain.svg": draw_thoughts()}).items():
        (FOLDER / name).write_text(picture)
