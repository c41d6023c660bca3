"""Trains a small network to guess the next move of games of Go, with PyTorch, and prints its curve on games that it has not seen.

    python train_torch.py go-pro.zip --minutes 10

Each epoch has other positions in other orientations. With torchdata, the run continues from its last checkpoint.
"""

import argparse
import os
import time

import torch
from sgfstream import training

POINTS = 361


def network(planes, channels):
    """Convolutions with ReLU, then one number for each point."""
    layers = [torch.nn.Conv2d(planes, channels, 5, padding=2), torch.nn.ReLU()]
    for _ in range(2):
        layers += [torch.nn.Conv2d(channels, channels, 3, padding=1), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers, torch.nn.Conv2d(channels, 1, 1), torch.nn.Flatten())


def scores(net, planes):
    """The logarithm of the share of each point, up to a constant. A point with a stone is no move."""
    planes = planes.float()
    empty = planes[:, training.plane_names().index("empty")].flatten(1)
    return net(planes).masked_fill(empty == 0, -1e9)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", help="files, directories or archives")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--positions", type=int, default=5000, help="positions of the test")
    parser.add_argument("--checkpoint", help="file to continue from and to write; needs torchdata")
    chosen = parser.parse_args()
    # The hash is the same for a game in any orientation, so no game of the test was learned from.
    where = "gm = 1 AND canonical_hash {} '[01]$'"
    test = []
    for batch in training.batches(chosen.inputs, where=where.format("~"), per_game=20, shuffle=20_000, batch_size=500):
        test.append({name: torch.from_numpy(batch[name]) for name in ("planes", "policy")})
        if len(test) * 500 >= chosen.positions:
            break
    loader = training.loader(
        chosen.inputs, where=where.format("!~"), per_game=20, shuffle=20_000, batch_size=128, workers=chosen.workers,
        resumable=chosen.checkpoint is not None,
    )  # fmt: skip
    net = network(len(training.plane_names()), 32)
    optimizer = torch.optim.Adam(net.parameters(), 3e-3)
    seen = 0
    if chosen.checkpoint and os.path.exists(chosen.checkpoint):
        saved = torch.load(chosen.checkpoint, weights_only=False)
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        loader.load_state_dict(saved["loader"])
        seen = saved["seen"]
    began = shown = time.monotonic()

    def show():
        with torch.no_grad():
            right = sum((scores(net, part["planes"]).argmax(1) == part["policy"]).sum().item() for part in test)
        share = right / sum(len(part["policy"]) for part in test)
        print(f"{(time.monotonic() - began) / 60:5.1f} min {seen:9,} positions {share:6.1%} {'#' * round(100 * share)}", flush=True)

    while time.monotonic() < began + 60 * chosen.minutes:
        for batch in loader:
            # A pass has no point.
            rows = batch["policy"] < POINTS
            loss = torch.nn.functional.cross_entropy(scores(net, batch["planes"][rows]), batch["policy"][rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen += len(batch["policy"])
            now = time.monotonic()
            if now > shown + 6 * chosen.minutes:
                shown = now
                show()
            if now > began + 60 * chosen.minutes:
                break
    show()
    if chosen.checkpoint:
        torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "loader": loader.state_dict(), "seen": seen}, chosen.checkpoint)


if __name__ == "__main__":
    main()
