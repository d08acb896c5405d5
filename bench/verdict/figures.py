"""The figure of a verdict, computed once more from results.json: docs/use/RESULTS.md ("What limits a run") has the formulas.

Written apart from the program, for the settings that bench/verdict/cases.json has: no sectors, no timed memory, no routers.
"""


def rows_of(results):
    """Rows of kernels by name and kind, as lists of places."""
    rows = results["kernels"]["rows"]
    kernels = {}
    for i, (kind, name) in enumerate(zip(rows["kind"], rows["name"])):
        if kind != "outside" and rows["cycles"][i]:
            kernels.setdefault((kind, name), []).append(i)
    return kernels


def total(results, path, rows):
    return sum(results["kernels"]["counters"][path][row] for row in rows)


def cycles_of(results, rows):
    return sum(results["kernels"]["rows"]["cycles"][row] for row in rows)


def sockets_of(results):
    return range(results["configuration"]["sockets"])


def khz(results, part):
    own = results["configuration"]["socket"].get("clocks_khz", {}).get(part, 0)
    return own or results["configuration"]["clock_khz"]


def slots_in(results, socket, rows):
    """Slots of a socket by cause in the time of some rows, intervals in proportion to time."""
    series, kernels = results["slots"]["series"], results["kernels"]["rows"]
    causes = results["slots"]["causes"]
    sums, begin = dict.fromkeys(causes, 0.0), 0
    for i, end in enumerate(series["cycles"]):
        inside = sum(max(0, min(end, kernels["ended"][row]) - max(begin, kernels["started"][row])) for row in rows)
        for cause in causes:
            sums[cause] += series["columns"][f"socket{socket}.slots.{cause}"]["values"][i] * inside / (end - begin)
        begin = end
    return sums


def issue(results, rows):
    slots = [slots_in(results, s, rows) for s in sockets_of(results)]
    return max(of["issued"] / sum(of.values()) for of in slots)


def units(results, rows):
    slots = [slots_in(results, s, rows) for s in sockets_of(results)]
    return max((of["issued"] + of["unit_busy"]) / sum(of.values()) for of in slots)


def link(results, rows):
    config, uses = results["configuration"], []
    lane = config["link"]["lane_gbps"] * 1e6 / config["clock_khz"]  # bytes a cycle
    for s in sockets_of(results):
        for way in ("out", "in"):
            lanes = total(results, f"socket{s}.link.{way}.lane_cycles", rows)
            again = f"socket{s}.link.{way}.replayed_bytes"  # of links with bit errors
            sent = total(results, f"socket{s}.link.{way}.bytes", rows)
            sent += total(results, again, rows) if again in results["kernels"]["counters"] else 0
            uses.append(sent / (lanes * lane))
    return max(uses)


def memory(results, rows):
    config, uses = results["configuration"], []
    settings = config["socket"]["memory"]
    could = cycles_of(results, rows) * 1e6 / config["clock_khz"] * settings["bandwidth_gbps"] * config["scale"]
    for s in sockets_of(results):
        for channel in range(settings["channels"] * config["scale"]):
            read, written = (total(results, f"socket{s}.memory.channel{channel}.{way}_bytes", rows) for way in ("read", "write"))
            uses.append((read + written) * settings["channels"] * config["scale"] / could)
    return max(uses)


def l2(results, rows):
    config, uses = results["configuration"], []
    settings = config["socket"]["l2"]
    for s in sockets_of(results):
        def count(path, socket=s):
            return total(results, f"socket{socket}.l2.{path}", rows)
        served = [count(f"slice{i}.reads") + count(f"slice{i}.writes") for i in range(settings["slices"])]
        skew = max(served) * settings["slices"] / sum(served) if sum(served) else 1
        mine, theirs = (sum(count(f"{whose}.{end}") for whose in those for end in ("hits", "misses", "merged"))
                        for those in (("local", "remote"), ("incoming",)))
        could = cycles_of(results, rows) * khz(results, "l2") / config["clock_khz"] * settings["slices"] / skew
        requests = mine + theirs + count("writes") + count("atomics") + count("forwarded_atomics")
        line = config["packets"]["header_bytes"] + 128
        uses.append(max(requests / could, max(mine, theirs) * line / (could * settings["bytes_per_cycle"])))
    return max(uses)


