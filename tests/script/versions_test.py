#!/usr/bin/env python3
"""CMake's sentences about libraries and tools that are too old, and about paths that Verilator can't take, with stand-ins.

    versions_test.py ROOT
"""
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
FAILED = []


def cmake(text, place):
    script = place / "asked.cmake"
    script.write_text(text)
    # Where the gate requires everything, what is missing would be an error.
    environment = {name: value for name, value in os.environ.items() if name != "NUMAVP_REQUIRE_ALL"}
    done = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True, check=False, env=environment)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def expect(status, words, text, place, absent=()):
    got, said = cmake(text, place)
    for word in words:
        if (got != 0) != (status != 0) or word not in said:
            FAILED.append(f"status {got}, '{word}' is not in '{said}'")
    FAILED.extend(f"'{word}' is in '{said}'" for word in absent if word in said)


def rtl(place, version, folder="/checkout", required=True):
    """The first lines of cmake/Rtl.cmake, with a Verilator of this version."""
    (place / "verilator-config.cmake").write_text("set(verilator_FOUND TRUE)\n")
    (place / "verilator-config-version.cmake").write_text(f'set(PACKAGE_VERSION "{version}")\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n')
    text = (ROOT / "cmake/Rtl.cmake").read_text()
    head = text[:text.index("# numavp_verilated_target(")]
    return (f'cmake_minimum_required(VERSION 3.22)\ninclude("{ROOT}/cmake/Missing.cmake")\nset(PROJECT_SOURCE_DIR "{folder}")\nset(PROJECT_BINARY_DIR "{folder}/b")\n'
            f'set(NUMAVP_RTL ON)\nset(verilator_DIR "{place}")\n{head}\nmessage("rtl ${{NUMAVP_HAS_RTL}} ${{verilator_FOUND}}")\n')


def linter(place, version, name="clang-tidy"):
    """The head of cmake/Lint.cmake, with a clang-tidy of this version alone."""
    tool = place / "tools/clang-tidy"
    tool.parent.mkdir(exist_ok=True)
    tool.write_text(f"#!/bin/sh\necho 'LLVM version {version}'\n")
    tool.chmod(0o755)
    text = (ROOT / "cmake/Lint.cmake").read_text()
    head = text[text.index("# The findings of clang-tidy 14"):text.index("# Complaints about headers")]
    return (f'cmake_minimum_required(VERSION 3.22)\nset(CMAKE_PROGRAM_PATH "{place}/tools")\nset(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)\n'
            f'set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)\nset(CMAKE_CXX_CLANG_TIDY "{name}" --quiet)\n{head}\n'
            'message("linter ${CMAKE_CXX_CLANG_TIDY}.")\n')


def main():
    with tempfile.TemporaryDirectory() as name:
        place = pathlib.Path(name)
        for library, oldest, old, new in (("SystemC", "2.3.4", "2.3.3", "3.0.1"), ("fmt", "9", "8.1.1", "10.1.1")):
            asked = f'include("{ROOT}/cmake/Missing.cmake")\nnumavp_at_least({library} {oldest} "%s")\n'
            expect(1, [f"numavp needs {library} {oldest} or later, and this is {library} {old}"], asked % old, place)
            for version in (oldest, new, ""):
                expect(0, [""], asked % version, place, absent=["numavp needs"])
            if f'numavp_at_least({library} {oldest} "${{{library}_VERSION}}")' not in (ROOT / "CMakeLists.txt").read_text():
                FAILED.append(f"CMakeLists.txt does not ask for {library} {oldest}")
        expect(0, ["they need Verilator 5.006 or later (the package verilator), and this is Verilator 4.038", "rtl FALSE FALSE"],
               rtl(place, "4.038"), place)
        expect(0, ["rtl TRUE"], rtl(place, "5.006"), place, absent=["not built"])
        expect(0, ["rtl TRUE"], rtl(place, "5.032"), place, absent=["not built"])
        expect(0, ["Verilator takes no path with a blank, such as /my checkout", "rtl FALSE FALSE"], rtl(place, "5.032", "/my checkout"),
               place)
        expect(0, [f"linter {place}/tools/clang-tidy;--quiet."], linter(place, "14.0.6"), place, absent=["not linted"])
        expect(0, ["CXX is not linted: clang-tidy 14 decides, and is not here", "linter ."], linter(place, "19.1.7"), place)
        expect(0, ["linter /my/clang-tidy;--quiet."], linter(place, "19.1.7", "/my/clang-tidy"), place, absent=["not linted"])
    print("\n".join(FAILED))
    sys.exit(1 if FAILED else 0)


main()
