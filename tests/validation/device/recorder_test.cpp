/// Kernels of bench/device: what their recorder writes, and how far its cycles are from those of the measured GPU.
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/device/recorder.h"
#include "common/system/load_system.h"
#include "platform/machine/system.h"
#include "sw/traces/kernelslist.h"
#include "tests/support/fast_build.h"
#include "tests/support/places.h"
#include "tests/support/run_apart.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using nlohmann::json;

/// The instructions of a warp in all its lanes.
template <class Body>
std::vector<device::Recorded> recorded(const Body& body, unsigned block, unsigned warp, unsigned blocks,
                                       unsigned warps) {
    device::Recorder recorder(block, warp, blocks, warps);
    for (unsigned lane = 0; lane < device::kLanes; ++lane) {
        recorder.begin(lane);
        body(recorder);
        recorder.end();
    }
    return recorder.instructions();
}
/// Those behind the four constants and special registers with which a kernel begins.
std::string opcodes(const std::vector<device::Recorded>& instructions) {
    std::string all;
    for (std::size_t i = 6; i < instructions.size(); ++i) {
        if (i != 6) all += ' ';
        all += instructions[i].opcode;
    }
    return all;
}

TEST(Recorder, NotesTheInstructionsOfAWarpAndTheAddressesOfItsLanes) {
    const auto add = recorded(device::VectorAdd{}, 2, 3, 8, 4);
    EXPECT_EQ(opcodes(add), "IMAD.WIDE.U32 LDG.E IMAD.WIDE.U32 LDG.E FFMA IMAD.WIDE.U32 STG.E EXIT");
    const std::uint64_t thread = (2 * 4 + 3) * 32;
    for (unsigned lane = 0; lane < device::kLanes; ++lane) {
        EXPECT_EQ(add[9].addresses[lane] - add[7].addresses[lane], device::kArrayBytes);
        EXPECT_EQ(add[7].addresses[lane] - recorded(device::VectorAdd{}, 0, 0, 8, 4)[7].addresses[0],
                  4 * (thread + lane));
    }
    EXPECT_EQ(add[10].sources[0], add[7].destination);
    EXPECT_EQ(add[12].sources[1], add[10].destination);
}

TEST(Recorder, LeavesAnEmptyKernelItsExitAlone) {
    std::ostringstream empty, other;
    device::write_trace(empty, {"empty", 1, 1, 0}, device::Empty{});
    device::write_trace(other, {"add", 1, 1, 0}, device::VectorAdd{});
    EXPECT_THAT(empty.str(), ::testing::HasSubstr("insts = 1\n0000 ffffffff 0 EXIT 0 0"));
    EXPECT_THAT(other.str(), ::testing::HasSubstr("insts = 14\n"));
}

TEST(Recorder, PutsLoadsBeforeTheAdditionsOfTheirWords) {
    EXPECT_EQ(
        opcodes(recorded(device::Strided<16, 16, 2>{}, 0, 0, 1, 1)),
        "IMAD.WIDE.U32 LDG.E.128 IMAD.WIDE.U32 LDG.E.128 FADD FADD FADD FFMA FADD FADD FADD FFMA ISETP.NE.AND EXIT");
}

TEST(Recorder, FollowsAChainThatVisitsNoLineTwice) {
    std::set<std::uint64_t> lines;
    for (const device::Recorded& inst : recorded(device::Chase<device::Chain::scattered, 256>{}, 0, 0, 1, 1))
        if (inst.width != 0) lines.insert(inst.addresses[0] / 128);
    EXPECT_EQ(lines.size(), 256U);
}

TEST(Recorder, RefusesLanesThatDiffer) {
    struct Divergent {
        void operator()(device::Recorder& m) const {
            if (m.in_block() % 2 == 0) m.barrier();
        }
    };
    EXPECT_THROW(recorded(Divergent{}, 0, 0, 1, 1), std::logic_error);
}

const json& measured() {
    static const json all =
        json::parse(std::ifstream(source_dir() + "/bench/device/measurements/h200-2026-11-26.json"));
    return all;
}

TEST(Measurements, AreOfTheKernelsThatThereAre) {
    std::set<std::string> names;
    device::for_each_kernel(
        [&](const char* name, const auto& body, unsigned blocks, unsigned warps, unsigned) {
            names.insert(name);
            const json& counted = measured().at("kernels").at(name);
            const double all = static_cast<double>(recorded(body, 0, 0, blocks, warps).size()) * blocks * warps;
            if (std::string(name).rfind("empty", 0) == 0) return;
            EXPECT_GT(all, 0.6 * counted.at("instructions").get<double>()) << name;
            EXPECT_LT(all, 1.2 * counted.at("instructions").get<double>()) << name;
        },
        132);
    EXPECT_EQ(names.size(), measured().at("kernels").size());
}

/// Silicon's cycles without those of an empty block, and how far numavp's may be from them.
struct Agreement {
    const char* system;
    const char* kernel;
    double within;
};
class Silicon : public ::testing::TestWithParam<Agreement> {};

TEST_P(Silicon, IsMet) {
    const TempDir folder;
    device::for_each_kernel(
        [&](const std::string& name, const auto& body, unsigned blocks, unsigned warps, unsigned shared) {
            if (name != GetParam().kernel) return;
            std::ostringstream trace;
            write_trace(trace, {name, blocks, warps, shared}, body);
            folder.write("kernel-1.traceg", trace.str());
        },
        132);
    const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\n");
    System system(load_system(GetParam().system, {}), read_kernelslist(list));
    system.run();
    const json& kernels = measured().at("kernels");
    const auto silicon = [&](const char* kernel) { return kernels.at(kernel).at("cycles").get<double>(); };
    EXPECT_NEAR(static_cast<double>(kernel_cycles(system, GetParam().kernel)) /
                    (silicon(GetParam().kernel) - silicon("empty-1")),
                1.0, GetParam().within);
}
constexpr Agreement kAgreements[] = {
    {"h200", "chase-l2", 0.1},    {"h200", "chase-l1", 0.15},      {"h200", "tile-conflicts", 0.1},
    {"h200", "gather", 0.12},     {"h200", "chase-memory", 0.1},   {"h200", "fma-1", 0.06},
    {"h200", "shared-8", 0.1},    {"h200", "strided-w4-s4", 0.12}, {"h200-halves", "chase-memory", 0.1},
    {"h200", "atomic-bins", 0.2}, {"h200-halves", "stream", 0.1},  {"h200-halves", "gather", 0.12},
    {"h200", "store-random", 0.1}};
INSTANTIATE_TEST_SUITE_P(Kernels, Silicon, ::testing::ValuesIn(rows_of_build(kAgreements)), [](const auto& test) {
    std::string name = std::string(test.param.system) + "_" + test.param.kernel;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

} // namespace
} // namespace numavp::test
