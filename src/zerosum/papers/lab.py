"""What an entry has at hand: agents that are trained when they are first needed, and games that are kept.

Everything it makes lies in one folder: ordinary runs, and a file of games for each pairing. What is there is
not made again, so whatever was killed goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TypeAlias

from zerosum.arena.match import match_fixtures, named_seat
from zerosum.arena.play import game_seeds
from zerosum.arena.records.files import append_record
from zerosum.arena.records.record import GameRecord
from zerosum.arena.state_file import locked_state, open_state
from zerosum.arena.tally import Tally, tally
from zerosum.arena.workers import Entrant, Fixture, enter, play_fixtures
from zerosum.core.errors import BadSpec, ZerosumError, suggestion
from zerosum.core.outcome import FIRST, SECOND
from zerosum.games import make_game
from zerosum.learn.run.run import Run
from zerosum.papers.paper import AGENT, Agent, Paper
from zerosum.players.common.player import learnt_digest

Tell: TypeAlias = Callable[[str, float, float], None]  # what is done, how far it is, and of how much
Train: TypeAlias = Callable[[Agent, Path, Path | None, list[str], int, Tell], None]

QUICK_GAMES = 4


class NotTrained(ZerosumError):
    """An agent that is needed and may not be trained now."""


@dataclass
class Lab:
    """The paper's agents and games, in a folder."""

    paper: Paper
    folder: Path
    train: Train
    tell: Tell
    quick: bool = False
    seeds: int = 1
    may_train: bool = True
    workers: int | None = None
    games_played: int = field(default=0, init=False)
    trainings: dict[Path, float] = field(default_factory=dict, init=False)  # runs used, with their minutes
    seconds_training: float = field(default=0.0, init=False)  # of those that were not there yet

    def games(self, wanted: int) -> int:
        """How many to play: fewer in a quick look."""
        return min(wanted, QUICK_GAMES) if self.quick else wanted

    def seeds_for(self, *specs: str) -> range:
        """One seed will do where nothing is trained."""
        return range(self.seeds if any(AGENT.search(spec) for spec in specs) else 1)

    def run(self, name: str, seed: int = 0) -> Path:
        """The run of an agent, trained to its end."""
        return self.run_as(name, self.agent(name), seed)

    def agent(self, name: str) -> Agent:
        """As the paper's file has it."""
        agents = self.paper.agents
        if name not in agents:
            raise BadSpec(f"there is no agent '{name}'{suggestion(name, agents)}")
        return agents[name]

    def run_as(self, name: str, agent: Agent, seed: int) -> Path:
        """The same of an agent that a kind makes of others."""
        path = self.folder / "runs" / f"{name}-{seed}"
        if not self.may_train and not (path / "finished").exists():
            raise NotTrained(f"{name} is not trained yet")
        origin = self.run(agent.start_from, seed) if agent.start_from else None
        changes = [*agent.changes, *(agent.quick if self.quick else ())]
        if agent.iterations_of:
            made = iterations_made(self.run(agent.iterations_of, seed))
            changes += ["budget.minutes=null", f"budget.iterations={made}"]
        began = monotonic()
        self.train(agent, path, origin, changes, seed, self.tell)
        self.seconds_training += monotonic() - began
        self.trainings[path] = minutes_spent(path)
        return path

    def player(self, spec: str, seed: int = 0) -> str:
        """A spec with the runs of its agents filled in."""
        return AGENT.sub(lambda found: str(self.run(found[1], seed)), spec)

    def play(self, game: str, pair: Sequence[str], games: int, seat: str = "both", seed: int = 0) -> Tally:
        """Games of the first-named player against the second: half from each seat, or all from one."""
        records = self.records(game, [self.player(spec, seed) for spec in pair], games, seat, seed)
        seats = (
            tally((r for r in records if named_seat(FIRST, r) == place), place) for place in (FIRST, SECOND)
        )
        return sum(seats, Tally())

    def records(
        self, game: str, pair: Sequence[Entrant], games: int, seat: str = "both", seed: int = 0
    ) -> list[GameRecord]:
        """The games themselves, by number; even ones are begun by the first-named player."""
        played = make_game(game)
        names = [enter(entrant, played) for entrant in pair]
        networks = [learnt_digest(player) for player in names]
        settings = {
            "game": played.spec,
            "players": [player.spec for player in names],
            "games": games,
            "seat": seat,
            "seed": seed,
            "networks": networks,
        }
        fixtures = {(f.seats, f.number): f for f in _fixtures(games, seat, seed)}
        state = self.folder / "games" / f"{_digest(settings)}.jsonl"
        state.parent.mkdir(parents=True, exist_ok=True)
        specs = [player.spec for player in names]
        keys = {((specs[f.seats[0]], specs[f.seats[1]]), f.number): f for f in fixtures.values()}
        del names
        with locked_state(state):
            seeds = {key: game_seeds(f.seed, f.number) for key, f in keys.items()}
            records = dict(open_state(state, settings, played, seeds).records)
            missing = [f for key, f in keys.items() if key not in records]
            label = f"{played.spec}: {' against '.join(_short(spec) for spec in specs)}"

            def keep(record: GameRecord) -> None:
                append_record(state, record)
                records[record.players, record.number] = record
                self.tell(label, len(records), len(keys))

            play_fixtures(played, pair, missing, keep, self.workers)
        self.games_played += len(records)
        return sorted(records.values(), key=lambda record: record.number)


def minutes_spent(run: Path) -> float:
    """How long a run has been trained, by the clock of its budget."""
    return max((line["minutes"] for line in Run.open(run).metrics() if "minutes" in line), default=0.0)


def iterations_made(run: Path) -> int:
    """How many iterations a run has behind it."""
    return max((line["iteration"] for line in Run.open(run).metrics()), default=0)


def _fixtures(games: int, seat: str, seed: int) -> Iterable[Fixture]:
    if seat == "both":
        return match_fixtures((FIRST, SECOND), games, seed)
    wanted = FIRST if seat == "first" else SECOND
    return [f for f in match_fixtures((FIRST, SECOND), 2 * games, seed) if f.seats[wanted] == FIRST]


def _digest(settings: object) -> str:
    return hashlib.sha256(repr(settings).encode()).hexdigest()[:16]


def _short(spec: str) -> str:
    head, _, run = spec.partition("@")
    return head.split(",")[0] + (f"@{Path(run).name}" if run else "")
