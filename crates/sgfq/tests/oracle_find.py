"""Searches games for patterns and positions by `sgfq find`, and by a plain walk over boards of its own; the same games must be
found.

    python3 crates/sgfq/tests/oracle_find.py SGFQ [--games N] [--positions N] [--patterns N] [--variations] [--index] INPUT...

The games are a sample of the inputs: Go, Gomoku, Othello, Hex and Havannah, with setup. Archives have few games of Othello, so
random ones are added. Each pattern, and each position of some of the games, is looked for in all symmetries, after each move of
each main line, or of each line with `--variations`. With `--index`, `find` uses an index.
"""

import argparse
import collections
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
STEPS = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]

# A node has its moves, its setup stones, and its children.
Node = collections.namedtuple("Node", "moves setup children")
Game = collections.namedtuple("Game", "kind columns rows root middle")

# A board of a game: the move before it, its empty points and its black and white stones as bits, the points that changed, and the
# number of the step before it in its line.
Step = collections.namedtuple("Step", "color point contents changed before")


def tokens(game):
    """The parentheses, semicolons, and properties with their values."""
    at, ident, values = 0, b"", []
    while at < len(game):
        byte = game[at : at + 1]
        if byte == b"[":
            end = at + 1
            while game[end : end + 1] != b"]":
                end += 2 if game[end : end + 1] == b"\\" else 1
                if end >= len(game):
                    return
            values.append(game[at + 1 : end])
            at = end + 1
            continue
        if byte in b"();" or byte.isalnum():
            if ident:
                yield ident, values
            ident, values = b"", []
        if byte in b"();":
            yield byte, None
        elif byte.isalnum():
            end = at
            while game[end : end + 1].isalnum():
                end += 1
            ident, at = game[at:end], end
            continue
        at += 1


def point_of(kind, text, middle=99):
    """The point of a move or a stone as column and row, or None. `middle` is the column after which columns of Havannah begin
    one row lower than the column before."""
    text = text.strip()
    if kind in ("hex", "havannah"):
        is_point = text[:1].isalpha() and text[1:].isdigit()
        column = text.lower()[0] - 97 if is_point else 0
        return (column, int(text[1:]) - 1 + max(0, column - middle)) if is_point else None
    return (text[0] - 97, text[1] - 97) if len(text) == 2 and text.isalpha() and text.islower() else None


def parse_game(data, gm):
    """The game with its tree, or None if it is not a plain one."""
    kind = {"1": "go", "4": "gomoku", "2": "othello", "11": "hex", "4100": "havannah"}.get(gm)
    columns = {"go": 19, "gomoku": 15, "othello": 8, "hex": 11}.get(kind)
    root = Node([], [], [])
    node, open_nodes, is_first = root, [], True
    for name, values in tokens(data):
        if name == b"(":
            open_nodes.append(node)
        elif name == b")":
            node = open_nodes.pop()
            if not open_nodes:
                break
        elif name == b";":
            if not is_first:
                new = Node([], [], [])
                node.children.append(new)
                node = new
            is_first = False
        elif not name.isupper():
            return None
        elif name == b"SZ":
            if not values[0].strip().isdigit():
                return None
            columns = int(values[0])
        elif name in (b"B", b"W"):
            if len(values) != 1 or kind in ("hex", "havannah") and point_of(kind, values[0]) is None:
                return None
            node.moves.append((b"BW".index(name) + 1, values[0]))
        elif name in (b"AB", b"AW", b"AE"):
            for value in values:
                ends = [point_of(kind, end) for end in value.split(b":")]
                if None in ends or len(ends) > 2:
                    return None
                (left, top), (right, bottom) = min(ends), max(ends)
                if top > bottom:
                    return None
                content = (b"AE", b"AB", b"AW").index(name)
                node.setup.extend(((x, y), content) for x in range(left, right + 1) for y in range(top, bottom + 1))
        elif name in (b"A", b"MS", b"L", b"BS"):
            return None
    else:
        return None
    if columns is None:
        return None
    # Little Golem numbers each column from 1.
    middle = columns - 1 if b"littlegolem" in data else 99
    if kind == "havannah":
        columns = 2 * columns - 1
    game = Game(kind, columns, columns, root, middle)
    stack = [root]
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        # The order of moves and setup in a node matters.
        is_plain = not (node.moves and node.setup) and len(node.moves) <= 1
        if not is_plain or not all(is_on(game, point) for point, _ in node.setup) or kind == "othello" and node.setup:
            return None
    return game if kind and 3 <= columns <= 19 else None


