"""Every player keeps the promises of the protocol, and says so clearly when it cannot play."""

from __future__ import annotations

import pytest

from zerosum.core.errors import BadSpec
from zerosum.core.state import State
from zerosum.games import make_game
from zerosum.players.common.player import Player
from zerosum.players.common.registry import list_players, make_player
from zerosum.players.human import HumanPlayer

SPECS = ["random", "greedy", "minimax:2", "mcts:50", "mcts:50,c=1", "solver"]
FOR_INVISIBLE_GAMES = ["catchup", "cfr", "determinised"]
OF_A_COMMAND = {"gomocup", "gtp", "nboard"}
HOMES = {
    **dict.fromkeys(FOR_INVISIBLE_GAMES, "invisible-tictactoe"),
    "dqn": "qubic",
    "gomocup": "gomoku",
    "nboard": "othello",
}  # others: tictactoe
OF_A_RUN = {
    "policy-set-iteration",
    "q-learning",
    "value-iteration",
    "value-set-iteration",
}  # nothing ships for these
GAMES = ["tictactoe", "connect4:4x4x3", "brick:4x4x3:random", "othello:4x4"]


def play_out(players: list[Player], state: State, seed: int) -> list[int]:
    for seat, player in enumerate(players):
        player.new_game(100 * seed + seat)
    while not state.finished:
        view = state.view()
        choice = players[view.mover].choose(view)
        assert choice.action in view.legal_actions()
        if choice.candidates:
            assert choice.action in [candidate.action for candidate in choice.candidates]
            assert len({candidate.action for candidate in choice.candidates}) == len(choice.candidates)
        state.play(choice.action)
    return state.history


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_game(game: str, spec: str) -> None:
    played = make_game(game)
    first = play_out([make_player(spec, played) for _ in range(2)], played.new(7), 3)
    players = [make_player(spec, played) for _ in range(2)]
    play_out(players, played.new(7), 4)  # a game in between leaves no trace
    assert play_out(players, played.new(7), 3) == first


@pytest.mark.parametrize("spec", ["random", "greedy", "minimax:2", "mcts:50"])
def test_another_seed_gives_another_game(spec: str) -> None:
    played = make_game("brick:D4")
    games = {
        tuple(play_out([make_player(spec, played) for _ in range(2)], played.new(), seed))
        for seed in range(4)
    }
    assert len(games) > 1


@pytest.mark.parametrize(
    "spec", ["random", "greedy", "minimax:3", "mcts:1000,c=1.5", "mcts:0.5s", "solver", "human"]
)
def test_a_players_spec_makes_the_same_player(spec: str) -> None:
    assert make_player(spec, make_game("tictactoe")).spec == spec


def test_every_listed_player_can_be_made() -> None:
    for listing in list_players():
        assert listing.summary
        assert listing.spelling.startswith(listing.name)
        game = make_game(HOMES.get(listing.name, "tictactoe"))
        if listing.name in OF_A_RUN:
            with pytest.raises(BadSpec, match=f"name (the|its) run, as in {listing.name}(:100)?@RUN"):
                make_player(listing.name, game)
        elif listing.name in OF_A_COMMAND:
            assert make_player(f"{listing.name}:true", game).spec == f"{listing.name}:true"
        else:
            make_player(listing.name, game)


def test_players_of_invisible_games_refuse_open_ones() -> None:
    for name in FOR_INVISIBLE_GAMES:
        with pytest.raises(BadSpec, match="tictactoe hides no"):
            make_player(name, make_game("tictactoe"))


@pytest.mark.parametrize("spec", ["catchup:30", "determinised:30", "determinised:30,worlds=4", "random"])
@pytest.mark.parametrize("game", ["invisible-tictactoe:4x4", "invisible-connect4:4x4x3"])
def test_the_same_seed_gives_the_same_invisible_game(game: str, spec: str) -> None:
    played = make_game(game)
    players = [make_player(spec, played) for _ in range(2)]
    first = play_out(players, played.new(), 3)
    assert play_out([make_player(spec, played) for _ in range(2)], played.new(), 3) == first
    assert make_player(players[0].spec, played).spec == spec


@pytest.mark.parametrize("spec", ["greedy", "minimax:1", "mcts:500", "solver"])
def test_a_win_in_one_is_taken(spec: str) -> None:
    state = make_game("brick:D4").new()
    state.play_moves("A1 G7 A2 G6 A3 G5")
    player = make_player(spec, state.game)
    assert state.game.notation.name(player.choose(state.view()).action) == "A4"


def test_mcts_reports_visits_values_and_the_line_it_expects() -> None:
    state = make_game("connect4").new()
    choice = make_player("mcts:700", state.game).choose(state.view())
    assert sum(candidate.visits or 0 for candidate in choice.candidates) == 700
    assert all(-1 <= (candidate.value or 0) <= 1 for candidate in choice.candidates)
    assert choice.line[0] == choice.action == choice.candidates[0].action


def test_mcts_keeps_what_it_learned_between_moves() -> None:
    played = make_game("connect4")
    player = make_player("mcts:500", played)
    player.new_game(1)
    state = played.new()
    state.play(player.choose(state.view()).action)
    state.play(state.legal_actions()[0])
    visits = sum(candidate.visits or 0 for candidate in player.choose(state.view()).candidates)
    assert visits > 500


def test_mcts_starts_afresh_when_shown_another_game() -> None:
    played = make_game("connect4")
    player = make_player("mcts:200", played)
    state = played.new()
    state.play_moves("44")
    player.choose(state.view())
    other = played.new()
    other.play_moves("1")
    assert sum(candidate.visits or 0 for candidate in player.choose(other.view()).candidates) == 200


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("mtcs", "did you mean 'mcts'"),
        ("mcts:0", "simulations or seconds"),
        ("mcts:many", "simulations or seconds"),
        ("mcts:-5", "simulations or seconds"),
        ("mcts:100,k=3", "no option 'k'"),
        ("mcts:100,c=big", "not a number"),
        ("mcts:100,200", "two values"),
        ("mcts:100,c=1,c=2", "says twice what 'c' is"),
        ("minimax:0", "depth"),
        ("minimax:two", "depth"),
        ("random:5", "random"),
    ],
)
def test_a_wrong_spec_says_what_is_wrong(spec: str, words: str) -> None:
    with pytest.raises(BadSpec, match=words):
        make_player(spec, make_game("tictactoe"))


def test_a_person_is_asked_until_the_move_is_legal() -> None:
    answers = iter(["z9", "", "b2", "a1"])
    questions: list[str] = []

    def ask(question: str) -> str:
        questions.append(question)
        return next(answers)

    state = make_game("tictactoe").new()
    state.play_moves("b2")
    choice = HumanPlayer(ask).choose(state.view())
    assert state.game.notation.name(choice.action) == "a1"
    assert "there is no move 'z9'" in questions[1]
    assert "b2 is not legal here" in questions[3]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("catchup:0", "a number of simulations, as in catchup:1000"),
        ("catchup:0.5s", "a number of simulations"),
        ("catchup:10,c=-1", "must be 0 or more"),
        ("determinised:10,worlds=0", "a whole number above 0"),
        ("determinised:10,worlds=1.5", "a whole number above 0"),
        ("determinised:10,world=3", "did you mean 'worlds'"),
    ],
)
def test_a_wrong_spec_of_an_invisible_player_says_what_is_wrong(spec: str, words: str) -> None:
    with pytest.raises(BadSpec, match=words):
        make_player(spec, make_game("invisible-tictactoe"))
