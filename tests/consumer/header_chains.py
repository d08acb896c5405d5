#!/usr/bin/env python3
"""Sources that show of every header of a package that it compiles alone, in fewer compilations than there are headers.

    header_chains.py INCLUDE FOLDER [LEFT OUT]

INCLUDE is the package's include folder; its headers are in INCLUDE/numavp and, by their paths in the repository, in
INCLUDE/numavp/src. A header sees what is before it in its source. If it includes all that itself, it is checked as if it
were alone. So each source written into FOLDER is a chain of headers, each of which includes, directly or not, the one
before it. LEFT OUT is a regular expression of headers without which to go. Prints the sources, one a line.
"""
import pathlib
import re
import sys

INCLUDE_LINE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)


def own_includes(root, left_out):
    """Each header, as it is included, with those of the package that it names."""
    files = {path.relative_to(root / "numavp/src").as_posix(): path for path in (root / "numavp/src").rglob("*.h")}
    files.update({path.relative_to(root).as_posix(): path for path in (root / "numavp").glob("*.h")})
    named = {name: set(INCLUDE_LINE.findall(path.read_text())) & files.keys() for name, path in files.items()}
    return {name: named[name] for name in sorted(named) if not (left_out and re.search(left_out, name))}


def closures(named):
    """Each header with all that it includes, directly or not, but for those that include it too."""
    closed = {}
    for name in named:
        reached, pending = set(), list(named[name])
        while pending:
            header = pending.pop()
            if header not in reached:
                reached.add(header)
                pending += named.get(header, ())
        closed[name] = reached & named.keys()
    return {name: {header for header in reached if name not in closed[header]} for name, reached in closed.items()}


def chains(closed):
    """As few chains as there can be: a largest matching of headers with the one that comes before each."""
    before = {}  # of a header, that which precedes it
    after = {}

    def find(header, seen):
        for candidate in sorted(closed[header]):
            if candidate in seen:
                continue
            seen.add(candidate)
            if candidate not in after or find(after[candidate], seen):
                before[header], after[candidate] = candidate, header
                return True
        return False

    for header in sorted(closed, key=lambda name: len(closed[name])):
        find(header, set())
    for last in sorted(closed.keys() - after.keys()):
        chain = [last]
        while chain[0] in before:
            chain.insert(0, before[chain[0]])
        yield chain


def main():
    root, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    named = own_includes(root, sys.argv[3] if len(sys.argv) > 3 else "")
    if not named:
        sys.exit(f"no header is installed in {root}")
    sys.setrecursionlimit(10 * len(named) + 1000)
    folder.mkdir(parents=True, exist_ok=True)
    checked = set()
    for chain in chains(closures(named)):
        source = folder / (chain[-1].replace("/", ".") + ".cpp")
        source.write_text("".join(f'#include "{header}"\n' for header in chain))
        checked.update(chain)
        print(source)
    if checked != named.keys():
        sys.exit(f"not in any chain: {sorted(named.keys() - checked)}")


main()
