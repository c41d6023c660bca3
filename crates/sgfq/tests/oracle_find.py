"""Searches games of Go for patterns and positions by `sgfq find`, and by a plain walk over boards of its own; the same games
must be found.

    python3 crates/sgfq/tests/oracle_find.py SGFQ [--games N] [--positions N] INPUT...

The games are a sample of the inputs. Each pattern, and each position of some of the games, is looked for in all eight
symmetries, after each move of each main line.
"""

import argparse
import random
import subprocess
import sys
import tempfile

PATTERNS = [
    "-----/?????|/?????|/??*??|/?X???|/?????|",  # Black on 4-4, and the next move in the corner is at 3-3
    "-----/?????|/?????|/?1???|/?X2??|/?????|",
    "----/????|/????|/X???|/????|",
    "XO/OX",
    "?X?/XOX/?X?",
    ".X./XOX/.*.",
]


def main_line(game):
    """Size and moves of the main line, or None if the game is not a plain one of Go."""
    moves, setup, size, ident, depth = [], False, 19, b"", 0
    at = 0
    while at < len(game):
        byte = game[at : at + 1]
        if byte == b"[":
            end = at + 1
            while game[end : end + 1] != b"]":
                end += 2 if game[end : end + 1] == b"\\" else 1
                if end >= len(game):
                    return None
            value = game[at + 1 : end]
            if ident in (b"B", b"W"):
                moves.append((1 if ident == b"B" else 2, value))
            elif ident in (b"AB", b"AW", b"AE"):
                setup = True
            elif ident == b"SZ":
                if not value.strip().isdigit():
                    return None
                size = int(value)
            elif ident == b"GM" and value.strip() != b"1":
                return None
            at = end + 1
            continue
        if byte.isalpha():
            end = at
            while game[end : end + 1].isalpha():
                end += 1
            ident, at = game[at:end], end
            if not ident.isupper():
                return None
            continue
        if byte == b"(":
            depth += 1
        elif byte == b")":
            break
        at += 1
    return None if setup or not 5 <= size <= 19 else (size, moves)


def boards(size, moves):
    """After each move: the color, the point or None, and the board as it is then."""
    board = {}

    def chain(start):
        color, seen, stack = board[start], {start}, [start]
        while stack:
            x, y = stack.pop()
            for beside in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if not (0 <= beside[0] < size and 0 <= beside[1] < size):
                    continue
                if beside not in board:
                    return ()
                if board[beside] == color and beside not in seen:
                    seen.add(beside)
                    stack.append(beside)
        return seen

    yield 0, None, board
    for color, value in moves:
        point = None
        if len(value) == 2 and value.islower():
            point = (value[0] - 97, value[1] - 97)
            if max(point) >= size:
                point = None
        if point is not None:
            board[point] = color
            x, y = point
            for beside in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if board.get(beside) == 3 - color:
                    for stone in chain(beside):
                        del board[stone]
            for stone in chain(point):
                del board[stone]
        yield color, point, board


