"""Results as data: JSON-able fields, and tables that become CSV or Markdown."""

from __future__ import annotations

import csv
import io
from typing import Any

from zerosum.arena.match import MatchResult
from zerosum.arena.tally import Tally, tally
from zerosum.arena.tournament import TournamentResult
from zerosum.core.outcome import FIRST

Rows = list[list[str]]  # the header, then a row a line


def match_fields(result: MatchResult) -> dict[str, Any]:
    """A match for JSON; all of it but ``seconds_per_move`` follows from the seed."""
    return {
        "game": result.game,
        "players": list(result.players),
        "seed": result.seed,
        "planned": result.planned,
        **tally_fields(result.total),
        "as_first": tally_fields(result.as_first),
        "as_second": tally_fields(result.as_second),
        "repeats_itself": result.repeats_itself,
        "mean_plies": result.mean_plies,
        "mean_score_difference": result.mean_score_difference,
        "seconds_per_move": list(result.seconds_per_move),
    }


def tournament_fields(result: TournamentResult) -> dict[str, Any]:
    """A tournament for JSON: players from the best down, and for each ordered pair the starter's results."""
    settings = result.settings
    return {
        "game": settings.game,
        "seed": settings.seed,
        "games": len(result.records),
        "planned": result.planned,
        "players": [
            {
                "name": row.name,
                "rating": row.rating,
                "error": row.error,
                **tally_fields(row.total),
                "as_first": tally_fields(row.as_first),
                "as_second": tally_fields(row.as_second),
                "seconds_per_move": row.seconds_per_move,
            }
            for row in result.standings()
        ],
        "table": [
            {"first": first, "second": second, **tally_fields(results)}
            for (first, second), results in result.table().items()
        ],
        "starters": tally_fields(tally(result.records, FIRST)),
        "ignored_lines": list(result.ignored_lines),
    }


def tally_fields(results: Tally) -> dict[str, Any]:
    return {
        "games": results.games,
        "wins": results.wins,
        "draws": results.draws,
        "losses": results.losses,
        "win_share": results.win_share,
        "win_interval": list(results.win_interval),
        "score_share": results.score_share,
        "score_interval": list(results.score_interval),
    }


def match_rows(result: MatchResult) -> Rows:
    """The first-named player's results: in all, and by who started."""
    header = ["", "games", "wins", "draws", "losses", "wins %", "95 %", "score %", "95 %"]
    rows = [header]
    for name, results in (
        ("all games", result.total),
        ("as first", result.as_first),
        ("as second", result.as_second),
    ):
        counts = [results.games, results.wins, results.draws, results.losses]
        rows.append(
            [
                name,
                *map(str, counts),
                _percent(results.win_share),
                _percent_range(results.win_interval),
                _percent(results.score_share),
                _percent_range(results.score_interval),
            ]
        )
    return rows


def standings_rows(result: TournamentResult) -> Rows:
    """Players from the best down."""
    rows = [["rank", "player", "rating", "error", "games", "wins", "draws", "losses", "score %"]]
    for rank, row in enumerate(result.standings(), start=1):
        total = row.total
        counts = [total.games, total.wins, total.draws, total.losses]
        rating = [f"{row.rating:+.1f}", f"{row.error:.1f}"]
        rows.append([str(rank), row.name, *rating, *map(str, counts), _percent(total.score_share)])
    return rows


def cross_rows(result: TournamentResult) -> Rows:
    """Wins-draws-losses of each player, when starting, against each, in the order of the standings."""
    names = [row.name for row in result.standings()]
    table = result.table()
    rows = [["starts, against", *names]]
    for name in names:
        rows.append([name, *(str(table[name, other]) if (name, other) in table else "" for other in names)])
    return rows


def tournament_rows(result: TournamentResult) -> Rows:
    """Both tables side by side."""
    pairs = zip(standings_rows(result), cross_rows(result), strict=True)
    header, *body = [standing + cross[1:] for standing, cross in pairs]
    fixed = len(header) - len(body)
    return [header[:fixed] + [f"starts against {name}" for name in header[fixed:]], *body]


CSV_HEADER = [
    "game", "seed", "player", "opponent", "seat", "games", "wins", "draws", "losses", "win_share", "win_low",
    "win_high", "score_share", "score_low", "score_high",
]  # fmt: skip


def match_records(result: MatchResult) -> Rows:
    """A match for a spreadsheet: numbers as numbers, a row for all games and one for each seat."""
    seats = {"all": result.total, "first": result.as_first, "second": result.as_second}
    return [
        CSV_HEADER,
        *(
            [result.game, str(result.seed), *result.players, seat, *_numbers(results)]
            for seat, results in seats.items()
        ),
    ]


def tournament_records(result: TournamentResult) -> Rows:
    """A tournament for a spreadsheet: each player against all, with its rating, and each pair by starter."""
    start = [result.settings.game, str(result.settings.seed)]
    rows = [[*CSV_HEADER, "rating", "rating_low", "rating_high"]]
    for row in result.standings():
        seats = {"all": row.total, "first": row.as_first, "second": row.as_second}
        rating = [f"{row.rating:.2f}", f"{row.rating - row.error:.2f}", f"{row.rating + row.error:.2f}"]
        rows += [[*start, row.name, "", seat, *_numbers(found), *rating] for seat, found in seats.items()]
    for (first, second), found in result.table().items():
        rows.append([*start, first, second, "first", *_numbers(found), "", "", ""])
    return rows


def _numbers(results: Tally) -> list[str]:
    counts = [results.games, results.wins, results.draws, results.losses]
    shares = [results.win_share, *results.win_interval, results.score_share, *results.score_interval]
    return [*map(str, counts), *(f"{share:.6f}" for share in shares)]


def to_csv(rows: Rows) -> str:
    """The rows as a spreadsheet reads them."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def to_markdown(rows: Rows) -> str:
    """The rows as a Markdown table, ending in a line's end."""
    header, *body = rows
    lines = [header, ["---"] * len(header), *body]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _percent_range(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{_percent(low)}-{_percent(high)}"
