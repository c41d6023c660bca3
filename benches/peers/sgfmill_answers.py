"""Answers of a program that reads games with sgfmill: a question and a file."""

import collections
import sys

from sgfmill import boards, sgf, sgf_grammar, sgf_moves

question, path = sys.argv[1:]
with open(path, "rb") as file:
    games = sgf_grammar.parse_sgf_collection(file.read())


def main_line(game):
    """The nodes of the main line, each as its properties."""
    while True:
        yield from game.sequence
        if not game.children:
            return
        game = game.children[0]


def moves(game):
    """The moves of the main line: a color and the text of a point."""
    for node in main_line(game):
        for color in "BW":
            if color in node:
                yield color, node[color][0].decode()


def most(names):
    """The name that comes most often, the first of them by its text, and how often."""
    print(*min(collections.Counter(names).items(), key=lambda row: (-row[1], row[0])), sep=",")


if question == "games":
    print(len(games))
elif question == "player":
    most(game.sequence[0].get("PB", [b""])[0].decode("utf-8", "replace") for game in games)
elif question == "opening":
    most(" ".join(point or "pass" for _, point in list(moves(game))[:8]) for game in games)
elif question == "repeated":
    setup = ("SZ", "AB", "AW", "AE")
    lines = [(*moves(game), *(tuple(game.sequence[0].get(name, ())) for name in setup)) for game in games]
    print(len(lines) - len(set(lines)))
elif question == "position":
    # After `pd dp pp dd`.
    wanted = sorted([("b", (15, 15)), ("w", (3, 3)), ("b", (3, 15)), ("w", (15, 3))])
    found = 0
    for game in games:
        board, played = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_coarse_game_tree(game))
        for color, point in [(None, None), *played]:
            if point:
                board.play(*point, color)
            if sorted(board.list_occupied_points()) == wanted:
                found += 1
                break
    print(found)
