"""A paper as data: what it trained, who played whom, and the figures it prints. One TOML file a paper.

A file names agents (what to train), players (the paper's names for them, and the specs that stand for them
here) and entries, each of which is one table or figure. An entry's ``kind`` is a file in ``papers/kinds``,
which reads the rest of the entry; adding a paper is adding a file. An agent that is ``like`` another is
trained as that one but for what it says itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from zerosum.core.errors import BadSpec, suggestion
from zerosum.learn.settings.base import Data, Settings, read_settings

DATA = Path(__file__).parent / "data"
AGENT = re.compile(r"{([\w.+*-]+)}")


class Agent(Settings, frozen=True):
    """Something to train, once for each seed."""

    game: str
    method: str = "alphazero"
    preset: str = "fast"
    changes: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    """What to set otherwise for a quick look."""
    start_from: str = ""
    """The agent whose weights it begins with."""
    iterations_of: str = ""
    """The agent that it is trained for as many iterations as, instead of so many minutes."""
    minutes: float = 0.0
    """About how long it takes on two cores."""


class PaperPlayer(Settings, frozen=True):
    """A player as the paper names it: by its own method on our engine, and our best in its place.

    ``{agent}`` in a spec stands for the run of an agent.
    """

    method: str = ""
    best: str = ""


class Entry(Settings, frozen=True):
    """A table or figure."""

    title: str
    page: str
    """Where it stands in the paper."""
    kind: str
    says: str
    """What the paper finds."""
    read: str = ""
    """What is printed unclearly, and how it was read."""
    found: str = ""
    """What came out here, and why it differs, where it does; figures stand in the table, not here."""
    minutes: float = 1.0
    """About how long it takes on two cores, without the training of its agents."""
    options: Data
    """What the kind reads."""


class Paper(Settings, frozen=True):
    title: str
    authors: str
    about: str
    """The story at the head of its page."""
    agents: Annotated[dict[str, Agent], Field(default_factory=dict)]
    players: Annotated[dict[str, PaperPlayer], Field(default_factory=dict)]
    entries: Annotated[dict[str, Entry], Field(default_factory=dict)]


def list_papers() -> list[str]:
    return sorted(path.stem for path in DATA.glob("*.toml"))


def read_paper(name: str, folder: Path = DATA) -> Paper:
    """The paper of a name; raises BadSpec on one that is not there."""
    names = sorted(path.stem for path in folder.glob("*.toml"))
    if name not in names:
        raise BadSpec(f"unknown paper '{name}'{suggestion(name, names)}")
    data = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
    agents = data.get("agents", {})
    data["agents"] = {key: _completed(agent, agents) for key, agent in agents.items()}
    return read_settings(Paper, data)


def _completed(agent: dict[str, Any], agents: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """An agent with what it shares with the one that it is ``like``."""
    own = dict(agent)
    other = own.pop("like", None)
    if other is None:
        return own
    if other not in agents:
        raise BadSpec(f"there is no agent '{other}' to be like{suggestion(other, agents)}")
    return _completed(agents[other], agents) | own


def choose_entries(paper: Paper, wanted: list[str]) -> dict[str, Entry]:
    """Those entries, or all; raises BadSpec on one that the paper does not have."""
    for name in wanted:
        if name not in paper.entries:
            raise BadSpec(f"there is no '{name}' here{suggestion(name, paper.entries)}")
    return {name: entry for name, entry in paper.entries.items() if not wanted or name in wanted}


def minutes_needed(paper: Paper, entry: Entry) -> float:
    """About how long an entry takes with one seed, where nothing of it is trained yet."""
    agents: set[str] = set()
    for text in _texts(entry.options):
        player = paper.players.get(text)
        specs = (player.method, player.best) if player else (text,)
        named = {text} | {name for spec in specs for name in AGENT.findall(spec)}
        agents |= named & paper.agents.keys()
    agents |= {paper.agents[name].start_from for name in agents} - {""}
    return entry.minutes + sum(paper.agents[name].minutes for name in agents)


def _texts(options: Any) -> Iterator[str]:
    """All that is written in the values of an entry's options."""
    if isinstance(options, str):
        yield options
    elif isinstance(options, dict):
        for value in options.values():
            yield from _texts(value)
    elif isinstance(options, list | tuple):
        for value in options:
            yield from _texts(value)


def option(entry: Entry, name: str, default: Any = None) -> Any:
    """What an entry sets for its kind."""
    return entry.options.get(name, default)
