"""Pages that watch runs and tournaments, and what may be started from them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.web.simulated import Visitor, visit
from zerosum.app.inside import growth_of, tree_of
from zerosum.arena.tournament import run_tournament
from zerosum.core.errors import BadSpec
from zerosum.games import make_game
from zerosum.learn.run.metrics import append_line
from zerosum.learn.run.run import Run
from zerosum.learn.training.method import find_method
from zerosum.nets.artifact.store import find_shipped
from zerosum.web.board.charts import Point, Series, line_chart
from zerosum.web.desk.jobs import LOGS, TOURNAMENTS, find_tournament, stop_training
from zerosum.web.pages import run as run_page
from zerosum.web.pages.compare import compared
from zerosum.web.pages.contest import is_complete
from zerosum.web.pages.learn import admit_changes
from zerosum.web.pages.run import film_of, film_positions

FORM = {"game": "tictactoe", "method": "alphazero", "preset": "fast", "minutes": "1"}


def make_run(name: str) -> Run:
    """A run of tic-tac-toe as if it had learnt for some iterations."""
    settings = find_method("alphazero").settings_for("tictactoe", "fast", [])
    run = Run.create("tictactoe", "alphazero", 0, settings.as_json(), Path("runs") / name)
    for iteration in range(1, 6):
        moment = {"iteration": iteration, "minutes": iteration / 2}
        append_line(run.metrics_path, {"kind": "learning", **moment, "policy_loss": 2 / iteration})
        contest = {"opponent": "random", "wins": 4 * iteration, "draws": 2, "losses": 18 - 3 * iteration}
        append_line(run.metrics_path, {"kind": "strength", **moment, **contest})
    append_line(
        run.metrics_path, {"kind": "warning", "iteration": 5, "minutes": 2.5, "text": "<b>too sure</b>"}
    )
    return run


def moves_by_game(lines: list[str]) -> dict[int, list[str]]:
    """What was played, by the game's number: threads write games down as they end."""
    records = [json.loads(line) for line in lines[1:]]
    return {record["number"]: record["moves"] for record in records}


def test_a_chart_is_pressed_nearest_to_one_of_its_points() -> None:
    points = [Point(0.0, 0.5), Point(1.0, 0.5), Point(4.0, 0.5)]
    chart = line_chart("Course", [Series("share", points)], "moves", (0.0, 1.0), deed="show")
    strips = [part for part in ElementTree.fromstring(chart).iter() if part.get("class") == "press"]
    assert [strip.get("data-value") for strip in strips] == ["0", "1", "4"]
    lefts = [float(strip.attrib["x"]) for strip in strips]
    rights = [left + float(strip.attrib["width"]) for left, strip in zip(lefts, strips, strict=True)]
    assert rights[:-1] == pytest.approx(lefts[1:], abs=0.11)


def test_a_chart_is_well_formed_and_tells_its_last_values() -> None:
    points = [Point(float(x), x * x / 10, x * x / 10 - 0.1, x * x / 10 + 0.1) for x in range(9)]
    chart = line_chart("Growth <of> things", [Series("a & b", points)], "minutes")
    root = ElementTree.fromstring(chart)
    svg = next(part for part in root.iter() if part.get("class") == "chart")
    assert svg.get("aria-label") == "Growth <of> things: a & b 6.4"
    assert line_chart("Nothing", [], "minutes") == line_chart("Nothing", [Series("x", [])], "minutes") == ""


def test_runs_are_listed_watched_and_laid_over_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    runs = [make_run("one"), make_run("two")]

    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/learn")
        assert "/learn/one" in visitor.region("main")
        await visitor.send("choose", "one")
        await visitor.send("choose", "two")
        await visitor.send("choose", "../two")
        assert "/compare?runs=one,two" in visitor.region("main")
        await visitor.open("/learn/one")
        assert "iteration 5" in visitor.region("head")
        assert "&lt;b&gt;too sure" in visitor.region("head")
        assert visitor.region("curves").count('class="chart"') == 2
        for iteration in (6, 7):
            line = {"kind": "learning", "iteration": iteration, "minutes": iteration / 2, "policy_loss": 0.1}
            append_line(runs[0].metrics_path, line | {"simulations_per_second": 1e4, "games_per_second": 9.0})
        await visitor.until("head", "iteration 7")
        assert "Simulations a second" in visitor.region("curves")
        assert "Games a second" in visitor.region("curves")
        await visitor.open("/compare?runs=one,two")
        assert "Points won against random" in visitor.region("main")
        for path in ("/learn/three", "/compare?runs=one,..", "/contests/x"):
            await visitor.open(path)
            assert "That did not work" in visitor.region("main")

    visit(scenario)
    with pytest.raises(BadSpec, match="nobody trains"):
        stop_training("one")
    with pytest.raises(BadSpec):
        compared("")


def test_games_of_self_play_are_shown_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run_page, "GAME_SPEED", 0.01)
    run = make_run("one")

    def add(iteration: int, moves: str) -> None:
        line = {"kind": "game", "iteration": iteration, "minutes": 1.0, "moves": moves.split()}
        append_line(run.metrics_path, line)

    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/learn/one")
        assert "Let it play itself" in visitor.region("sample")
        add(6, "b2 a1 b1 a2 b3")
        await visitor.until("sample", "iteration 6, move 5: b3")
        add(7, "a1 b1 a2 b2 a3")
        await visitor.until("sample", "iteration 7, move 5: a3")
        assert "moves=b2%2Ca1%2Cb1%2Ca2%2Cb3" in visitor.region("sample")
        add(8, "a1 a1 <b>")
        await visitor.until("head", "iteration 8")
        assert "<b>" not in visitor.region("sample")

    visit(scenario)


