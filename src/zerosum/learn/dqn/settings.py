"""All that can be set in DQN's training. The string below a setting is the reason for its default."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from zerosum.learn.settings.base import Count, CountOrZero, Positive, Settings, Share
from zerosum.learn.settings.schedule import Budget, Evaluation

PRESETS = Path(__file__).parent / "presets"


class Play(Settings, frozen=True):
    games_at_once: Count = 64
    """Fills a batch with moves of different games; 1 is the paper's."""
    epsilon: Share = 0.1
    """Share of moves drawn at random, the frozen opponent's too; the paper's."""
    foresight: Literal[0, 1, 2] = 2
    """Plies in which the rules, not the network, say how the game ends: 1 takes a win at once; 2 also sees
    the opponent's, so that the network's few detectors are free for what comes before. With 0 the network
    learns what finished boards are worth."""
    seats: Literal["both", "first"] = "both"
    """Where the learner sits: by turns on either side, or always first as in the paper."""


class Opponent(Settings, frozen=True):
    random_episodes: CountOrZero = 5000
    """Games against random moves to begin with; the paper's."""
    then: Literal["frozen", "self"] = "frozen"
    """Afterwards: its own weights of some time ago, as in the paper, or itself, with both sides learning."""
    replaced_every: Count = 1000
    """Episodes that frozen weights serve; a fifth of the first phase, so that each is worth beating."""


class Learning(Settings, frozen=True):
    formerly: ClassVar[dict[str, str]] = {"turns": "symmetric_copies"}

    rate: Positive = 0.001
    """Of Adam; that of the paper's program, which its text does not print."""
    last_rate: Positive = 0.001
    """What the rate falls to, in a straight line by episode; the same is no fall, the paper's."""
    discount: Share = 0.9
    """How much a win one move later is worth; that of the paper's program. Makes the quick win the better."""
    batch: Count = 64
    """Moves learnt from at once, at least; 1 is the paper's."""
    symmetric_copies: CountOrZero = 16
    """Random symmetries of the board that each move is shown in, for the network does not know that they are
    alike; 0 is the board as it was, the paper's."""
    replay: CountOrZero = 0
    """Moves remembered, to be drawn again at random; 0 learns from each once, as it happens."""
    repeats: Count = 1
    """Steps for each batch of new moves; more than one wants a replay."""
    target_every: CountOrZero = 0
    """Steps after which the weights that set the targets catch up; 0 is at once, the paper's."""

    def complaint(self) -> str:
        if self.repeats > 1 and not self.replay:
            return f"repeats ({self.repeats}) would learn the same moves again; set replay, to draw others"
        if 0 < self.replay < self.batch:
            return f"replay ({self.replay}) is less than one batch ({self.batch})"
        return ""

    def rate_at(self, share: float) -> float:
        """The rate when so much of training is done, 0 to 1."""
        return self.rate + share * (self.last_rate - self.rate)


class StrengthCheck(Evaluation, frozen=True):
    random_games: Count = 100
    """Without exploring, against random moves, from each seat, every iteration: the paper's Figure 3."""


class Episodes(Settings, frozen=True):
    episodes: Count = 20_000
    """Games to learn from."""
    iteration: Count = 500
    """Games an iteration: a point in the curves, and what an interruption may cost."""
    minutes: Positive | None = None
    """Ends training early."""

    def budget(self) -> Budget:
        return Budget(minutes=self.minutes, iterations=-(-self.episodes // self.iteration))


class DqnSettings(Settings, frozen=True):
    network: str = "lines"
    """By its spec; must be a line network, such as lines:detectors=8."""
    play: Play = Play()
    opponent: Opponent = Opponent()
    learning: Learning = Learning()
    evaluation: StrengthCheck = StrengthCheck(every_minutes=None, every_iterations=10)
    budget: Episodes = Episodes()
