"""A platform whose time the caller owns: numavp/c.h through ctypes."""

import ctypes
import json
import tempfile

from ._errors import Error
from ._places import library_path
from ._program import as_file, json_text
from ._results import Results

_OK, _NOT_YET = 0, 1
_LINE_BYTES = 128

_int, _uint, _u64, _text = ctypes.c_int, ctypes.c_uint, ctypes.c_uint64, ctypes.c_char_p
_bytes, _number, _flag = ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_int)
_FUNCTIONS = {
    "version": (_text, []),
    "last_error": (_text, []),
    "create": (_int, [_text, _text, _text]),
    "open_port": (_int, [_int]),
    "advance": (_int, [_u64]),
    "time_ps": (_u64, []),
    "ended": (_int, []),
    "address": (_u64, [_int, _u64]),
    "post_read": (_int, [_int, _u64, _uint, _u64]),
    "post_write": (_int, [_int, _u64, _uint, _bytes, _bytes, _u64]),
    "collect": (_int, [_int, _number, _flag, ctypes.c_char_p]),
    "read": (_int, [_int, _u64, _uint, ctypes.c_char_p]),
    "write": (_int, [_int, _u64, _uint, _bytes, _bytes]),
    "peek": (_int, [_int, _u64, _uint, ctypes.c_char_p]),
    "statistic": (_int, [_text, ctypes.POINTER(ctypes.c_double)]),
    "results": (_text, []),
    "end": (_int, [_int]),
}


def _load():
    path = library_path()
    try:
        library = ctypes.CDLL(path)
    except OSError as fault:
        raise Error(f"{path}: it can't be loaded: {fault}") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, f"numavp_{name}")
        function.restype, function.argtypes = result, arguments
    return library


class Platform:
    """A system that simulates as far as it is told: one a process, since SystemC allows one.

        platform = numavp.Platform({"extends": "numa-aware-2"}, "reduction", scale=0.01)
        while not platform.ended:
            platform.advance(us=10)
            print(platform.time_us, platform.statistic("socket0.link.out.bytes"))
        results = platform.end()

    Without a workload the ports that open_port() gives are all that works. Between two calls time stands still.
    """

    def __init__(self, system="numa-aware-4", workload=None, *, set=None, scale=None, seed=None):
        self._library = _load()
        assignments = {**(set or {})}
        if scale is not None:
            assignments["workload.scale"] = scale
        if seed is not None:
            assignments["workload.seed"] = seed
        settings = ";".join(f"{path}={value if isinstance(value, str) else json_text(value)}"
                            for path, value in assignments.items())
        with tempfile.TemporaryDirectory(prefix="numavp-") as place:
            words = [as_file(system, place, "system"), as_file(workload, place, "workload") if workload else "", settings]
            self._call("create", *(word.encode() for word in words))

    @property
    def time_ps(self):
        """Simulated time in picoseconds."""
        return self._library.numavp_time_ps()

    @property
    def time_us(self):
        """Simulated time in microseconds."""
        return self.time_ps / 1e6

    @property
    def ended(self):
        """True if all kernels have ended and nothing is under way."""
        return self._call("ended") == 1

    def advance(self, *, ps=0, ns=0, us=0):
        """Lets exactly that much time go by."""
        time = round(ps + 1e3 * ns + 1e6 * us)
        if time < 0:
            raise Error(f"{time} ps is in the past; a time from 0 on is expected")
        self._call("advance", time)

    def open_port(self, socket):
        """A port into the crossbar of a socket; its number. Before time begins."""
        return self._call("open_port", socket)

    def address(self, socket, offset=0):
        """The address of byte `offset` of a socket's memory."""
        address = self._library.numavp_address(socket, offset)
        if address == 2**64 - 1:
            raise Error(self._sentence())
        return address

    def read(self, port, address, count):
        """`count` bytes (1 to 128), while time goes by until they are there."""
        data = ctypes.create_string_buffer(_LINE_BYTES)
        self._need_room(self._call("read", port, address, self._count(count), data), port)
        return data.raw[:count]

    def write(self, port, address, data):
        """Writes 1 to 128 bytes, while time goes by until it is answered."""
        self._need_room(self._call("write", port, address, self._count(len(data)), bytes(data), None), port)

    def peek(self, port, address, count):
        """The newest bytes, through all caches, in no time."""
        data = ctypes.create_string_buffer(_LINE_BYTES)
        self._call("peek", port, address, self._count(count), data)
        return data.raw[:count]

    def post_read(self, port, address, count, tag):
        """Posts a read, answered by collect() with `tag`. False: there is no room, try after some time."""
        return self._call("post_read", port, address, self._count(count), tag) == _OK

    def post_write(self, port, address, data, tag):
        """The same for a write."""
        return self._call("post_write", port, address, self._count(len(data)), bytes(data), None, tag) == _OK

    def collect(self, port):
        """The next answer as (tag, failed, 128 bytes); None if there is none yet."""
        tag, failed, data = ctypes.c_uint64(), ctypes.c_int(), ctypes.create_string_buffer(_LINE_BYTES)
        if self._call("collect", port, ctypes.byref(tag), ctypes.byref(failed), data) == _NOT_YET:
            return None
        return tag.value, bool(failed.value), data.raw

    def statistic(self, path):
        """A number of the results as of now: "socket0.l2.fills", or "cycles"."""
        value = ctypes.c_double()
        whole = path if path in ("cycles", "time_ns", "seed") else f"statistics.{path}"
        self._call("statistic", whole.encode(), ctypes.byref(value))
        return value.value

    def results(self):
        """The Results as of now; without a timeline."""
        text = self._library.numavp_results()
        if text is None:
            raise Error(self._sentence())
        return Results(json.loads(text))

    def end(self, drain=True):
        """Ends the platform, with `drain` after all that is left to do, checks its accounts, and returns the Results."""
        self._call("end", int(drain))
        return self.results()

    @staticmethod
    def _need_room(status, port):
        if status == _NOT_YET:
            raise Error(f"port {port} has no room: what was posted through it is to be collected first")

    @staticmethod
    def _count(count):
        if not 1 <= count <= _LINE_BYTES:
            raise Error(f"{count} bytes were asked for; an access has 1 to {_LINE_BYTES}")
        return count

    def _sentence(self):
        return self._library.numavp_last_error().decode(errors="replace")

    def _call(self, name, *arguments):
        try:
            status = getattr(self._library, f"numavp_{name}")(*arguments)
        except (ctypes.ArgumentError, TypeError) as fault:
            raise Error(f"{name}: {fault}") from None
        if status < 0:
            raise Error(self._sentence(), 2)
        return status
