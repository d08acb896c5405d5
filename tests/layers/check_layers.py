#!/usr/bin/env python3
"""Includes keep to the order of folders, no folders include each other in a circle, and cores are free of SystemC.

    check_layers.py ROOT

layers.json has the order of all product folders, lowest first: a file may include files of its own folder and of folders
before it. Folders are compared at every depth, so that two leaves in their order make no circle of their parents. It also
names which folders may include fewer than the order allows, and which sources must not reach SystemC.
"""
import collections
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
from folders import folders  # noqa: E402

OWN = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
FOREIGN = re.compile(r"^\s*#\s*include\s+<([^>]+)>", re.MULTILINE)
SYSTEMC = re.compile(r"^(systemc|tlm|sysc/|tlm_)")
# Headers that firmware may include.
FREESTANDING = re.compile(r"^((stdbool|stddef|stdint|sw/driver/registers)\.h|cstdint)$")


def folder_of(name):
    return name.rpartition("/")[0]


def within(name, folder):
    return name == folder or name.startswith(folder + "/")


class Tree:
    def __init__(self, root):
        paths = [p for top in folders("NUMAVP_PRODUCT", root) for p in sorted((root / top).rglob("*")) if p.suffix in (".h", ".cpp", ".c")]
        texts = {p.relative_to(root).as_posix(): p.read_text() for p in paths}
        self.includes = {name: OWN.findall(text) for name, text in texts.items()}
        self.foreign = {name: FOREIGN.findall(text) for name, text in texts.items()}

    def systemc_behind(self, name, seen):
        """The chain of includes that leads from a file to SystemC, or an empty one."""
        if name in seen or name not in self.includes:
            return []
        seen.add(name)
        for header in self.foreign[name]:
            if SYSTEMC.match(header):
                return [name, f"<{header}>"]
        for header in self.includes[name]:
            chain = self.systemc_behind(header, seen)
            if chain:
                return [name] + chain
        return []


def against_the_order(tree, order):
    rank = {folder: place for place, folder in enumerate(order)}
    for name, headers in tree.includes.items():
        own = folder_of(name)
        if own not in rank:
            yield f"{name}: tests/layers/layers.json has no place for the folder {own}"
            continue
        for header in headers:
            if header not in tree.includes:
                yield f'{name} includes "{header}", which is no path of a product folder'
            elif folder_of(header) in rank and rank[folder_of(header)] > rank[own]:
                yield f"{name} includes {header}, whose folder stands above its own"
    for folder in order:
        if not any(folder_of(name) == folder for name in tree.includes):
            yield f"tests/layers/layers.json names {folder}, which has no sources"


def beyond_what_is_allowed(tree, only):
    for folder, allowed in only.items():
        for name, headers in tree.includes.items():
            if not within(name, folder):
                continue
            for header in headers:
                if not any(within(header, other) for other in [folder] + allowed):
                    yield f"{name} includes {header}: {folder} may include {', '.join(allowed) or 'nothing else'} only"


def circles(tree, depth):
    """Circles of folders that are cut at a depth: takes away, again and again, folders that use none of those left."""
    uses = collections.defaultdict(dict)
    for name, headers in tree.includes.items():
        own = "/".join(folder_of(name).split("/")[:depth])
        for header in headers:
            other = "/".join(folder_of(header).split("/")[:depth])
            if header in tree.includes and other != own:
                uses[own].setdefault(other, f"{name} includes {header}")
    left = set(uses)
    while True:
        free = {folder for folder in left if not any(other in left for other in uses[folder])}
        if not free:
            break
        left -= free
    for folder in sorted(left):
        for other, because in sorted(uses[folder].items()):
            if other in left:
                yield f"{folder} is in a circle of folders: {because}"


def main():
    root = pathlib.Path(sys.argv[1])
    rules = json.loads((root / "tests/layers/layers.json").read_text())
    tree = Tree(root)
    failures = list(against_the_order(tree, rules["order"])) + list(beyond_what_is_allowed(tree, rules["only"]))
    for depth in range(1, 2 + max(name.count("/") for name in tree.includes)):
        failures += circles(tree, depth)
    for name in tree.includes:
        if within(name, "sw/driver") and name not in rules["driver_for_the_platform"]:
            failures += [f"{name} includes <{header}>, which firmware has not"
                         for header in tree.foreign[name] if not FREESTANDING.match(header)]
    for core in rules["free_of_systemc"]:
        found = [name for name in tree.includes
                 if within(name, core) or pathlib.PurePosixPath(name).with_suffix("").as_posix().endswith("/" + core)]
        if not found:
            failures.append(f"there is no {core}: correct the list of what is free of SystemC in tests/layers/layers.json")
        for name in found:
            chain = tree.systemc_behind(name, set())
            if chain:
                failures.append(f"{name} must be free of SystemC: {' > '.join(chain)}")
    for failure in dict.fromkeys(failures):
        print(failure)
    if failures:
        sys.exit(f"the layers are broken in {len(dict.fromkeys(failures))} places")
    print(f"{len(tree.includes)} files in {len(rules['order'])} folders keep to their order, without circles")


main()
