"""Games as Gymnasium environments: one side is yours, an opponent inside plays the other.

The only file that imports Gymnasium. To import it makes the ids known, as Gymnasium's users expect:

>>> import gymnasium, zerosum.adapters.gymnasium
>>> environment = gymnasium.make("zerosum/Connect4-v0", opponent="mcts:100")
>>> observation, info = environment.reset(seed=7)
>>> observation.shape, info["action_mask"].tolist()
((2, 6, 7), [1, 1, 1, 1, 1, 1, 1])
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.arena.workers import Entrant, enter
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.draw.pixels import draw_pixels
from zerosum.draw.text import draw_text
from zerosum.games import make_game

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError:
    raise ZerosumError("Gymnasium is not installed; pip install 'zerosum[env]'") from None

__all__ = ["GAMES", "OpponentEnv", "spaces"]

RENDER_MODES = ("ansi", "rgb_array")
SEATS = {"first": (0,), "second": (1,), "both": (0, 1)}  # which one takes, from game to game
# Environments by id, zerosum/...-v0; zerosum/Game-v0 takes any game.
GAMES = {
    "Blokus": "blokus",
    "Brick": "brick",
    "Connect4": "connect4",
    "Game": None,
    "Gomoku": "gomoku",
    "InvisibleConnect4": "invisible-connect4",
    "InvisibleTicTacToe": "invisible-tictactoe",
    "Othello": "othello",
    "Othello6x6": "othello:6x6",
    "Qubic": "qubic",
    "TicTacToe": "tictactoe",
}


class OpponentEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One side of a game. An observation is [plane, *board], as the player to move sees it.

    ``info["action_mask"]`` and ``action_masks()`` say what is legal; an action that is not loses the game.
    The reward is 1, 0 or -1 at the end. ``seat`` is 'first', 'second' or, in turn, 'both'.
    """

    def __init__(
        self,
        game: str | Game,
        opponent: Entrant = "random",
        seat: str = "both",
        render_mode: str | None = None,
    ) -> None:
        if seat not in SEATS:
            raise BadSpec(f"there is no seat '{seat}'; known: {', '.join(SEATS)}")
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadSpec(f"there is no render mode '{render_mode}'; known: {', '.join(RENDER_MODES)}")
        self.game = make_game(game) if isinstance(game, str) else game
        self.opponent = enter(opponent, self.game)
        self.render_mode = render_mode
        self._seats = SEATS[seat]
        self._games = 0
        self._state: State = self.game.new(0)
        shape = (len(self.game.planes), *self.game.shape)
        self.observation_space = spaces.Box(0.0, 1.0, shape, np.float32)
        self.action_space = spaces.Discrete(self.game.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game. A seed decides about everything from here on, the following games included."""
        super().reset(seed=seed)
        if seed is not None:
            self._games = 0
        self._seat = self._seats[self._games % len(self._seats)]
        self._games += 1
        self._state = self.game.new(int(self.np_random.integers(2**53)))
        self.opponent.new_game(int(self.np_random.integers(2**53)))
        self._answer()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play an action, and the opponent's answer."""
        if not self.action_masks()[int(action)]:
            return self._observation(), -1.0, True, False, self._info() | {"illegal": True}
        self._state.play(int(action))
        self._answer()
        reward = float(self._state.outcome.value_for(self._seat))
        return self._observation(), reward, self._state.finished, False, self._info()

    def action_masks(self) -> NDArray[np.int8]:
        """[action], 1 where legal; the name is the one that sb3-contrib looks for."""
        mask = np.zeros(self.game.num_actions, dtype=np.int8)
        if not self._state.finished:
            mask[self._state.view().legal_actions()] = 1
        return mask

    def render(self) -> Any:
        """The true board."""
        if self.render_mode == "rgb_array":
            return draw_pixels(self._state.picture())
        return draw_text(self._state.picture()) if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        while not self._state.finished and self._state.mover != self._seat:
            self._state.play(self.opponent.choose(self._state.view()).action)

    def _observation(self) -> NDArray[np.float32]:
        planes = np.zeros(self.observation_space.shape or (), dtype=np.float32)
        seen = self._state.view(self._seat).position
        self.game.rules.encode(self.game.table, seen, planes.reshape(-1))
        return planes

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}


for _name, _spec in GAMES.items():
    gymnasium.register(
        id=f"zerosum/{_name}-v0",
        entry_point="zerosum.adapters.gymnasium:OpponentEnv",
        kwargs={} if _spec is None else {"game": _spec},
    )
