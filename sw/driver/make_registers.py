#!/usr/bin/env python3
"""Makes from the register map: the driver's C header, the platform's C++ table, the linker's memory, documentation.

make_registers.py MAP header|table|linker|markdown [FILE]
A map that contradicts itself is refused with a sentence and exit status 2. An unchanged FILE is not touched.
"""
import json
import os
import re
import sys

WORD = 8  # bytes of a register
ACCESSES = {"RO": "read_only", "WO": "write_only", "RW": "read_write"}
CONFIGURED = "configured"  # a reset value that the platform's configuration gives


class BadMap(Exception):
    pass


def refuse_repeated_keys(pairs):
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise BadMap(f"the key {key} stands twice in one object")
    return dict(pairs)


def expect_keys(thing, where, needed, optional=()):
    if not isinstance(thing, dict):
        raise BadMap(f"{where} is no object")
    for key in needed:
        if key not in thing:
            raise BadMap(f"{where} has no {key}")
    for key in thing:
        if key not in needed and key not in optional:
            raise BadMap(f"{where} has a key {key}; known are {', '.join([*needed, *optional])}")
    for key in {"name", "doc", "title", "description"} & thing.keys():
        text = thing[key]
        if not isinstance(text, str) or not text or not text.isprintable() or "*/" in text or "|" in text:
            raise BadMap(f"{where}: {key} is no text of one line without | and */")
    if "name" in thing and not re.fullmatch(r"[a-z][a-z0-9_]*", thing["name"]):
        raise BadMap(f"{where}: {thing['name']} is no name: lower-case letters, digits and underscores")


def number(thing, key, where, limit=1 << 64):
    value = thing[key]
    if isinstance(value, str) and re.fullmatch(r"0x[0-9A-Fa-f]+", value):
        value = int(value, 16)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < limit:
        raise BadMap(f"{where}: {key} {thing[key]} is no number below {limit:#x}; write 7 or \"0x1F\"")
    return value


def a_list(thing, key, where):
    if not isinstance(thing[key], list) or not thing[key]:
        raise BadMap(f"{where}: {key} is no list, or empty")
    return thing[key]


def refuse_twins(things, where):
    seen = set()
    for thing in things:
        if thing["name"] in seen:
            raise BadMap(f"{where} has two {thing['name']}")
        seen.add(thing["name"])


def refuse_overlaps(spans, where):
    """spans: (first, one past the last, name)."""
    spans = sorted(spans)
    for (_, end, name), (start, _, other) in zip(spans, spans[1:]):
        if start < end:
            raise BadMap(f"{where}: {name} and {other} overlap at {start:#x}")


def read_bits(register, where):
    """Fields and named values of a register."""
    for field in register.setdefault("fields", []):
        there = f"a field of {where}"
        expect_keys(field, there, ["name", "first", "last", "doc"])
        field["first"] = number(field, "first", there, 64)
        field["last"] = number(field, "last", there, 64)
        if field["last"] < field["first"]:
            raise BadMap(f"{where}: {field['name']} ends at bit {field['last']}, before its first bit {field['first']}")
    refuse_twins(register["fields"], where)
    refuse_overlaps([(f["first"], f["last"] + 1, f["name"]) for f in register["fields"]], f"{where}, bits")
    for value in register.setdefault("values", []):
        expect_keys(value, f"a value of {where}", ["name", "value", "doc"])
        value["value"] = number(value, "value", f"a value of {where}")
    refuse_twins(register["values"], where)
    if len({value["value"] for value in register["values"]}) < len(register["values"]):
        raise BadMap(f"{where}: two names for one value")
    refuse_twins(register["fields"] + register["values"], f"{where}, fields and values,")


def read_register(register, block):
    expect_keys(register, f"a register of {block['name']}", ["name", "offset", "access", "reset", "doc"], ["fields", "values"])
    where = f"{block['name']}.{register['name']}"
    register["offset"] = number(register, "offset", where)
    if register["offset"] % WORD:
        raise BadMap(f"{where}: offset {register['offset']:#x} is no multiple of {WORD}")
    if register["offset"] + WORD > block["bytes"]:
        raise BadMap(f"{where}: offset {register['offset']:#x} lies outside the block of {block['bytes']:#x} bytes")
    if register["access"] not in ACCESSES:
        raise BadMap(f"{where}: access {register['access']}; there are {', '.join(ACCESSES)}")
    register["configured"] = register["reset"] == CONFIGURED
    register["reset"] = 0 if register["configured"] else number(register, "reset", where)
    read_bits(register, where)


