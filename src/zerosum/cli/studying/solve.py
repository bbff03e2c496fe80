"""``zerosum solve``: the exact result of a position."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameSpec, Json, Moves, Position, StartSeed
from zerosum.cli.common.films import write_film
from zerosum.cli.common.screen import (
    load_game,
    out,
    patience,
    print_board,
    print_json,
    require_ending,
    watching,
)

if TYPE_CHECKING:
    from zerosum.search.exact.best_play import Step


def solve(
    game: GameSpec,
    moves: Moves = "",
    position: Position = "",
    seconds: Annotated[float | None, typer.Option(min=0.0, help="Give up after so long.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Give up after so many positions.")] = None,
    line: Annotated[
        bool, typer.Option("--line", help="Show how it comes about: best play to the end.")
    ] = False,
    to: Annotated[
        Path | None,
        typer.Option("--to", help="Draw that: a film (.gif), or boards side by side (.png)."),
    ] = None,
    json: Json = False,
    seed: StartSeed = 0,
) -> None:
    """Prove the result of a position under best play, and the best moves.

    Example: zerosum solve connect4 --moves 4444
    """
    require_ending(to, ".gif", ".png")
    played = load_game(game)
    from zerosum.app.explain import position_after
    from zerosum.search.exact.best_play import best_play
    from zerosum.search.exact.solution import VALUE_NAMES
    from zerosum.search.exact.solve import load_solver, solve_fully

    state = position_after(played, moves, seed, position)
    with patience("compiling the solver (only the first time)"):
        load_solver(played.solver)
    start = perf_counter()
    with watching(f"solving {played.spec}", seconds, nodes) as watch:
        solution = solve_fully(played, state.position, watch)
        steps = best_play(state, watch) if line or to else []
    took = perf_counter() - start
    if to is not None:
        _draw(steps, to)
    best = state.names(list(solution.best))
    if json:
        data = {
            "game": played.spec,
            "moves": moves,
            "position": position,
            "value": VALUE_NAMES[solution.value],
            "best": best,
            "complete": solution.complete,
            "nodes": solution.nodes,
            "seconds": took,
        }
        data |= {} if solution.score is None else {"score": solution.score}
        print_json(data | ({"line": [step.move for step in steps[1:]]} if steps else {}))
        return
    print_board(out, state)
    mover = ("first", "second")[state.mover]
    value = (VALUE_NAMES[solution.value], "bold")
    out.print(Text.assemble("\n", value, f" for the {mover} player, to move"))
    if solution.score is not None:
        out.print(f"score {solution.score:+d}")
    out.print(f"best: {' '.join(best)}" + ("" if solution.complete else "  (others may be as good)"))
    if steps:
        out.print(f"line: {' '.join(step.move for step in steps[1:])}")
    out.print(f"{solution.nodes:,} positions in {took:.2f} s", style="dim")


def _draw(steps: list[Step], to: Path) -> None:
    """The boards of a line, its threats marked."""
    from zerosum.core.places import cells_of
    from zerosum.draw.svg_hints import Hint

    marked = [
        {cell: Hint(1.0, ("!",), bold=0) for cell in cells_of(step.state.game, step.threats)}
        for step in steps
    ]
    write_film([step.state for step in steps], to, hints=marked)
