"""Writes the names of the packages that are published, each after the packages of this workspace that it uses."""

import graphlib
import json
import subprocess

command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"]
packages = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["packages"]
published = {package["name"]: package for package in packages if package["publish"] != []}
uses = {name: {part["name"] for part in package["dependencies"]} & published.keys() for name, package in published.items()}
sorter = graphlib.TopologicalSorter(uses)
sorter.prepare()
while sorter.is_active():
    ready = sorted(sorter.get_ready())
    print(*ready, sep="\n")
    sorter.done(*ready)
