"""Where the program and the library are: as installed, else in the checkout around this file."""

import os
from pathlib import Path

from ._errors import Error

try:
    from . import _installed
except ImportError:
    _installed = None  # in a checkout

_here = Path(__file__).resolve().parent


def _found(what, variable, installed, built):
    named = os.environ.get(variable)
    if named:
        if not Path(named).is_file():
            raise Error(f"{variable}: there is no file {named}; {what} is expected")
        return named
    place = _here / installed if installed else _here.parents[1] / built
    if not place.is_file():
        raise Error(f"there is no {place.resolve()}; install numavp with './numavp install FOLDER', build it in the "
                    f"checkout, or name {what} in {variable}")
    return str(place.resolve())


def program_path():
    """The program numavp; NUMAVP_PROGRAM names another."""
    return _found("the program numavp", "NUMAVP_PROGRAM", _installed and _installed.PROGRAM, "build/release/bin/numavp")


def library_path():
    """The shared library of the C interface; NUMAVP_LIBRARY names another."""
    return _found("libnumavp_c.so", "NUMAVP_LIBRARY", _installed and _installed.LIBRARY,
                  "build/release/lib/libnumavp_c.so")
