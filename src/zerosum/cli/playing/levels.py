"""``zerosum levels``: how strong the named levels of a game are, and the tournament that tells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from zerosum.cli.common.arguments import GameSpec, Json, Seed
from zerosum.cli.common.results import Workers, screen_table
from zerosum.cli.common.screen import counting, load_game, out, patience, print_json

if TYPE_CHECKING:
    from zerosum.app.studies.levels import Levels


def levels(
    game: GameSpec,
    measure: Annotated[bool, typer.Option("--measure", help="Play the tournament that rates them.")] = False,
    games: Annotated[int, typer.Option(min=2, help="Games a pair, when measuring.")] = 40,
    to: Annotated[Path, typer.Option("--to", help="The folder for what is measured.")] = Path("levels"),
    workers: Workers = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Show the named levels of a game, for `play --level`, with ratings and error bars; or measure them.

    Example: zerosum levels connect4
    """
    played = load_game(game)
    with patience("getting ready (only the first time)"):
        from zerosum.app.studies import levels as use
    if measure:
        with counting("games") as progress:
            task = progress.add_task("", total=None)
            found = use.measure_levels(
                played,
                games,
                seed,
                workers,
                lambda done, total: progress.update(task, completed=done, total=total),
            )
        file = use.save_levels(found, played, to)
    else:
        found = use.levels_of(played) or use.supposed_levels(played)
    if json:
        print_json(use.levels_fields(found))
        return
    out.print(screen_table(_rows(found)))
    if found.games:
        told = f"rating in Elo against the mean of the five, +- 95 %; {found.games} games a pair"
    else:
        told = f"nobody has measured these; zerosum levels {game} --measure does"
    out.print(told, style="dim")
    if measure:
        out.print(f"wrote {file}", style="dim")
    out.print(f"play one: zerosum play {played.spec} --level {found.levels[1].name}", soft_wrap=True)


def _rows(found: Levels) -> list[list[str]]:
    rows = [["level", "player", "rating", "+-"]]
    for level in found.levels:
        figures = ["", ""] if level.rating is None else [f"{level.rating:+.0f}", f"{level.error:.0f}"]
        rows.append([level.name, level.player, *figures])
    return rows if found.games else [row[:2] for row in rows]