def read_place(place, where):
    place["base"] = number(place, "base", where)
    place["bytes"] = number(place, "bytes", where)
    if place["base"] % WORD or place["bytes"] % WORD or not place["bytes"]:
        raise BadMap(f"{where}: base and bytes must be multiples of {WORD}, and bytes not 0")
    if place["base"] + place["bytes"] > 1 << 64:
        raise BadMap(f"{where} ends beyond 64 bits")


def refuse_equal_macros(registers):
    """Two names whose parts are divided elsewhere would make one name of the C header."""
    seen = {}
    for name, owner in c_constants(registers):
        if seen.setdefault(name, owner) != owner:
            raise BadMap(f"{seen[name]} and {owner} would both be {name} in C")


def read_map(path):
    """The map with numbers for strings and every optional list there; BadMap if it contradicts itself."""
    try:
        with open(path, encoding="utf-8") as file:
            registers = json.load(file, object_pairs_hook=refuse_repeated_keys)
    except ValueError as error:
        raise BadMap(f"no JSON: {error}") from None
    expect_keys(registers, "the map", ["title", "description", "windows", "blocks"])
    for window in a_list(registers, "windows", "the map"):
        expect_keys(window, "a window", ["name", "base", "bytes", "doc"])
        read_place(window, window["name"])
    for block in a_list(registers, "blocks", "the map"):
        expect_keys(block, "a block", ["name", "base", "bytes", "doc", "registers"])
        read_place(block, block["name"])
        for register in a_list(block, "registers", block["name"]):
            read_register(register, block)
        refuse_twins(block["registers"], block["name"])
        refuse_overlaps([(r["offset"], r["offset"] + WORD, r["name"]) for r in block["registers"]], block["name"])
    places = registers["windows"] + registers["blocks"]
    refuse_twins(places, "the map")
    refuse_overlaps([(p["base"], p["base"] + p["bytes"], p["name"]) for p in places], "the map")
    refuse_equal_macros(registers)
    return registers


def c_constants(registers):
    """(name, owner) of every macro of the C header."""
    for window in registers["windows"]:
        for part in ("BASE", "BYTES"):
            yield f"{window['name']}_{part}".upper(), window["name"]
    for block in registers["blocks"]:
        yield f"{block['name']}_BASE".upper(), block["name"]
        for register in block["registers"]:
            owner = f"{block['name']}.{register['name']}"
            name = f"{block['name']}_{register['name']}".upper()
            yield name, owner
            for field in register["fields"]:
                for part in ("SHIFT", "MASK"):
                    yield f"{name}_{field['name']}_{part}".upper(), f"{owner}.{field['name']}"
            for value in register["values"]:
                yield f"{name}_{value['name']}".upper(), f"{owner}.{value['name']}"


def hexadecimal(value):
    return f"0x{value:x}ULL"


def c_define(name, value, doc):
    return f"#define {name.upper()} {value} /* {doc} */"


def c_header(registers):
    """Addresses (not offsets) of registers, since the driver has nothing else to add them to."""
    lines = ["/* Made from sw/driver/registers.json by the build: register addresses, field shifts and masks, named values. */",
             "#ifndef NUMAVP_SW_DRIVER_REGISTERS_H", "#define NUMAVP_SW_DRIVER_REGISTERS_H", ""]
    for window in registers["windows"]:
        lines.append(c_define(f"{window['name']}_base", hexadecimal(window["base"]), window["doc"]))
        lines.append(c_define(f"{window['name']}_bytes", hexadecimal(window["bytes"]), window["doc"]))
    for block in registers["blocks"]:
        lines += ["", c_define(f"{block['name']}_base", hexadecimal(block["base"]), block["doc"])]
        for register in block["registers"]:
            name = f"{block['name']}_{register['name']}"
            address = hexadecimal(block["base"] + register["offset"])
            lines.append(c_define(name, address, f"{register['access']}: {register['doc']}"))
            for field in register["fields"]:
                ones = (1 << (field["last"] - field["first"] + 1)) - 1
                lines.append(c_define(f"{name}_{field['name']}_shift", field["first"], field["doc"]))
                lines.append(c_define(f"{name}_{field['name']}_mask", hexadecimal(ones << field["first"]), field["doc"]))
            for value in register["values"]:
                lines.append(c_define(f"{name}_{value['name']}", hexadecimal(value["value"]), value["doc"]))
    return "\n".join([*lines, "", "#endif"]) + "\n"


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def cxx_array(kind, name, items):
    if not items:
        return []
    return [f"inline constexpr {kind} {name}[] = {{", *[f"    {item}," for item in items], "};"]


