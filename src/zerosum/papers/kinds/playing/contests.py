"""Who wins how often: rows of two players, and the results that the paper prints for each game.

Options: ``on`` (games, or ``brick:*`` for one on each cell), ``rows`` (first, second, a printed result for
each game), ``games`` of each pairing, ``seat`` (of the first-named: first, second or both), ``count`` (wins,
points or draws), ``sets`` (how many the games are split into, for the spread that a paper gives), ``most``
(games of a player whose method in the paper is too slow here for as many as the others play).
"""

from __future__ import annotations

from dataclasses import replace
from statistics import mean, stdev

from zerosum.arena.match import match_total
from zerosum.arena.tally import Tally
from zerosum.games import make_game
from zerosum.papers.figures import Figure, Row, judge, printed_figure, tally_figure
from zerosum.papers.lab import Lab, NotTrained
from zerosum.papers.paper import AGENT, Entry, PaperPlayer, option
from zerosum.papers.results import Outcome

EVERY_CELL = ":*"
WHOSE = {"method": "its method", "best": "ours"}


def run(entry: Entry, lab: Lab) -> Outcome:
    outcome = Outcome()
    games = option(entry, "on")
    for first, second, *printed in option(entry, "rows"):
        for game, text in zip(games, [*printed, *[""] * len(games)], strict=False):
            _add_row(outcome, entry, lab, game, (first, second), text)
    return outcome


def _add_row(outcome: Outcome, entry: Entry, lab: Lab, game: str, names: tuple[str, str], text: str) -> None:
    """The three figures of one pairing at one game; our best takes the first-named player's place."""
    first, second = (lab.paper.players.get(name, PaperPlayer(method=name)) for name in names)
    count = option(entry, "count", "wins")
    paper = printed_figure(text, count)
    rival = second.method or second.best
    games = option(entry, "games", 100)
    most = [min(games, option(entry, "most", {}).get(name, games)) for name in names]
    pairs = {"method": (first.method, rival)}
    if first.best and first.best != first.method:
        pairs["best"] = (first.best, rival)
    ours: dict[str, Figure | None] = {}
    remark = ""
    for column, pair in pairs.items():
        try:
            wanted = min(most) if column == "method" else most[1]  # ours, in the first's place, is quick
            titles = (f"{names[0]}\n({WHOSE[column]})", names[1])
            ours[column] = _figure(outcome, entry, lab, game, pair, titles, wanted)
        except NotTrained as missing:
            remark = f"{missing}: left out"
    method, best = ours.get("method"), ours.get("best")
    learns = bool(first.best or AGENT.search(first.method))  # or it was luck
    better = "higher" if learns and names[0] != names[1] else "neither"  # nobody is better than himself
    label = (
        f"{names[0]} against {names[1]}, {game}" if len(option(entry, "on")) > 1 else " against ".join(names)
    )
    outcome.add(Row(label, paper, method, best, judge(paper, method, best, better), remark))


def _figure(
    outcome: Outcome,
    entry: Entry,
    lab: Lab,
    game: str,
    pair: tuple[str, str],
    titles: tuple[str, str],
    games: int,
) -> Figure | None:
    """All seeds together; a picture of the cells, where there is a game on each."""
    if not pair[0]:
        return None
    wanted = lab.games(games)
    seat = option(entry, "seat", "both")
    boards = boards_of(game)
    by_board = {
        board: sum((lab.play(board, pair, wanted, seat, seed) for seed in lab.seeds_for(*pair)), Tally())
        for board in boards[: 3 if lab.quick else None]
    }
    total = sum(by_board.values(), Tally())
    figure = tally_figure(total, option(entry, "count", "wins"))
    if len(boards) > 1:
        figure = told_apart(figure, bricks_seen(lab, pair[0]), by_board)
        _draw(outcome, titles, game, by_board)
    sets = option(entry, "sets", 0)
    if sets and not lab.quick and len(boards) == 1:
        figure = _with_spread(figure, entry, lab, game, pair, sets)
    return figure


def boards_of(game: str) -> list[str]:
    """The games that a spec stands for: one on each cell for ``brick:*``."""
    if not game.endswith(EVERY_CELL):
        return [game]
    name = game.removesuffix(EVERY_CELL)
    notation = make_game(f"{name}:random").notation
    return [f"{name}:{notation.name(cell)}" for cell in range(49)]


def bricks_seen(lab: Lab, spec: str) -> frozenset[str]:
    """The bricks that an agent was trained with and their mirror images, under which it learnt too."""
    agent = AGENT.search(spec)
    if agent is None:
        return frozenset()
    name, _, bricks = lab.paper.agents[agent[1]].game.partition(":")
    game = make_game(f"{name}:random")
    cells = {game.notation.read(brick) for brick in bricks.split(",")}
    images = {int(image) for cell in cells for image in game.symmetries.cells[:, cell]}
    return frozenset(f"{name}:{game.notation.name(cell)}" for cell in images)


def told_apart(figure: Figure, seen: frozenset[str], by_board: dict[str, Tally]) -> Figure:
    """The figure with what was won on bricks seen in training and on the others."""
    if not seen:
        return figure
    parts = (
        (word, sum((found for board, found in by_board.items() if (board in seen) == there), Tally()))
        for word, there in (("seen", True), ("new", False))
    )
    words = ", ".join(f"{word} bricks {part.wins} of {part.games}" for word, part in parts if part.games)
    return replace(figure, text=f"{figure.text}; {words}")


def _draw(outcome: Outcome, titles: tuple[str, str], game: str, by_board: dict[str, Tally]) -> None:
    """Wins by brick on the board itself, in per cent."""
    shape = make_game(f"{game.removesuffix(EVERY_CELL)}:random").shape
    wins: list[float | None] = [round(100 * found.wins / found.games) for found in by_board.values()]
    wins += [None] * (shape[0] * shape[1] - len(wins))
    rows = [wins[row * shape[1] : (row + 1) * shape[1]] for row in range(shape[0])]
    outcome.grid(f"Wins against {titles[1]} by brick, in per cent", titles[0], rows, 100)


def _with_spread(
    figure: Figure, entry: Entry, lab: Lab, game: str, pair: tuple[str, str], sets: int
) -> Figure:
    """Wins a hundred games of each set, over all seeds; mean and deviation, as the paper has them."""
    seat, games = option(entry, "seat", "both"), option(entry, "games", 100)
    size = games // sets
    wins = []
    for seed in lab.seeds_for(*pair):
        records = lab.records(game, [lab.player(spec, seed) for spec in pair], games, seat, seed)
        played = (records[start : start + size] for start in range(0, games, size))
        wins += [100 * match_total(part).wins / size for part in played]
    return Figure(
        f"{figure.text}, wins {mean(wins):.1f} ± {stdev(wins):.1f} a set",
        figure.value,
        figure.low,
        figure.high,
        figure.games,
    )
