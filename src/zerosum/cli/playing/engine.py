"""``zerosum engine``: let other programs play against a player, by the protocols they speak."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from zerosum.cli.common.arguments import Seed
from zerosum.cli.common.screen import load_game, patience
from zerosum.core.errors import BadSpec, suggestion

PROTOCOLS = ("gtp", "gomocup", "nboard")


def engine(
    protocol: Annotated[str, typer.Argument(help="gtp, gomocup or nboard.")],
    game: Annotated[str, typer.Option(help="What is played; Gomocup's managers say the size.")] = "othello",
    player: Annotated[str, typer.Option(help="Who plays.")] = "mcts:1000",
    seed: Seed = 0,
) -> None:
    """Be an engine: commands come on standard input, answers go to standard output.

    gtp is for every board game, with the commands by which GoGui learns the rules; gomocup is for Gomoku,
    nboard for Othello.

    Example: zerosum engine gtp --game othello --player alphazero:400
    """
    if protocol not in PROTOCOLS:
        raise BadSpec(f"there is no protocol '{protocol}'{suggestion(protocol, PROTOCOLS)}")
    if protocol == "gomocup":
        from zerosum.adapters.gomocup import GomocupEngine

        GomocupEngine(player, seed).serve(sys.stdin, sys.stdout)
        return
    played = load_game(game)
    with patience("getting ready (only the first time)"):
        from zerosum.adapters.gtp import GtpEngine
        from zerosum.adapters.nboard import NBoardEngine
        from zerosum.players.common.engine import require_open
        from zerosum.players.common.registry import make_player
        from zerosum.players.engines.nboard import require_othello

        require_open(played, protocol)
        who = make_player(player, played)
    if protocol == "nboard":
        require_othello(played)
        NBoardEngine(played, who, seed).serve(sys.stdin, sys.stdout)
    else:
        GtpEngine(played, who, seed).serve(sys.stdin, sys.stdout)
