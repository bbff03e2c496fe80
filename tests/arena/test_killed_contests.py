"""Tournaments and files of records, killed at every step or by a power cut; and processes that race."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arena.stubs import stub
from tests.faults import Died, Disk
from tests.learn.made_runs import environment
from zerosum.arena.match import play_match
from zerosum.arena.records.files import append_record, read_records
from zerosum.arena.records.record import GameRecord, from_json
from zerosum.arena.tournament import run_tournament
from zerosum.games import make_game

GAME = make_game("tictactoe")
PLAYERS = [stub(2), stub(5), stub(8)]
ENDS = ["process", "power", "half of the power"]


def tournament(folder: Path) -> list[tuple[object, ...]]:
    """What a small tournament comes to, gone on with where it was."""
    state = folder / "state.jsonl"
    result = run_tournament(GAME, PLAYERS, games=2, state_file=state, workers=1)
    return [(r.players, r.number, r.actions, r.player_seeds) for r in result.records]


def die(work: Callable[[Path], object], folder: Path, step: int, how: str) -> None:
    """Let work die at a step, and the disk be as it may be afterwards."""
    with Disk(folder, dies_at=step) as disk, pytest.raises(Died):
        work(folder)
    luck = random.Random(step)
    if how == "process":
        disk.close()
    else:
        disk.lose_power(lambda: how == "half of the power" and luck.random() < 0.5)


@pytest.mark.parametrize("how", ENDS)
def test_a_tournament_that_dies_at_any_step_ends_as_if_it_had_not(how: str, tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    with Disk(tmp_path / "whole") as disk:
        expected = tournament(tmp_path / "whole")
    disk.close()
    assert len(expected) == 6
    assert len(disk.steps) > 12  # a header that is synced, then a line a game
    for step in range(len(disk.steps)):
        folder = tmp_path / f"{step}"
        folder.mkdir()
        die(tournament, folder, step, how)
        assert tournament(folder) == expected, disk.steps[step]
        lines = (folder / "state.jsonl").read_text().splitlines()
        assert lines[0].startswith('{"tournament"')


RECORDS = play_match(GAME, stub(3), stub(6), 4, workers=1).records


def keep(folder: Path) -> None:
    for record in RECORDS:
        append_record(folder / "games.jsonl", record)


@pytest.mark.parametrize("how", ENDS)
def test_a_file_of_records_keeps_what_was_written_and_takes_more_wherever_its_writer_died(
    how: str, tmp_path: Path
) -> None:
    with Disk(tmp_path) as disk:
        keep(tmp_path)
    disk.close()
    (tmp_path / "games.jsonl").unlink()
    for step in range(len(disk.steps)):
        folder = tmp_path / f"{step}"
        folder.mkdir()
        die(keep, folder, step, how)
        path = folder / "games.jsonl"
        before = read_records(path).records if path.exists() else ()
        assert before == RECORDS[: len(before)]
        if how == "process":
            assert len(before) == sum(name.startswith("write") for name in disk.steps[:step])
        keep(folder)
        found = read_records(path)
        assert found.records == (*before, *RECORDS)
        assert len(found.damaged) <= 1


STATE_MAKER = """
import sys
from pathlib import Path
from zerosum.arena.tournament import run_tournament
from zerosum.core.errors import ZerosumError
from zerosum.games import make_game
game = make_game("tictactoe")
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    try:
        state = Path(sys.argv[1], f"{number}.jsonl")
        run_tournament(game, ["random", "greedy"], 2, state_file=state, workers=1)
    except ZerosumError as error:
        assert "is in use" in str(error)
"""


def race(program: str, folder: Path, times: int) -> None:
    """Two processes that do the same at the same instant, so many times."""
    pair = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(folder), str(times)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        for _ in range(2)
    ]
    for process in pair:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in pair:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in pair:
        _, errors = process.communicate()
        assert process.returncode == 0, errors


def test_two_processes_that_begin_a_state_file_at_one_instant_leave_a_whole_one(tmp_path: Path) -> None:
    times = 20
    race(STATE_MAKER, tmp_path, times)
    for number in range(times):
        header, *games = (tmp_path / f"{number}.jsonl").read_text().splitlines()
        assert header.startswith('{"tournament"')
        records: list[GameRecord] = [from_json(line) for line in games]
        assert sorted(record.number for record in records) == [0, 1]


RUN_MAKER = """
import sys
from pathlib import Path
from zerosum.core.errors import ZerosumError
from zerosum.learn.run.run import Run
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[2])):
    try:
        Run.create("tictactoe", "q-learning", 0, {}, Path(sys.argv[1], str(number)))
        print("made", number)
    except ZerosumError as error:
        assert "not empty" in str(error) or "another process" in str(error), error
"""


def test_two_processes_that_make_a_run_in_one_folder_at_one_instant_make_one(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    from zerosum.learn.run.run import Run

    times = 50
    race(RUN_MAKER, tmp_path, times)
    for number in range(times):
        folder = tmp_path / str(number)
        assert Run.open(folder).record.game == "tictactoe"
        assert {path.name for path in folder.iterdir()} == {"settings.json", "lock"}
