"""All that can be set in Q-learning. The string below a setting is the reason for its default."""

from __future__ import annotations

from pathlib import Path

from zerosum.learn.settings.base import Count, CountOrZero, Positive, PositiveOrZero, Settings, Share
from zerosum.learn.settings.schedule import Budget, Evaluation

PRESETS = Path(__file__).parent / "presets"


class Exploration(Settings, frozen=True):
    """A move is made to explore with probability epsilon = start * exp(-decay * episode)."""

    start: Share = 1.0
    """At first the table knows nothing, so nothing is lost by trying everything."""
    decay: PositiveOrZero = 0.0000001
    """Slow: Q-learning learns about best play from any play, and a small game is known sooner the more is
    tried; larger ones want ten times as much, which halves epsilon every 700,000 episodes."""
    least: Share = 0.1
    """Never below, so that moves once thought bad are looked at again."""
    untried_first: bool = True
    """Whether a move that nobody tried is made before any other, whatever epsilon is (a win not yet seen
    looks like nothing), and exploring means to go where most is untried rather than anywhere."""
    starts: Share = 0.3
    """Share of the episodes that begin, while there are such, with an untried move of some position in the
    table rather than at the start: otherwise what is rarely reached is hardly learnt."""


class Learning(Settings, frozen=True):
    rate: Share = 1.0
    """The game is deterministic: what a move led to is all there is to know of it, so nothing is averaged."""
    slowing: PositiveOrZero = 0.0
    """A move updated count times learns at rate / (1 + count * slowing), as MAZE does; 0 is never slower."""
    discount: Share = 0.9
    """Below 1, so that a sooner win is worth more than a later one."""
    traces: Share = 0.0
    """Lambda: 0 learns from the next position, 1 from the game's result alone, others from both."""
    cut_traces: bool = True
    """Whether traces end where a move was not the best known one (Watkins): such a move's result says nothing
    about best play."""
    latest: bool = True
    """Whether an episode is learnt from backwards, so that its result reaches its first move at once;
    otherwise each move learns from what was known when the next was chosen, as online updates do."""
    replay: bool = True
    """Whether after every iteration all moves ever made are learnt from once more, those nearest the end
    first: what was found out about the end of a game then reaches all its openings."""
    initial: float = -0.01
    """What a move is worth before it is tried: less than a known draw, more than any known loss."""


class EpisodeBudget(Settings, frozen=True):
    episodes: Count = 2_000_000
    """Enough to try every move of every position of tic-tac-toe 4x4, in half a minute of a free core."""
    minutes: Positive | None = None
    """Ends training earlier."""


class Check(Evaluation, frozen=True):
    known_states: CountOrZero = 2_000_000
    """Where a game has at most so many positions up to symmetry, all are solved, and the share of visited
    ones whose chosen move is best is measured."""


class QLearningSettings(Settings, frozen=True):
    exploration: Exploration = Exploration()
    learning: Learning = Learning()
    megabytes: Count = 512
    """Of memory for the table at most; positions that come when it is full are played at random."""
    iteration_episodes: Count = 100_000
    """Episodes between measurements and checkpoints."""
    evaluation: Check = Check(opponents=("random", "greedy", "mcts:100", "solver"), games=40)
    budget: EpisodeBudget = EpisodeBudget()

    def kit_budget(self) -> Budget:
        """The same in iterations."""
        iterations = -(-self.budget.episodes // self.iteration_episodes)
        return Budget(minutes=self.budget.minutes, iterations=iterations)
