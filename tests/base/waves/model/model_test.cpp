/// A Verilated model of somebody else among the waveforms, beside a bridge's pins: what an RTL team does by code.
#include <Vwatched_counter.h>
#include <memory>
#include <verilated.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <systemc>

#include "base/time/clockwork.h"
#include "rtl/blocks.h"
#include "rtl/model_waves.h"
#include "tests/base/waves/vcd.h"
#include "tests/support/temp_dir.h"
#include "tests/tlm-links/line_traffic.h"
#include "tlm-links/axi/axi4_waves.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/edge/wave_clock.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(ModelWaves, ShowAVerilatedModelAtItsEdges) {
    const TempDir dir;
    std::uint64_t now = 0;
    const WaveClock clock{[&] { return now; }, [&] { return now + 1000; }};
    Waves waves(make_vcd_file(dir.path("w.vcd")));
    VerilatedContext context;
    Vwatched_counter counter(&context, "");
    rtl::ModelWaves watch(counter, waves, "bench", clock);

    counter.enable = 1;
    for (; now < 5000; now += 1000) {
        if (now == 3000) counter.enable = 0;
        counter.clk = 0;
        counter.eval();
        counter.clk = 1;
        counter.eval();
        watch.rise();
    }
    waves.close();

    const Vcd vcd = read_vcd(dir.path("w.vcd"));
    EXPECT_THAT(vcd.faults, IsEmpty());
    const std::string bench = "bench.watched_counter.";
    for (std::uint64_t edge = 0; edge < 5; ++edge) {
        EXPECT_EQ(vcd.number_at(bench + "clk", edge * 1000), 1U);
        if (edge > 0) {
            EXPECT_EQ(vcd.number_at(bench + "clk", edge * 1000 - 500), 0U);
        }
        EXPECT_EQ(vcd.number_at(bench + "low[31:0]", edge * 1000), std::min<std::uint64_t>(edge + 1, 3));
    }
    EXPECT_THAT(vcd.signals.at(bench + "enable"), ElementsAre(Pair(0, "1"), Pair(3000, "0")));
    const std::string three(30, '0'), not_three(30, '1');
    EXPECT_EQ(vcd.at(bench + "count[95:0]", 4000), three + "11" + not_three + "00" + three + "11");
}

/// One write and one read through a bridge to RTL memory; the RTL's ports and our pins show the same handshakes.
class Bench final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(Bench);
    Bench(const sc_core::sc_module_name& name, rtl::AxiSubordinate& memory, const ClockDomain& clock)
        : sc_module(name), bridge("bridge", {{}, {0, rtl::Axi4RamBlock::kBytes}}, clock, memory) {
        socket.bind(backward_);
        socket.bind(bridge.socket);
        SC_THREAD(run);
    }
    tlm::tlm_initiator_socket<> socket{"socket"};
    TlmToAxi4 bridge;
    bool finished = false;
    std::array<unsigned char, 128> data{};

  private:
    struct Backward final : tlm::tlm_bw_transport_if<> {
        tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
            return tlm::TLM_ACCEPTED;
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    } backward_;
    void access(tlm::tlm_command command) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(0x400);
        payload.set_data_ptr(data.data());
        payload.set_data_length(static_cast<unsigned>(data.size()));
        payload.set_streaming_width(static_cast<unsigned>(data.size()));
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
        wait(delay + sc_core::sc_time(20, sc_core::SC_NS)); // the bridge is idle between
    }
    void run() {
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(i + 1);
        access(tlm::TLM_WRITE_COMMAND);
        data.fill(0);
        access(tlm::TLM_READ_COMMAND);
        finished = true;
    }
};

/// Edges before which both were 1.
unsigned handshakes(const Vcd& vcd, const std::string& valid, const std::string& ready,
                    const std::vector<std::uint64_t>& edges) {
    unsigned count = 0;
    for (const std::uint64_t edge : edges)
        if (edge > 0 && vcd.number_at(valid, edge - 1) == 1 && vcd.number_at(ready, edge - 1) == 1) ++count;
    return count;
}

TEST(BridgeWaves, ShowPinsAndTheMemoryBehindThem) {
    const TempDir dir;
    Clockwork clockwork("clockwork");
    const ClockDomain& clock = clockwork.domain(1'000'000);
    Waves waves(make_vcd_file(dir.path("w.vcd")));
    rtl::Axi4RamBlock ram;
    ram.watch(waves, "memory", wave_clock(clock));
    WatchedSubordinate watched(ram, waves, "pins", wave_clock(clock));
    Bench bench("bench", watched, clock);
    sc_core::sc_start(1, sc_core::SC_US);
    ASSERT_TRUE(bench.finished);
    waves.close();

    const Vcd vcd = read_vcd(dir.path("w.vcd"));
    EXPECT_THAT(vcd.faults, IsEmpty());
    std::vector<std::uint64_t> edges;
    for (const auto& [ps, bit] : vcd.signals.at("memory.axi4_ram.clk"))
        if (bit == "1") edges.push_back(ps);
    EXPECT_EQ(edges.size(), bench.bridge.cycles());
    for (const std::string port : {"pins.", "memory.axi4_ram."}) {
        EXPECT_EQ(handshakes(vcd, port + "awvalid", port + "awready", edges), 1U) << port;
        EXPECT_EQ(handshakes(vcd, port + "wvalid", port + "wready", edges), 2U) << port; // 128 bytes
        EXPECT_EQ(handshakes(vcd, port + "bvalid", port + "bready", edges), 1U) << port;
        EXPECT_EQ(handshakes(vcd, port + "arvalid", port + "arready", edges), 1U) << port;
        EXPECT_EQ(handshakes(vcd, port + "rvalid", port + "rready", edges), 2U) << port;
    }
    for (const auto& [ps, bits] : vcd.signals.at("pins.rdata[511:0]"))
        if (ps > 0 && vcd.number_at("pins.rvalid", ps) == 1) {
            EXPECT_EQ(bits, vcd.at("memory.axi4_ram.rdata[511:0]", ps)) << ps;
        }
}

} // namespace
} // namespace numavp::test
