"""``zerosum solve``: the exact result of a position."""

from __future__ import annotations

from functools import partial
from time import perf_counter

from zerosum.cli.perft import Moves
from zerosum.cli.screen import (
    GameSpec,
    Json,
    StartSeed,
    load_game,
    out,
    patience,
    print_board,
    print_json,
    watching,
)


def solve(game: GameSpec, moves: Moves = "", json: Json = False, seed: StartSeed = 0) -> None:
    """Prove the result of a position under best play, and the best moves.

    Example: zerosum solve connect4 --moves 4444
    """
    played = load_game(game)
    from zerosum.app.explain import position_after
    from zerosum.search.exact.solution import VALUE_NAMES
    from zerosum.search.exact.solve import load_solver

    state = position_after(played, moves, seed)
    with patience("compiling the solver (only the first time)"):
        prove = load_solver(played.solver)
    start = perf_counter()
    with watching(f"solving {played.spec}") as watch:
        solution = watch.run(partial(prove, played, state.position, watch))
    seconds = perf_counter() - start
    best = state.names(list(solution.best))
    if json:
        data = {
            "game": played.spec,
            "moves": moves,
            "value": VALUE_NAMES[solution.value],
            "best": best,
            "complete": solution.complete,
            "nodes": solution.nodes,
            "seconds": seconds,
        }
        print_json(data | ({} if solution.score is None else {"score": solution.score}))
        return
    print_board(out, state)
    mover = ("first", "second")[state.mover]
    out.print(f"\n[bold]{VALUE_NAMES[solution.value]}[/] for the {mover} player, to move")
    if solution.score is not None:
        out.print(f"score {solution.score:+d}")
    out.print(f"best: {' '.join(best)}" + ("" if solution.complete else "  (others may be as good)"))
    out.print(f"{solution.nodes:,} positions in {seconds:.2f} s", style="dim")
