#!/usr/bin/env python3
"""Runs the conformance cases through a program that reads SGF on stdin and prints JSON (see README.md).

    python3 run.py [OPTION …] PROGRAM [ARGUMENT …]
"""
import argparse
import base64
import json
import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

GROUPS = ("must-accept", "must-report", "may-differ")
SECONDS = 20


def cases(group, has_dialects):
    path = pathlib.Path(__file__).with_name(group + ".jsonl")
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    return [case for case in found if has_dialects or "dialect" not in case]


def run(command, case):
    """Returns the object that the program prints, None if it rejects the input, or a text if it crashes."""
    sgf = base64.b64decode(case["input"])
    try:
        done = subprocess.run(command, input=sgf, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "no answer after %d seconds" % SECONDS
    if done.returncode:
        return None if done.returncode > 0 else "ended by signal %d" % -done.returncode
    try:
        answer = json.loads(done.stdout.decode("utf-8"))
    except ValueError as err:
        return "no JSON: %s" % err
    return answer if isinstance(answer, dict) else {"tree": answer}


def canonical(tree):
    """Returns `tree` with the properties of each node sorted, because their order has no meaning."""
    return [
        {"nodes": [sorted(node) for node in part["nodes"]], "children": canonical(part["children"])} for part in tree
    ]


def charset(names):
    return [name.lower().replace("_", "-") for name in names]


def place(problem):
    return problem["code"], problem["start"], problem["end"]


def differences(case, answer):
    """Returns the fields that the program prints and that are not as the case has them."""
    found = []
    if "tree" in answer and "tree" in case and canonical(answer["tree"]) != canonical(case["tree"]):
        found.append("tree")
    if "charset" in answer and "charset" in case and charset(answer["charset"]) != charset(case["charset"]):
        found.append("charset")
    if "guess" in answer and "guess" in case and charset(answer["guess"]) != charset(case["guess"]):
        found.append("guess")
    if "values" in answer and any(value not in answer["values"] for value in case.get("values", [])):
        found.append("values")
    if "moves" in answer and "moves" in case and answer["moves"] != case["moves"]:
        found.append("moves")
    return found


def judge(group, case, answer):
    """Returns `pass`, `fail`, `same`, `other` or `not judged`, and why."""
    if isinstance(answer, str):
        return "fail", answer
    differs = ["rejected"] if answer is None else differences(case, answer)
    if group == "may-differ":
        return ("other", ", ".join(differs)) if differs else ("same", "")
    if group == "must-accept":
        differs += ["problems"] if answer and answer.get("problems") else []
        differs += ["findings"] if answer and answer.get("findings") and case.get("findings") == [] else []
        return ("fail", ", ".join(differs)) if differs else ("pass", "")
    if answer is None or answer.get("problems") or answer.get("findings"):
        return "pass", ""
    if not case["problems"] and "findings" not in answer:
        return "not judged", "the program checks no meaning"
    return "fail", "accepted without a report"


def recovered(case, answer):
    return isinstance(answer, dict) and not differences(case, answer)


def exact(case, answer):
    """Returns whether the program names the same problems and findings at the same bytes."""
    fields = [field for field in ("problems", "findings") if field in case and field in answer]
    return fields != [] and all(sorted(map(place, answer[field])) == sorted(map(place, case[field])) for field in fields)


def main():
    sys.setrecursionlimit(100_000)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print each case that fails or differs")
    parser.add_argument("--group", choices=GROUPS, help="run one group")
    parser.add_argument("--no-dialects", action="store_true", help="skip cases that only the reader of a dialect accepts")
    parser.add_argument("command", nargs=argparse.REMAINDER, metavar="PROGRAM")
    arguments = parser.parse_args()
    if not arguments.command:
        parser.error("name a program")
    is_failed = False
    for group in GROUPS if arguments.group is None else [arguments.group]:
        counts, same_tree, same_places, all_cases = {}, 0, 0, cases(group, not arguments.no_dialects)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = pool.map(lambda case: run(arguments.command, case), all_cases)
            for case, answer in zip(all_cases, answers):
                outcome, why = judge(group, case, answer)
                counts[outcome] = counts.get(outcome, 0) + 1
                same_tree += recovered(case, answer)
                same_places += isinstance(answer, dict) and exact(case, answer)
                is_failed |= outcome == "fail"
                if arguments.show and outcome not in ("pass", "same"):
                    print("%s %s: %s (%s)" % (group, case["id"], outcome, why))
        shown = ", ".join("%d %s" % (counts[outcome], outcome) for outcome in sorted(counts))
        print("%-12s %4d cases: %s" % (group, len(all_cases), shown))
        if group == "must-report":
            print("             %d read as in the case, %d reported at the same bytes" % (same_tree, same_places))
    return 1 if is_failed else 0


if __name__ == "__main__":
    sys.exit(main())
