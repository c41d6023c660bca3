#!/usr/bin/env python3
"""Draws docs/compare.svg from the figures of benches/compare, and docs/answers.svg
from the figures of benches/compare_processes.sh.

    python3 benches/draw.py                                   # both, from benches/*.json
    python3 benches/draw.py benches/answers.json answers.svg  # one of them

Standard library only. A picture takes its colors from the reader's theme.
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


def readers(figures):
    """The title, the sections with their bars, and the lines below: how fast formats are read."""
    sections = []
    for table in figures["tables"]:
        # A search is no reader: it is in the table, not in the picture.
        rows = [row for row in table["rows"] if row["name"] != "memchr"]
        rows.sort(key=lambda row: -row["million_moves_a_second"])
        bars = []
        for row in rows:
            speed = row["million_moves_a_second"]
            label = f'{speed:,.1f} · {row["gigabytes_a_second"]:.2f} GB/s'
            bars.append((f'{row["name"]}: {row["reads"]}', speed, label, row["name"] == "sgfstream"))
        sections.append((TITLES.get(table["shape"], table["shape"]), bars))
    versions = {row["name"]: row["version"] for row in figures["tables"][0]["rows"]}
    date = datetime.datetime.fromtimestamp(figures["seconds"], datetime.timezone.utc).date()
    lines = (
        ", ".join(f"{name} {version}" for name, version in versions.items() if name != "memchr"),
        f'{figures["machine"]}; {date}',
        figures["command"],
    )
    return "The same games, each reader in its own format: million moves a second", sections, lines


def answers(figures):
    """The title, the sections with their bars, and the lines below: how long an answer takes."""
    sections = []
    for question in figures["questions"]:
        bars = []
        for row in sorted(question["rows"], key=lambda row: row["seconds"]):
            bars.append((row["name"], row["seconds"], f'{row["seconds"]:.2f}', row["name"].startswith("sgfq")))
        sections.append((question["text"], bars))
    lines = (f'{figures["games"]}; {figures["machine"]}; {figures["date"]}', figures["command"])
    return "From start to answer: CPU seconds", sections, lines


def draw(figures):
    title, sections, lines = (answers if "questions" in figures else readers)(figures)
    parts = [text(16, 30, title, "title")]
    y = 52
    for head, bars in sections:
        y += 16
        parts.append(text(16, y, head, "head"))
        y += 12
        most = max(value for _, value, _, _ in bars)
        for name, value, label, is_ours in bars:
            kind = "bar ours" if is_ours else "bar"
            middle = y + BAR - 5
            parts.append(text(LEFT - 8, middle, name, anchor="end"))
            parts.append(
                f'<rect x="{LEFT}" y="{y}" width="{max(1, LONGEST * value / most):.1f}" height="{BAR}" rx="2" class="{kind}"/>'
            )
            parts.append(text(LEFT + LONGEST * value / most + 6, middle, label))
            y += BAR + GAP
        y += 8
    for line in lines:
        y += 17
        parts.append(text(16, y, line, "small"))
    height = y + 14
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img" aria-label="Bars: {html.escape(title)}">\n<style>{STYLE}</style>\n'
        f'<rect width="{WIDTH}" height="{height}" class="back" rx="6"/>\n{body}\n</svg>\n'
    )


def main():
    docs = HERE.parent / "docs"
    pairs = [(HERE / f"{name}.json", docs / f"{name}.svg") for name in ("compare", "answers")]
    if len(sys.argv) > 1:
        source = pathlib.Path(sys.argv[1])
        pairs = [(source, pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else docs / f"{source.stem}.svg")]
    for source, target in pairs:
        target.write_text(draw(json.loads(source.read_text())), encoding="utf-8")
        print(target)


if __name__ == "__main__":
    main()
