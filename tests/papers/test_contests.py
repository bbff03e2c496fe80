"""Contests on many bricks: those that an agent has seen are told apart."""

from __future__ import annotations

from pathlib import Path

from zerosum.arena.tally import Tally
from zerosum.papers.figures import tally_figure
from zerosum.papers.kinds.playing.contests import boards_of, bricks_seen, run, told_apart
from zerosum.papers.lab import Lab
from zerosum.papers.paper import Entry, Paper, PaperPlayer, read_paper


def bricks(agent: str) -> frozenset[str]:
    lab = Lab(read_paper("brick"), Path(), lambda *_: None, lambda *_: None)
    return bricks_seen(lab, f"alphazero:100@{agent}")


def test_mirror_images_of_a_brick_are_seen_with_it() -> None:
    assert bricks("{d4}") == {"brick:D4"}
    assert bricks("{r2}") == {f"brick:{cell}" for cell in ("D4", "D3", "D5", "C4", "E4")}
    assert bricks("{r3}") == {f"brick:{row}{column}" for row in "CDE" for column in "345"}
    assert bricks("untrained") == frozenset()


def test_wins_on_seen_and_on_new_bricks_add_up() -> None:
    by_board = {
        board: Tally(wins=10 if board == "brick:D4" else 3, losses=7) for board in boards_of("brick:*")
    }
    figure = tally_figure(sum(by_board.values(), Tally()))
    assert told_apart(figure, bricks("{d4}"), by_board).text.endswith(
        "; seen bricks 10 of 17, new bricks 144 of 480"
    )
    assert told_apart(figure, frozenset(), by_board) == figure


def test_only_who_learns_or_is_ours_can_beat_a_paper(tmp_path: Path) -> None:
    players = {
        name: PaperPlayer(method="random", best=best)
        for name, best in (("A", ""), ("B", ""), ("C", "mcts:50"))
    }
    paper = Paper(title="", authors="", about="", agents={}, players=players, entries={})
    lab = Lab(paper, tmp_path, lambda *_: None, lambda *_: None)
    options = {"on": ["tictactoe"], "games": 40, "rows": [["A", "B", "4-36"], ["C", "B", "4-36"]]}
    entry = Entry(title="", page="", kind="contests", says="", options=options)
    assert [row.verdict for row in run(entry, lab).rows] == ["not reproduced", "not reproduced, beaten"]
