"""A GTP engine of a few lines, for Othello, with a bad habit, or, told to play, without one."""

from __future__ import annotations

import sys
import time

ANSWERS = {"cheats": "A1", "babbles": "what?", "resigns": "resign"}


def answer(habit: str, words: list[str]) -> str:
    """To anything but playing a whole game, which needs the rules."""
    if words[0] == "boardsize" and habit == "refuses":
        return "? unacceptable size"
    if words[0] == "genmove" and habit == "dies":
        print("out of ink", file=sys.stderr, flush=True)
        sys.exit(3)
    if words[0] == "genmove" and habit == "hangs":
        time.sleep(60)
    return f"= {ANSWERS[habit]}" if words[0] == "genmove" else "="


def play() -> None:
    """Always the first legal move; passes are neither told nor heard, as with GRhino."""
    from zerosum.core.state import State
    from zerosum.games import make_game

    def pass_over(state: State) -> State:
        while state.names(state.legal_actions()) == ["pass"]:
            state.play(state.legal_actions()[0])
        return state

    game = make_game("othello:6x6")
    state = game.new()
    for line in sys.stdin:
        word, *rest = line.split()
        said = "GTP GRhino" if word == "name" else ""
        if word == "clear_board":
            state = game.new()
        elif word == "play":
            pass_over(state).play(game.notation.read(rest[1]))
        elif word == "genmove":
            action = pass_over(state).legal_actions()[0]
            said = game.notation.name(action)
            state.play(action)
        print(f"= {said}\n", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "plays":
        play()
    for line in sys.stdin:
        print(answer(sys.argv[1], line.split()) + "\n", flush=True)
