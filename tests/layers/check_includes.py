#!/usr/bin/env python3
"""Sources and headers include what they use of the standard library and of other people's libraries.

    check_includes.py ROOT

They include it themselves, or headers of this repository do that they include; what <systemc> or another library's
header happens to include does not count. A compiler does not see that where sources are compiled in groups, or where such
a header has been precompiled. The names below are those that are used most, one header each.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
from folders import folders  # noqa: E402

STANDARD = {
    "algorithm": "all_of any_of copy fill find_if max min reverse sort",
    "array": "array",
    "atomic": "atomic",
    "bitset": "bitset",
    "chrono": "chrono",
    "cmath": "log2 pow sqrt",
    "cstdint": "int64_t uint8_t uint16_t uint32_t uint64_t",
    "cstdlib": "getenv",
    "cstring": "memcmp memcpy memset strlen",
    "deque": "deque",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "functional": "function",
    "iostream": "cerr cout",
    "limits": "numeric_limits",
    "map": "map multimap",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "mutex",
    "numeric": "accumulate iota",
    "optional": "nullopt optional",
    "queue": "priority_queue queue",
    "regex": "regex",
    "set": "multiset set",
    "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "logic_error runtime_error",
    "string": "stoi string to_string",
    "string_view": "string_view",
    "thread": "thread",
    "tuple": "tuple",
    "unordered_map": "unordered_map",
    "unordered_set": "unordered_set",
    "variant": "variant",
    "vector": "vector",
}
HEADER_OF = {name: header for header, names in STANDARD.items() for name in names.split()}
# What uses a library, and one of the headers that bring it.
LIBRARIES = [
    (r"\bnlohmann::", r"^nlohmann/"),
    (r"\bfmt::", r"^fmt/"),
    (r"\bsc_(core|dt)::", r"^(systemc|tlm)"),
    (r"\btlm(_utils)?::", r"^tlm"),
    (r"\btesting::|\bTEST(_F|_P)?\(", r"^g(test|mock)/"),
]
FOLDERS = sorted(folders("NUMAVP_PRODUCT") + ["bench", "tests"])
INCLUDE_LINE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
NOT_CODE = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')


def beside(name, header, files):
    """The path in the repository of a header that is named by its path from the folder of who includes it."""
    path = (pathlib.PurePosixPath(name).parent / header).as_posix()
    return path if header not in files and path in files else header


def reached(name, includes, known):
    """All that a file includes, by itself or by headers of this repository."""
    if name not in known:
        known[name] = set(includes[name])
        for header in includes[name]:
            if header in includes:
                known[name] |= reached(header, includes, known)
    return known[name]


def missing(code, there):
    """Headers whose names the code uses though it does not reach them."""
    for name in sorted(set(re.findall(r"\bstd::(\w+)", code))):
        if name in HEADER_OF and HEADER_OF[name] not in there:
            yield f"<{HEADER_OF[name]}>, for std::{name}"
    for used, brought in LIBRARIES:
        found = re.search(used, code)
        if found and not any(re.search(brought, header) for header in there):
            yield f"a header for {found.group()}"


def main():
    root = pathlib.Path(sys.argv[1])
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.suffix in (".h", ".cpp")]
    texts = {path.relative_to(root).as_posix(): path.read_text() for path in files}
    includes = {name: [beside(name, header, texts) for header in INCLUDE_LINE.findall(text)] for name, text in texts.items()}
    known, failures = {}, 0
    for name, text in texts.items():
        for what in missing(NOT_CODE.sub("", text), reached(name, includes, known)):
            print(f"{name}: does not include {what}")
            failures += 1
    if not texts or failures:
        sys.exit(f"{failures} includes are missing in {len(texts)} files")
    print(f"{len(texts)} files include what they use")


main()