def is_on(game, point):
    x, y = point
    if game.kind == "havannah" and abs(x - y) > game.columns // 2:
        return False
    return 0 <= x < game.columns and 0 <= y < game.rows


def play(game, board, color, point):
    """Plays a stone and returns the points that changed."""
    changed = [point]
    before = board.get(point)
    board[point] = color
    if game.kind == "othello":
        for right, down in STEPS:
            run, (x, y) = [], point
            while board.get((x + right, y + down)) == 3 - color:
                x, y = x + right, y + down
                run.append((x, y))
            if board.get((x + right, y + down)) == color:
                changed += run
                board.update(dict.fromkeys(run, color))
    elif game.kind == "go":
        def beside(point):
            x, y = point
            return [at for at in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if is_on(game, at)]

        def dead(start):
            color, seen, stack = board[start], {start}, [start]
            while stack:
                for at in beside(stack.pop()):
                    if at not in board:
                        return ()
                    if board[at] == color and at not in seen:
                        seen.add(at)
                        stack.append(at)
            return seen

        starts = [at for at in beside(point) if board.get(at) == 3 - color] + [point]
        for start in starts:
            if start in board:
                taken = dead(start)
                changed += taken
                for stone in taken:
                    del board[stone]
    return [at for at in changed if at != point or board.get(at) != before]


def walk(game, in_variations):
    """After each node: the color and point of its move, or None, the board as it is then, the points that changed, and the
    number of the step before it in its line."""
    start = {}
    if game.kind == "othello":
        middle = game.columns // 2 - 1
        start = {(middle, middle): 2, (middle + 1, middle + 1): 2, (middle + 1, middle): 1, (middle, middle + 1): 1}
    stack, number = [(game.root, start, -1)], -1
    while stack:
        node, board, before = stack.pop()
        changed = []
        for point, content in node.setup:
            if board.get(point, 0) != content:
                changed.append(point)
                board.pop(point, None)
                board.update({point: content} if content else {})
        if node is game.root or changed:
            yield None, None, board, list(board) if node is game.root else changed, before
            before = number = number + 1
        for color, value in node.moves:
            point = point_of(game.kind, value, game.middle)
            point = point if point and is_on(game, point) else None
            yield color, point, board, play(game, board, color, point) if point else [], before
            before = number = number + 1
        children = node.children if in_variations else node.children[:1]
        for child in reversed(children[1:]):
            stack.append((child, dict(board), before))
        if children:
            stack.append((children[0], board, before))


def random_othello(chosen):
    """A game of random moves with two variations. It ends where a player must pass."""
    game = Game("othello", 8, 8, Node([], [], []), 99)
    board = next(walk(game, False))[2]

    def line(board, color, plies):
        text = ""
        for _ in range(plies):
            at = [(x, y) for x in range(8) for y in range(8) if (x, y) not in board]
            at = [point for point in at if len(play(game, dict(board), color, point)) > 1]
            if not at:
                break
            x, y = chosen.choice(at)
            play(game, board, color, (x, y))
            text += f";{' BW'[color]}[{chr(97 + x)}{chr(97 + y)}]"
            color = 3 - color
        return text, color

    start, color = line(board, 1, chosen.randint(2, 30))
    branches = [line(dict(board), color, 60)[0] for _ in range(3)]
    return f"(;GM[2]SZ[8]{start}{''.join(f'({branch})' for branch in branches if branch)})\n"


def bits(game, points):
    return sum(1 << (y * game.columns + x) for x, y in points)


def steps_of(game, in_variations):
    """The boards of a game. A pattern is compared with them by bits, because the boards of all games are compared with all."""
    # Points of the rectangle beside the board count as empty.
    steps, empty = [], (1 << game.columns * game.rows) - 1
    for color, point, board, changed, before in walk(game, in_variations):
        contents = list(steps[before].contents if steps else (empty, 0, 0))
        for at in set(changed):
            bit = bits(game, [at])
            contents = [stones & ~bit for stones in contents]
            contents[board.get(at, 0)] |= bit
        steps.append(Step(color, point, tuple(contents), changed, before))
    return steps


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


# The rotations and reflections of a rectangle: mirror columns, mirror rows, exchange both.
TURNS = {"hex": (0, 3), "havannah": (0, 3, 4, 7)}


def laid(shape, kind):
    """The pattern in all ways."""
    (width, height), cells, labels, edges = shape
    for number in TURNS.get(kind, range(8)):
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


