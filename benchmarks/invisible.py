"""INVISIBLE's Tables I to IX, and NashConv: conv and transformer, trained on open and on invisible games.

    python benchmarks/invisible.py --games 400

Every agent is trained from the same seed, for as many minutes as any other on its board (MINUTES, or
``--minutes``), one after another, and then plays the matches of the paper's tables. What is already trained
or played is left as it is, so an interrupted benchmark goes on where it was. The folder holds the runs,
``results.json`` and ``results.md``; docs/make_invisible.py draws the tables of the page that these become.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Console

from zerosum.app.hidden.response import bound_from_below
from zerosum.app.training import train_once
from zerosum.arena.match import play_match
from zerosum.arena.tally import Tally
from zerosum.core.game import Game
from zerosum.core.outcome import FIRST, SECOND
from zerosum.games import make_game
from zerosum.players.common.asking import ask
from zerosum.players.common.registry import make_player
from zerosum.search.imperfect.measurable import is_measurable, worlds_of
from zerosum.search.imperfect.response import exploitability
from zerosum.search.imperfect.values import first_player_value, uniform_policies

NETWORKS = {"": "conv:dense=128x64", "*": "transformer:dense=128x64"}  # dense layers that two cores can feed
BOARDS = ("tictactoe", "tictactoe:4x4", "tictactoe:5x5")
MINUTES = {"tictactoe": 1.5, "tictactoe:4x4": 2.0, "tictactoe:5x5": 3.0, "connect4": 4.0}
OPEN_TEMPERATURE = 0.5  # of agents that meet in an open game
RESPONSE_SECONDS = 20.0  # of learning a response on larger boards, from each seat
MOST_AGAINST_RANDOM = (61 / 64, 118 / 189)  # on 3x3, by seat


@dataclass(frozen=True)
class Agent:
    """A network to train; named as in the paper, * for the transformer and + for 100 simulations."""

    game: str
    network: str  # a key of NETWORKS
    simulations: int = 25

    @property
    def name(self) -> str:
        return f"{self.game} {'conv' if not self.network else 'transformer'} {self.simulations}"

    @property
    def board(self) -> str:
        return self.game.removeprefix("invisible-")

    @property
    def folder(self) -> str:
        return self.name.replace(":", "-").replace(" ", "-")

    def spec(self, folder: Path, played: str, options: str = "") -> str:
        """The player, at its own game or at its twin."""
        origin = "" if played == self.game else f",from={self.game}"
        return f"alphazero:{self.simulations}{origin}{options}@{folder / self.folder}"


@dataclass(frozen=True)
class Match:
    table: str
    game: str
    first: Agent
    second: Agent | None  # None is random play
    paper: str = ""  # wins, losses and draws of the first, in 100 games unless it says otherwise


def invisible(game: str) -> str:
    return f"invisible-{game}"


PAPER = {
    "I": {
        "tictactoe": ("57.6 37.8 4.6", "57 38 5"),
        "invisible-tictactoe": ("50.4 36.2 13.4", "51.2 36.8 12.0"),
        "tictactoe:4x4": ("45 30.8 24.2", "40 29.8 30.2"),
        "invisible-tictactoe:4x4": ("30 27.2 42.6", "45.6 37.6 16.8"),
    },
    "II": {"tictactoe": "57.6 37.8 4.6", "invisible-tictactoe": "50.4 36.2 13.4"},
    "III": {"tictactoe:4x4": "0 0.2 99.8", "invisible-tictactoe:4x4": "36.6 28.6 34.8"},
    "IV": {
        "connect4": ("50.4 49.6 0", "52.7 47.3 0", "50 50 0", "49.8 50.2 0"),
        "invisible-connect4": ("49.6 50.4 0", "53.2 46.8 0", "51.2 48.8 0", "48.8 51.2 0"),
    },
    "V": ("52.4 47.6 0", "48 52 0", "47.6 52.4 0", "51.8 48.2 0", "50.6 49.4 0", "49.8 50.2 0"),
    "VI": ("48 52 0", "49.2 50.8 0"),
    "VII": {"tictactoe": "0 0 2000 of 2000", "invisible-tictactoe": "1164 825 11 of 2000"},
    "VIII": {"tictactoe:4x4": "3 3 194 of 200", "invisible-tictactoe:4x4": "79 77 44 of 200"},
    "IX": {"tictactoe:5x5": "28 18 154 of 200", "invisible-tictactoe:5x5": "95 47 95 of 200, as printed"},
}  # Table I repeats Table II's figures in its first row: as printed


def connect4_agents() -> list[Agent]:
    return [Agent("invisible-connect4", net, simulations) for simulations in (25, 100) for net in NETWORKS]


def matches() -> Iterator[Match]:
    """Those of the paper; beside them 5x5, and how agents trained on open games do against random."""
    paper: dict[str, Any] = PAPER
    for board in BOARDS:
        conv, transformer = (Agent(invisible(board), net) for net in NETWORKS)
        for game in (board, invisible(board)):
            for agent, printed in zip((conv, transformer), paper["I"].get(game, ("", "")), strict=True):
                yield Match("I", game, agent, None, printed)
            table = {"tictactoe": "II", "tictactoe:4x4": "III"}.get(board, "III, 5x5")
            yield Match(table, game, conv, transformer, paper.get(table, {}).get(game, ""))
            table = dict(zip(BOARDS, ("VII", "VIII", "IX"), strict=True))[board]
            for net in NETWORKS:
                printed = "" if net else paper[table][game]
                yield Match(table, game, Agent(invisible(board), net), Agent(board, net), printed)
                yield Match("open agents", game, Agent(board, net), None)
    agents = connect4_agents()
    for game in ("connect4", "invisible-connect4"):
        for agent, printed in zip(agents, paper["IV"][game], strict=True):
            yield Match("IV", game, agent, None, printed)
    for (one, other), printed in zip(combinations(agents, 2), paper["V"], strict=True):
        yield Match("V", "invisible-connect4", one, other, printed)
    for pair, printed in zip((agents[:2], agents[2:]), paper["VI"], strict=True):
        yield Match("VI", "connect4", pair[0], pair[1], printed)


def train(agent: Agent, minutes: float, folder: Path) -> None:
    """Unless that is done."""
    changes = [
        f"network={NETWORKS[agent.network]}",
        f"search.simulations={agent.simulations}",
        "search.simulation_schedule=[]",
        "evaluation.solved_positions=0",
        f"budget.minutes={minutes}",
    ]
    train_once(agent.game, "alphazero", changes, folder / agent.folder)


def play(match: Match, games: int, folder: Path) -> dict[str, Any]:
    game = make_game(match.game)
    if match.second is None:
        first, second = match.first.spec(folder, game.spec), "random"
    else:  # in open games two agents would play the same game again and again if none drew its moves
        options = "" if game.hidden else f",t={OPEN_TEMPERATURE}"
        first, second = (agent.spec(folder, game.spec, options) for agent in (match.first, match.second))
    result = play_match(game, first, second, games)
    total = result.total
    seats = {"as_first": str(result.as_first), "as_second": str(result.as_second)}
    return {"wins": total.wins, "draws": total.draws, "losses": total.losses, **seats}


def measure(player: str, game: Game) -> dict[str, float]:
    """Exactly, at invisible tic-tac-toe: NashConv, what is won of random play, and its share of the most."""
    worlds = worlds_of(game)
    policies = ask(make_player(player, game), game, 20, 0, lambda *_: None).policies
    uniform = uniform_policies(worlds)
    as_first = first_player_value(worlds, (policies[0], uniform[1]))
    as_second = -first_player_value(worlds, (uniform[0], policies[1]))
    return {
        "nash_conv": exploitability(worlds, policies, lambda _: None).nash_conv,
        "against_random_as_first": as_first,
        "against_random_as_second": as_second,
        "share_of_the_most": (as_first + as_second) / sum(MOST_AGAINST_RANDOM),
    }


def bound(agent: Agent, folder: Path) -> dict[str, float]:
    """On boards too large for that: what learned responses win, a lower bound."""
    game = make_game(agent.game)
    player = make_player(agent.spec(folder, game.spec), game)
    first, second = (
        bound_from_below(game, player, seat, RESPONSE_SECONDS, 0, lambda _: None) for seat in (FIRST, SECOND)
    )
    return {"response_as_first": first.value, "response_as_second": second.value}


def as_markdown(results: dict[str, Any]) -> str:
    """Points of the first agent with 95 % intervals, beside the paper's wins, losses and draws."""
    lines = ["| table | game | agent | against | wins-draws-losses | points | paper: wins, losses, draws |"]
    lines.append("|---|---|---|---|---|---|---|")
    for key, found in results["matches"].items():
        table, game, first, second = key.split(" | ")
        tally = Tally(found["wins"], found["draws"], found["losses"])
        low, high = tally.score_interval
        points = f"{tally.score_share:.1%} ({low:.1%} to {high:.1%})"
        lines.append(f"| {table} | {game} | {first} | {second} | {tally} | {points} | {found['paper']} |")
    lines += ["", "| agent | NashConv | against random as first | as second | share of the most |"]
    lines.append("|---|---|---|---|---|")
    for name, found in results["exact"].items():
        nash_conv, as_first, as_second, share = found.values()
        lines.append(f"| {name} | {nash_conv:.3f} | {as_first:+.3f} | {as_second:+.3f} | {share:.1%} |")
    lines += [
        "",
        "| agent | a learned response wins as first | as second | NashConv at least |",
        "|---|---|---|---|",
    ]
    for name, found in results["bounds"].items():
        as_first, as_second = found.values()
        lines.append(f"| {name} | {as_first:+.3f} | {as_second:+.3f} | {as_first + as_second:.3f} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, help="of training for each agent, instead of MINUTES")
    parser.add_argument("--games", type=int, default=400, help="of each match")
    parser.add_argument("--only", default="", help="games whose name begins so, such as invisible-tictactoe")
    parser.add_argument("--folder", type=Path, default=Path("runs/invisible"))
    wishes = parser.parse_args()
    wishes.folder.mkdir(parents=True, exist_ok=True)
    file = wishes.folder / "results.json"
    results: dict[str, Any] = {"matches": {}, "exact": {}, "bounds": {}}
    if file.exists():
        results = json.loads(file.read_text())
    console = Console()

    def keep() -> None:
        file.write_text(json.dumps(results, indent=1) + "\n")
        (wishes.folder / "results.md").write_text(as_markdown(results))

    for match in matches():
        if not match.game.startswith(wishes.only):
            continue
        agents = [agent for agent in (match.first, match.second) if agent is not None]
        for agent in agents:
            minutes = wishes.minutes or MINUTES[agent.board]
            with console.status(f"training {agent.name}: {minutes:g} minutes"):
                train(agent, minutes, wishes.folder)
            hidden = make_game(invisible(agent.board))
            exact = is_measurable(hidden)
            figures = results["exact" if exact else "bounds"]
            if agent.name not in figures and (exact or agent.game != agent.board):
                with console.status(f"measuring {agent.name}"):
                    player = agent.spec(wishes.folder, hidden.spec)
                    figures[agent.name] = measure(player, hidden) if exact else bound(agent, wishes.folder)
                keep()
        second = match.second.name if match.second else "random"
        key = f"{match.table} | {match.game} | {match.first.name} | {second}"
        if key not in results["matches"]:
            with console.status(key):
                found = play(match, wishes.games, wishes.folder)
            results["matches"][key] = {**found, "paper": match.paper}
            keep()
    console.print(as_markdown(results), soft_wrap=True, markup=False)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
