"""Games as PettingZoo environments: agents take turns (AEC). The only file that imports PettingZoo.

>>> from zerosum.adapters.pettingzoo import env
>>> environment = env("othello:6x6")
>>> environment.reset(seed=7)
>>> observation, reward, terminated, truncated, info = environment.last()
>>> observation["observation"].shape, int(observation["action_mask"].sum())
((6, 6, 3), 4)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zerosum.adapters.gymnasium import spaces
from zerosum.core.errors import BadSpec, ZerosumError
from zerosum.core.game import Game
from zerosum.core.state import State
from zerosum.draw.pixels import draw_pixels
from zerosum.draw.text import draw_text
from zerosum.games import make_game

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError:
    raise ZerosumError("PettingZoo is not installed; pip install 'zerosum[env]'") from None

AGENTS = ("player_0", "player_1")
RENDER_MODES = ("ansi", "human", "rgb_array")


def env(game: str | Game, render_mode: str | None = None) -> Any:
    """The environment of a game; an illegal action ends it, with -1 for who took it.

    An observation is a dictionary: ``observation``, [row, column, plane], seen by the player to move (boards
    with layers put them one below the other), and ``action_mask``, all 0 for an agent that is not to move.
    Where the game hides something, each agent observes what it may know. The winner's reward is 1, the
    loser's -1.
    """
    whole = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(whole))


def raw_env(game: str | Game, render_mode: str | None = None) -> GameEnv:
    """The same without the checks."""
    return GameEnv(make_game(game) if isinstance(game, str) else game, render_mode)


class GameEnv(AECEnv):
    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise BadSpec(f"there is no render mode '{render_mode}'; known: {', '.join(RENDER_MODES)}")
        name = "".join(letter if letter.isalnum() else "_" for letter in game.spec)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": f"zerosum_{name}_v0",
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._shape = (game.num_cells // game.shape[-1], game.shape[-1], len(game.planes))
        self._next_seed = 0
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, self._shape, np.float32),
                "action_mask": spaces.Box(0, 1, (game.num_actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(AGENTS, seen)
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in AGENTS}
        self.state_now: State = game.new(0)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed, each start that is drawn is another than the last."""
        self._next_seed = self._next_seed + 1 if seed is None else seed
        self.state_now = self.game.new(self._next_seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.state_now.mover]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What an agent may know, as the player to move would see it."""
        game, player = self.game, AGENTS.index(agent)
        view = self.state_now.view(player)
        planes = np.zeros(len(game.planes) * game.num_cells, dtype=np.float32)
        game.rules.encode(game.table, view.position, planes)
        mask = np.zeros(game.num_actions, dtype=np.int8)
        if not self.state_now.finished and self.state_now.mover == player:
            mask[view.legal_actions()] = 1
        by_plane = planes.reshape(len(game.planes), *self._shape[:2])
        return {"observation": np.ascontiguousarray(by_plane.transpose(1, 2, 0)), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BadSpec(f"it is the move of {self.agent_selection}; it needs an action")
        mover = self.agent_selection
        self._cumulative_rewards[mover] = 0.0
        self.state_now.play(int(action))
        if self.state_now.finished:
            outcome = self.state_now.outcome
            self.rewards = {agent: float(outcome.value_for(seat)) for seat, agent in enumerate(AGENTS)}
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(mover)]
        else:
            self._clear_rewards()
            self.agent_selection = AGENTS[self.state_now.mover]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The true board: as text, as pixels, or printed for people."""
        if self.render_mode == "rgb_array":
            return draw_pixels(self.state_now.picture())
        if self.render_mode == "ansi":
            return draw_text(self.state_now.picture())
        if self.render_mode == "human":
            print(draw_text(self.state_now.picture()), end="\n\n")
        return None

    def close(self) -> None:
        """There is nothing to let go of."""
