"""``zerosum solve``: the exact result of a position."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameSpec, Json, Moves, Position, StartSeed
from zerosum.cli.common.screen import load_game, out, patience, print_board, print_json, watching


def solve(
    game: GameSpec,
    moves: Moves = "",
    position: Position = "",
    seconds: Annotated[float | None, typer.Option(min=0.0, help="Give up after so long.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Give up after so many positions.")] = None,
    json: Json = False,
    seed: StartSeed = 0,
) -> None:
    """Prove the result of a position under best play, and the best moves.

    Example: zerosum solve connect4 --moves 4444
    """
    played = load_game(game)
    from zerosum.app.explain import position_after
    from zerosum.search.exact.solution import VALUE_NAMES
    from zerosum.search.exact.solve import load_solver, solve_fully

    state = position_after(played, moves, seed, position)
    with patience("compiling the solver (only the first time)"):
        load_solver(played.solver)
    start = perf_counter()
    with watching(f"solving {played.spec}", seconds, nodes) as watch:
        solution = solve_fully(played, state.position, watch)
    took = perf_counter() - start
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
        print_json(data | ({} if solution.score is None else {"score": solution.score}))
        return
    print_board(out, state)
    mover = ("first", "second")[state.mover]
    value = (VALUE_NAMES[solution.value], "bold")
    out.print(Text.assemble("\n", value, f" for the {mover} player, to move"))
    if solution.score is not None:
        out.print(f"score {solution.score:+d}")
    out.print(f"best: {' '.join(best)}" + ("" if solution.complete else "  (others may be as good)"))
    out.print(f"{solution.nodes:,} positions in {took:.2f} s", style="dim")
