"""Tests the table of python/README.md that compares this package with others: a test of the named package proves each `yes`.

The tests leave out packages that are not installed; sente has wheels up to Python 3.10.
"""

import importlib
import io
import os
import pathlib
import sys
import zipfile

import pytest

import sgfstream
from conftest import ROOT

TWO = b"(;GM[1]SZ[9]PB[Ann];B[aa])\n(;GM[1]SZ[9]PB[Bob];B[bb];W[cc])\n"
CAPTURE = [("B", 0, 1), ("W", 0, 0), ("B", 1, 0)]
PGN = '[White "A"]\n[Result "1-0"]\n\n1. e4 {a comment} e5 1-0\n\n[White "B"]\n[Result "*"]\n\n1. d4 d5 *\n'


def own_games():
    return [game.root["PB"] for game in sgfstream.games(TWO)] == ["Ann", "Bob"]


def chess_games():
    import chess.pgn

    text = io.StringIO(PGN)
    return [chess.pgn.read_game(text).headers["White"] for _ in range(2)] == ["A", "B"]


def polars_rows(tmp_path=None):
    import polars

    return polars.read_csv(io.BytesIO(b"pb\nAnn\nBob\n")).height == 2


def own_archive():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("two.sgf", TWO)
    return sgfstream.scan(packed.getvalue()).count() == 2


def own_damage():
    return sgfstream.scan(b"(;PB[one]B[aa)]]](;;;" + TWO, errors="ignore").count() >= 2


def chess_damage():
    import chess.pgn

    first = chess.pgn.read_game(text := io.StringIO("1. e4 e4 e5 *\n\n" + PGN))
    return bool(first.errors) and chess.pgn.read_game(text).headers["White"] == "A"


def own_charset():
    game = "(;GM[1]CA[GBK]PB[吴清源])".encode("gbk")
    return sgfstream.scan(game, columns=["pb"]).to_arrow()["pb"].to_pylist() == ["吴清源"]


def sgfmill_charset():
    from sgfmill import sgf

    return sgf.Sgf_game.from_bytes("(;GM[1]SZ[9]CA[GBK]PB[吴清源])".encode("gbk")).get_player_name("b") == "吴清源"


def own_lazy():
    import polars
    from sgfstream.polars import scan_sgf

    return scan_sgf(TWO).filter(polars.col("pb") == "Bob").select("moves").collect().rows() == [(2,)]


def polars_lazy():
    import polars

    kept = io.BytesIO()
    polars.DataFrame({"pb": ["Ann", "Bob"], "moves": [1, 2]}).write_parquet(kept)
    kept.seek(0)
    return polars.scan_parquet(kept).filter(polars.col("pb") == "Bob").select("moves").collect().rows() == [(2,)]


def own_board():
    board = sgfstream.Board(9)
    taken = [board.play(color, "abc"[column] + "abc"[row]) for color, row, column in CAPTURE]
    return taken == [0, 0, 1] and not board.is_legal("W", "aa")


def sgfmill_board():
    from sgfmill import boards

    board = boards.Board(9)
    for color, row, column in CAPTURE:
        board.play(row, column, color.lower())
    return board.get(0, 0) is None


def sente_board():
    import sente

    game = sente.Game(9)
    for color, row, column in CAPTURE:
        game.play(row + 1, column + 1, sente.stone.BLACK if color == "B" else sente.stone.WHITE)
    return game.numpy(["white_stones"]).sum() == 0 and not game.is_legal(1, 1)


def chess_board():
    import chess

    board = chess.Board()
    board.push_san("e4")
    return board.is_legal(chess.Move.from_uci("e7e5")) and not board.is_legal(chess.Move.from_uci("e7e4"))


def own_drawing():
    return all(thing._repr_svg_().startswith("<svg") for thing in (sgfstream.Board(9), sgfstream.Game.parse(TWO.split(b"\n")[0])))


def chess_drawing():
    import chess

    return chess.Board()._repr_svg_().startswith("<svg")


def own_planes():
    return sgfstream.Board(9).to_numpy().shape == (9, 9)


def sente_planes():
    import sente

    return sente.Game(9).numpy().shape == (9, 9, 4)


def own_batches():
    from sgfstream.training import batches

    batch = next(batches(TWO, size=9, boards=2, batch_size=2))
    return batch["planes"].shape[0] == len(batch["policy"]) == 2


