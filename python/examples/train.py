"""Trains a small network to guess the next move of games of Go, with numpy alone, and tests it on games that it has not seen.

    python train.py go-pro.zip

It reads 2,000 games of 19x19, tests with an eighth of them, and takes minutes. At the end it prints how often each of three guesses is
the move that was played: the network's first choice, a random empty point, and the empty point that is most frequent in the training
games.
"""

import argparse
import time

import numpy
from sgfstream import training

SIZE = 19
POINTS = SIZE * SIZE


def read(inputs, where, games, per_game, seed):
    """Returns positions of this number of games, as one batch with packed planes."""
    parts, keys = [], {}
    for batch in training.batches(inputs, where=f"gm = 1 AND ({where})", per_game=per_game, packed=True, seed=seed, batch_size=1024):
        parts.append(batch)
        keys.update(dict.fromkeys(batch["key"].tolist()))
        if len(keys) > games:
            break
    if not parts:
        raise SystemExit("no games of Go on 19x19 in the inputs")
    whole = {name: numpy.concatenate([part[name] for part in parts]) for name in ("planes", "policy", "key")}
    # A pass has no point, and the last game may not be complete.
    rows = numpy.isin(whole["key"], list(keys)[:games]) & (whole["policy"] < POINTS)
    return {name: array[rows] for name, array in whole.items()}


def unpacked(planes):
    """Returns planes as numbers; the axes are positions, board rows, board columns, planes."""
    bits = numpy.unpackbits(planes, axis=-1, count=POINTS)
    return bits.reshape(len(planes), -1, SIZE, SIZE).transpose(0, 2, 3, 1).astype(numpy.float32)


def windows(boards, width):
    """The square of `width` points around each point, as a row."""
    edge = width // 2
    padded = numpy.pad(boards, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    view = numpy.lib.stride_tricks.sliding_window_view(padded, (width, width), axis=(1, 2))
    return view.transpose(0, 1, 2, 4, 5, 3).reshape(len(boards) * POINTS, -1)


def gathered(rows, width, channels):
    """The reverse of `windows` for gradients: the sum of what each point has in the squares around it."""
    edge = width // 2
    squares = rows.reshape(-1, SIZE, SIZE, width, width, channels)
    found = numpy.zeros((len(squares), SIZE + 2 * edge, SIZE + 2 * edge, channels), numpy.float32)
    for y in range(width):
        for x in range(width):
            found[:, y : y + SIZE, x : x + SIZE] += squares[:, :, :, y, x]
    return found[:, edge : edge + SIZE, edge : edge + SIZE]


class Network:
    """Convolutions with ReLU, then one number for each point."""

    def __init__(self, planes, channels, widths, draw):
        self.widths, self.weights = widths, []
        for width, before in zip(widths, [planes] + [channels] * len(widths)):
            scale = numpy.sqrt(2 / (width * width * before))
            self.weights += [draw.normal(0, scale, (width * width * before, channels)), numpy.zeros(channels)]
        self.weights += [draw.normal(0, 0.01, (channels, 1)), numpy.zeros(POINTS)]
        self.weights = [weight.astype(numpy.float32) for weight in self.weights]
        self.means = [numpy.zeros_like(weight) for weight in self.weights]
        self.squares = [numpy.zeros_like(weight) for weight in self.weights]
        self.steps = 0

    def forward(self, planes):
        """The logarithm of the share of each point, and what the gradients need."""
        boards, kept = unpacked(planes), []
        # A point with a stone is no move.
        is_taken = boards[..., training.plane_names().index("empty")].reshape(-1, POINTS) == 0
        for layer, width in enumerate(self.widths):
            rows = windows(boards, width)
            boards = numpy.maximum(rows @ self.weights[2 * layer] + self.weights[2 * layer + 1], 0)
            kept.append((rows, boards))
            boards = boards.reshape(len(planes), SIZE, SIZE, -1)
        scores = (kept[-1][1] @ self.weights[-2]).reshape(-1, POINTS) + self.weights[-1]
        scores[is_taken] = -1e9
        scores -= scores.max(axis=1, keepdims=True)
        return scores - numpy.log(numpy.exp(scores).sum(axis=1, keepdims=True)), kept

    def learn(self, planes, moves, rate):
        """A step of Adam; returns the loss."""
        shares, kept = self.forward(planes)
        at = numpy.arange(len(moves))
        loss = -shares[at, moves].mean()
        change = numpy.exp(shares)
        change[at, moves] -= 1
        change /= len(moves)
        found = [kept[-1][1].T @ change.reshape(-1, 1), change.sum(axis=0)]
        back = change.reshape(-1, 1) @ self.weights[-2].T
        for layer in reversed(range(len(self.widths))):
            rows, boards = kept[layer]
            back *= boards > 0
            found = [rows.T @ back, back.sum(axis=0), *found]
            if layer > 0:
                back = gathered(back @ self.weights[2 * layer].T, self.widths[layer], boards.shape[1]).reshape(boards.shape)
        self.steps += 1
        rate *= numpy.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for weight, mean, square, gradient in zip(self.weights, self.means, self.squares, found):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            weight -= rate * mean / (numpy.sqrt(square) + 1e-8)
        return loss

    def guesses(self, planes):
        return numpy.concatenate([self.forward(planes[at : at + 256])[0].argmax(axis=1) for at in range(0, len(planes), 256)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", help="files, directories or archives")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--per-game", type=int, default=20, help="positions of each game")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    draw = numpy.random.default_rng(chosen.seed)
    began = time.perf_counter()
    # The hash is the same for a game that is turned: no game of the test was learnt from.
    test = read(chosen.inputs, "canonical_hash ~ '[01]$'", chosen.games // 8, chosen.per_game, chosen.seed)
    train = read(chosen.inputs, "canonical_hash !~ '[01]$'", chosen.games - chosen.games // 8, chosen.per_game, chosen.seed)
    count = len(train["policy"])
    games = [len(set(part["key"].tolist())) for part in (train, test)]
    print(f"{count} positions of {games[0]} games to learn from, {len(test['policy'])} of {games[1]} for the test; read in {time.perf_counter() - began:.1f} s")
    network = Network(train["planes"].shape[1], 32, (5, 3, 3), draw)
    for epoch in range(chosen.epochs):
        losses, order = [], draw.permutation(count)
        for start in range(0, count - 63, 64):
            rows = order[start : start + 64]
            done = (epoch + start / count) / chosen.epochs
            losses.append(network.learn(train["planes"][rows], train["policy"][rows], 0.003 * (1 - done)))
        print(f"epoch {epoch + 1}: loss {numpy.mean(losses[-100:]):.3f} after {time.perf_counter() - began:.0f} s", flush=True)
    empty = numpy.unpackbits(test["planes"][:, training.plane_names().index("empty")], axis=-1, count=POINTS)
    often = numpy.bincount(train["policy"], minlength=POINTS)
    accuracy = lambda guesses: f"{100 * numpy.mean(guesses == test['policy']):.1f} %"
    print(f"network {accuracy(network.guesses(test['planes']))}")
    print(f"chance {100 * numpy.mean(1 / empty.sum(axis=1)):.1f} %")
    print(f"most frequent empty point {accuracy((empty * (often + 1)).argmax(axis=1))}")


if __name__ == "__main__":
    main()