def places_of(shape, game):
    """All places of the pattern: the bits of the cells that accept nothing but empty, black and white, the bits of those that
    refuse them, the labels, and the rectangle."""
    places = []
    for (width, height), cells, labels, (left, top, right, bottom) in laid(shape, game.kind):
        for x in range(game.columns - width + 1):
            for y in range(game.rows - height + 1):
                fits = (not left or x == 0) and (not top or y == 0)
                if not fits or right and x + width != game.columns or bottom and y + height != game.rows:
                    continue
                points = [((x + column, y + row), accepted) for (column, row), accepted in cells.items()]
                needed = [bits(game, [at for at, accepted in points if accepted == (content,)]) for content in range(3)]
                refused = [bits(game, [at for at, accepted in points if content not in accepted]) for content in range(3)]
                labeled = [(x + column, y + row) for column, row in labels]
                places.append((needed, refused, labeled, (x, y, x + width, y + height)))
    return places


def has(game, steps, places):
    """True if a line has the pattern, and the labels show its next moves."""
    if not steps:
        return False
    # Each cell must have had its content on some board.
    ever = [0, 0, 0]
    for step in steps:
        ever = [known | now for known, now in zip(ever, step.contents)]
    places = [place for place in places if not any(need & ~known for need, known in zip(place[0], ever))]
    if not places:
        return False
    at_point = collections.defaultdict(list)
    for place in places:
        left, top, right, bottom = place[3]
        for at in ((x, y) for x in range(left, right) for y in range(top, bottom)):
            at_point[at].append(place)
    forks = {step.before for number, step in enumerate(steps) if step.before != number - 1}
    waiting, saved = [], {}
    for number, (color, point, (empty, black, white), changed, before) in enumerate(steps):
        if before != number - 1:
            waiting = [list(each) for each in saved[before]]
        if point:
            for each in list(waiting):
                (_, _, labels, (left, top, right, bottom)), made, last = each
                if not (left <= point[0] < right and top <= point[1] < bottom):
                    continue
                if labels[made] != point or color == last:
                    waiting.remove(each)
                elif made + 1 == len(labels):
                    return True
                else:
                    each[1:] = made + 1, color
        # A place can match anew only if one of its points changed.
        for place in places if number == 0 else (place for at in set(changed) for place in at_point[at]):
            no_empty, no_black, no_white = place[1]
            if not (no_empty & empty or no_black & black or no_white & white):
                if not place[2]:
                    return True
                waiting.append([place, 0, None])
        if number in forks:
            saved[number] = [list(each) for each in waiting]
    return False


