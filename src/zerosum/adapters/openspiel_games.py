"""Our games for OpenSpiel's algorithms, and our players as its bots.

>>> from zerosum.adapters.openspiel_games import SpielBot, spiel_game
>>> game = spiel_game("othello:6x6")  # or pyspiel.load_game("zerosum(game=othello:6x6)")
>>> state = game.new_initial_state()
>>> bot = SpielBot("minimax:2", "othello:6x6")
>>> bot.step(state) in state.legal_actions()
True
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zerosum.adapters.peers.openspiel import load_pyspiel
from zerosum.arena.workers import Entrant, enter
from zerosum.core.errors import BadSpec
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.draw.text import draw_text
from zerosum.games import make_game
from zerosum.players.common.engine import fixed_start

pyspiel: Any = load_pyspiel()
GameBase: Any = pyspiel.Game
StateBase: Any = pyspiel.State
BotBase: Any = pyspiel.Bot
NAME = "zerosum"  # of all our games in OpenSpiel; the parameter says which
DEFAULT = "tictactoe"


def _kind(title: str, hidden: bool) -> Any:
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=NAME,
        long_name=title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=information.IMPERFECT_INFORMATION if hidden else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"game": DEFAULT},
    )


class SpielGame(GameBase):
    """A game of ours, whose start is not drawn at random: chance is not among its players."""

    def __init__(self, params: dict[str, Any] | None = None, game: Game | None = None) -> None:
        spec = str((params or {}).get("game", DEFAULT))
        played = make_game(spec) if game is None else game
        if not fixed_start(played):
            raise BadSpec(f"OpenSpiel gets games with a fixed start from us; that of {played.spec} is drawn")
        facts = pyspiel.GameInfo(
            num_distinct_actions=played.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=played.max_plies,
        )
        super().__init__(_kind(played.title, played.hidden), facts, {"game": played.spec})
        self.game = played

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        return Observer(self.game, iig_obs_type is not None and iig_obs_type.perfect_recall)


class SpielState(StateBase):
    """A position of ours, and what each player saw whenever it was to move."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.now: State = game.game.new()
        self.seen: tuple[str, str] = ("", "")

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.now.finished else self.now.mover

    def _legal_actions(self, player: int) -> list[int]:
        return self.now.view().legal_actions()

    def _apply_action(self, action: int) -> None:
        first, second = self.seen
        told = f"{_words(self.now, self.now.mover)} {action};"
        self.seen = (first + told, second) if self.now.mover == 0 else (first, second + told)
        self.now.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.now.game.notation.name(action)

    def is_terminal(self) -> bool:
        return self.now.finished

    def returns(self) -> list[float]:
        return [float(self.now.outcome.value_for(seat)) for seat in (0, 1)]

    def __str__(self) -> str:
        return draw_text(self.now.picture())


class Observer:
    """What a player may know: as planes, and as text, with all it saw before where recall is asked for."""

    def __init__(self, game: Game, recall: bool) -> None:
        planes = np.zeros((len(game.planes), *game.shape), dtype=np.float32)
        self.dict = {"observation": planes}
        self.tensor = planes.reshape(-1)
        self.recall = recall

    def set_from(self, state: SpielState, player: int) -> None:
        game = state.now.game
        game.rules.encode(game.table, state.now.view(player).position, self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        return (state.seen[player] if self.recall else "") + _words(state.now, player)


class SpielBot(BotBase):
    """A player of ours; it also plays games of OpenSpiel's own that number actions as ours do."""

    def __init__(self, player: Entrant, game: str | Game, seed: int = 0) -> None:
        super().__init__()
        self.game = make_game(game) if isinstance(game, str) else game
        self.player = enter(player, self.game)
        self.seed = seed
        self.restart()

    def restart(self) -> None:
        self.player.new_game(self.seed)

    def restart_at(self, state: Any) -> None:
        self.restart()

    def provides_policy(self) -> bool:
        return False

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Nothing to do: each step is shown the whole game."""

    def step(self, state: Any) -> int:
        now = self.game.new()
        for action in state.history():
            now.play(int(action))
        return self.player.choose(now.view()).action


def spiel_game(game: str | Game) -> SpielGame:
    """A game for OpenSpiel's algorithms; raises BadSpec where its start is drawn at random."""
    return SpielGame(game=make_game(game) if isinstance(game, str) else game)


def _words(state: State, player: int) -> str:
    """What a player sees, as numbers: two views are the same just when these are."""
    return ".".join(f"{word:x}" for word in state.view(player).position)


pyspiel.register_game(_kind("A game of zerosum", hidden=True), SpielGame)
