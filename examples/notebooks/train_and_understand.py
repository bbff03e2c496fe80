"""Train a network for tic-tac-toe in half a minute, and look at what it has learnt."""

# %% [markdown]
# # Train and understand
#
# A network learns tic-tac-toe from games against itself. Then we ask it about a position, look at its
# search, hold its moves against the truth, and let it play.

# %%
import zerosum

settings: dict[str, object] = {
    "network": "pooled:channels=16,blocks=2",
    "workers": 1,
    "selfplay.games_at_once": 64,
    "selfplay.positions": 1024,
    "search.simulations": 16,
    "learning.batch": 128,
    "evaluation.opponents": ["random"],
    "evaluation.games": 20,
    "evaluation.solved_positions": 50,
    "budget.minutes": None,
    "budget.iterations": 4,
}
run = zerosum.train("tictactoe", settings=settings, seed=1)
run

# %% [markdown]
# `run.metrics()` is a table, a dictionary a row: `pandas.DataFrame(run.metrics())` reads it. Here are the
# losses, and the strength checks on the way.

# %%
for line in run.metrics():
    if line["kind"] == "learning":
        print(line["iteration"], f"policy {line['policy_loss']:.3f}  value {line['value_loss']:.3f}")
    elif "opponent" in line:
        print(
            line["iteration"], f"{line['wins']}-{line['draws']}-{line['losses']} against {line['opponent']}"
        )
    elif "measure" in line:
        print(line["iteration"], f"{line['share']:.0%} {line['measure']}")

# %% [markdown]
# A position in which the second player must block. What does the bare network think of it, before any
# search?

# %%
state = zerosum.make_game("tictactoe").new()
state.play_moves("a1 b2 b1")
judged = zerosum.evaluate(run, state)
print(f"value {judged.value:+.2f} for the player to move")
print(judged.moves()[:3])
state

# %% [markdown]
# And with a search of 200 simulations on top? The board shows how often each move was visited.

# %%
zerosum.explain(state, run.player(200))

# %% [markdown]
# The truth, for this game, is known.

# %%
zerosum.solve(state)

# %%
match = zerosum.play_match("tictactoe", run.player(100), "mcts:100", games=10)
match
