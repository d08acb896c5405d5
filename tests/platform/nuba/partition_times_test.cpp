/// Times and rates of NUBA's partitions, as configs/systems/nuba has them, against closed forms.
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

using nlohmann::json;

constexpr unsigned kPartitions = 32, kSmsOfOne = 2;
constexpr std::uint64_t kRegion = 16 * 4096; ///< of each partition

// Written out and not read from the file, so that a fault in it is seen: cycles of 1.4 GHz, packets of 16 and 144 B.
constexpr std::uint64_t kSm = 1 + 4;                     ///< a request on its wire, a miss in L1
constexpr std::uint64_t kToSlice = 1 + 1, kToSm = 5 + 1; ///< 32 B a cycle for a slice and for an SM
constexpr std::uint64_t kHit = 120 + 5, kMiss = 20 + (8 + 140) + 20 + 5;
constexpr std::uint64_t kNocAndLink = 2 + 2;                     ///< to the link's port, from it
constexpr std::uint64_t kLinkRequest = 1 + 1, kLinkLine = 2 + 1; ///< 128 GB/s, once on each side
/// An interface on each side, two routers of 4 cycles with a channel of 1, and the flits behind the first.
constexpr std::uint64_t network(std::uint64_t flits) { return 2 + 2 + (1 + 1 + 2 * 4 + 1 + 1) + flits - 1; }
constexpr std::uint64_t kRemote = kNocAndLink + 2 * kLinkRequest + network(1) + 2 + 2 * kLinkLine + network(9);

/// The memory has a latency that is easily said: 100 ns.
SystemConfig nuba_system(unsigned slices = 2) {
    return load_system("nuba-no-rep",
                       {"partition.memory.model=channel", "partition.memory.bandwidth_gbps=22.4",
                        "placement.policy=first_touch", "partition.l2.slices=" + std::to_string(slices)});
}

/// Block 0 loads a line of a page that block `toucher` has touched before, then loads it again past the L1.
json two_loads(unsigned toucher) {
    const auto touch = [=](std::uint64_t block, unsigned) {
        return block == toucher ? WarpCode{load(kHandBase)} : WarpCode{};
    };
    const auto measure = [](std::uint64_t block, unsigned) {
        const std::uint64_t line = kHandBase + 5 * kLineBytes;
        return block == 0 ? WarpCode{load(line, 1), load_past_l1(line, 2, 1)} : WarpCode{};
    };
    const Workload workload =
        hand_workload({hand_launch("touch", kPartitions, 1, touch), hand_launch("measure", kPartitions, 1, measure)});
    System system(nuba_system(), workload);
    system.run();
    return system.stats().values();
}

TEST(PartitionTimes, OfHitsAndMissesAtIdle) {
    const auto ps = [](std::uint64_t cycles) { return static_cast<double>(cycles) * 1e6 / 1400; };
    const json local = run_apart([] { return two_loads(0); });
    EXPECT_NEAR(local["socket0"]["load_latency"]["local"]["min_ps"], ps(kSm + kToSlice + kHit + kToSm), 2);
    EXPECT_NEAR(local["socket0"]["load_latency"]["local"]["max_ps"], ps(kSm + kToSlice + kMiss + kToSm), 2);
    const json remote = run_apart([] { return two_loads(9); });
    EXPECT_NEAR(remote["socket0"]["load_latency"]["remote"]["min_ps"], ps(kSm + kRemote + kHit + kToSm), 2);
    EXPECT_NEAR(remote["socket0"]["load_latency"]["remote"]["max_ps"], ps(kSm + kRemote + kMiss + kToSm), 2);
}

/// The line that load `n` of a partition's warp asks for.
using LineOf = std::function<std::uint64_t(unsigned partition, unsigned warp, unsigned n)>;

/// Cycles in which all SMs make that many more loads a warp, of lines past their L1.
std::uint64_t saturated(const LineOf& line, unsigned loads, const SystemConfig& config = nuba_system()) {
    constexpr unsigned kWarps = 16, kRegisters = 8;
    std::array<std::uint64_t, 2> cycles{};
    for (const unsigned times : {1U, 2U}) {
        const json spent = run_apart([&]() -> json {
            const auto touch = [](std::uint64_t block, unsigned) {
                WarpCode pages;
                for (std::uint64_t at = 0; at < kRegion; at += 4096)
                    pages.push_back(load(kHandBase + block * kRegion + at));
                return pages;
            };
            const auto code = [&](std::uint64_t block, unsigned warp) {
                WarpCode made;
                for (unsigned n = 0; n < times * loads; ++n) {
                    const auto reg = static_cast<std::uint8_t>(1 + n % kRegisters);
                    const auto partition = static_cast<unsigned>(block / kSmsOfOne);
                    made.push_back(load_past_l1(line(partition, warp, n), reg, n < kRegisters ? kNoReg : reg));
                }
                return made;
            };
            const Workload workload = hand_workload({hand_launch("touch", kPartitions, 1, touch),
                                                     hand_launch("measure", kPartitions * kSmsOfOne, kWarps, code)});
            System system(config, workload);
            system.run();
            return kernel_cycles(system, "measure");
        });
        cycles[times - 1] = spent.get<std::uint64_t>();
    }
    return cycles[1] - cycles[0];
}