def cxx_register(block, register):
    table = f"k{camel(block['name'])}{camel(register['name'])}Fields"
    fields = f"{table}, {len(register['fields'])}" if register["fields"] else "nullptr, 0"
    return (f"{{\"{register['name']}\", {register['offset']:#x}, RegisterAccess::{ACCESSES[register['access']]}, "
            f"{hexadecimal(register['reset'])}, {str(register['configured']).lower()}, {json.dumps(register['doc'])}, {fields}}}")


def cxx_table(registers):
    lines = ["/// Made from sw/driver/registers.json by the build: the register blocks as tables.", "#pragma once", "",
             "#include \"sw/driver/register_table.h\"", "", "namespace numavp {", ""]
    for window in registers["windows"]:
        name = camel(window["name"])
        lines += [f"inline constexpr std::uint64_t k{name}Base = {hexadecimal(window['base'])};",
                  f"inline constexpr std::uint64_t k{name}Bytes = {hexadecimal(window['bytes'])};"]
    for block in registers["blocks"]:
        name = camel(block["name"])
        lines += ["", f"/// Index of each register in k{name}Registers.", f"enum class {name}Register : std::uint8_t {{"]
        lines += [f"    {register['name']}," for register in block["registers"]] + ["};"]
        for register in block["registers"]:
            lines += cxx_array("RegisterField", f"k{name}{camel(register['name'])}Fields",
                               [f"{{\"{f['name']}\", {f['first']}, {f['last']}, {json.dumps(f['doc'])}}}"
                                for f in register["fields"]])
        lines += cxx_array("RegisterInfo", f"k{name}Registers", [cxx_register(block, r) for r in block["registers"]])
        lines.append(f"inline constexpr RegisterBlock k{name}Block = {{\"{block['name']}\", {hexadecimal(block['base'])}, "
                     f"{block['bytes']:#x}, {json.dumps(block['doc'])}, k{name}Registers, {len(block['registers'])}}};")
    lines += ["", *cxx_array("RegisterBlock", "kRegisterBlocks", [f"k{camel(b['name'])}Block" for b in registers["blocks"]])]
    return "\n".join([*lines, "", "} // namespace numavp"]) + "\n"


def linker_symbols(registers):
    """Where the image goes, for sw/driver/driver.ld."""
    ram = next((window for window in registers["windows"] if window["name"] == "ram"), None)
    if ram is None:
        raise BadMap("the map has no window ram: where would the image go?")
    return f"ram_base = {ram['base']:#x};\nram_bytes = {ram['bytes']:#x};\n"


def bits_text(field):
    return str(field["first"]) if field["first"] == field["last"] else f"{field['first']}..{field['last']}"


def markdown(registers):
    lines = [f"# {registers['title']}", "", registers["description"], "", "| from | bytes | what | |", "|---|---|---|---|"]
    places = sorted(registers["windows"] + registers["blocks"], key=lambda place: place["base"])
    lines += [f"| `{p['base']:#x}` | `{p['bytes']:#x}` | {p['name']} | {p['doc']} |" for p in places]
    for block in registers["blocks"]:
        lines += ["", f"## {block['name']} at {block['base']:#x}", "", block["doc"], "",
                  "| offset | register | access | reset | |", "|---|---|---|---|---|"]
        for register in sorted(block["registers"], key=lambda r: r["offset"]):
            doc = [register["doc"]]
            doc += [f"bits {bits_text(f)} `{f['name']}`: {f['doc']}" for f in register["fields"]]
            doc += [f"{v['value']} `{v['name']}`: {v['doc']}" for v in register["values"]]
            reset = CONFIGURED if register["configured"] else f"{register['reset']:#x}"
            lines.append(f"| `{register['offset']:02x}` | {register['name'].upper()} | {register['access']} | {reset} | "
                         f"{'<br>'.join(doc)} |")
    return "\n".join(lines) + "\n"


MAKERS = {"header": c_header, "table": cxx_table, "linker": linker_symbols, "markdown": markdown}


def write(path, text):
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main(arguments):
    if len(arguments) not in (2, 3) or arguments[1] not in MAKERS:
        print(f"usage: make_registers.py MAP {'|'.join(MAKERS)} [FILE]", file=sys.stderr)
        return 2
    try:
        text = MAKERS[arguments[1]](read_map(arguments[0]))
    except (BadMap, OSError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 2
    if len(arguments) == 3:
        write(arguments[2], text)
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
