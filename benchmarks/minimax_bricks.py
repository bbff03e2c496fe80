"""Minimax against itself on all 49 bricks, beside BRICK's Tables 4 and 7: it should win as first player.

Run: python benchmarks/minimax_bricks.py (10 games a brick, 100 on D4 and on E5; some ten seconds)
"""

from __future__ import annotations

from time import perf_counter

from zerosum.arena.records.record import GameRecord
from zerosum.arena.strength.table import BRICKS
from zerosum.arena.tally import Tally, tally
from zerosum.arena.workers import Fixture, play_fixtures
from zerosum.core.outcome import FIRST
from zerosum.games import make_game

PLAYER = "minimax:2"
GAMES = 10  # on each brick, as the paper's 490
VARIANTS = {"brick:D4": "100 - 0", "brick:E5": "100 - 0"}  # the paper's two, with its results of 100 games


def beats_itself(spec: str, games: int, seed: int = 0) -> Tally:
    """The results of the first player."""
    records: list[GameRecord] = []
    fixtures = [Fixture((0, 1), seed, number) for number in range(games)]
    play_fixtures(make_game(spec), (PLAYER, PLAYER), fixtures, records.append)
    return tally(records, FIRST)


def main() -> None:
    began = perf_counter()
    results = {spec: beats_itself(spec, GAMES) for spec in BRICKS}
    wins = sum(result.wins for result in results.values())
    games = GAMES * len(BRICKS)
    print(f"all bricks: {wins} - {games - wins} ({wins / games:.1%}); the paper: 490 - 0")
    lost = {spec: result.losses for spec, result in results.items() if result.losses}
    print("lost as first player:", ", ".join(f"{spec} {losses}" for spec, losses in lost.items()) or "none")
    for spec, published in VARIANTS.items():
        result = beats_itself(spec, 100)
        print(f"{spec}: {result.wins} - {result.losses}; the paper: {published}")
    print(f"{perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
