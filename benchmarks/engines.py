"""Games against a strong opponent from random openings, each played twice, with colours exchanged.

    python benchmarks/engines.py othello alphazero:400 'gtp:gtp-rhino -l 3'
    python benchmarks/engines.py blokus alphazero:400@RUN 'gtp:pentobi-gtp --level 1 --game duo' --games 40
    python benchmarks/engines.py othello alphazero:100 mcts:1000 --games 10

Players are named as everywhere; engines of others by how their program is called. Two that draw nothing at
random would play one game over and over: openings of up to four plies make the games differ, and the exchange
makes them fair.
"""

from __future__ import annotations

import argparse
import sys

from zerosum.arena.match import match_total
from zerosum.arena.records.record import GameRecord
from zerosum.arena.workers import play_fixtures
from zerosum.core.errors import ZerosumError
from zerosum.games import make_game
from zerosum.learn.alphazero.gate import gate_fixtures


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("player")
    parser.add_argument("opponent")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, help="games at once; all cores unless given")
    arguments = parser.parse_args()
    records: list[GameRecord] = []

    def keep(record: GameRecord) -> None:
        records.append(record)
        print(
            f"\r{len(records)} of {len(fixtures)}: {match_total(records)}",
            end="",
            file=sys.stderr,
            flush=True,
        )

    try:
        game = make_game(arguments.game)
        fixtures = gate_fixtures(game, arguments.games, arguments.seed)
        play_fixtures(game, (arguments.player, arguments.opponent), fixtures, keep, arguments.workers)
    except ZerosumError as error:
        print(f"engines: {error}", file=sys.stderr)
        return 2
    print(file=sys.stderr)
    total = match_total(records)
    low, high = total.score_interval
    print(
        f"{arguments.player} against {arguments.opponent} at {game.spec}: {total.wins} won, "
        f"{total.draws} drawn, {total.losses} lost; {total.score_share:.1%} of the points, "
        f"95 % from {low:.1%} to {high:.1%}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
