"""A line of play as it is and as the model imagines it: the real boards above, the decoded ones below."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from zerosum.app.model.knowledge import encoded
from zerosum.core.outcome import FIRST
from zerosum.core.state import State
from zerosum.nets.artifact.latent import LatentEvaluator

CELL = 18
GAP = 14
MARGIN = 16
TITLE = 22
FONT = 11
COLOURS = ("#d1495b", "#2e6f95")  # of the first and the second player
BOARD, RULED, INK, PAPER, WRONG = "#fffefb", "#c9c3b4", "#4c4a45", "#fdfbf6", "#ff9f1c"
FAINTEST = 0.04  # below which a stone is not drawn


def draw_line(evaluator: LatentEvaluator, start: State, actions: list[int]) -> str:
    """An SVG of the boards before and after each action, real and imagined; cells drawn wrong are framed.

    Only the start is seen by the model. A stone is as dark as the model is sure of it.
    """
    game = start.game
    state = start.copy()
    latents, _, values = evaluator.root(encoded(game, start.view().position)[None])
    real, drawn, notes = [], [], []
    mine = start.mover == FIRST  # whether the latent is the first player's
    for step in range(len(actions) + 1):
        if step > 0:
            latents, _, values, again, _ = evaluator.step(latents, np.array([actions[step - 1]]))
            mine ^= not again[0]
            state.play(actions[step - 1])
        board, _ = evaluator.decode(latents)
        real.append(_sides(encoded(game, state.view().position), state.mover == FIRST))
        drawn.append(_sides(1 / (1 + np.exp(-board[0])), mine))
        value = float(values[0]) if mine else -float(values[0])
        name = game.notation.name(actions[step - 1]) if step else "seen"
        notes.append((name, f"{value:+.2f}"))
    return _page(game.shape, real, drawn, notes)


def _sides(planes: NDArray[np.floating], of_first: bool) -> NDArray[np.float64]:
    """[player, cell] from planes that show the mover's and the other's pieces first."""
    own, other = planes[0], planes[1]
    return np.array([own, other] if of_first else [other, own], dtype=np.float64)


def _page(
    shape: tuple[int, ...],
    real: list[NDArray[np.float64]],
    drawn: list[NDArray[np.float64]],
    notes: list[tuple[str, str]],
) -> str:
    *layers, rows, columns = shape
    deep = layers[0] if layers else 1
    wide, high = columns * CELL, deep * (rows * CELL + 4)
    width = 2 * MARGIN + 70 + len(real) * (wide + GAP)
    height = 2 * MARGIN + 2 * (high + TITLE) + TITLE
    parts = [f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>']
    tops = (MARGIN + TITLE, MARGIN + 2 * TITLE + high)
    for top, title in zip(tops, ("as it is", "imagined"), strict=True):
        parts.append(_text(MARGIN, top + high / 2, title))
    for step, (name, value) in enumerate(notes):
        left = MARGIN + 70 + step * (wide + GAP)
        parts.append(_text(left, MARGIN + TITLE - 7, name))
        parts += _board(left, tops[0], shape, real[step], real[step])
        parts += _board(left, tops[1], shape, drawn[step], real[step])
        parts.append(_text(left, tops[1] + high + FONT + 4, value))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="{FONT}">\n{body}\n</svg>\n'
    )


def _board(
    left: float, top: float, shape: tuple[int, ...], sides: NDArray[np.float64], real: NDArray[np.float64]
) -> list[str]:
    rows, columns = shape[-2:]
    parts = []
    for cell in range(sides.shape[1]):
        layer, place = divmod(cell, rows * columns)
        row, column = divmod(place, columns)
        x, y = left + column * CELL, top + layer * (rows * CELL + 4) + row * CELL
        wrong = bool(((sides[:, cell] > 0.5) != (real[:, cell] > 0.5)).any())
        frame, thick = (WRONG, 2) if wrong else (RULED, 1)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{BOARD}" stroke="{frame}" '
            f'stroke-width="{thick}"/>'
        )
        for player, colour in enumerate(COLOURS):
            sure = float(sides[player, cell])
            if sure > FAINTEST:
                parts.append(
                    f'<circle cx="{x + CELL / 2}" cy="{y + CELL / 2}" r="{CELL * 0.36:.1f}" fill="{colour}" '
                    f'fill-opacity="{min(1.0, sure):.2f}"/>'
                )
    return parts


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{INK}">{text}</text>'
