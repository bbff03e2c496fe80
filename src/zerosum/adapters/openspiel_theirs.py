"""OpenSpiel's games here: any of two players in which nothing is hidden or drawn.

Spelling: openspiel:breakthrough, openspiel:hex(board_size=5)

A position holds the moves so far; what they led to is asked of OpenSpiel, from Python, so everything works
and nothing is fast.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.adapters.peers.openspiel import load_pyspiel
from zerosum.core.compiling.compile import Words, gather_rules, python_rule
from zerosum.core.errors import BadSpec, suggestion
from zerosum.core.game import Game
from zerosum.core.naming.notation import Notation, named_actions
from zerosum.core.outcome import DRAW, FIRST_WINS, SECOND_WINS, UNFINISHED
from zerosum.core.picture import EMPTY, Picture
from zerosum.core.state import State
from zerosum.core.symmetry import identity_only
from zerosum.games.families.grids import MOVER, OUTCOME, first_word_mover, second_word_outcome

PLIES, MOVES = 2, 3  # in the position: how many moves, and where they begin, four to a word
MOST_ACTIONS = 1 << 16
MOST_STATES = 20_000  # that are remembered; then all are forgotten


class Source:
    """A game of OpenSpiel's, and the states of those positions that were asked about last."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.states: dict[bytes, Any] = {}

    def state(self, position: Words) -> Any:
        """The state that a position stands for; not to be changed."""
        key = _key(position)
        if key not in self.states:
            state = self.game.new_initial_state()
            for action in np.frombuffer(key, dtype=np.uint16):
                state.apply_action(int(action))
            self.keep(key, state)
        return self.states[key]

    def keep(self, key: bytes, state: Any) -> None:
        if len(self.states) >= MOST_STATES:
            self.states.clear()
        self.states[key] = state


SOURCES: list[Source] = []  # a game's table holds its place here


def _key(position: Words) -> bytes:
    return position[MOVES:].view(np.uint16)[: int(position[PLIES])].tobytes()


def _write(position: Words, state: Any) -> None:
    """Who moves, and how it ended."""
    if state.is_terminal():
        first, second = state.returns()
        position[OUTCOME] = FIRST_WINS if first > second else SECOND_WINS if second > first else DRAW
    else:
        position[MOVER] = state.current_player()


@python_rule
def spiel_start(table: Words, position: Words, rng: Words) -> None:
    position[:] = 0
    _write(position, SOURCES[int(table[0])].state(position))


@python_rule
def spiel_legal(table: Words, position: Words, actions: Words) -> int:
    if position[OUTCOME] != UNFINISHED:
        return 0
    legal = SOURCES[int(table[0])].state(position).legal_actions()
    actions[: len(legal)] = legal
    return len(legal)


@python_rule
def spiel_play(table: Words, position: Words, action: int) -> None:
    source = SOURCES[int(table[0])]
    after = source.state(position).child(int(action))
    plies = int(position[PLIES])
    position[MOVES:].view(np.uint16)[plies] = action
    position[PLIES] = plies + 1
    _write(position, after)
    source.keep(_key(position), after)


@python_rule
def spiel_encode(table: Words, position: Words, planes: Words) -> None:
    source = SOURCES[int(table[0])]
    planes[:] = 0
    if source.game.get_type().provides_observation_tensor:
        planes[:] = source.state(position).observation_tensor(int(position[MOVER]))


RULES = gather_rules(
    spiel_start, spiel_legal, spiel_play, first_word_mover, second_word_outcome, spiel_encode
)


def make(name: str) -> Game:
    """A game that OpenSpiel's ``load_game`` knows, as one of ours; raises BadSpec where it cannot be."""
    pyspiel = load_pyspiel()
    short = name.partition("(")[0]
    if short not in pyspiel.registered_names():
        raise BadSpec(f"OpenSpiel has no game '{short}'{suggestion(short, pyspiel.registered_names())}")
    try:
        game = pyspiel.load_game(name)
    except (RuntimeError, pyspiel.SpielError) as error:
        raise BadSpec(f"OpenSpiel cannot make '{name}': {str(error).splitlines()[0]}") from None
    _require_open(game, name)
    shape = tuple(game.observation_tensor_shape()) if game.get_type().provides_observation_tensor else (1,)
    planes, board = (shape[0], shape[1:]) if len(shape) == 3 else (1, (1, int(np.prod(shape))))
    actions = game.num_distinct_actions()
    SOURCES.append(Source(game))
    return Game(
        spec=f"openspiel:{name}",
        title=f"{game.get_type().long_name} (OpenSpiel)",
        rules=RULES,
        table=np.array([len(SOURCES) - 1], dtype=np.uint64),
        position_words=MOVES + -(-game.max_game_length() // 4),
        num_actions=actions,
        max_legal=actions,
        max_plies=game.max_game_length(),
        shape=board,
        planes=tuple(f"plane {number}" for number in range(planes)),
        symmetries=identity_only(int(np.prod(board)), actions),
        notation=_notation(game),
        picture=_picture,
    )


def _require_open(game: Any, name: str) -> None:
    kind, types = game.get_type(), type(game.get_type())
    fits = {
        "two players": game.num_players() == 2,
        "moves in turn": kind.dynamics == types.Dynamics.SEQUENTIAL,
        "nothing drawn by chance": kind.chance_mode == types.ChanceMode.DETERMINISTIC,
        "nothing hidden": kind.information == types.Information.PERFECT_INFORMATION,
        "one's gain is the other's loss": kind.utility
        in (types.Utility.ZERO_SUM, types.Utility.CONSTANT_SUM),
        f"at most {MOST_ACTIONS} actions": game.num_distinct_actions() <= MOST_ACTIONS,
    }
    for what, is_so in fits.items():
        if not is_so:
            raise BadSpec(f"games of OpenSpiel must have {what} to be played here, unlike {name}")


def _notation(game: Any) -> Notation:
    """OpenSpiel's own names of actions where they hold in every position, and differ; else numbers."""
    numbers = [str(action) for action in range(game.num_distinct_actions())]
    pyspiel = load_pyspiel()
    try:
        names = ["".join(game.action_to_string(0, int(number)).split()) for number in numbers]
    except (RuntimeError, pyspiel.SpielError):  # some know names of legal actions only
        names = numbers
    plain = len({name.lower() for name in names}) == len(names) and not any(set(",;") & set(n) for n in names)
    return named_actions(names if plain else numbers, r"[^\s,;]+")


def _picture(state: State) -> Picture:
    """What OpenSpiel prints of a state, a character a cell."""
    source = SOURCES[int(state.game.table[0])]
    lines = str(source.state(state.position)).rstrip().splitlines() or [" "]
    width = max(map(len, lines))
    texts = {
        row * width + column: character
        for row, line in enumerate(lines)
        for column, character in enumerate(line)
        if not character.isspace()
    }
    return Picture((len(lines), width), [EMPTY] * (len(lines) * width), (), (), texts=texts)
