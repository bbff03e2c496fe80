"""A report on a game: as rows for the terminal, as data, and as a page with bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zerosum.app.pages.html import boards, figure, heading, page, paragraph, table
from zerosum.app.report.measure import GOOD, MARKS, OPENING, GameReport, Learnt
from zerosum.arena.tables import tally_fields
from zerosum.core.game import Game
from zerosum.draw.bars import Bar, bars_svg
from zerosum.draw.svg import draw_svg

Rows = list[list[str]]
NOTES = (
    "Each player played against itself; the first player's share counts a draw as half a point and has a "
    "95 % interval.",
    "Branching is the mean number of legal moves where there was more than one. Openings is the number of "
    f"different first {OPENING} plies, each weighed by how often it came: 1 means always the same game.",
)


def balance_rows(report: GameReport) -> Rows:
    """Who wins, by how strong the players are."""
    rows = [["player", "first player's share", "95 %", "draws", "decisive"]]
    for row in report.strengths:
        low, high = row.first.score_interval
        draws = row.first.draws / row.first.games
        shares = [_percent(row.first.score_share), f"{_percent(low)}-{_percent(high)}"]
        rows.append([row.player, *shares, _percent(draws), _percent(row.decisive)])
    return rows


def course_rows(report: GameReport) -> Rows:
    """How games go."""
    scored = any(row.lead_changes is not None for row in report.strengths)
    rows = [["player", "plies", "shortest-longest", "branching", "forced", "openings"]]
    rows[0] += ["lead changes"] if scored else []
    for row in report.strengths:
        length = [f"{row.plies:.1f} ({row.plies_spread:.1f})", f"{row.shortest}-{row.longest}"]
        cells = [row.player, *length, f"{row.branching:.1f}", _percent(row.passes), f"{row.openings:.1f}"]
        rows.append(cells + ([f"{row.lead_changes:.1f}"] if row.lead_changes is not None else []))
    return rows


def step_rows(report: GameReport) -> Rows:
    """How much the better player wins."""
    rows = [["stronger", "weaker", "wins-draws-losses", "share", "95 %", "Elo"]]
    for step in report.steps:
        low, high = step.results.score_interval
        share = [_percent(step.results.score_share), f"{_percent(low)}-{_percent(high)}"]
        rows.append([step.stronger, step.weaker, str(step.results), *share, f"{step.elo:+.0f}"])
    return rows


def learning_rows(learnt: Sequence[Learnt]) -> Rows:
    """How fast it is learnt."""
    after = [f"after {mark} min" for mark in MARKS]
    rows = [["run", "against", f"minutes to {GOOD:.0%}", *after, "best share", "measured for"]]
    for row in learnt:
        reached = "" if row.minutes is None else f"{row.minutes:.1f}"
        shares = ["" if share is None else _percent(share) for share in row.shares]
        best = [_percent(row.best_share), f"{row.after_minutes:.1f} min"]
        rows.append([row.run, row.opponent, reached, *shares, *best])
    return rows


def report_fields(report: GameReport, learnt: Sequence[Learnt] = ()) -> dict[str, Any]:
    """The report for JSON."""
    return {
        "game": report.game,
        "title": report.title,
        "games": report.games,
        "seed": report.seed,
        "strengths": [
            {
                "player": row.player,
                "first_player": tally_fields(row.first),
                "plies": row.plies,
                "plies_spread": row.plies_spread,
                "shortest": row.shortest,
                "longest": row.longest,
                "branching": row.branching,
                "forced_share": row.passes,
                "decisive_share": row.decisive,
                "openings": row.openings,
                "lead_changes": row.lead_changes,
            }
            for row in report.strengths
        ],
        "steps": [
            {"stronger": s.stronger, "weaker": s.weaker, "elo": s.elo, **tally_fields(s.results)}
            for s in report.steps
        ],
        "learning": [
            {
                "run": row.run,
                "method": row.method,
                "opponent": row.opponent,
                "minutes": row.minutes,
                "best_share": row.best_share,
                "after_minutes": row.after_minutes,
                "shares": {str(mark): share for mark, share in zip(MARKS, row.shares, strict=True)},
            }
            for row in learnt
        ],
    }


def report_page(report: GameReport, game: Game, learnt: Sequence[Learnt] = ()) -> str:
    """One HTML page."""
    balance = [Bar(r.player, r.first.score_share, r.first.score_interval) for r in report.strengths]
    better = [
        Bar(f"{s.stronger} against {s.weaker}", s.results.score_share, s.results.score_interval)
        for s in report.steps
    ]
    start = figure(draw_svg(game.picture(game.new()), 240), f"the start of {game.title}")
    parts = [
        paragraph(f"{report.games} games of each pair, seed {report.seed}.", note=True),
        boards([start]),
        heading("Who wins"),
        bars_svg(balance, "first player's share of the points"),
        table(balance_rows(report)),
        heading("How games go"),
        table(course_rows(report)),
        heading("Does the better player win?"),
        bars_svg(better, "the stronger player's share of the points"),
        table(step_rows(report)),
        heading("How fast it is learnt"),
        table(learning_rows(learnt))
        if learnt
        else paragraph("No run of this game here; --learn 5 trains one for five minutes.", note=True),
        *(paragraph(note, note=True) for note in NOTES),
    ]
    return page(f"Report: {report.title}", parts)


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"
