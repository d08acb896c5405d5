"""A checkout of the script numavp whose apt-get, dpkg-query, cmake, ninja, compilers and program are stand-ins, for tests of what
the script does and says. Files of the tree steer them:

    installed    packages that dpkg-query knows, one a line; apt-get install adds to them
    calls        what was called, one a line
    on/NAME      a piece of bash that the stand-in NAME runs first
"""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile

ALL_LISTS = ("program", "rtl", "firmware", "mpi", "build", "python", "check")

DPKG = """
[[ "$2" == *Version* ]] && { sed 's/.*/installed & 1.0/' "$TREE/installed"; exit 0; }
for word in "${@:3}"; do if grep -qxF -- "$word" "$TREE/installed"; then printf '%s=installed ' "$word"; fi; done
"""
APT = """
word=""
for argument in "$@"; do
    case "$word$argument" in
    update | install) word="$argument" ;;
    install[a-z]*) echo "$argument" >>"$TREE/installed" ;;
    esac
done
"""
CMAKE = """
mkdir -p "$TREE/build/release"
printf '%s\\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$TREE" "NUMAVP_RTL_OUTSIDE:INTERNAL=" >"$TREE/build/release/CMakeCache.txt"
touch "$TREE/build/release/build.ninja"
"""
# Builds the program, unless it is asked what it would do or to configure.
NINJA = """
[[ " $* " == *" -n "* || " $* " == *" build.ninja "* ]] && exit 0
mkdir -p "$TREE/build/release/bin"
printf '#!/usr/bin/env bash\\necho simulated\\n' >"$TREE/build/release/bin/numavp"
chmod +x "$TREE/build/release/bin/numavp"
"""


def words_of_list(root, name):
    """The packages that packages.sh lists in <name>_packages."""
    done = subprocess.run(["bash", "-c", f'. "$1/cmake/script/packages.sh"; printf "%s\\n" "${{{name}_packages[@]}}"', "-", root],
                          capture_output=True, text=True, check=True)
    return done.stdout.split()


class Tree:
    """The checkout, in `path`; a context manager that removes it."""

    def __init__(self, root, name="checkout"):
        self.place = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.place.name) / name
        self.path.mkdir()
        shutil.copy(root / "numavp", self.path / "numavp")
        shutil.copytree(root / "cmake", self.path / "cmake")
        product = re.search(r"^set\(NUMAVP_PRODUCT (.*)\)$", (root / "cmake/Folders.cmake").read_text(), re.MULTILINE).group(1)
        for folder in product.split() + ["tools", "on"]:
            (self.path / folder).mkdir()
        for file in ("CMakeLists.txt", "CMakePresets.json", "platform/main.cpp", "calls"):
            (self.path / file).touch()
        (self.path / "os-release").write_text('ID=debian\nVERSION_ID="12"\n')
        packages = sorted({word for name in ALL_LISTS for word in words_of_list(root, name)} | {"nodejs", "npm"})
        (self.path / "installed").write_text("".join(word + "\n" for word in packages))
        for name, text in {"dpkg-query": DPKG, "apt-get": APT, "cmake": CMAKE, "ninja": NINJA,
                           "sudo": '[[ "$1" == env ]] || exit 1; exec "$@"'}.items():
            self.tool(name, text)
        self.modules(root)
        self.age()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.place.cleanup()

    def tool(self, name, text):
        file = self.path / "tools" / name
        file.write_text(f'#!/usr/bin/env bash\nTREE="{self.path}"\n[[ {name} == dpkg-query ]] || echo "{name} $*" >>"$TREE/calls"\n'
                        f'if [[ -f "$TREE/on/{name}" ]]; then . "$TREE/on/{name}"; fi\n{text}\n')
        file.chmod(stat.S_IRWXU)

    def modules(self, root):
        """What npm would install."""
        for name, version in re.findall(r"([a-z-]+)@([0-9.]+)", (root / "cmake/script/packages.sh").read_text()):
            place = self.path / "build/web/node_modules" / name
            place.mkdir(parents=True)
            (place / "package.json").write_text('{"version": "%s"}' % version)

    def on(self, name, text):
        (self.path / "on" / name).write_text(text)

    def without(self, *packages):
        left = [word for word in (self.path / "installed").read_text().split() if word not in packages]
        (self.path / "installed").write_text("".join(word + "\n" for word in left))

    def age(self):
        """What was written until now is older than what comes: the clock of files may be coarse."""
        for folder, folders, files in os.walk(self.path):
            for name in folders + files:
                file = pathlib.Path(folder, name)
                os.utime(file, (file.stat().st_mtime - 10,) * 2)

    def start(self, *words, **environment):
        """The script, begun: Popen."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("NUMAVP_", "OMPI_"))}
        # PATH: the stand-ins, and no tool of this machine that the script asks after.
        path = f"{self.path}/tools:{self.path}/basics"
        basics = self.path / "basics"
        if not basics.exists():
            basics.mkdir()
            for name in ("bash", "env", "sed", "grep", "awk", "cat", "mkdir", "rm", "mv", "touch", "flock", "find", "sort", "xargs", "cksum",
                         "mktemp", "tail", "head", "dirname", "readlink", "nproc", "sleep", "chmod", "python3", "ls", "kill", "basename",
                         "node", "npm"):
                found = shutil.which(name)
                if found:
                    (basics / name).symlink_to(found)
        return subprocess.Popen([str(self.path / "numavp"), *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, start_new_session=True,
                                env={**kept, "PATH": path, "NUMAVP_OS_RELEASE": str(self.path / "os-release"), **environment})

    def run(self, *words, **environment):
        """(status, standard output, what was said), and `calls` of this run alone."""
        (self.path / "calls").write_text("")
        process = self.start(*words, **environment)
        out, said = process.communicate(timeout=60)
        self.age()
        return process.returncode, out, said

    @property
    def calls(self):
        return (self.path / "calls").read_text().split("\n")[:-1]

    def called(self, beginning):
        return [line for line in self.calls if line.startswith(beginning)]
