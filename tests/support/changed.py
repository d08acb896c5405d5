#!/usr/bin/env python3
"""Names the suites of tests that a change meets, as a regular expression over their names.

    changed.py REVISION        the change from that revision to the working tree, new files too
    changed.py --files FILE... the change of these files

A source of C or C++ meets the suites whose tests reach it by includes; whoever includes a header reaches the source beside
it, and a source without a header is reached by whoever reaches its folder. For other files a table names the suites by
folder; where it has no line, all suites are named.
"""
import fnmatch
import functools
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "cmake"))
from folders import folders  # noqa: E402

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
CODE = (".h", ".cpp", ".c")
ALL = "all"

# A row of the table in tests/CMakeLists.txt: suite, folder, number of parts.
ROW = re.compile(r'^ +"(\w+) +([\w/-]+) +[\d:]+ ', re.MULTILINE)

# What is no code of ours: the first pattern that matches a file's path names its suites; none where nothing tests it.
TABLE = [
    ("docs/use/APPLICATION_GRAPHS.md", "cli"),
    ("docs/*", "consumer script"),
    ("*.md", "consumer script"),
    ("LICENSE", "consumer"),
    (".gitignore", ""),
    (".clang-format", ""),
    ("configs/calibrations/*", "characterize predict cli"),
    ("configs/graphs/*", "appgraph predict cli"),
    ("configs/workloads/*", "kernels cli study same_bytes validation slots capi flits rtl consumer"),
    ("configs/studies/*", "study cli report"),
    ("configs/parts/*", "memory energy cli same_bytes validation"),
    ("configs/systems/*", "cli study network topology same_bytes validation slots platform import characterize predict report "
                          "capi flits nuba rtl rtl_memory fuzz consumer"),
    ("rtl/*.sv", "rtl axi axi4 axi_lite flits rtl_memory waves own_links"),
    ("rtl/*", "rtl axi axi4 axi_lite flits rtl_memory waves own_links"),
    ("sw/driver/*", "driver gdb cpu host platform cli capi"),
    ("platform/report/web/*", "report network consumer"),
    ("python/*", "consumer"),
    ("capi/*", "capi consumer"),
    ("include/*", "capi consumer"),
    ("examples/*", "consumer"),
    ("bench/*", "device"),
    ("cmake/script/*", "script"),
    ("numavp", "script consumer"),
    ("tests/data/*", "kernels cli study import validation"),
    ("tests/python/*", "consumer"),
    ("tests/examples/*", "consumer"),
    ("tests/consumer/*", "consumer"),
    ("tests/layers/*", "layers"),
    ("tests/script/*", "script"),
    ("tests/mutation/*", "mutation"),
    ("tests/fuzz/*", "fuzz"),
    ("tests/models/riscv/lockstep/*", "lockstep"),
    ("tests/platform/report/*", "report cli"),
    ("tests/CMakeLists.txt", ALL),
    ("tests/support/debian_root.sh", "script"),
    ("tests/support/*", ALL),
]
# Tests of the whole source tree, which any change can break.
ALWAYS = {"layers", "mutation"}


def sources():
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\n") if name.endswith(CODE) and (ROOT / name).is_file()]


@functools.lru_cache
def suites():
    """Each suite with its folder in tests/: the table in tests/CMakeLists.txt, and what tests.cmake alone adds, which has the
    name of its folder."""
    tests = ROOT / "tests"
    rows = dict(ROW.findall((tests / "CMakeLists.txt").read_text()))
    alone = {p.parent.relative_to(tests).as_posix() for p in tests.rglob("tests.cmake")} - set(rows.values())
    return {**{folder.rpartition("/")[2]: folder for folder in alone}, **rows}


def suite_around(name):
    """The suite in whose folder a file is, the innermost; None where there is none."""
    around = [(len(folder), suite) for suite, folder in suites().items() if name.startswith(f"tests/{folder}/")]
    return max(around)[1] if around else None


@functools.lru_cache
def reached_by():
    """For each suite the files that it reaches."""
    files = sources()
    known = set(files)
    beside, of_folder = {}, {}
    for name in files:
        stem, _, _ = name.rpartition(".")
        beside.setdefault(stem, []).append(name)
    for name in files:
        if not name.endswith(".h") and len(beside[name.rpartition(".")[0]]) == 1:
            of_folder.setdefault(name.rpartition("/")[0], []).append(name)
    includes = {}
    for name in files:
        found = []
        for header in INCLUDE.findall((ROOT / name).read_text(errors="replace")):
            relative = (pathlib.PurePosixPath(name).parent / header).as_posix()
            found += [path for path in (header, relative) if path in known][:1]
        includes[name] = found
    product = tuple(folder + "/" for folder in folders("NUMAVP_PRODUCT"))
    own = {}
    for name in files:
        own.setdefault(suite_around(name), []).append(name)
    reached = {}
    for suite in suites():
        todo = own.get(suite, [])
        seen = set(todo)
        while todo:
            name = todo.pop()
            more = includes[name] + beside[name.rpartition(".")[0]]
            if name.startswith(product):
                more = more + of_folder.get(name.rpartition("/")[0], [])
            for other in more:
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        reached[suite] = seen
    return reached


def suites_of(name):
    """The suites that a change of the file meets; ALL in their place if only all will do."""
    product = tuple(folder + "/" for folder in folders("NUMAVP_PRODUCT"))
    found = {suite_around(name)} - {None}
    if name.endswith(CODE) and name.startswith(product + ("tests/",)):
        found |= {suite for suite, files in reached_by().items() if name in files}
        # What the program runs is reached by whoever starts it.
        if found and name.startswith(product):
            found |= {"cli", "study", "report", "consumer", "same_bytes", "fuzz", "capi", "flits", "rtl", "script"}
        if found and not name.startswith(product):
            return found
    for pattern, words in TABLE:
        if fnmatch.fnmatch(name, pattern):
            return {ALL} if words == ALL else found | set(words.split())
    return found or {ALL}


def changed_since(revision):
    def lines(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True).stdout.split("\n")
    return [name for name in lines("diff", "--name-only", revision) + lines("ls-files", "-o", "--exclude-standard") if name]


def main():
    try:
        files = sys.argv[2:] if sys.argv[1] == "--files" else changed_since(sys.argv[1])
    except subprocess.CalledProcessError as failed:
        sys.exit("numavp: git cannot say what has changed: " + failed.stderr.strip())
    if not files:
        return
    chosen = set(ALWAYS)
    for name in files:
        chosen |= suites_of(name)
    print("|".join(sorted(suites()) if ALL in chosen else sorted(chosen)))


if __name__ == "__main__":
    main()
