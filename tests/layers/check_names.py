#!/usr/bin/env python3
"""C++ sources give types their names by `using`, and a source's using-declarations are used.

    check_names.py ROOT

clang-tidy has both checks (modernize-use-using, misc-unused-using-decls); they cost a sixth of the linter's time.
"""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cmake"))
from folders import folders  # noqa: E402

FOLDERS = sorted(folders("NUMAVP_PRODUCT") + ["bench", "tests"])
RAW = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"')
NOT_CODE = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')
# C's headers have no other way to name a type.
TYPEDEF = re.compile(r"\btypedef\b")
OF_C = re.compile(r"^(sw/driver|include/numavp/c\.h)")
USING = re.compile(r"^\s*using\s+(?:typename\s+)?[\w:]+::(\w+);", re.MULTILINE)


def complaints(name, code):
    if not OF_C.match(name) and TYPEDEF.search(code):
        yield "names a type by typedef; using is expected"
    if name.endswith(".cpp"):
        for used in USING.findall(code):
            if not used.startswith("operator") and len(re.findall(rf"\b{used}\b", code)) == 1:
                yield f"declares that it uses {used}, and does not use it"


def main():
    root = pathlib.Path(sys.argv[1])
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*")) if path.suffix in (".h", ".cpp")]
    failures = 0
    for path in files:
        name = path.relative_to(root).as_posix()
        for what in complaints(name, NOT_CODE.sub("", RAW.sub("", path.read_text()))):
            print(f"{name}: {what}")
            failures += 1
    if not files or failures:
        sys.exit(f"{failures} complaints of {len(files)} files")
    print(f"{len(files)} files name types as expected")


main()