def parse(pattern):
    """Size, cells, labels and edges (left, top, right, bottom)."""
    rows = pattern.split("/")
    top, bottom = rows[0].startswith("-"), rows[-1].startswith("-")
    rows = rows[top : len(rows) - bottom]
    left, right = rows[0].startswith("|"), rows[0].endswith("|")
    rows = [row.strip("|") for row in rows]
    cells, labels = {}, {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign in "*123456789":
                labels[1 if sign == "*" else int(sign)] = (x, y)
                sign = "."
            if sign != "?":
                cells[x, y] = {".": (0,), "X": (1,), "O": (2,), "x": (0, 1), "o": (0, 2)}[sign]
    return (len(rows[0]), len(rows)), cells, [labels[number] for number in sorted(labels)], (left, top, right, bottom)


def laid(shape):
    """The pattern in eight ways."""
    (width, height), cells, labels, edges = shape
    for number in range(8):
        def turn(point):
            x, y = point
            x = width - 1 - x if number & 1 else x
            y = height - 1 - y if number & 2 else y
            return (y, x) if number & 4 else (x, y)

        left, top, right, bottom = edges
        if number & 1:
            left, right = right, left
        if number & 2:
            top, bottom = bottom, top
        if number & 4:
            left, top, right, bottom = top, left, bottom, right
        size = (height, width) if number & 4 else (width, height)
        turned = {turn(point): accepted for point, accepted in cells.items()}
        yield size, turned, [turn(label) for label in labels], (left, top, right, bottom)


def has(size, moves, shape):
    """True if the main line has the pattern, and its next moves are those of the labels."""
    places = []
    for (width, height), cells, labels, (left, top, right, bottom) in laid(shape):
        for x in range(size - width + 1):
            for y in range(size - height + 1):
                fits = (not left or x == 0) and (not top or y == 0)
                if fits and (not right or x + width == size) and (not bottom or y + height == size):
                    points = [((x + column, y + row), accepted) for (column, row), accepted in cells.items()]
                    labels_here = [(x + column, y + row) for column, row in labels]
                    places.append((points, labels_here, (x, y, x + width, y + height)))
    played = [(color, point) for color, point, _ in boards(size, moves)][1:]
    for ply, (_, _, board) in enumerate(boards(size, moves)):
        for points, labels, (left, top, right, bottom) in places:
            if all(board.get(point, 0) in accepted for point, accepted in points):
                within = (
                    move
                    for move in played[ply:]
                    if move[1] and left <= move[1][0] < right and top <= move[1][1] < bottom
                )
                last = 0
                for label in labels:
                    color, point = next(within, (0, None))
                    if point != label or color == last:
                        break
                    last = color
                else:
                    return True
    return False


def turned(size, board):
    """The board in eight ways, each as one that can be looked up."""
    last = size - 1
    for number in range(8):
        def turn(point):
            x, y = point
            x = last - x if number & 1 else x
            y = last - y if number & 2 else y
            return (y, x) if number & 4 else (x, y)

        yield frozenset((turn(point), color) for point, color in board.items())


def search(sgfq, arguments, files):
    find = [sgfq, "find", *arguments, "--columns", "source,game", "-f", "csv", *files]
    out = subprocess.run(find, capture_output=True, text=True).stdout.splitlines()[1:]
    return {(source, int(game)) for source, game in (line.rsplit(",", 1) for line in out)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sgfq")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--games", default="1500")
    parser.add_argument("--positions", type=int, default=40)
    options = parser.parse_args()
    sample = [options.sgfq, "sample", "-n", options.games, "--seed", "1"]
    games = []
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(options.inputs):
            path = f"{folder}/{number}.sgf"
            subprocess.run([*sample, name, "-o", path], check=True)
            rows = [options.sgfq, "get", "byte_offset,length", "-f", "csv", path]
            rows = subprocess.run(rows, check=True, capture_output=True, text=True).stdout.split()[1:]
            data = open(path, "rb").read()
            for at, row in enumerate(rows):
                start, length = map(int, row.split(","))
                line = main_line(data[start : start + length])
                if line:
                    games.append(((path, at + 1), *line))
        files = sorted({path for (path, _), _, _ in games})
        failed = False
        names = {name for name, _, _ in games}

        def compare(what, arguments, expected):
            found = search(options.sgfq, arguments, files) & names
            print(f"{what}: {len(found)} found, {len(expected)} expected, of {len(games)} games", flush=True)
            for name in sorted(found ^ expected)[:3]:
                print("  found only by", "sgfq" if name in found else "the walk", name)
            return found != expected

        for pattern in PATTERNS:
            expected = {name for name, size, moves in games if has(size, moves, parse(pattern))}
            failed |= compare(pattern, ["--pattern", pattern], expected)

        # Early positions are those of many games, late ones those of copies.
        chosen = random.Random(1)
        asked = {}
        for _ in range(options.positions):
            name, size, moves = chosen.choice(games)
            plies = min(chosen.randint(1, chosen.choice([3, 8, 30, 400])), len(moves))
            after = next(dict(board) for ply, (_, _, board) in enumerate(boards(size, moves)) if ply == plies)
            if after:
                asked[f"{name[0]}#{name[1]}@{plies}"] = (size, frozenset(after.items()), set())
        wanted = {}
        for size, stones, found in asked.values():
            for each in turned(size, dict(stones)):
                wanted.setdefault((size, each), []).append(found)
        counts = {len(stones) for _, stones, _ in asked.values()}
        for name, size, moves in games:
            for _, _, board in boards(size, moves):
                if len(board) in counts:
                    for found in wanted.get((size, frozenset(board.items())), ()):
                        found.add(name)
        for position, (_, _, expected) in asked.items():
            failed |= compare(position.rsplit("/", 1)[1], ["--position", position], expected)
    sys.exit(failed)


main()
