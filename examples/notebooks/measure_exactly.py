"""How good is a player? Intervals, exact truth, and what a perfect opponent would gain."""

# %% [markdown]
# # Measure exactly
#
# Three ways to say how good a player is, from the weakest statement to the strongest: results of games with
# their intervals, moves held against the solved game, and, where stones are hidden, the gain of a perfect
# opponent.

# %% [markdown]
# **Games.** Forty games say less than one thinks: look at the interval.

# %%
import zerosum

match = zerosum.play_match("connect4", "mcts:400", "mcts:100", games=40, seed=1)
low, high = match.total.score_interval
print(f"{match.total} (wins-draws-losses), {match.total.score_share:.0%} of the points")
print(f"with 95 % the share is from {low:.0%} to {high:.0%}")

# %% [markdown]
# **Truth.** The end of that game is solved exactly: which of the moves gave something away?

# %%
review = zerosum.review(match.records[0], seconds=0.5)
print(f"mistakes of the first player: {review.mistakes(seat=0)}, of the second: {review.mistakes(seat=1)}")
review

# %% [markdown]
# **A perfect opponent.** Where stones are hidden, even the best answer to a player can be computed on small
# boards. NashConv is what two perfect opponents gain together; 0 is an equilibrium.

# %%
uniform = zerosum.exploit("invisible-mnk:5x1x3", "random")
budget: dict[str, object] = {"budget.minutes": None, "budget.iterations": 20, "evaluation.opponents": []}
run = zerosum.train("invisible-mnk:5x1x3", method="cfr", settings=budget, seed=1)
learnt = zerosum.exploit("invisible-mnk:5x1x3", run.player())
print(f"random: {uniform.nash_conv:.4f}    after regret minimisation: {learnt.nash_conv:.6f}")

# %% [markdown]
# The same game in OpenSpiel gives the same number; see the page on OpenSpiel. And what does a player see?
# Only this:

# %%
state = zerosum.make_game("invisible-tictactoe").new()
state.play_moves("b2 b2 a1")
state.view(1)
