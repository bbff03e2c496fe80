"""Settings: what is unknown, ill-typed or out of range is refused; what is right comes back unchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.nets.tools import some_planes
from zerosum.core.errors import BadSpec
from zerosum.games import make_game
from zerosum.learn.alphazero.settings import (
    PRESETS,
    AlphaZeroSettings,
    Learning,
    Rate,
    Search,
    Temperature,
    alphazero_settings,
)
from zerosum.learn.settings import schedule
from zerosum.learn.settings.base import describe, merge, override, read_settings
from zerosum.learn.settings.presets import list_presets, read_preset
from zerosum.learn.settings.schedule import Budget
from zerosum.nets.building.registry import make_network

DEFAULTS = AlphaZeroSettings()
CASES = [
    (preset, game)
    for preset in list_presets(PRESETS)
    for file in [read_preset(PRESETS, preset)]
    for game in [*file.games, *file.see, *([] if file.only_these_games else ["qubic", "./my.py:7x7"])]
]


def test_every_default_has_its_reason() -> None:
    assert [line.path for line in describe(AlphaZeroSettings) if len(line.reason) < 10] == []


def test_settings_are_frozen() -> None:
    search: Any = DEFAULTS.search
    with pytest.raises(ValueError, match="frozen"):
        search.simulations = 5


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"search": {"simulatons": 9}}, r"'search\.simulatons'; did you mean 'search\.simulations'\?"),
        (
            {"search": {"simulations": "9"}},
            r'search\.simulations cannot be "9": it should be a valid integer',
        ),
        ({"search": {"simulations": 0}}, r"search\.simulations cannot be 0: it should be greater than or"),
        ({"search": {"simulations": True}}, r"search\.simulations cannot be true"),
        (
            {"search": {"noise_share": 1.5}},
            r"noise_share cannot be 1\.5: it should be less than or equal to 1",
        ),
        ({"search": {"kind": "uct"}}, r"search\.kind cannot be \"uct\": it should be 'puct' or 'gumbel'"),
        (
            {"search": {"simulation_schedule": [[30, 8], [10, 16]]}},
            r"search: simulation_schedule must name later iterations",
        ),
        ({"search": 3}, r"search cannot be 3: it should be an object"),
        ({"learning": {"steps": 5}}, r"learning: set one of steps, epochs, replay_ratio, not 2"),
        (
            {"learning": {"rate": {"start": float("nan")}}},
            r"learning\.rate\.start cannot be NaN: it should be",
        ),
        ({"evaluation": {"opponents": "random"}}, r"opponents cannot be \"random\": .*a list is written"),
    ],
)
def test_what_cannot_be_is_refused_by_name(data: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        read_settings(AlphaZeroSettings, data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("search.simulatons=9", r"did you mean 'search\.simulations'\?"),
        ("simulations=9", r"did you mean 'search\.simulations'\?"),
        ("search=9", r"'search' is a section; it has search\.kind"),
        ("search.simulations.more=9", r"unknown setting 'search\.simulations\.more'"),
        ("search.simulations", r"sets nothing; write it like workers=VALUE"),
        ("=9", r"sets nothing"),
        ("search.simulations=many", r'search\.simulations cannot be "many"'),
        ("search.simulations=1.5", r"search\.simulations cannot be 1\.5"),
        ("search.simulations=-1", r"search\.simulations cannot be -1"),
        ("learning.legal_moves_only=1", r"legal_moves_only cannot be 1"),
    ],
)
def test_a_change_that_cannot_be_says_why(change: str, message: str) -> None:
    with pytest.raises(BadSpec, match=message):
        override(DEFAULTS, [change])


def test_changes_are_typed_by_the_setting() -> None:
    changed = override(
        DEFAULTS,
        [
            "search.simulations=100",
            "network=pooled:channels=64,blocks=5",
            "learning.legal_moves_only=false",
            "gate.share=0.6",
            'evaluation.opponents=["random", "mcts:100,c=1"]',
            "budget.minutes=null",
            "learning.rate.start=1",
        ],
    )
    assert changed.search.simulations == 100
    assert changed.network == "pooled:channels=64,blocks=5"
    assert changed.learning.legal_moves_only is False
    assert changed.gate.share == 0.6
    assert changed.evaluation.opponents == ("random", "mcts:100,c=1")
    assert changed.budget.minutes is None
    assert changed.learning.rate.start == 1.0


def test_of_settings_that_exclude_each_other_the_one_set_replaces_the_others() -> None:
    learning = override(DEFAULTS, ["learning.steps=7", "learning.epochs=2"]).learning
    assert (learning.steps, learning.epochs, learning.replay_ratio) == (None, 2.0, None)
    with pytest.raises(BadSpec, match="not 0"):
        override(DEFAULTS, ["learning.replay_ratio=null"])


def test_merging_keeps_what_is_not_named() -> None:
    merged = merge(AlphaZeroSettings, DEFAULTS.as_json(), {"search": {"temperature": {"until": 3}}})
    expected = DEFAULTS.as_json()
    expected["search"]["temperature"]["until"] = 3
    assert merged == expected


@pytest.mark.parametrize(("preset", "game"), CASES)
def test_every_preset_is_valid_and_survives_a_json_file(preset: str, game: str) -> None:
    settings = alphazero_settings(game, preset)
    assert read_settings(AlphaZeroSettings, json.loads(json.dumps(settings.as_json()))) == settings


@pytest.mark.parametrize(("preset", "game"), CASES)
def test_every_preset_names_a_network_that_fits_the_game(preset: str, game: str) -> None:
    spec = {"invisible": "invisible-mnk:3x4x3", "./my.py:7x7": "gomoku:7x7"}.get(game, game)
    played = make_game(spec)
    network = make_network(alphazero_settings(spec, preset).network, played)
    policies, values = network(torch.from_numpy(some_planes(played, 2)))
    assert policies.shape == (2, played.num_actions)
    assert values.shape[0] == 2


@pytest.mark.parametrize(
    ("game", "simulations", "iterations", "games"),
    [
        ("brick:C3,D3,D4", 100, 850, None),
        ("tictactoe", 100, 30, 100),
        ("connect4", 100, 10, 200),
        ("othello:6x6", 100, 10, 200),
        ("othello", 20, 5, 15),
        ("invisible-connect4", 25, 20, 200),
    ],
)
def test_the_paper_is_chosen_by_the_game(
    game: str, simulations: int, iterations: int, games: int | None
) -> None:
    settings = alphazero_settings(game, "paper")
    found = (settings.search.simulations, settings.budget.iterations, settings.selfplay.games)
    assert found == (simulations, iterations, games)
    assert settings.budget.minutes is None


def test_a_game_that_no_paper_trained_and_a_preset_that_is_not_there_are_refused() -> None:
    with pytest.raises(BadSpec, match="'paper' has no settings for qubic; it has some for brick, "):
        alphazero_settings("qubic", "paper")
    with pytest.raises(BadSpec, match="unknown preset 'papr'; did you mean 'paper'"):
        alphazero_settings("qubic", "papr")


def test_a_misspelt_preset_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"about": "mine", "setings": {}}')
    with pytest.raises(BadSpec, match="unknown setting 'setings'; did you mean 'settings'"):
        read_preset(tmp_path, "mine")


def test_temperatures_fall_as_they_are_told() -> None:
    linear = Temperature(kind="linear", first=1.0, last=0.5, until=2, settled=6)
    assert [linear.at(ply) for ply in range(8)] == [1.0, 1.0, 1.0, 0.875, 0.75, 0.625, 0.5, 0.5]
    step = Temperature(kind="step", first=1.0, last=0.0, until=2)
    assert [step.at(ply) for ply in range(4)] == [1.0, 1.0, 0.0, 0.0]
    assert Temperature(kind="constant", first=0.7).at(99) == 0.7
    at_once = Temperature(kind="linear", first=1.0, last=0.0, until=2, settled=2)
    assert [at_once.at(ply) for ply in range(4)] == [step.at(ply) for ply in range(4)]


def test_simulations_rise_and_never_pass_the_limit() -> None:
    search = Search(simulations=24, simulation_schedule=((2, 16), (4, 32)))
    assert [search.simulations_at(iteration) for iteration in range(1, 7)] == [16, 16, 24, 24, 24, 24]


def test_rates_follow_the_iteration() -> None:
    exponential = Rate(kind="exponential", start=1.0, factor=0.5, end=0.2)
    assert [exponential.at(iteration) for iteration in range(1, 5)] == [1.0, 0.5, 0.25, 0.2]
    linear = Rate(kind="linear", start=1.0, end=0.0, iterations=4)
    assert [linear.at(iteration) for iteration in range(1, 7)] == [1.0, 0.75, 0.5, 0.25, 0.0, 0.0]


def test_the_window_grows_to_its_limit() -> None:
    learning = Learning(window_first=2, window_grows_every=2, window_last=4)
    assert [learning.window_at(iteration) for iteration in range(1, 9)] == [2, 2, 3, 3, 4, 4, 4, 4]


def test_settings_of_earlier_versions_are_read_under_their_new_names() -> None:
    old = {"search": {"rising": [[5, 8]], "full_share": 0.5}}
    settings = read_settings(AlphaZeroSettings, old)
    assert settings.search.simulation_schedule == ((5, 8),)
    assert settings.search.full_search_probability == 0.5
    assert override(settings, ["search.full_share=0.25"]).search.full_search_probability == 0.25
    assert "full_share" not in settings.as_json()["search"]


def test_minutes_of_work_are_those_of_two_cores_on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schedule, "process_time", lambda: 240.0)
    assert Budget(clock="work").seconds() == 120.0
