"""Compares the last board of each Kropki game in `sgfq board` with a board of this script, which finds the enclosed crossings
by a flood fill from outside. It exits with status 1 if a board differs, or if no game has a border.

    python3 crates/sgfq/tests/oracle_kropki.py SGFQ PROBE INPUT...
"""

import json
import re
import subprocess
import sys

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
TOKEN = re.compile(r"([A-Za-z]+)((?:\s*\[(?:[^\]\\]|\\.)*\])+)|([;()])", re.S)


def points(text):
    return [(LETTERS.index(text[at]), LETTERS.index(text[at + 1])) for at in range(0, len(text), 2)]


def inside(border, width, height):
    """The points that a flood from around the board does not reach."""
    wall, seen, stack = set(border), {(-1, -1)}, [(-1, -1)]
    while stack:
        x, y = stack.pop()
        for point in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            on = -1 <= point[0] <= width and -1 <= point[1] <= height
            if on and point not in seen and point not in wall:
                seen.add(point)
                stack.append(point)
    every = {(x, y) for x in range(width) for y in range(height)}
    return every - seen - wall


def last_board(game, width, height):
    """Dots, captured dots and the owners of crossings after the main line."""
    dots, owner = {}, {}
    depth = 0
    for ident, values, sign in TOKEN.findall(game):
        depth += sign == "("
        if sign == ")":
            break
        color = {"B": "X", "AB": "X", "W": "O", "AW": "O"}.get(ident)
        if not color:
            continue
        for value in re.findall(r"\[((?:[^\]\\]|\\.)*)\]", values):
            point, *borders = value.split(".")
            for place in points(point):
                dots[place] = color
            for border in map(points, borders):
                for place in inside(border, width, height):
                    owner[place] = dots[border[0]]
    return dots, {place for place, color in dots.items() if owner.get(place, color) != color}, owner


def main():
    sgfq, probe, *inputs = sys.argv[1:]
    games = subprocess.run([sgfq, "filter", "gm = 40", *inputs], capture_output=True).stdout
    rows = subprocess.run([sgfq, "get", "byte_offset,length,moves,board_width", "-f", "jsonl"], input=games, capture_output=True).stdout
    rows = [json.loads(row) for row in rows.splitlines()]
    boards = captured = differ = borders = 0
    for number, row in enumerate(rows):
        start = row["byte_offset"]
        text = games[start : start + row["length"]]
        drawn = subprocess.run([probe, str(row["moves"]), "/dev/stdin"], input=text, capture_output=True).stdout
        drawn = json.loads(drawn.splitlines()[0])
        width, height = drawn["size"]
        dots, dead, owner = last_board(text.decode("utf-8", "replace"), width, height)
        ours = "\n".join(
            "".join(dots.get((x, y)) or owner.get((x, y), ".").lower() for x in range(width))
            for y in range(height)
        )
        theirs = re.sub("[^XOxo\n]", ".", "\n".join(drawn["rows"]))
        boards += 1
        captured += len(dead)
        borders += bool(owner)
        if ours != theirs:
            differ += 1
            if differ < 3:
                print(f"game {number + 1}:\n{ours}\n\n{theirs}")
    print(f"{boards} boards, {borders} with borders, {captured} captured dots: {differ} differ")
    sys.exit(differ > 0 or borders == 0)


main()