/// Lines of the pages of partition `home` that slice `slice` holds.
class LinesOf {
  public:
    explicit LinesOf(const AddressMap& map) : map_(map) {}
    const std::vector<std::uint64_t>& operator()(unsigned home, unsigned slice) {
        std::vector<std::uint64_t>& found = found_[{home, slice}];
        if (!found.empty()) return found;
        for (std::uint64_t at = 0; at < kRegion; at += kLineBytes)
            if (map_.slice_of((std::uint64_t{home} << map_.socket_shift) + at, SocketId(home)) == slice)
                found.push_back(kHandBase + home * kRegion + at);
        return found;
    }

  private:
    AddressMap map_;
    std::map<std::pair<unsigned, unsigned>, std::vector<std::uint64_t>> found_;
};

/// Turns of slices, each warp on 12 lines of its own in each, so that no two loads in flight are of one line.
std::uint64_t own_line(const std::vector<std::uint64_t>& lines, unsigned warp, unsigned n) {
    constexpr unsigned kOfWarp = 12;
    return lines[(warp * kOfWarp + n / 2 % kOfWarp) % lines.size()];
}

double lines(unsigned loads) { return 16.0 * loads * kSmsOfOne; } ///< of a partition

// 64 slices with 32 B a cycle at 1.4 GHz: 2.87 TB/s, of packets of 144 B.
TEST(PartitionRates, OfLocalSlices) {
    LinesOf lines_of(address_map(nuba_system()));
    const auto line = [&](unsigned partition, unsigned warp, unsigned n) {
        return own_line(lines_of(partition, n % 2), warp, n);
    };
    const double expected = lines(60) * 144 / (2 * 32);
    EXPECT_NEAR(static_cast<double>(saturated(line, 60)), expected, expected / 100);
}

// 64 ports with a flit of 16 B a cycle: 1.43 TB/s, if no two flows share a port or a channel between the stages.
TEST(PartitionRates, OfTheCrossbarBetweenSlices) {
    LinesOf lines_of(address_map(nuba_system()));
    const auto home_of = [](unsigned partition, unsigned slice) {
        const unsigned router = partition / 4, of_router = partition % 4;
        return 4 * ((2 * of_router + slice + router) % 8) + router / 2;
    };
    const auto line = [&](unsigned partition, unsigned warp, unsigned n) {
        return own_line(lines_of(home_of(partition, n % 2), n % 2), warp, n);
    };
    const double expected = lines(40) * 9 / 2;
    EXPECT_NEAR(static_cast<double>(saturated(line, 40)), expected, expected / 100);
}

// Random homes, of which some are busier than others: routers whose inputs send one flit a cycle carry a fifth less
// than routers with a queue for each output.
TEST(PartitionRates, OfRandomHomes) {
    LinesOf lines_of(address_map(nuba_system()));
    Rng rng(3, 9);
    std::vector<unsigned> drawn(4096);
    for (unsigned& home : drawn) home = static_cast<unsigned>(rng.below(kPartitions));
    const auto line = [&](unsigned partition, unsigned warp, unsigned n) {
        const unsigned home = drawn[(partition * 521 + warp * 83 + n) % drawn.size()];
        return own_line(lines_of(home, n % 2), warp, n);
    };
    constexpr unsigned kLoads = 12;
    const double all_ports = lines(kLoads) * 9 / 2;
    const auto share = [&](const SystemConfig& c) {
        return all_ports / static_cast<double>(saturated(line, kLoads, c));
    };
    SystemConfig switches = nuba_system();
    switches.network.non_blocking = "all";
    const double routers = share(nuba_system());
    EXPECT_NEAR(routers, 0.55, 0.05);
    EXPECT_GT(share(switches), 1.2 * routers);
}

// One slice a partition has 32 B a cycle for its own SMs, and both ports of its partition; lines draw one, not quite
// evenly.
TEST(PartitionRates, OfOneSliceWithTwoPorts) {
    LinesOf lines_of(address_map(nuba_system(1)));
    const auto local = [&](unsigned partition, unsigned warp, unsigned n) {
        return own_line(lines_of(partition, 0), warp, 2 * n); // no line twice in a row
    };
    const double of_slice = lines(40) * 144 / 32;
    EXPECT_NEAR(static_cast<double>(saturated(local, 40, nuba_system(1))), of_slice, of_slice / 100);
    const auto remote = [&](unsigned partition, unsigned warp, unsigned n) {
        const unsigned router = partition / 4, of_router = partition % 4;
        const unsigned home = 4 * ((2 * of_router + n % 2 + router) % 8) + router / 2;
        return own_line(lines_of(home, 0), warp, n);
    };
    const double of_ports = lines(40) * 9 / 2;
    const auto cycles = static_cast<double>(saturated(remote, 40, nuba_system(1)));
    EXPECT_GT(cycles, of_ports);
    EXPECT_LT(cycles, 1.5 * of_ports); // one port would take twice as long
}

} // namespace
} // namespace numavp::test
