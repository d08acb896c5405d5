#!/usr/bin/env python3
"""check_firmware.py ELF PATH...: what a loader may count on in the firmware, and that it holds none of the paths."""
import struct
import sys

RAM, RAM_BYTES, PT_LOAD, EM_RISCV = 0x80000000, 32 << 20, 1, 243

path, *forbidden = sys.argv[1:]
with open(path, "rb") as file:
    image = file.read()

failures = []


def expect(condition, sentence):
    if not condition:
        failures.append(sentence)


expect(image[:6] == b"\x7fELF\x02\x01", "no little-endian ELF of 64 bits")
machine, = struct.unpack_from("<H", image, 18)
entry, table = struct.unpack_from("<QQ", image, 24)
flags, = struct.unpack_from("<I", image, 48)
size, count = struct.unpack_from("<HH", image, 54)
expect(machine == EM_RISCV, f"the machine is {machine}")
expect(flags == 1, f"the flags are {flags:#x}: compressed instructions and soft float were asked for")
expect(entry == RAM, f"the entry is {entry:#x}")
loads = 0
for i in range(count):
    kind, _, offset, virtual, physical, in_file, in_memory, _ = struct.unpack_from("<IIQQQQQQ", image, table + i * size)
    if kind != PT_LOAD:
        continue
    loads += 1
    expect(virtual == physical, f"a segment lies at {physical:#x} and wants to run at {virtual:#x}")
    expect(RAM <= virtual and virtual + in_memory <= RAM + RAM_BYTES, f"a segment at {virtual:#x} lies outside the RAM")
    expect(in_file <= in_memory and offset + in_file <= len(image), f"the segment at {virtual:#x} is cut off")
expect(loads >= 1, "nothing to load")
for text in forbidden:
    expect(text.encode() not in image, f"it holds the path {text}")
expect(b"sw/driver/driver.c" in image, "it has no names of sources for a debugger")

print("\n".join(failures) or f"{loads} segments, {len(image)} bytes")
sys.exit(1 if failures else 0)
