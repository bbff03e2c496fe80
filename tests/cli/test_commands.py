"""Commands as a user runs them: what they print where, what they exit with, what they say of mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

HEX = str(Path(__file__).parents[2] / "examples" / "hex.py")


def test_every_game_and_player_is_listed_with_its_spelling(zerosum: Any) -> None:
    games = zerosum("games", "--json").data["games"]
    names = [game["name"] for game in games]
    open_games = ["abalone", "blokus", "brick", "connect4", "gomoku", "mnk", "othello", "qubic", "tictactoe"]
    assert [name for name in names if not name.startswith("invisible-")] == open_games
    assert len(names) == len(open_games) + 4
    players = zerosum("players", "--json").data["players"]
    assert {"random", "greedy", "minimax", "mcts", "solver", "human"} <= {p["name"] for p in players}
    assert all(item["summary"] and item["spelling"] for item in games + players)
    assert "brick:C3,D3,D4" in zerosum("games").out.replace("\n", " ")


def test_a_match_counts_for_the_first_named_player_in_each_seat(zerosum: Any) -> None:
    data = zerosum("match", "tictactoe", "solver", "random", "--games", "10", "--json").data
    assert data["wins"] + data["draws"] + data["losses"] == 10
    assert data["losses"] == 0
    for field in ("wins", "draws", "losses"):
        assert data[field] == data["as_first"][field] + data["as_second"][field]
    assert sum(data["as_first"][field] for field in ("wins", "draws", "losses")) == 5


def test_the_same_seed_gives_the_same_match_with_any_number_of_workers(zerosum: Any) -> None:
    def result(*more: str) -> dict[str, Any]:
        data = zerosum("match", "brick:random", "mcts:50", "minimax:1", "--games", "12", "--json", *more).data
        del data["seconds_per_move"]
        assert isinstance(data, dict)
        return data

    alone = result("--seed", "3", "--workers", "1")
    assert result("--seed", "3", "--workers", "3") == alone


def test_a_match_explains_every_move(zerosum: Any) -> None:
    data = zerosum("match", "tictactoe", "mcts:50", "random", "--games", "1", "--explain", "--json").data
    first_move = data["reasons"][0][0]
    assert sum(candidate["visits"] for candidate in first_move["candidates"]) == 50
    assert first_move["line"][0] == first_move["move"]
    assert "visits" in zerosum("match", "tictactoe", "mcts:50", "random", "--games", "1", "--explain").out


def test_recorded_games_can_be_replayed(zerosum: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "games.jsonl")
    zerosum("match", "tictactoe", "random", "random", "--games", "3", "--records", file)
    data = zerosum("replay", file, "--game", "2", "--json").data
    assert len(data["boards"]) == len(data["moves"]) + 1
    shown = zerosum("replay", file).out
    assert "wins" in shown or "draw" in shown
    assert "holds games 1 to 3, not 4" in zerosum("replay", file, "--game", "4").err


def test_a_recorded_game_is_reviewed_move_by_move(zerosum: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "games.jsonl")
    words = ["match", "tictactoe", "random", "solver", "--games", "2", "--workers", "1"]  # so, in order
    zerosum(*words, "--records", file)
    moves = zerosum("review", file, "--json").data["moves"]
    assert {move["judged_by"] for move in moves} == {"solver"}
    assert not any(move["mistake"] for move in moves if move["seat"] == 1)
    shown = zerosum("review", file, "--game", "2").out
    assert "solver, the first player: mistakes 0" in shown
    assert "holds games 1 to 2, not 3" in zerosum("review", file, "--game", "3").err


@pytest.mark.parametrize(("form", "sign"), [("csv", ","), ("markdown", "|")])
def test_tables_come_as_csv_and_markdown(zerosum: Any, form: str, sign: str) -> None:
    ended = zerosum("tournament", "tictactoe", "random", "greedy", "--games", "4", "--format", form)
    assert ended.code == 0
    assert all(sign in line for line in ended.out.strip().splitlines())


def test_a_tournament_ranks_and_fills_the_cross_table(zerosum: Any) -> None:
    words = ["tournament", "tictactoe", "random", "mcts:100", "solver", "--games", "10"]
    data = zerosum(*words, "--json").data
    assert data["players"][-1]["name"] == "random"
    assert all(player["error"] > 0 for player in data["players"])
    assert len(data["table"]) == 6
    assert zerosum(*words, "--json").data["players"][0]["rating"] == data["players"][0]["rating"]


def test_a_stopped_tournament_goes_on(zerosum: Any, tmp_path: Path) -> None:
    words = ["tournament", "tictactoe", "random", "greedy", "--games", "10", "--json"]
    whole = zerosum(*words).data
    state = tmp_path / "state.jsonl"
    zerosum(*words, "--state", str(state))
    lines = state.read_text().splitlines(keepends=True)
    state.write_text("".join(lines[:5]) + lines[5][:30])  # killed in the middle of the fifth game's line
    resumed = zerosum(*words, "--state", str(state)).data
    for player in whole["players"] + resumed["players"]:
        del player["seconds_per_move"]
    assert resumed["players"] == whole["players"]
    assert resumed["table"] == whole["table"]
    other = zerosum("tournament", "tictactoe", "random", "greedy", "--games", "12", "--state", str(state))
    assert other.code == 2
    assert "games" in other.err


def test_solve_says_value_best_moves_and_score(zerosum: Any) -> None:
    data = zerosum("solve", "connect4", "--moves", "444444 3 3 5 5", "--json").data
    assert data["value"] in ("win", "draw", "loss")
    assert data["best"]
    assert isinstance(data["score"], int)
    drawn = zerosum("solve", "tictactoe", "--json").data
    assert drawn["value"] == "draw"
    assert len(drawn["best"]) == 9
    assert "draw" in zerosum("solve", "tictactoe", "--moves", "b2").out


def test_exploit_says_what_a_best_response_gets_from_each_seat(zerosum: Any) -> None:
    data = zerosum("exploit", "invisible-mnk:3x2x2", "random", "--json").data
    assert data["nash_conv"] == pytest.approx(data["response_as_first"] + data["response_as_second"])
    assert data["response_as_first"] == pytest.approx(1.0)
    assert data["response_as_second"] == pytest.approx(-1 / 3)
    assert "NashConv" in zerosum("exploit", "invisible-mnk:3x2x2", "random").out


def test_exploit_learns_a_lower_bound_where_the_board_is_large(zerosum: Any) -> None:
    words = ["exploit", "invisible-connect4:4x4x3", "random", "--minutes", "0.02"]
    data = zerosum(*words, "--json").data
    assert data["exact"] is False
    parts = [data["response_as_first"], data["response_as_second"]]
    assert data["nash_conv_at_least"] == pytest.approx(sum(part["at_least"] for part in parts))
    assert all(part["interval"][0] <= part["at_least"] <= part["interval"][1] for part in parts)
    assert "lower bounds" in zerosum(*words).out


def test_a_position_is_drawn_as_text_and_as_svg(zerosum: Any, tmp_path: Path) -> None:
    assert "X" in zerosum("draw", "tictactoe", "--moves", "b2").out
    file = tmp_path / "board.svg"
    zerosum("draw", "connect4", "--moves", "44455", "--to", str(file))
    assert file.read_text().startswith("<svg")
    assert "cannot write" in zerosum("draw", "connect4", "--to", str(tmp_path / "no" / "board.svg")).err


def test_a_players_thoughts_are_shown_as_text_picture_and_data(zerosum: Any, tmp_path: Path) -> None:
    words = ["explain", "connect4", "--moves", "444", "--player", "mcts:100"]
    file = tmp_path / "why.svg"
    shown = zerosum(*words, "--to", str(file)).out
    data = zerosum(*words, "--json").data
    assert file.read_text() == data["svg"]
    assert data["board"] in shown
    assert f"plays {data['move']}" in shown
    assert sum(candidate["visits"] for candidate in data["candidates"]) == 100
    assert all(str(candidate["visits"]) in data["board"] for candidate in data["candidates"])


def test_the_ladder_trains_its_tables_once(
    zerosum: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    players = zerosum("ladder", "tictactoe", "--games", "2", "--json").data["players"]
    lost = {player["player"].partition("@")[0]: player["as_second"]["losses"] for player in players}
    assert list(lost) == [
        "random", "greedy", "minimax:2", "mcts:1000", "value-iteration", "q-learning", "alphazero:50",
    ]  # fmt: skip
    assert lost["q-learning"] == lost["value-iteration"] == 0
    again = zerosum("ladder", "tictactoe", "--games", "1", "--to", "ladder.png")
    assert "training" not in again.err
    assert (tmp_path / "ladder.png").exists()


def test_the_strength_of_what_ships_is_measured(zerosum: Any) -> None:
    rows = zerosum("strength", "tictactoe", "--games", "4", "--json").data["rows"]
    assert [row["opponent"] for row in rows] == [None, None, "mcts:100", "mcts:100"]
    assert all({"game", "wins", "draws", "losses", "target", "holds"} <= set(row) for row in rows)
    shown = zerosum("strength", "tictactoe", "--games", "2").out
    assert shown.count("mcts:100") == 2
    assert "no losses" in shown


def test_perft_counts(zerosum: Any) -> None:
    assert zerosum("perft", "tictactoe", "--depth", "9", "--json").data["nodes"] == 127872
    assert zerosum("perft", "connect4", "--depth", "7", "--json").data["nodes"] == 823536
    after_each = [
        zerosum("perft", "connect4", "--depth", "6", "--moves", m, "--json").data for m in "1234567"
    ]
    assert sum(data["nodes"] for data in after_each) == 823536
    assert zerosum("perft", "othello:6x6", "--depth", "0", "--json").data["nodes"] == 1


def test_perft_says_which_of_several_starts_it_counts_from(zerosum: Any) -> None:
    assert "from the start of seed 3" in zerosum("perft", "brick:random", "--depth", "1", "--seed", "3").out
    assert zerosum("perft", "brick:random", "--depth", "1", "--seed", "3", "--json").data["start_seed"] == 3
    assert "from the start" not in zerosum("perft", "brick:D4", "--depth", "1").out


def test_a_game_of_ones_own_is_checked_and_played(zerosum: Any) -> None:
    data = zerosum("check-game", f"{HEX}:4x4", "--games", "5", "--json").data
    assert data["passed"]
    result = zerosum("match", f"{HEX}:4x4", "random", "mcts:50", "--games", "4", "--json").data
    assert result["wins"] + result["losses"] == 4
    assert result["draws"] == 0


def test_a_broken_game_of_ones_own_fails_the_check(zerosum: Any, tmp_path: Path) -> None:
    source = Path(HEX).read_text()
    broken = tmp_path / "broken.py"
    assert "def make(variant" in source
    broken.write_text(source.replace("def make(variant", "def mke(variant"))
    ended = zerosum("check-game", str(broken))
    assert ended.code == 2
    assert "make" in ended.err


def test_a_person_can_play_undo_ask_and_resign(zerosum: Any) -> None:
    moves = "help\nmoves\nb2\nundo\nb2\nhint\nboard\nnonsense\nb2\nresign\n"
    ended = zerosum("play", "tictactoe", "--against", "random", "--json", stdin=moves)
    assert ended.data["outcome"] == "second player wins"
    assert ended.data["resigned"] == 0
    assert "there is no move 'nonsense'" in ended.err
    assert "b2 is not legal here" in ended.err
    assert "visits" in ended.err


def test_the_beginning_of_a_word_will_do_but_not_to_resign(zerosum: Any) -> None:
    ended = zerosum("play", "tictactoe", "--against", "random", "--json", stdin="b2\nu\nh\nr\nresign\n")
    assert ended.data["moves"] == []
    assert "visits" in ended.err
    assert "there is no move 'r'" in ended.err


def test_a_person_can_play_to_the_end_from_either_seat(zerosum: Any) -> None:
    every_cell = "".join(f"{column}{row}\n" for row in range(1, 4) for column in "abc") * 3
    for seat in ([], ["--second", "--explain"]):
        words = ["play", "tictactoe", "--against", "mcts:20", "--json", *seat]
        data = zerosum(*words, stdin=every_cell).data
        assert data["outcome"] in ("first player wins", "second player wins", "draw")


def test_a_person_sees_only_their_own_board_of_an_invisible_game_until_it_ends(zerosum: Any) -> None:
    every_cell = "".join(f"{column}{row}\n" for row in range(1, 4) for column in "abc") * 2
    words = ["play", "invisible-tictactoe", "--against", "random", "--json", "--second", "--seed", "1"]
    ended = zerosum(*words, stdin=every_cell)
    assert ended.data["outcome"] in ("first player wins", "second player wins", "draw")
    before, _, after = ended.err.partition("the true board:")
    assert "random plays" not in ended.err
    assert "random has moved" in before
    assert "collision: a1 is taken; move again" in before
    first_board = before.split("random has moved")[1].split("your move")[0]
    assert "X" not in first_board
    assert "X" in after
    assert "cfr would play" in zerosum("play", "invisible-tictactoe", stdin="hint\nresign\n").err


def test_an_invisible_game_can_be_recorded_replayed_drawn_and_counted(zerosum: Any, tmp_path: Path) -> None:
    file = str(tmp_path / "games.jsonl")
    words = ["match", "invisible-connect4:4x4x3", "determinised:20", "random", "--games", "4"]
    assert zerosum(*words, "--records", file, "--json").code == 0
    assert len(zerosum("replay", file, "--json").data["boards"]) > 4
    assert zerosum("perft", "invisible-tictactoe", "--depth", "2", "--json").data["nodes"] == 81
    assert "O" not in zerosum("draw", "invisible-tictactoe", "--moves", "b2 b2").out
    refused = zerosum("solve", "invisible-tictactoe")
    assert refused.code == 2
    assert "hides something" in refused.err


def test_leaving_a_game_half_way_is_no_crash(zerosum: Any) -> None:
    ended = zerosum("play", "tictactoe", stdin="b2\n")
    assert ended.code == 130
    assert "stopped" in ended.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["match", "conect4", "random", "random"], "did you mean 'connect4'"),
        (["match", "connect4", "radnom", "random"], "did you mean 'random'"),
        (["match", "connect4", "random", "random", "--games", "0"], "at least 1 game"),
        (["match", "connect4:5y5", "random", "random"], "not a size"),
        (["match", "othello:7x7", "random", "random"], "4, 6 or 8"),
        (["match", "mnk:3x3x4", "random", "random"], "line length"),
        (["match", "brick:Z9", "random", "random"], "no cell 'Z9'"),
        (["match", "./no/such/game.py", "random", "random"], "no such file"),
        (["solve", "connect4", "--moves", "4444444"], "legal: 1 2 3 5 6 7"),
        (["solve", "connect4", "--moves", "12x"], "cannot read 'x'"),
        (["solve", "tictactoe", "--moves", "a1 b1 a2 b2 a3"], "already over"),
        (["solve", "gomoku", "--nodes", "1000"], "gomoku: stopped after 1,000 positions"),
        (["solve", "othello"], "60 cells are empty"),
        (["explain", "connect4", "--moves", "4444444", "--player", "greedy"], "legal: 1 2 3 5 6 7"),
        (["explain", "tictactoe", "--moves", "a1 b1 a2 b2 a3", "--player", "greedy"], "already over"),
        (["explain", "tictactoe", "--player", "random"], "does not say why"),
        (["explain", "tictactoe", "--player", "human"], "cannot be read"),
        (["explain", "tictactoe", "--player", "greedy", "--to", "why.jpg"], "must end in .svg or .png"),
        (["explain", "tictactoe", "--player", "greedy", "--to", "/no/such/why.svg"], "cannot write"),
        (["explain", "abalone", "--player", "alphazero:10"], "no network for abalone ships"),
        (["bench", "trian"], "bench measures by itself, with 'train' or"),
        (["strength", "abalone"], "the table of strengths has no 'abalone'"),
        (["strength", "tictactoe", "--games", "0"], "--games"),
        (["strength", "--run", "mine"], "name the game"),
        (["exploit", "tictactoe", "random"], "hides nothing"),
        (["exploit", "tictactoe", "random", "--minutes", "1"], "hides nothing"),
        (["perft", "tictactoe", "--depth", "-1"], "--depth"),
        (["tournament", "tictactoe", "random"], "at least 2 players"),
        (["tournament", "tictactoe", "random", "random"], "twice"),
        (["replay", "/no/such/file"], "/no/such/file"),
        (["check-game", "tictactoe", "--games", "0"], "--games"),
        (["match", "connect4", "random", "random", "--gmes", "3"], "--games"),
        (["plya", "tictactoe"], "plya"),
    ],
)
def test_a_mistake_is_one_clear_line_and_a_non_zero_exit(
    zerosum: Any, words: list[str], complaint: str
) -> None:
    ended = zerosum(*words)
    assert ended.code == 2
    assert ended.out == ""
    lines = ended.err.strip().splitlines()
    assert len(lines) == 1, ended.err
    assert lines[0].startswith("zerosum: ")
    assert complaint in lines[0]


def test_a_training_that_is_refused_leaves_no_run(
    zerosum: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = zerosum("train", "connect4", "--method", "cfr")
    assert refused.code == 2
    assert "hides nothing" in refused.err
    assert not list(tmp_path.iterdir())


DRAW_NOTHING = ("games", "new-game", "players", "plot", "replay", "reproduce", "runs", "transfer")
SERVE = ("engine", "web")  # these talk to programs and browsers, and print no result
DRAW = (
    "bench",
    "check-game",
    "draw",
    "explain",
    "exploit",
    "history",
    "ladder",
    "levels",
    "match",
    "model",
    "perft",
    "play",
    "report",
    "review",
    "solve",
    "strength",
    "tournament",
    "train",
    "watch",
)


@pytest.mark.parametrize("command", [*DRAW_NOTHING, *DRAW])
def test_every_command_has_json_help_with_an_example_and_a_seed_where_it_draws(
    zerosum: Any, command: str
) -> None:
    shown = zerosum(command, "--help").out
    assert f"Example: zerosum {command}" in shown
    assert "--json" in shown
    assert ("--seed " in shown) == (command in DRAW)


def test_every_command_is_held_to_that(zerosum: Any) -> None:
    listed = {line.split()[1] for line in zerosum("--help").out.splitlines() if line.startswith("│ ")}
    assert {command for command in listed if command[0].isalpha()} == {*DRAW_NOTHING, *DRAW, *SERVE}


def test_the_seed_chooses_the_start_of_commands_about_a_position(zerosum: Any) -> None:
    boards = {zerosum("draw", "brick:random", "--seed", str(seed)).out for seed in range(5)}
    assert len(boards) > 1
