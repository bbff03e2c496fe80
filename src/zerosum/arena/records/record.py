"""The record of one game: enough to play it again, as one JSON object on a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from zerosum.core.errors import ZerosumError
from zerosum.core.game import Game
from zerosum.core.outcome import OUTCOME_NAMES
from zerosum.core.result import Outcome
from zerosum.core.running.files import parse_json
from zerosum.core.state import State
from zerosum.games import make_shipped_game
from zerosum.players.common.player import Candidate, Choice


class BadRecord(ZerosumError):
    """A record that cannot be read, or that does not fit the rules of its game."""


@dataclass(frozen=True)
class GameRecord:
    """A finished game. Pairs are by seat, the player who started first; equality ignores the seconds.

    >>> import zerosum
    >>> record = zerosum.play_match("tictactoe", "solver", "solver", games=1).records[0]
    >>> record.outcome == zerosum.DRAW, len(record.moves)
    (True, 9)
    """

    game: str
    players: tuple[str, str]
    number: int  # in its match: the first-named player starts the even ones
    start_seed: int
    player_seeds: tuple[int, int]
    actions: tuple[int, ...]
    moves: tuple[str, ...]  # the actions in the game's notation
    outcome: Outcome
    score: int | None  # the starter's lead in points; None in games without points
    turns: tuple[int, int]  # how many of the moves were whose
    seconds: tuple[float, float] = field(compare=False)  # thinking time, all moves together
    networks: tuple[str, str] = ("", "")  # digests of what each had learnt; '' of one that learnt nothing
    choices: tuple[Choice, ...] = field(default=(), repr=False)  # one a move, or none where nobody asked
    resigned: int | None = None  # who gave up, by seat; the game then goes no further


def to_json(record: GameRecord) -> str:
    """The record as one line of JSON, without the line's end; ``from_json`` gives it back."""
    fields: dict[str, Any] = {
        "game": record.game,
        "players": record.players,
        "number": record.number,
        "outcome": OUTCOME_NAMES[record.outcome],
        "score": record.score,
        "moves": record.moves,
        "actions": record.actions,
        "start_seed": record.start_seed,
        "player_seeds": record.player_seeds,
        "turns": record.turns,
        "seconds": [round(seconds, 6) for seconds in record.seconds],
    }
    if any(record.networks):
        fields["networks"] = record.networks
    if record.resigned is not None:
        fields["resigned"] = record.resigned
    if record.choices:
        fields["choices"] = [_choice_fields(choice) for choice in record.choices]
    return json.dumps(fields)


def from_json(text: str) -> GameRecord:
    """The record that a line holds; raises BadRecord where it holds none."""
    try:
        fields = parse_json(text)
        return GameRecord(
            game=_text(fields["game"]),
            players=_text_pair(fields["players"]),
            number=_whole(fields["number"]),
            start_seed=_whole(fields["start_seed"]),
            player_seeds=_whole_pair(fields["player_seeds"]),
            actions=tuple(_whole(action) for action in fields["actions"]),
            moves=tuple(_text(move) for move in fields["moves"]),
            outcome=Outcome(OUTCOME_NAMES.index(fields["outcome"])),
            score=None if fields["score"] is None else _whole(fields["score"]),
            turns=_whole_pair(fields["turns"]),
            seconds=(float(fields["seconds"][0]), float(fields["seconds"][1])),
            networks=_text_pair(fields.get("networks", ("", ""))),
            choices=tuple(_read_choice(choice) for choice in fields.get("choices", ())),
            resigned=_seat(fields.get("resigned")),
        )
    except (ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
        shown = text if len(text) <= 60 else text[:60] + "..."
        raise BadRecord(f"not the record of a game: {shown!r} ({type(error).__name__}: {error})") from None


def replay(record: GameRecord, game: Game | None = None) -> Iterator[State]:
    """Every position of a recorded game, from the start to the end: one more than there are moves.

    Raises BadRecord as soon as the record does not fit the rules. Games of the package are made from what the
    record says; any other must be given, for a record comes from anywhere and a game is code.
    """
    game = game or make_shipped_game(record.game, "the record")
    if game.spec != record.game:
        raise BadRecord(f"the record is of {record.game}, not of {game.spec}")
    if len(record.moves) != len(record.actions):
        raise BadRecord(f"the record has {len(record.moves)} moves but {len(record.actions)} actions")
    state = game.new(record.start_seed)
    yield state.copy()
    for number, (action, move) in enumerate(zip(record.actions, record.moves, strict=True), start=1):
        try:
            state.play(action)
        except ZerosumError as error:
            raise BadRecord(f"move {number} of the record: {error}") from None
        if game.notation.name(action) != move:
            raise BadRecord(
                f"move {number} of the record: action {action} is {game.notation.name(action)}, not {move}"
            )
        yield state.copy()
    if record.resigned is not None:
        _check_resigned(record, state)
        return
    if not state.finished:
        raise BadRecord(f"the record ends after {len(record.actions)} moves, but the game goes on")
    if state.outcome != record.outcome:
        said, right = OUTCOME_NAMES[record.outcome], OUTCOME_NAMES[state.outcome]
        raise BadRecord(f"the record says '{said}', the rules say '{right}'")
    score = state.score if game.has_score else None
    if score != record.score:
        raise BadRecord(f"the record says score {record.score}, the rules say {score}")


def _check_resigned(record: GameRecord, state: State) -> None:
    """A game that somebody gave up is on, and is the other's."""
    if state.finished:
        raise BadRecord("the record says that somebody resigned, but the game was over")
    if record.outcome != Outcome.of_value(-1, record.resigned or 0) or record.score is not None:
        raise BadRecord("the record says that somebody resigned, and not that the other won")


def _choice_fields(choice: Choice) -> dict[str, Any]:
    return {
        "action": int(choice.action),
        "line": [int(action) for action in choice.line],
        "candidates": [_candidate_fields(candidate) for candidate in choice.candidates],
    }


def _candidate_fields(candidate: Candidate) -> dict[str, Any]:
    """What the player knew of a move; what it did not know is left out."""
    fields: dict[str, Any] = {"action": int(candidate.action)}
    if candidate.visits is not None:
        fields["visits"] = int(candidate.visits)
    if candidate.value is not None:
        fields["value"] = float(candidate.value)
    if candidate.prior is not None:
        fields["prior"] = float(candidate.prior)
    return fields


def _read_choice(fields: dict[str, Any]) -> Choice:
    candidates = tuple(Candidate(**candidate) for candidate in fields["candidates"])
    return Choice(_whole(fields["action"]), candidates, tuple(fields["line"]))


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _seat(value: object) -> int | None:
    if value not in (None, 0, 1):
        raise ValueError(f"there is no seat {value!r}")
    return None if value is None else _whole(value)


def _whole_pair(values: Any) -> tuple[int, int]:
    first, second = values
    return _whole(first), _whole(second)


def _text_pair(values: Any) -> tuple[str, str]:
    first, second = values
    return _text(first), _text(second)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    return value