@pytest.mark.parametrize(
    "text",
    ["nonsense", "network=./x.py", "start.from=/etc/passwd", "weights.path=1", "a=1\n" * 50, "a" * 900],
)
def test_a_page_cannot_set_files_or_endless_settings(text: str) -> None:
    with pytest.raises(BadSpec):
        admit_changes(text)


def test_settings_are_changed_one_a_line() -> None:
    assert admit_changes(" search.simulations=8 \n\nbudget.iterations=2") == [
        "search.simulations=8",
        "budget.iterations=2",
    ]


def test_a_training_that_is_refused_leaves_nothing_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/learn")
        for form in (
            {"game": "tictactoe", "method": "sorcery", "preset": "fast", "minutes": "1"},
            {"game": "tictactoe", "method": "alphazero", "preset": "../x", "minutes": "1"},
            {"game": "tictactoe", "method": "alphazero", "preset": "fast", "minutes": "1e9"},
            {"game": "x.py", "method": "alphazero", "preset": "fast", "minutes": "1"},
            {
                "game": "tictactoe",
                "method": "alphazero",
                "preset": "fast",
                "minutes": "1",
                "changes": "a.b=1",
            },
            {**FORM, "changes": 'evaluation.opponents=["gtp:sh -c true"]'},
            {**FORM, "changes": "pool=ray"},
            {**FORM, "changes": "workers=100000"},
            "everything",
        ):
            await visitor.send("train", form)
        assert not (tmp_path / "runs").exists()

    visit(scenario)


def test_a_tournament_is_shown_while_it_fills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    TOURNAMENTS.mkdir()
    game = make_game("tictactoe")
    run_tournament(game, ["random", "greedy", "minimax:1"], 4, state_file=TOURNAMENTS / "mine.jsonl")
    (TOURNAMENTS / "begun.jsonl").touch()
    assert find_tournament("begun").result is None

    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/contests")
        assert "12 of 12 games" in visitor.region("main")
        await visitor.open("/contests/mine")
        assert "minimax:1" in visitor.region("main")
        assert visitor.region("games").count("replay") == 12
        await visitor.send("pair", "random|greedy")
        assert visitor.region("games").count("replay") == 2
        await visitor.send("pair", "random|nobody")
        assert visitor.region("games").count("replay") == 2
        await visitor.send("stop")
        for form in ({"game": "tictactoe", "players": "random"}, {"game": "/x", "players": "a\nb"}, 7):
            await visitor.open("/contests")
            await visitor.send("tournament", form)
        assert len(list(TOURNAMENTS.iterdir())) == 2

    visit(scenario)


def test_a_tournament_that_was_stopped_goes_on_with_players_that_a_page_may_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    TOURNAMENTS.mkdir()
    mine = TOURNAMENTS / "mine.jsonl"
    run_tournament(make_game("tictactoe"), ["random", "greedy"], 6, state_file=mine)
    lines = mine.read_text().splitlines(keepends=True)
    mine.write_text("".join(lines[:4]))
    (TOURNAMENTS / "files.jsonl").write_text(lines[0].replace('"greedy"', '"./evil.py"') + lines[1])
    assert not is_complete(find_tournament("mine"))

    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/contests/files")
        await visitor.send("resume")
        assert not LOGS.exists()
        await visitor.open("/contests/mine")
        await visitor.send("resume")
        await visitor.until("main", "6 of 6 games")

    visit(scenario)
    assert moves_by_game(mine.read_text().splitlines()) == moves_by_game(lines)


def test_the_film_shows_every_snapshot_of_every_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = make_game("tictactoe")
    network = find_shipped(game, "alphazero")
    assert network is not None
    run = make_run("one")
    for moment in ("000000-0.00min", "000004-0.50min"):
        folder = run.metrics_path.parent / "snapshots" / moment
        folder.mkdir(parents=True)
        shutil.copy(network, folder / "network.onnx")
    film = film_of(game, "one", lambda: None)
    positions = film_positions(game)
    assert len(positions) > 1
    assert film.count("<figure") == 2 * len(positions)
    assert film.count("iteration 4, 0.5 min") == len(positions)


def test_the_opinion_grows_and_the_tree_adds_up() -> None:
    state = make_game("tictactoe").new()
    growth = growth_of(state, "mcts:64")
    assert [step.simulations for step in growth] == [8, 16, 32, 64]
    assert all(abs(sum(step.shares.values()) - 1) < 1e-9 for step in growth)
    assert growth_of(state, "random") == []
    for spec in ("mcts:200", "alphazero:50"):
        branches = tree_of(state, spec)
        assert branches == sorted(branches, key=lambda branch: -branch.visits)
        assert all(sum(child.visits for child in branch.children) <= branch.visits for branch in branches)
        assert all(-1 <= branch.value <= 1 for branch in branches)
    assert tree_of(state, "random") == []


def test_two_opinions_stand_side_by_side() -> None:
    async def scenario(visitor: Visitor) -> None:
        await visitor.open("/inside/tictactoe?moves=b2&players=mcts:64|random")
        assert "Share of visits" in await visitor.until("opinion0", "first levels")
        await visitor.until("opinion1", "does not say why")

    visit(scenario)
