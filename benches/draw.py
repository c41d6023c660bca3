#!/usr/bin/env python3
"""Draws docs/compare.svg from the figures of benches/compare.

    python3 benches/draw.py [compare.json [compare.svg]]

Standard library only. The picture takes its colours from the reader's theme.
"""

import datetime
import html
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
WIDTH, LEFT, BAR, GAP = 880, 320, 18, 9
LONGEST = WIDTH - LEFT - 190
TITLES = {"moves": "Moves and little else", "comments": "Comments and variations"}

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 17px; font-weight: 600 }
.head { font-weight: 600 }
.small { font-size: 11px; fill: #59636e }
.bar { fill: #8c959f }
.ours { fill: #1a7f37 }
.back { fill: #ffffff }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .small { fill: #9198a1 }
  .bar { fill: #656c76 }
  .ours { fill: #3fb950 }
  .back { fill: #0d1117 }
}
"""


def text(x, y, content, kind="", anchor="start"):
    return f'<text x="{x:.0f}" y="{y:.0f}" class="{kind}" text-anchor="{anchor}">{html.escape(content)}</text>'


def draw(figures):
    parts = [text(16, 30, "The same games, each reader in its own format: million moves a second", "title")]
    y = 52
    for table in figures["tables"]:
        # A search is no reader: it is in the table, not in the picture.
        rows = [row for row in table["rows"] if row["name"] != "memchr"]
        rows.sort(key=lambda row: -row["million_moves_a_second"])
        most = rows[0]["million_moves_a_second"]
        y += 16
        parts.append(text(16, y, TITLES.get(table["shape"], table["shape"]), "head"))
        y += 12
        for row in rows:
            speed = row["million_moves_a_second"]
            kind = "bar ours" if row["name"] == "sgfstream" else "bar"
            middle = y + BAR - 5
            parts.append(text(LEFT - 8, middle, f'{row["name"]}: {row["reads"]}', anchor="end"))
            parts.append(
                f'<rect x="{LEFT}" y="{y}" width="{max(1, LONGEST * speed / most):.1f}" height="{BAR}" rx="2" class="{kind}"/>'
            )
            label = f'{speed:,.1f} · {row["gigabytes_a_second"]:.2f} GB/s'
            parts.append(text(LEFT + LONGEST * speed / most + 6, middle, label))
            y += BAR + GAP
        y += 8
    versions = {row["name"]: row["version"] for row in figures["tables"][0]["rows"]}
    date = datetime.datetime.fromtimestamp(figures["seconds"], datetime.timezone.utc).date()
    for line in (
        ", ".join(f"{name} {version}" for name, version in versions.items() if name != "memchr"),
        f'{figures["machine"]}; {date}',
        figures["command"],
    ):
        y += 17
        parts.append(text(16, y, line, "small"))
    height = y + 14
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="Bars: million moves a second of each reader">\n<style>{STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{height}" class="back" rx="6"/>\n{body}\n</svg>\n'
    )


def main():
    source = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "compare.json"
    target = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE.parent / "docs/compare.svg"
    target.write_text(draw(json.loads(source.read_text())), encoding="utf-8")
    print(target)


if __name__ == "__main__":
    main()
