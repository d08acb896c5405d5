/// Ways and rates on small machines against closed forms: shared uplinks, copies through a neighbour, contention.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "communication/transfer/staged_copy.h"
#include "communication/transfer/transfer_graph.h"

namespace numavp::test {
namespace {

constexpr double kPcie = 15.753846;

LinkFormat pcie() {
    LinkFormat format;
    format.read = {64, 20};
    format.write = {128, 24};
    format.request_bytes = 24;
    return format;
}

/// Two CPUs, two GPUs behind a switch on each, and a link between the first GPUs.
class TwoSockets : public ::testing::Test {
  protected:
    TwoSockets() {
        for (unsigned c = 0; c < 2; ++c) {
            cpu[c] = graph.add_part({"cpu", TransferPartKind::cpu});
            const unsigned bridge = graph.add_part({"switch", TransferPartKind::router});
            graph.join(cpu[c], bridge, link("pcie", kPcie, pcie()), kPcie);
            for (unsigned g = 0; g < 2; ++g) {
                gpu[c * 2 + g] = graph.add_part({"gpu", TransferPartKind::gpu});
                graph.join(bridge, gpu[c * 2 + g], link("pcie", kPcie, pcie()), kPcie);
            }
        }
        graph.join(cpu[0], cpu[1], link("qpi", 19.2, {}), 9.6); // slower in one direction
        LinkFormat nvlink;
        nvlink.read = nvlink.write = {128, 16};
        graph.join(gpu[0], gpu[2], link("nvlink", 20, nvlink), 20);
    }
    static TransferLink link(const char* kind, double gbytes_per_s, const LinkFormat& format) {
        return {0, 0, kind, gbytes_per_s, 100, format};
    }
    double alone(unsigned from, unsigned to, BulkOperation operation) const {
        return graph.alone_gbytes_per_s(graph.uses(graph.way(from, to), operation));
    }
    /// Nanoseconds until copies of `bytes` each, from and to, are done.
    double together(const std::vector<std::pair<unsigned, unsigned>>& pairs, BulkOperation operation,
                    std::uint64_t bytes) const {
        FluidNetwork network = graph.network();
        for (const auto& [from, to] : pairs) network.start({bytes, graph.uses(graph.way(from, to), operation), 0, {}});
        return network.run();
    }

