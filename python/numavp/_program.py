"""The program: words in, JSON out."""

import json
import subprocess
from pathlib import Path

from ._errors import Error
from ._places import program_path


def program(*words):
    """Runs `numavp words` and returns what it prints. Error with its sentence if it fails."""
    try:
        ended = subprocess.run([program_path(), *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True,
                               text=True, errors="replace", check=False)
    except OSError as fault:
        raise Error(f"{program_path()} can't be run: {fault.strerror}") from None
    if ended.returncode != 0:
        lines = [line for line in ended.stderr.splitlines() if line.startswith("numavp: ")] or [ended.stderr.strip()]
        raise Error(lines[-1].removeprefix("numavp: ") or f"numavp ended with status {ended.returncode}",
                    ended.returncode)
    return ended.stdout


def version():
    """Of the program, such as "0.1.0"."""
    return program("version").split()[1].rstrip(",")


def systems():
    """Names of the systems, with their descriptions."""
    return {entry["system"]: entry["description"] for entry in json.loads(program("list", "systems", "--json"))}


def workloads():
    """Names of the workloads, with their descriptions."""
    return {entry["workload"]: entry["description"] for entry in json.loads(program("list", "workloads", "--json"))}


def named(word, kind):
    """A name or path as a word of the program; one that begins with - would be an option."""
    text = str(word)
    if text.startswith("-"):
        raise Error(f"{text!r} is no {kind}: it begins with '-'; a name, or a path such as ./{text}, is expected")
    return text


def system(name, set=None):
    """The resolved system of a name or file, every setting, as a dictionary; `set` as run() takes it."""
    return json.loads(program("explain", named(name, "system"), "--json", *set_words(set)))["configuration"]


def set_words(settings):
    """{"link.balancer": "static"} as the words of --set."""
    words = []
    for path, value in (settings or {}).items():
        words += ["--set", f"{path}={value if isinstance(value, str) else json_text(value)}"]
    return words


def json_text(value):
    """JSON; numbers of NumPy are numbers."""

    def plain(other):
        if hasattr(other, "item"):
            return other.item()
        raise Error(f"{other!r} is a {type(other).__name__}, which can't stand in JSON; numbers, texts, lists and "
                    "dictionaries are expected")

    return json.dumps(value, default=plain)


def as_file(what, folder, kind):
    """The name or path of a system or workload; a dictionary becomes a file in `folder`, called after its name."""
    if not isinstance(what, dict):
        return named(what, kind)
    name = str(what.get("name") or kind)
    path = Path(folder) / kind / ("".join(c if c.isalnum() or c in "-_." else "-" for c in name) + ".json")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json_text(what), encoding="utf-8")
    return str(path)
