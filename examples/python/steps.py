"""A platform whose time the script owns: watches the links while kernels run, and reads memory beside them.

    PYTHONPATH=<prefix>/lib/python3/dist-packages python3 steps.py
"""

import numavp

platform = numavp.Platform({"extends": "numa-aware-2", "socket": {"sms": 8}}, "reduction", scale=0.03)
port = platform.open_port(1)
address = platform.address(0, 4096)  # over the link that the kernels read through
sent, since = 0.0, 0
while not platform.ended:
    platform.advance(us=1)
    now, bytes_out = platform.time_ps, platform.statistic("socket0.link.out.bytes")
    gbps = 1e3 * (bytes_out - sent) / (now - since)
    sent, since = bytes_out, now
    platform.read(port, address, 64)  # time goes by until the bytes are there
    print(f"{now / 1e6:7.2f} us: socket 0 sent {gbps:5.1f} GB/s, a read from it took {(platform.time_ps - now) / 1e3:6.1f} ns")
print(platform.end())
