#!/usr/bin/env python3
"""Asks two builds of `sgfq explore` the same questions, and prints the replies that differ, with the seconds of each build.

usage: compare_replies.py OLD NEW INPUT... [-- OPTION...]"""
import json, random, re, subprocess, sys, time, urllib.request

def start(program, inputs, options):
    process = subprocess.Popen([program, "explore", "--variations", "--no-open", *options, *inputs], stderr=subprocess.PIPE, text=True)
    url = None
    for line in process.stderr:
        found = re.search(r"(http:\S+)/#token=(\w+)", line)
        if found:
            url = found.groups()
            break
    if url is None:
        raise SystemExit(f"{program} did not start")
    return process, url

def ask(url, name, body):
    body = {key: value for key, value in body.items() if value is not None}
    request = urllib.request.Request(f"{url[0]}/api/{name}", json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {url[1]}"})
    try:
        with urllib.request.urlopen(request) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as err:
        return err.code, err.read()

def questions(boards, games, rng):
    for where in [None, "gm = 1", "year(date_min) > 1990", "moves > 100 AND winner = 'B'"]:
        for name in ["players", "findings", "stats"]:
            yield name, {"where": where} if where else {}
    yield "status", {}
    for prefix in ["a", "ch", "Lee", "本", "  Go ", ""]:
        yield "names", {"prefix": prefix, "count": 12}
    yield "names", {}
    yield "person", {}
    for player in ["Ada", "Cho Chikun", "Go Seigen", "本因坊", "a 'quoted' name", "Lee Sedol"]:
        for variations in [True, None]:
            yield "person", {"person": player, "depth": rng.choice([1, 2, 4, 99]), "variations": variations}
    yield "games", {"all": True, "count": 500}
    yield "export", {"all": True, "where": "moves < 40"}
    yield "export", {"all": True, "repaired": True, "where": "moves < 30"}
    for wrong in ["gm = ", "nothing > 1", "pb ~ '['"]:
        yield "position", {"where": wrong}
    yield "position", {"moves": "pd zz9"}
    yield "position", {"pattern": "..?/..."}
    yield "position", {"pattern": "hm"}
    for mover in [None, "B", "W", "black"]:
        for pattern in ["|..../|.X../|....", "X?/?O", "--/X./..", "XO/OX", ".X./O1O/.2.", "--/.X|/?.|"]:
            for variations in [True, None]:
                yield "position", {"pattern": pattern, "mover": mover, "variations": variations}
                yield "games", {"pattern": pattern, "mover": mover, "count": 20, "variations": variations}
    yield "export", {"pattern": "|..../|.X../|....", "where": "moves < 60"}
    for sort in ["pb", "br", "pw", "wr", "dt", "re", "ev", "km", "moves", "colour"]:
        for descending in [None, True]:
            yield "games", {"all": True, "sort": sort, "descending": descending, "count": 50}
            yield "games", {"moves": "pd", "sort": sort, "descending": descending, "count": 20, "skip": 5}
    for search in ["ladder", "lee 1990", "good move", "ko", "本因坊", "e"]:
        yield "games", {"all": True, "search": search, "count": 50}
        yield "games", {"all": True, "search": search, "sort": "dt", "count": 50, "where": "gm = 1"}
    for code in ["malformed-game-info", "illegal-move", "missing-parenthesis", "unknown-property", "none", "bad-point"]:
        yield "games", {"all": True, "code": code, "count": 50}
    for swap in [None, True]:
        for board in [None, *boards, "Go 7x7"]:
            for moves in ["", "pd", "pd dp", "B[dd] W[pp]", "aa", "aa aa", "B[pd];W[dp]", "e4", "Q16 D4 Q3"]:
                for variations in [None, True]:
                    asked = {"board": board, "moves": moves, "swap_colors": swap, "variations": variations}
                    yield "position", asked
                    yield "games", {**asked, "count": 30}
                    if rng.random() < 0.2:
                        yield "tree", asked
                    if rng.random() < 0.2:
                        yield "position", {**asked, "rotation": rng.choice(["rotate90", "flip", "transpose", "hit"])}
    ids = sorted(rng.sample(range(games), min(games, 250)))
    for id in ids:
        yield "game", {"id": id, "moves": ""}
        yield "game", {"id": id, "all": True, "move": rng.randrange(120)}
        for path in ["/0", "0/1", "1/0", "0.0/2", "/40", f"/{rng.randrange(80)}"]:
            yield "game", {"id": id, "path": path, "moves": ""}
            if rng.random() < 0.4:
                yield "position", {"from": {"id": id, "path": path}, "moves": rng.choice(["", "B[aa]", "B[aa] W[aa]", "B[cc];W[dd]"]),
                    "variations": rng.choice([None, True])}
            if rng.random() < 0.2:
                yield "games", {"from": {"id": id, "path": path}, "moves": "", "count": 10}
            if rng.random() < 0.2:
                yield "tree", {"from": {"id": id, "path": path}, "moves": ""}
        yield "game", {"id": id, "pattern": "X./..", "move": rng.randrange(9), "rotation": "hit"}
        yield "game", {"id": id, "pattern": "--/X.|/..|", "move": rng.randrange(99), "rotation": rng.choice(["hit", "rotate90", "", None])}
        yield "game", {"id": id, "all": True, "sort": "pb", "move": 0}
        yield "repair", {"id": id}
        yield "export", {"id": id}
        yield "export", {"id": id, "repaired": True}
    yield "game", {"id": games}
    yield "game", {}
    yield "repair", {"id": games + 5}

def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        options = arguments[arguments.index("--") + 1:]
        arguments = arguments[:arguments.index("--")]
    old, new, *inputs = arguments
    servers = [start(program, inputs, options) for program in (old, new)]
    try:
        for _, url in servers:
            while (status := json.loads(ask(url, "status", {})[1]))["state"] == "reading":
                time.sleep(0.1)
        if status["state"] != "ready":
            raise SystemExit(status)
        count, different, times, refused = 0, 0, [0.0, 0.0], 0
        rng = random.Random(5)
        all = list(questions(status["boards"], status["games"], rng))
        slow = {}
        for name, body in all:
            replies = []
            for at, (_, url) in enumerate(servers):
                begun = time.perf_counter()
                replies.append(ask(url, name, body))
                took = time.perf_counter() - begun
                times[at] += took
                slow.setdefault(name, [0.0, 0.0])[at] += took
            count += 1
            refused += replies[0][0] != 200
            if replies[0] != replies[1]:
                try:
                    if replies[0][0] == replies[1][0] and json.loads(replies[0][1]) == json.loads(replies[1][1]):
                        print("only order:", name, body)
                except ValueError:
                    pass
                different += 1
                if different <= 12:
                    print(name, json.dumps(body, ensure_ascii=False))
                    at = next((i for i, (a, b) in enumerate(zip(replies[0][1], replies[1][1])) if a != b), min(len(replies[0][1]), len(replies[1][1])))
                    for status_, text in replies:
                        print("   ", status_, len(text), text[max(0, at - 80):at + 160])
        print(f"{count} replies, {different} differ, {refused} refused; seconds {times[0]:.2f} {times[1]:.2f}")
        print({name: [round(t, 2) for t in of] for name, of in slow.items()})
        return different > 0
    finally:
        for process, _ in servers:
            process.kill()
sys.exit(main())
