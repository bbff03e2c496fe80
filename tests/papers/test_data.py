"""The papers' files: every agent can be trained, every player entered, every printed figure read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from zerosum.core.errors import BadSpec
from zerosum.core.naming.catalogue import names_in
from zerosum.games import make_game
from zerosum.learn.settings.base import read_settings
from zerosum.learn.training.method import find_method
from zerosum.papers.paper import (
    AGENT,
    Entry,
    Paper,
    choose_entries,
    list_papers,
    minutes_needed,
    option,
    read_paper,
)
from zerosum.papers.reproduce import KINDS
from zerosum.players.common.registry import split_spec

PAPERS = {name: read_paper(name) for name in list_papers()}
AGENTS = [(name, agent) for name, paper in PAPERS.items() for agent in paper.agents]


def specs_of(paper: Paper, entry: Entry) -> Iterator[str]:
    """Every player's spec that an entry may enter."""
    named = [cell for row in entry.options.get("rows", []) for cell in row[:2] if isinstance(cell, str)]
    named += [entry.options[key] for key in ("player", "beside") if key in entry.options]
    for name in named:
        player = paper.players.get(name)
        yield from (spec for spec in (player.method, player.best) if spec) if player else [name]


def test_all_five_are_there_and_muzeros_own() -> None:
    assert list(PAPERS) == ["brick", "invisible", "maze", "muzero", "othello", "zerosum"]


@pytest.mark.parametrize(("paper", "name"), AGENTS)
def test_every_agent_has_settings_that_can_be_in_full_and_for_a_look(paper: str, name: str) -> None:
    agent = PAPERS[paper].agents[name]
    way = find_method(agent.method)
    way.settings_for(agent.game, agent.preset, agent.changes)
    way.settings_for(agent.game, agent.preset, [*agent.changes, *agent.quick])
    for other in (agent.start_from, agent.iterations_of):
        assert not other or other in PAPERS[paper].agents


@pytest.mark.parametrize("name", PAPERS)
def test_every_entry_is_of_a_kind_that_there_is_and_names_agents_that_there_are(name: str) -> None:
    paper = PAPERS[name]
    for entry in paper.entries.values():
        assert entry.kind in names_in(*KINDS)
        for spec in specs_of(paper, entry):
            assert set(AGENT.findall(spec)) <= set(paper.agents), spec
        named = [entry.options[key] for key in ("agent", "source", "target") if key in entry.options]
        assert {*named, *entry.options.get("agents", {}).values()} <= set(paper.agents)
        for shapes in entry.options.get("groups", {}).values():
            assert {agent for agents in shapes.values() for agent in agents} <= set(paper.agents)
        assert set(entry.options.get("most", {})) <= set(paper.players)
        games = entry.options.get("on", [])
        for game in [games] if isinstance(games, str) else games:
            make_game(game.replace(":*", ":random"))


@pytest.mark.parametrize("name", PAPERS)
def test_every_player_of_a_contest_is_a_known_player_or_a_name_of_the_papers(name: str) -> None:
    paper = PAPERS[name]
    known = {
        "alphazero",
        "catchup",
        "dqn",
        "greedy",
        "mcts",
        "minimax",
        "q-learning",
        "random",
        "value-iteration",
    }
    for entry in paper.entries.values():
        if entry.kind in ("contests", "seconds", "boards"):
            assert {split_spec(spec).name for spec in specs_of(paper, entry)} <= known


def test_a_misspelt_paper_or_entry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="did you mean 'brick'"):
        read_paper("brik")
    with pytest.raises(BadSpec, match="did you mean 'table-3'"):
        choose_entries(PAPERS["brick"], ["tabel-3"])
    (tmp_path / "mine.toml").write_text('title = "t"\nauthors = "a"\nabout = "b"\nentires = {}\n')
    with pytest.raises(BadSpec, match="did you mean 'entries'"):
        read_paper("mine", tmp_path)


def test_agents_that_are_alike_share_all_but_what_they_say_themselves(tmp_path: Path) -> None:
    first, third = (PAPERS["brick"].agents[name] for name in ("graph-d4", "graph-r3-games"))
    assert third == first.model_copy(
        update={"game": "brick:C3,D3,D4", "iterations_of": "resnet-r3", "minutes": 0.2}
    )
    (tmp_path / "mine.toml").write_text(
        'title = "t"\nauthors = "a"\nabout = "b"\nagents = {one = {game = "brick"}, two = {like = "on"}}\n'
    )
    with pytest.raises(BadSpec, match="no agent 'on' to be like; did you mean 'one'"):
        read_paper("mine", tmp_path)


@pytest.mark.parametrize("name", list(PAPERS))
def test_every_board_that_is_shown_can_be_reached(name: str) -> None:
    for entry in PAPERS[name].entries.values():
        if entry.kind == "boards":
            for moves in option(entry, "moves"):
                make_game(option(entry, "on")).new().play_moves(moves)


def test_what_an_entry_takes_counts_each_of_its_agents_once_and_those_they_begin_with() -> None:
    text = {
        "title": "t",
        "authors": "a",
        "about": "b",
        "agents": {
            "open": {"game": "tictactoe", "minutes": 1.0},
            "hidden": {"game": "invisible-tictactoe", "minutes": 2.0, "start_from": "open"},
            "other": {"game": "tictactoe", "minutes": 40.0},
        },
        "players": {"Ours": {"best": "alphazero:10@{hidden}"}},
        "entries": {
            "e": {
                "title": "t",
                "page": "p",
                "kind": "contests",
                "says": "s",
                "minutes": 4.0,
                "options": {"rows": [["Ours", "random"], ["Ours", "alphazero:5@{hidden}"]]},
            }
        },
    }
    paper = read_settings(Paper, text)
    assert minutes_needed(paper, paper.entries["e"]) == 4 + 2 + 1