    TransferGraph graph;
    std::array<unsigned, 2> cpu{};
    std::array<unsigned, 4> gpu{};
};

TEST_F(TwoSockets, WaysHaveTheFewestHopsAndGoThroughNoGpu) {
    EXPECT_EQ(graph.way(gpu[0], gpu[2]).size(), 1U);
    EXPECT_EQ(graph.way(cpu[0], gpu[0]).size(), 2U);
    // By the neighbour it would be as short, cpu switch gpu[0] gpu[2].
    const std::vector<unsigned> far = graph.way(cpu[0], gpu[2]);
    ASSERT_EQ(far.size(), 3U);
    EXPECT_EQ(graph.links()[far[0]].kind, "qpi");
    EXPECT_TRUE(graph.way(gpu[0], gpu[0]).empty());
}

/// Reads come in completions of 64 bytes, writes in packets of 128: the directions differ.
TEST_F(TwoSockets, PacketsDecideTheRate) {
    EXPECT_NEAR(alone(cpu[0], gpu[0], BulkOperation::read), kPcie * 64 / 84, 1e-6);
    EXPECT_NEAR(alone(gpu[0], cpu[0], BulkOperation::write), kPcie * 128 / 152, 1e-6);
    EXPECT_NEAR(alone(gpu[0], gpu[2], BulkOperation::write), 20 * 128.0 / 144, 1e-6);
}

TEST_F(TwoSockets, LinksMayBeSlowerOneWay) {
    EXPECT_NEAR(alone(cpu[0], gpu[2], BulkOperation::read), kPcie * 64 / 84, 1e-6);
    EXPECT_NEAR(alone(cpu[1], gpu[0], BulkOperation::read), 9.6, 1e-6);
}

TEST_F(TwoSockets, TwoGpusOfASwitchShareItsUplink) {
    constexpr std::uint64_t kBytes = 64U << 20;
    const double one = together({{cpu[0], gpu[0]}}, BulkOperation::read, kBytes);
    const double two = together({{cpu[0], gpu[0]}, {cpu[0], gpu[1]}}, BulkOperation::read, kBytes);
    EXPECT_NEAR(one, kBytes / (kPcie * 64 / 84), one * 0.03);
    EXPECT_NEAR(two, 2 * one, one * 0.03);
    // Of two switches they do not.
    const double apart = together({{cpu[0], gpu[0]}, {cpu[1], gpu[2]}}, BulkOperation::read, kBytes);
    EXPECT_NEAR(apart, one, one * 0.03);
}

/// A read's requests take room where writes of another copy go: 24 of 512 bytes.
TEST_F(TwoSockets, BothWaysRequestsMeetData) {
    FluidNetwork network = graph.network();
    constexpr std::uint64_t kBytes = 64U << 20;
    network.start({kBytes, graph.uses(graph.way(cpu[0], gpu[0]), BulkOperation::read), 0, {}});
    network.start({kBytes, graph.uses(graph.way(gpu[0], cpu[0]), BulkOperation::write), 0, {}});
    const double read = kPcie * 64 / 84;
    const double write = (kPcie - read * 24 / 512) / (152.0 / 128);
    EXPECT_NEAR(network.run(), kBytes / std::min(read, write), kBytes / read * 0.03);
}

/// Four copies: two from each CPU to the other's GPUs. The bus between the CPUs carries 19.2 and 9.6 one way, the
/// uplinks 12: two copies there share the uplink, two copies here share the bus.
TEST_F(TwoSockets, FourCopiesContend) {
    constexpr std::uint64_t kBytes = 96U << 20;
    const double uplink = kPcie * 64 / 84;
    const double there = together({{cpu[0], gpu[2]}, {cpu[0], gpu[3]}}, BulkOperation::read, kBytes);
    EXPECT_NEAR(there, 2 * kBytes / uplink, there * 0.03);
    const double all =
        together({{cpu[0], gpu[2]}, {cpu[0], gpu[3]}, {cpu[1], gpu[0]}, {cpu[1], gpu[1]}}, BulkOperation::read, kBytes);
    EXPECT_NEAR(all, 2 * kBytes / 9.6, all * 0.03);
}

/// GPU 1 reaches GPU 2 through its neighbour 0: over PCIe, then NVLink, chunk by chunk. n bytes in chunks of c take
/// n / slow + c / fast.
TEST_F(TwoSockets, ACopyThroughANeighbourIsPipelined) {
    constexpr std::uint64_t kBytes = 64U << 20, kChunk = 1U << 20;
    StagedCopy copy;
    copy.stages = {{graph.uses(graph.way(gpu[1], gpu[0]), BulkOperation::write), 0, {}},
                   {graph.uses(graph.way(gpu[0], gpu[2]), BulkOperation::write), 0, {}}};
    copy.chunk_bytes = kChunk;
    FluidNetwork network = graph.network();
    bool done = false;
    start_staged(network, copy, kBytes, [&done] { done = true; });
    const double slow = kPcie * 128 / 152, fast = 20 * 128.0 / 144;
    EXPECT_NEAR(network.run(), kBytes / slow + kChunk / fast, 1);
    EXPECT_TRUE(done);
}

/// One buffer: filling and emptying take turns.
TEST_F(TwoSockets, WithOneBufferStagesTakeTurns) {
    constexpr std::uint64_t kBytes = 8U << 20, kChunk = 1U << 20;
    StagedCopy copy;
    copy.stages = {{{}, 0, [](std::uint64_t, std::uint64_t bytes) { return static_cast<double>(bytes) / 10; }},
                   {graph.uses(graph.way(gpu[0], gpu[2]), BulkOperation::write), 0, {}}};
    copy.chunk_bytes = kChunk;
    copy.buffers = 1;
    FluidNetwork network = graph.network();
    start_staged(network, copy, kBytes, {});
    const double fast = 20 * 128.0 / 144;
    EXPECT_NEAR(network.run(), kBytes / 10.0 + kBytes / fast, kBytes / 1000.0);
}

/// With two they overlap; the slower stage sets the pace, and waits for used buffers where that costs.
TEST_F(TwoSockets, WaitingForBuffersCostsFromTheThirdChunkOn) {
    constexpr std::uint64_t kChunk = 1U << 20;
    StagedCopy copy;
    copy.stages = {{{}, 0, [](std::uint64_t, std::uint64_t) { return 100'000.0; }},
                   {{}, 0, [](std::uint64_t, std::uint64_t) { return 10'000.0; }}};
    copy.chunk_bytes = kChunk;
    copy.reuse_ns = 5000;
    for (const std::uint64_t chunks : {1U, 2U, 3U, 10U}) {
        FluidNetwork network;
        start_staged(network, copy, chunks * kChunk - 1, {});
        const double reused = chunks > 2 ? static_cast<double>(chunks - 2) * 5000 : 0;
        EXPECT_NEAR(network.run(), static_cast<double>(chunks) * 100'000 + reused + 10'000, 1e-3);
    }
}

TEST(LinkFormat, CountsPackets) {
    const LinkFormat format = pcie();
    EXPECT_EQ(format.packets(0, BulkOperation::read), 0U);
    EXPECT_EQ(format.packets(65, BulkOperation::read), 2U);
    EXPECT_EQ(format.packets(128, BulkOperation::write), 1U);
    EXPECT_EQ(format.request_weight(BulkOperation::write), 0);
}

} // namespace
} // namespace numavp::test
