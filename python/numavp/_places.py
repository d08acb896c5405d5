"""Where the program and the library are: as installed with them, in the checkout around this file, or on PATH."""

import os
import shutil
from pathlib import Path

from ._errors import Error

try:
    from . import _installed
except ImportError:
    _installed = None  # in a checkout, or installed by pip

_here = Path(__file__).resolve().parent
_LIBRARY = "libnumavp_c.so"


def _found(what, variable, places, program):
    """The file that `variable` names, else the first of `places` that is there; `program` is where PATH was searched."""
    named = os.environ.get(variable)
    if named:
        if not Path(named).is_file():
            raise Error(f"{variable}: there is no file {named}; {what} is expected")
        return named
    for place in places:
        if place.is_file():
            return str(place.resolve())
    tried = ", ".join(str(place) for place in places) if program else ", ".join([*map(str, places), "PATH"])
    raise Error(f"{what} is not here ({tried}); install numavp with './numavp install FOLDER' and add FOLDER/bin to PATH, "
                f"build it in the checkout, or name {what} in {variable}")


def _own(installed, built):
    """The place in the installation or the checkout that this file lies in; none if pip has installed it."""
    if _installed:
        return [_here / installed]
    return [_here.parents[1] / "build/release" / built] if (_here.parents[1] / "CMakeLists.txt").is_file() else []


def program_path():
    """The program numavp; NUMAVP_PROGRAM names another."""
    on_path = shutil.which("numavp")
    places = _own(_installed and _installed.PROGRAM, "bin/numavp") + ([Path(on_path)] if on_path else [])
    return _found("the program numavp", "NUMAVP_PROGRAM", places, on_path)


def library_path():
    """The shared library of the C interface; NUMAVP_LIBRARY names another."""
    places = _own(_installed and _installed.LIBRARY, f"lib/{_LIBRARY}")
    program = os.environ.get("NUMAVP_PROGRAM") or shutil.which("numavp")
    if program:  # below the same folder; Debian's has a folder for each architecture
        prefix = Path(program).resolve().parents[1]
        places += [prefix / "lib" / _LIBRARY, prefix / "lib64" / _LIBRARY, *sorted(prefix.glob(f"lib/*/{_LIBRARY}"))]
    return _found(_LIBRARY, "NUMAVP_LIBRARY", places, program)
