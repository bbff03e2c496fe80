"""``zerosum perft``: count move sequences, to check rules and to time them."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Annotated

import typer
from rich.text import Text

from zerosum.cli.common.arguments import GameSpec, Json, Moves, StartSeed
from zerosum.cli.common.screen import load_game, out, print_json, watching
from zerosum.core.errors import BadSpec


def perft(
    game: GameSpec,
    depth: Annotated[int, typer.Option(help="Plies to count.")],
    moves: Moves = "",
    json: Json = False,
    seed: StartSeed = 0,
) -> None:
    """Count the move sequences of exactly so many plies, from the start that --seed draws where several are.

    Example: zerosum perft othello:8x8 --depth 9
    """
    if depth < 0:
        raise BadSpec(f"--depth must be 0 or more, not {depth}")
    played = load_game(game)
    from zerosum.search.enumerate.count import perft as count
    from zerosum.search.enumerate.starts import has_several_starts

    state = played.new(seed)
    state.play_moves(moves)
    start = perf_counter()
    with watching(f"counting {played.spec} to depth {depth}") as watch:
        nodes = watch.run(partial(count, played, state.position, depth, watch))
    seconds = perf_counter() - start
    if json:
        counted = {"game": played.spec, "moves": moves, "depth": depth, "nodes": nodes, "seconds": seconds}
        print_json(counted | ({"start_seed": seed} if has_several_starts(played) else {}))
    else:
        where = f" from the start of seed {seed}" if has_several_starts(played) else ""
        number = (f"{nodes:,}", "bold")
        took = f" sequences in {seconds:.2f} s"
        out.print(Text.assemble(f"{played.spec} depth {depth}{where}: ", number, took))
