"""Static and dynamic lanes beside each other: what the links carried over time, drawn with matplotlib.

    PYTHONPATH=<prefix>/lib/python3/dist-packages python3 link_use.py [picture.png]

It needs matplotlib and NumPy: ./numavp install-deps installs them (Debian: python3-matplotlib, python3-numpy).
"""

import sys

try:
    import matplotlib
except ModuleNotFoundError:
    sys.exit("link_use: matplotlib is not here; ./numavp install-deps installs it (Debian: python3-matplotlib)")

matplotlib.use("Agg")  # a picture, no window
import matplotlib.pyplot as plt
import numavp

# The 2-socket system of the paper with a quarter of its SMs; what is not said comes from the system that it extends.
SYSTEM = {"extends": "numa-aware-2", "name": "quarter", "socket": {"sms": 16}, "link": {"sample_cycles": 500}}


def link_use(results, socket, way):
    """Share of what the lanes that faced this way could carry, in percent, for each interval."""
    lane_bytes = results.configuration["link"]["lane_gbps"] * 1e6 / results.configuration["clock_khz"]  # in a cycle
    carried = results.column(f"socket{socket}.link.{way}_bytes")
    room = results.column(f"socket{socket}.link.{way}_lane_cycles") * lane_bytes
    return 100.0 * carried / room.clip(min=1.0)


def main(picture):
    runs = {balancer: numavp.run(SYSTEM, "reduction", scale=0.05, interval=250, set={"link.balancer": balancer})
            for balancer in ("static", "dynamic")}
    figure, axes = plt.subplots(len(runs), 1, sharex=True, sharey=True, figsize=(8, 5), layout="constrained")
    for axis, (balancer, results) in zip(axes, runs.items()):
        for way, colour in (("out", "#0072b2"), ("in", "#d55e00")):
            axis.step(results.times("us"), link_use(results, 0, way), where="pre", label=way, color=colour)
        axis.set_title(f"{balancer} lanes: {results.cycles:,} cycles", loc="left")
        axis.set_ylabel("use of socket 0's link, %")
    axes[0].legend(loc="upper right")
    axes[-1].set_xlabel("simulated time, us")
    figure.savefig(picture, dpi=120)

    print(numavp.compare(*runs.values()).headline())
    print(f"picture in {picture}")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "link_use.png")
    except numavp.Error as fault:
        sys.exit(f"link_use: {fault}")
