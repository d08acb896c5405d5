"""The lists of cmake/Folders.cmake, for scripts."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


def folders(name, root=ROOT):
    """The words of one list, such as NUMAVP_PRODUCT. ValueError if the file has no such list."""
    text = (pathlib.Path(root) / "cmake/Folders.cmake").read_text()
    found = re.search(rf"^set\({name} (.*)\)$", text, re.MULTILINE)
    if not found:
        raise ValueError(f"cmake/Folders.cmake has no list {name}")
    return found.group(1).split()
