#!/usr/bin/env python3
"""Whoever reads the folders of the product sees a file in each: the hash of the models where results can change, formatter,
linter, package and mutants. That the program is built again is shown by builds_what_changed.sh.

    folders_test.py ROOT
"""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(ROOT / "cmake"), str(ROOT / "tests/mutation")]
from folders import folders  # noqa: E402
import mutate  # noqa: E402

PRODUCT = folders("NUMAVP_PRODUCT", ROOT)
FAILED = []


def expect(right, what):
    if not right:
        FAILED.append(what)


def cmake_script(*words):
    return subprocess.run(["cmake", *words], capture_output=True, text=True, check=True)


def shows_in_the_hash(tree):
    header = tree / "hash.h"

    def now():
        cmake_script(f"-DROOT={tree}", f"-DHEADER={header}", "-P", str(ROOT / "cmake/ModelHash.cmake"))
        return header.read_text()

    results = folders("NUMAVP_RESULTS", ROOT)
    for part in results:
        before = now()
        if (tree / part).is_dir():
            probe = next(path for path in sorted((tree / part).rglob("*")) if path.suffix in (".h", ".cpp"))
        else:
            probe = next((tree / part).parent.glob((tree / part).name + ".*"))
        probe.write_text(probe.read_text() + "// probe\n")
        expect(now() != before, f"a change of {probe.relative_to(tree)} keeps the hash of the models")
    for folder in PRODUCT:
        if folder not in results:
            before = now()
            (tree / folder / "probe.h").write_text("// probe\n")
            expect(now() == before, f"a change of {folder} changes the hash of the models")


def shows_to_the_formatter(tree):
    """`./numavp test` calls clang-format first; here a stand-in writes down what it is given, and refuses it."""
    tools = tree / "tools"
    tools.mkdir()
    for name, script in {"clang-format-14": f'[[ "$1" == --version ]] && echo "version 14.0.6" && exit; printf "%s\\n" "$@" >"{tree}/given"; exit 1',
                         "dpkg-query": 'for word in "$@"; do printf "%s=installed " "$word"; done'}.items():
        (tools / name).write_text("#!/usr/bin/env bash\n" + script + "\n")
        (tools / name).chmod(stat.S_IRWXU)
    for module in re.findall(r"(echarts|playwright-core|axe-core)@([0-9.]+)", (ROOT / "cmake/script/packages.sh").read_text()):
        place = tree / "build/web/node_modules" / module[0]
        place.mkdir(parents=True)
        (place / "package.json").write_text('{"version": "%s"}' % module[1])
    for folder in folders("NUMAVP_AROUND", ROOT):
        (tree / folder).mkdir(exist_ok=True)
        (tree / folder / "probe.h").write_text("// probe\n")
    shutil.copy(ROOT / "numavp", tree / "numavp")
    subprocess.run([str(tree / "numavp"), "test"], capture_output=True, check=False,
                   env=dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"))
    given = (tree / "given").read_text().split("\n") if (tree / "given").exists() else []
    for folder in PRODUCT + folders("NUMAVP_AROUND", ROOT):
        expect(any(name.startswith(folder + "/") for name in given), f"the formatter is given nothing of {folder}")


def shows_to_the_linter(tree):
    script = tree / "lint.cmake"
    script.write_text(f'include("{ROOT}/cmake/Folders.cmake")\nset(CMAKE_CXX_CLANG_TIDY /usr/bin/clang-tidy)\n'
                      f'include("{ROOT}/cmake/Lint.cmake")\nmessage("${{CMAKE_CXX_CLANG_TIDY}}")\n')
    filtered = re.search(r"--header-filter=(.*)", cmake_script("-P", str(script)).stderr).group(1)
    for folder in (folder for folder in PRODUCT if folder != "include"): # whose names are for C
        expect(re.search(filtered, f"/a/checkout/{folder}/probe.h"), f"the linter is silent of {folder}")


def shows_in_the_package():
    installed = folders("NUMAVP_INSTALLED", ROOT)
    for folder in PRODUCT:
        # The headers of include/ are a root of their own; those of capi/ are not for users, and tracer/ is a
        # library to be preloaded.
        expect(folder in installed or folder in ("include", "capi", "tracer"), f"headers of {folder} are not installed")


def shows_to_mutants():
    seen = {path.parts[0] for path in mutate.sources()} | {"/".join(path.parts[:2]) for path in mutate.sources()}
    for folder in folders("NUMAVP_MUTATED", ROOT):
        expect(folder in seen, f"no mutant is drawn in {folder}")


def main():
    with tempfile.TemporaryDirectory() as place:
        tree = pathlib.Path(place)
        for folder in PRODUCT + ["cmake"]:
            shutil.copytree(ROOT / folder, tree / folder)
        shows_to_the_formatter(tree)
        shows_in_the_hash(tree)
        shows_to_the_linter(tree)
    shows_in_the_package()
    shows_to_mutants()
    print("\n".join(FAILED))
    sys.exit(1 if FAILED else 0)


main()