def turned(game, board):
    """The stones of a board in all ways, each as bits that can be looked up."""
    last, middle = game.columns - 1, game.columns // 2
    for number in range(12 if game.kind == "havannah" else 8):
        def turn(point):
            x, y = point
            if game.kind == "havannah":
                # The three coordinates of a hexagon sum to zero.
                axes = x - middle, middle - y, y - x
                sign = -1 if number % 2 else 1
                order = [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)][number // 2]
                return middle + sign * axes[order[0]], middle - sign * axes[order[1]]
            x = last - x if number & 1 else x
            y = last - y if number & 2 else y
            return (y, x) if number & 4 else (x, y)

        if game.kind != "hex" or number in TURNS["hex"]:
            yield tuple(bits(game, [turn(point) for point, of in board.items() if of == color]) for color in (1, 2))


def random_pattern(game, board, chosen):
    """A pattern of a rectangle of the board, around one of its stones."""
    column, row = chosen.choice(list(board))
    width, height = min(chosen.randint(2, 5), game.columns), min(chosen.randint(2, 5), game.rows)
    left = max(0, min(game.columns - width, column - chosen.randrange(width)))
    top = max(0, min(game.rows - height, row - chosen.randrange(height)))
    signs = {0: "........x?", 1: "XXXXXXXXx?", 2: "OOOOOOOOo?"}
    rows = [[chosen.choice(signs[board.get((x, y), 0)]) for x in range(left, left + width)] for y in range(top, top + height)]
    empty = [(x, y) for y in range(height) for x in range(width) if rows[y][x] == "."]
    if empty and chosen.random() < 0.2:
        x, y = chosen.choice(empty)
        rows[y][x] = "*"
    if all(sign == "?" for row in rows for sign in row):
        rows[0][0] = signs[board.get((left, top), 0)][0]
    is_left, is_right = left == 0 and chosen.random() < 0.7, left + width == game.columns and chosen.random() < 0.7
    lines = [("|" if is_left else "") + "".join(row) + ("|" if is_right else "") for row in rows]
    lines = ["-" * width] * (top == 0 and chosen.random() < 0.7) + lines
    return "/".join(lines + ["-" * width] * (top + height == game.rows and chosen.random() < 0.7))


def search(options, arguments, files, folder):
    arguments = arguments + (["--variations"] if options.variations else [])
    arguments += ["--index", f"{folder}/index"] if options.index else []
    find = [options.sgfq, "find", *arguments, "--columns", "source,game", "-f", "csv", *files]
    out = subprocess.run(find, capture_output=True, text=True).stdout.splitlines()[1:]
    return {(source, int(game)) for source, game in (line.rsplit(",", 1) for line in out)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sgfq")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--games", default="1500")
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--patterns", type=int, default=100)
    parser.add_argument("--variations", action="store_true")
    parser.add_argument("--index", action="store_true")
    options = parser.parse_args()
    sample = [options.sgfq, "sample", "-n", options.games, "--seed", "1"]
    games = {}
    with tempfile.TemporaryDirectory() as folder:
        chosen = random.Random(1)
        othello = f"{folder}/random.sgf"
        with open(othello, "w") as out:
            out.writelines(random_othello(chosen) for _ in range(int(options.games)))
        for number, name in enumerate([*options.inputs, othello]):
            path = f"{folder}/{number}.sgf"
            subprocess.run([*sample, name, "-o", path], check=True)
            rows = [options.sgfq, "get", "gm,byte_offset,length", "-f", "csv", path]
            rows = subprocess.run(rows, check=True, capture_output=True, text=True).stdout.split()[1:]
            data = open(path, "rb").read()
            for at, row in enumerate(rows):
                gm, start, length = row.split(",")
                game = parse_game(data[int(start) : int(start) + int(length)], gm)
                if game:
                    games[path, at + 1] = game
        files = sorted({path for path, _ in games})
        kinds = collections.Counter(game.kind for game in games.values())
        print(f"{len(games)} games: {dict(kinds)}", flush=True)
        steps = {name: steps_of(game, options.variations) for name, game in games.items()}
        totals = collections.Counter()

        def compare(what, arguments, expected):
            found = search(options, arguments, files, folder) & set(games)
            print(f"{what}: {len(found)} found, {len(expected)} expected", flush=True)
            for name in sorted(found ^ expected)[:3]:
                print("  found only by", "sgfq" if name in found else "the walk", name)
            totals["searches"] += 1
            totals["games found"] += len(expected)
            totals["searches that differ"] += found != expected

        # Many games share early positions; only copies share late ones. Kinds of games are chosen as often as each other.
        by_kind = [[name for name, game in games.items() if game.kind == kind] for kind in sorted(kinds)]

        def random_board():
            name = chosen.choice(chosen.choice(by_kind))
            plies, made = chosen.randint(1, chosen.choice([3, 8, 30, 400])), 0
            for color, _, board, _, _ in walk(games[name], False):
                after, made = board, made + (color is not None)
                if made == plies:
                    break
            return name, made, dict(after)

        patterns = list(PATTERNS)
        while len(patterns) < options.patterns:
            name, _, board = random_board()
            patterns += [random_pattern(games[name], board, chosen)] if board else []
        for pattern in patterns:
            places = {}
            expected = set()
            for name, game in games.items():
                size = game.kind, game.columns, game.rows
                if size not in places:
                    places[size] = places_of(parse(pattern), game)
                expected |= {name} if has(game, steps[name], places[size]) else set()
            compare(pattern, ["--pattern", pattern], expected)

        asked = {}
        while len(asked) < options.positions:
            (path, number), plies, after = random_board()
            if after:
                asked[f"{path}#{number}@{plies}"] = (games[path, number], after, set())
        wanted = {}
        for game, board, found in asked.values():
            for stones in turned(game, board):
                wanted.setdefault((game.kind, game.columns, stones), []).append(found)
        for name, game in games.items():
            for step in steps[name]:
                for found in wanted.get((game.kind, game.columns, step.contents[1:]), ()):
                    found.add(name)
        for position, (_, _, expected) in asked.items():
            compare(position.rsplit("/", 1)[1], ["--position", position], expected)
        print(f"{len(patterns)} patterns and {len(asked)} positions in {len(games)} games: {dict(totals)}")
    sys.exit(totals["searches that differ"] > 0)


main()