def l1(results, rows):
    config = results["configuration"]
    socket = config["socket"]
    could = cycles_of(results, rows) * khz(results, "sm") / config["clock_khz"] * socket["sms"] * socket["sm"]["l1"]["lines_per_cycle"]
    return max(sum(total(results, f"socket{s}.l1.{kind}_lines", rows) for kind in ("load", "store", "atomic")) / could
               for s in sockets_of(results))


def crossbar(results, rows):
    config, uses = results["configuration"], []
    socket, header = config["socket"], config["packets"]["header_bytes"]
    for s in sockets_of(results):
        def count(path, owner=s):
            return total(results, f"socket{owner}.{path}", rows)
        reads = count("l1.misses_local") + count("l1.misses_remote")
        writes = count("l1.store_lines") + count("l1.atomic_lines")
        lines = count("l1.load_lines") + writes
        touched = 32 * min(4, count("sm.sectors") / lines) if lines else 0
        served = [count(f"l2.slice{i}.reads") + count(f"l2.slice{i}.writes") for i in range(socket["l2"]["slices"])]
        skew = max(served) * len(served) / sum(served) if sum(served) else 1
        noc = cycles_of(results, rows) * khz(results, "noc") / config["clock_khz"]
        inputs = min(noc * socket["sms"], noc * socket["l2"]["slices"] / skew) * socket["noc"]["request_bytes_per_cycle"]
        outputs = noc * socket["sms"] * socket["noc"]["response_bytes_per_cycle"]
        uses.append(max((reads * header + writes * (header + touched)) / inputs, (reads * (header + 128) + writes * header) / outputs))
    return max(uses)


def launches(results, _):
    rows = results["kernels"]["rows"]
    times = sorted((rows["launched"][i], rows["started"][i], rows["flushed"][i]) for i, kind in enumerate(rows["kind"]) if kind == "kernel")
    end, sum_of = 0, 0
    for launched, started, flushed in times:
        sum_of += max(0, started - max(launched, end))
        end = max(end, flushed)
    return sum_of / results["cycles"]


def share_of_slots(cause):
    def share(results, rows):
        slots = [slots_in(results, s, rows) for s in sockets_of(results)]
        return sum(of[cause] for of in slots) / sum(sum(of.values()) for of in slots)
    return share


def without_warps(some):
    """Share of the time in which some sockets (or all) had no warp for half of their slots."""
    def share(results, rows):
        series, kernels = results["slots"]["series"], results["kernels"]["rows"]
        looked_at, found, begin = 0, 0, 0
        for i, end in enumerate(series["cycles"]):
            inside = sum(max(0, min(end, kernels["ended"][row]) - max(begin, kernels["started"][row])) for row in rows)
            def lacks(s, at=i):
                values = {cause: series["columns"][f"socket{s}.slots.{cause}"]["values"][at] for cause in results["slots"]["causes"]}
                return values["no_warp"] >= 0.5 * sum(values.values())
            lacking = sum(lacks(s) for s in sockets_of(results))
            all_of = results["configuration"]["sockets"]
            looked_at += inside
            found += inside * (0 < lacking < all_of if some else lacking == all_of)
            begin = end
        return found / looked_at
    return share


FIGURES = {"issue": issue, "units": units, "l1": l1, "crossbar": crossbar, "l2": l2, "link": link, "memory": memory,
           "launches": launches, "translation": share_of_slots("translation"), "latency": share_of_slots("memory"),
           "arithmetic": share_of_slots("dependence"), "barriers": share_of_slots("barrier"), "imbalance": without_warps(True),
           "warps": without_warps(False)}


def recompute(results, limit):
    """The figure of a limit that is a run's: that of its longest kernel with this cause."""
    of_cause = FIGURES[limit["cause"]]
    kernels = sorted(rows_of(results).values(), key=lambda rows: -cycles_of(results, rows))
    values = [of_cause(results, rows) for rows in kernels]
    return min(values, key=lambda value: abs(value - limit["figure"]))