def own_editing():
    game = sgfstream.Game.parse(b"(;GM[1]SZ[9];B[aa])")
    game.root["PB"] = "Ann"
    return b"PB[Ann]" in game.to_bytes()


KEPT = b"KM[06.50]C[ a\\] \\x]"


def own_identity():
    game = sgfstream.Game.parse(b"(;GM[1]SZ[9]" + KEPT + b";B[aa])")
    game.root["PB"] = "Ann"
    return KEPT in game.to_bytes()


def sgfmill_identity():
    from sgfmill import sgf

    game = sgf.Sgf_game.from_bytes(b"(;GM[1]SZ[9]" + KEPT + b";B[aa])")
    game.get_root().set("PB", "Ann")
    return all(part in game.serialise() for part in (b"KM[06.50]", b"C[ a\\] \\x]"))


def sgfmill_editing():
    from sgfmill import sgf

    game = sgf.Sgf_game.from_bytes(b"(;GM[1]SZ[9];B[aa])")
    game.get_root().set("PB", "Ann")
    return b"PB[Ann]" in game.serialise()


def sente_editing():
    import sente
    import sente.sgf

    game = sente.Game(9)
    game.play(1, 1)
    return "B[aa]" in sente.sgf.dumps(game)


def chess_editing():
    import chess.pgn

    game = chess.pgn.read_game(io.StringIO(PGN))
    game.headers["White"] = "C"
    return '[White "C"]' in str(game)


def own_search():
    return sgfstream.find(TWO, position="aa", exact=True).num_rows == 1


def own_statistics():
    return sgfstream.openings(TWO, depth=1).num_rows >= 1


def chess_games_other():
    import chess.variant

    return len({board.uci_variant for board in chess.variant.VARIANTS}) > 5


def own_games_other():
    return [node.move for node in sgfstream.Game.parse(b"(;GM[11]SZ[11];B[c3])").main_line()] == [None, ("B", "c3")]


def typed(name):
    return lambda: (pathlib.Path(importlib.import_module(name).__file__).parent / "py.typed").exists()


PEERS = ["sgfstream", "python-chess", "sgfmill", "sente", "Polars"]
MODULES = {"python-chess": "chess", "Polars": "polars"}

ROWS = {
    "many games of one file": [own_games, chess_games, None, None, polars_rows],
    "games in zip and tar files": [own_archive, None, None, None, None],
    "the games after a damaged one": [own_damage, chess_damage, None, None, None],
    "charsets that a game names": [own_charset, None, sgfmill_charset, None, None],
    "lazy: columns and conditions reach the reader": [own_lazy, None, None, None, polars_lazy],
    "boards that play moves and capture": [own_board, chess_board, sgfmill_board, sente_board, None],
    "boards drawn in a notebook": [own_drawing, chess_drawing, None, None, None],
    "boards as arrays of numpy": [own_planes, None, None, sente_planes, None],
    "batches for training": [own_batches, None, None, None, None],
    "games edited and written": [own_editing, chess_editing, sgfmill_editing, sente_editing, None],
    "values that were not edited keep their bytes": [own_identity, None, sgfmill_identity, None, None],
    "search for a position": [own_search, None, None, None, None],
    "openings with results": [own_statistics, None, None, None, None],
    "other board games": [own_games_other, chess_games_other, None, None, None],
    "types for a type checker": [typed("sgfstream"), typed("chess"), None, None, typed("polars")],
}


@pytest.mark.parametrize("peer", PEERS)
def test_each_yes_of_the_table(peer):
    pytest.importorskip(MODULES.get(peer, peer))
    if peer == "sgfstream":
        pytest.importorskip("polars")
    shown = {row: shows[PEERS.index(peer)]() for row, shows in ROWS.items() if shows[PEERS.index(peer)]}
    assert shown and all(shown.values()), shown


def test_the_table_of_the_page_is_this_one():
    head = ["", *PEERS]
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join([row, *("yes" if show else "–" for show in shows)]) + " |" for row, shows in ROWS.items()]
    page = ROOT / "python/README.md"
    text = page.read_text()
    start, end = "## Comparison\n", "\n## "
    before, rest = text.split(start)
    intro, old = rest.split("\n|", 1)
    after = old[old.index(end) :]
    whole = before + start + intro + "\n" + "\n".join(lines) + "\n" + after
    if os.environ.get("SGF_RECORD"):
        page.write_text(whole)
    assert page.read_text() == whole
