"""Targets for fuzzing: everything that is typed or read from a file, each with what it looks like when whole.

A target reads any bytes at all. It gives something back, or refuses them with an error of ours; any other
exception is a mistake. ``Mutator`` makes inputs out of whole ones, the same for the same seed.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.arena.stubs import stub
from tests.learn.tiny import train_tiny
from zerosum.adapters.gomocup import GomocupEngine
from zerosum.adapters.gtp import GtpEngine
from zerosum.app.studies.levels import AT_HOME, SHIPPED, levels_of
from zerosum.app.studies.sweep import last_scores
from zerosum.arena.match import play_match
from zerosum.arena.records.files import read_records, write_games
from zerosum.arena.records.record import from_json, replay, to_json
from zerosum.arena.tournament import run_tournament
from zerosum.core.errors import ZerosumError
from zerosum.games import make_game
from zerosum.learn.alphazero.settings import AlphaZeroSettings
from zerosum.learn.run.checkpoint import FACTS, MANIFEST, folder_of, iterations_in
from zerosum.learn.run.listing import list_runs
from zerosum.learn.run.run import Run
from zerosum.learn.settings.base import override
from zerosum.nets.artifact.container import EVALUATE, sealed, unpack
from zerosum.nets.artifact.evaluator import Evaluator
from zerosum.nets.artifact.store import NETWORKS
from zerosum.papers.paper import read_paper
from zerosum.papers.results import read_results
from zerosum.players.common.registry import make_player
from zerosum.players.common.runs import SETTINGS
from zerosum.web.desk.admission import Games, admit_moves, admit_player, admit_whole

ROOT = Path(__file__).resolve().parents[1]
Read = Callable[[bytes], object]


@dataclass(frozen=True)
class Target:
    wholes: tuple[bytes, ...]  # as people type them, or as the program writes them
    read: Read
    is_file: bool = False


def attack(target: Target, data: bytes) -> bool:
    """Whether the data was taken; False where it was refused in a word. Raises whatever else happens."""
    try:
        target.read(data)
    except ZerosumError as error:
        told = str(error)
    else:
        return True
    assert told
    return False


NASTY = (
    b"",
    b"\0",
    b"\n",
    b"-1",
    b"0",
    b"1e999",
    b"NaN",
    b"9" * 400,
    b"[" * 3000,
    b"{",
    b"null",
    b'""',
    b"\\ud800",
    "²".encode(),
    "é".encode(),
    "\u2003".encode(),
    "\u202e".encode(),
    b"[/]",
    b"[bold]",
    b"../",
    b"/dev/full",
    b"%s",
    b"a" * 300,
    b"4294967296",
    b"18446744073709551616",
    b"-9223372036854775809",
    b"true",
    b"\xff\xfe",
    b",",
    b":",
    b"@",
    b"=",
    b"x",
)


class Mutator:
    """Whole inputs, spoilt: some bytes gone, doubled, turned or replaced, or parts of two put together."""

    def __init__(self, seed: int | str) -> None:
        self.luck = random.Random(seed)

    def spoil(self, wholes: tuple[bytes, ...]) -> bytes:
        luck = self.luck
        data = luck.choice(wholes)
        if luck.random() < 0.15:
            data = self._with_another_value(data)
        for _ in range(luck.randrange(1, 4)):
            at = luck.randrange(len(data) + 1)
            match luck.randrange(6):
                case 0:
                    data = data[:at] + luck.choice(NASTY) + data[at + luck.randrange(20) :]
                case 1:
                    data = data[:at] + data[at + luck.randrange(1, 40) :]
                case 2:
                    data = data[:at] + bytes([luck.randrange(256)]) + data[at + 1 :]
                case 3:
                    end = at + luck.randrange(60)
                    data = data[:end] + data[at:]
                case 4:
                    other = luck.choice(wholes)
                    data = data[:at] + other[luck.randrange(len(other) + 1) :]
                case 5:
                    data = data[:at]
        return data

    def _with_another_value(self, data: bytes) -> bytes:
        """JSON in which one value became another; anything else as it is."""
        try:
            whole: Any = {"": json.loads(data)}
        except ValueError:
            return data
        node, key = whole, ""
        while isinstance(node[key], (dict, list)) and node[key] and self.luck.random() < 0.8:
            node = node[key]
            key = self.luck.choice(list(node) if isinstance(node, dict) else range(len(node)))
        node[key] = self.luck.choice(
            [None, True, -1, 2**70, 10**400, 1.5, float("inf"), "", "é", "[/]", [], [[]], {}, {"action": 0}]
        )
        return json.dumps(whole[""]).encode()


def typed(*wholes: str, read: Callable[[str], object]) -> Target:
    """What people type."""
    return Target(tuple(map(str.encode, wholes)), lambda data: read(data.decode(errors="replace")))


@cache
def text_targets() -> dict[str, Target]:
    open_game, hidden_game = make_game("tictactoe"), make_game("invisible-tictactoe")
    games = {
        spec: make_game(spec) for spec in ("connect4", "othello:6x6", "blokus", "brick", "abalone", "qubic")
    }
    pages = Games(["./hex.py"])
    gtp = GtpEngine(make_game("othello"), make_player("random", make_game("othello")))
    gomocup = GomocupEngine("random")

    def moves(text: str) -> None:
        spec, _, row = text.partition(" ")
        games.get(spec, open_game).new().play_moves(row)

    def page(text: str) -> None:
        game, player, number, row = (*text.split("&"), "", "", "", "")[:4]
        admit_player(player, pages.find(game))
        admit_whole(number, 1, 100, "it")
        pages.find(game).new().play_moves(admit_moves(row))

    return {
        "games": typed(
            "tictactoe:4x4",
            "mnk:7x6x4",
            "connect4:5x5x4",
            "othello:6x6",
            "brick:C3,D3+E5",
            "brick:random:9x9x5",
            "invisible-connect4:4x4x3",
            "gomoku:13x13",
            "qubic",
            "blokus",
            "abalone:daisy",
            "builtins:int",
            "os:path",
            read=make_game,
        ),
        "players": typed(
            "mcts:1000,c=1,threads=2",
            "mcts:0.5s",
            "minimax:3",
            "alphazero:100,t=0.5@mine#5min",
            "q-learning@mine",
            "alphazero:9,net=shallow@untrained",
            read=lambda text: make_player(text, open_game),
        ),
        "players of hidden games": typed(
            "determinised:10,worlds=3",
            "alphazero:10,from=tictactoe",
            "catchup:20",
            "random",
            read=lambda text: make_player(text, hidden_game),
        ),
        "moves": typed(
            "connect4 4444 5 6",
            "othello:6x6 d3 c5",
            "blokus 5e",
            "brick d4, e5",
            "abalone a1b2",
            "tictactoe a1b2c3",
            "qubic a1a b2b",
            read=moves,
        ),
        "settings": typed(
            "search.simulations=100",
            'network="pooled:channels=8"',
            'evaluation.opponents=["random"]',
            'budget={"minutes": 3}',
            "learning.rate=0.01",
            read=lambda text: override(AlphaZeroSettings(), [text]),
        ),
        "pages": typed("connect4&mcts:100&5&4455", "brick:random&minimax:2&99&", "hex&best:1s&1&", read=page),
        "gtp": typed(
            "play black d3",
            "1 genmove white",
            "boardsize 8",
            "undo",
            "clear_board",
            "showboard",
            read=gtp.answer,
        ),
        "gomocup": typed(
            "START 15",
            "BEGIN",
            "TURN 7,7",
            "BOARD",
            "7,7,1",
            "DONE",
            "INFO timeout_turn 5",
            read=gomocup.answer,
        ),
    }


@cache
def _folder() -> Path:
    """A place for the files of this process."""
    return Path(tempfile.mkdtemp(prefix="fuzz-"))


def from_file(name: str, *wholes: bytes, read: Callable[[Path], object]) -> Target:
    """What lies in a file of this name."""

    def write_and_read(data: bytes) -> object:
        path = _folder() / name
        path.write_bytes(data)
        return read(path)

    return Target(wholes, write_and_read, is_file=True)


@cache
def file_targets() -> dict[str, Target]:
    """Everything that is read from files; made with one small training of each kind."""
    folder = _folder()
    game = make_game("tictactoe")
    record = to_json(play_match(game, stub(10), stub(10), 1, explain=True).records[0]).encode()
    state = folder / "whole-state.jsonl"
    entrants = [stub(4), stub(10)]
    run_tournament(game, entrants, 2, state_file=state)
    tables = train_tiny("q-learning", folder / "tables")
    values = train_tiny("value-iteration", folder / "values")

    def read_record(path: Path) -> None:
        for found in read_records(path).records:
            for _ in replay(found):
                pass

    def one_record(data: bytes) -> None:
        for _ in replay(from_json(data.decode(errors="replace"))):
            pass

    found = {
        "record": Target((record,), one_record, is_file=True),
        "records": from_file("games.jsonl", record + b"\n" + record, read=read_record),
        "state": from_file(
            "state.jsonl",
            state.read_bytes(),
            read=lambda path: run_tournament(game, entrants, 2, state_file=path),
        ),
        "levels": Target(((SHIPPED / "tictactoe.json").read_bytes(),), _levels, is_file=True),
        "results": from_file(
            "brick.json",
            (ROOT / "results" / "brick.json").read_bytes(),
            read=lambda path: read_results(path, "brick", read_paper("brick")),
        ),
        "network": from_file("net.onnx", (NETWORKS / "tictactoe.onnx").read_bytes(), read=Evaluator),
        "sealed network": Target(
            (unpack((NETWORKS / "invisible-tictactoe.onnx").read_bytes(), "it")[EVALUATE],),
            lambda data: Evaluator(sealed(data)),
            is_file=True,
        ),
    }
    for ending, spec, player in (
        (".ggf", "othello:4x4", "random"),
        (".c4", "connect4", "random"),
        (".blksgf", "blokus", "random"),
    ):
        whole = write_games(
            Path(f"x{ending}"), play_match(make_game(spec), player, player, 1).records
        ).encode()
        found[ending[1:]] = from_file(f"games{ending}", whole, read=read_record)
    for run, file in ((tables, "moves.npz"), (values, "values.npz")):
        found |= dict(_run_targets(run, file))
    return found


def _levels(data: bytes) -> object:
    AT_HOME.mkdir(exist_ok=True)
    (AT_HOME / "tictactoe.json").write_bytes(data)
    return levels_of(make_game("tictactoe"))


def _run_targets(run: Run, table: str) -> Iterator[tuple[str, Target]]:
    """The files of a run, spoilt one at a time; whoever reads runs must get by."""
    method = run.record.method
    checkpoint = folder_of(run.path, iterations_in(run.path)[-1])
    parts = [path for path in checkpoint.iterdir() if path.name not in (FACTS, MANIFEST)]

    def read() -> None:
        list_runs(run.path.parent)
        opened = Run.open(run.path)
        opened.state()
        list(opened.warnings())
        last_scores(opened)
        opened.load()
        opened.player()

    def spoilt(path: Path, look: Callable[[], object]) -> Target:
        whole = path.read_bytes()

        def write_read_mend(data: bytes) -> object:
            path.write_bytes(data)
            try:
                return look()
            finally:
                path.write_bytes(whole)

        return Target((whole,), write_read_mend, is_file=True)

    yield f"{method}: settings", spoilt(run.path / SETTINGS, read)
    yield f"{method}: metrics", spoilt(run.metrics_path, read)
    yield f"{method}: table", spoilt(run.path / table, read)
    for path in (checkpoint / FACTS, checkpoint / MANIFEST, *parts):
        yield f"{method}: {path.name}", spoilt(path, read)
