"""Two-player board games: rules at native speed, players of every kind, fair contests."""
