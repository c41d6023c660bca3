"""Writes the licenses of a package's parts and a bill of materials (CycloneDX), from Cargo's metadata.

Usage: parts.py --target TRIPLE --licenses FILE --sbom FILE [--package NAME --manifest PATH] [--vendored FOLDER]

FOLDER has files of npm packages that the page contains, and a README.md with a row for each package.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

parser = argparse.ArgumentParser()
for name in ("target", "licenses", "sbom"):
    parser.add_argument(f"--{name}", required=True)
parser.add_argument("--package", default="sgfq")
parser.add_argument("--manifest", default="Cargo.toml")
parser.add_argument("--vendored", type=pathlib.Path)
options = parser.parse_args()

command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", options.target, "--manifest-path", options.manifest]
metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
(root,) = (id for id, package in packages.items() if package["name"] == options.package)

# Linked crates: normal dependencies, recursively.
linked, open_ids = {root}, [root]
while open_ids:
    for dependency in nodes[open_ids.pop()]["deps"]:
        is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
        if is_normal and dependency["pkg"] not in linked:
            linked.add(dependency["pkg"])
            open_ids.append(dependency["pkg"])
parts = sorted((packages[id] for id in linked), key=lambda package: (package["name"], package["version"]))
foreign = [part for part in parts if part["source"] is not None]

texts, without = {}, []
for part in foreign:
    folder = pathlib.Path(part["manifest_path"]).parent
    files = [path for path in folder.iterdir() if path.is_file() and path.name.upper().startswith(("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"))]
    if not part["license"] and not files:
        sys.exit(f"{part['name']}: no license file")
    if not files:
        without.append(part)
    for path in sorted(files):
        texts.setdefault(path.read_text(errors="replace").strip(), []).append(f"{part['name']} {part['version']}")

# Name, page, version, license and license file.
vendored = []
if options.vendored:
    row = re.compile(r"^\|.*\| \[(\S+)\]\((\S+)\) \| (\S+) \| (\S+) \(`(\S+)`\) \|$", re.MULTILINE)
    vendored = row.findall((options.vendored / "README.md").read_text())
    licenses = {path.name for path in options.vendored.glob("LICENSE.*")}
    if licenses != {file for *_, file in vendored}:
        sys.exit(f"{options.vendored}/README.md: expected rows for {sorted(licenses)}")
for name, _, version, _, file in vendored:
    texts.setdefault((options.vendored / file).read_text().strip(), []).append(f"{name} {version}")

with open(options.licenses, "w") as out:
    packages_of_npm = " and packages" if vendored else ""
    out.write(f"{options.package} consists of its own sources and these crates{packages_of_npm}:\n\n")
    for part in foreign:
        out.write(f"{part['name']} {part['version']}  {part['license']}  {part['repository'] or ''}\n")
    for name, page, version, license, _ in vendored:
        out.write(f"{name} {version}  {license}  {page}\n")
    for text, users in sorted(texts.items(), key=lambda item: item[1]):
        out.write(f"\n{'=' * 80}\n{', '.join(users)}\n{'=' * 80}\n\n{text}\n")
    if without:
        names = ", ".join(f"{part['name']} ({part['license']})" for part in without)
        out.write(f"\n{'=' * 80}\nParts without a license file: {names}\n")


def reference(package):
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package, kind):
    found = {"type": kind, "bom-ref": reference(package), "name": package["name"], "version": package["version"]}
    if package["license"]:
        found["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package["source"] is not None:
        found["purl"] = reference(package)
    return found


bill = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {"component": component(packages[root], "application")},
    "components": [component(part, "library") for part in parts if part["id"] != root]
    + [
        {"type": "library", "name": name, "version": version, "licenses": [{"expression": license}], "purl": f"pkg:npm/{name}@{version}"}
        for name, _, version, license, _ in vendored
    ],
    "dependencies": [
        {
            "ref": reference(part),
            "dependsOn": sorted(reference(packages[other["pkg"]]) for other in nodes[part["id"]]["deps"] if other["pkg"] in linked),
        }
        for part in parts
    ],
}
with open(options.sbom, "w") as out:
    json.dump(bill, out, indent=1)
    out.write("\n")
