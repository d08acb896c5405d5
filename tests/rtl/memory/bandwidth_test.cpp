/// What a bridge and an RTL memory behind it reach under load, in counted cycles: 98 % of the smaller of the channel
/// and 64 bytes a cycle, for reads, writes and both; at the bridge alone, and from the SMs of a GPU socket.
#include <algorithm>
#include <cmath>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "platform/machine/system.h"
#include "rtl/axi4_channel_block.h"
#include "rtl/blocks.h"
#include "tests/support/fast_build.h"
#include "tests/support/hand_kernel.h"
#include "tests/support/needs.h"
#include "tests/support/run_apart.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/tlm_to_axi4.h"

namespace numavp::test {
namespace {

using nlohmann::json;

enum class Mix : std::uint8_t { reads, writes, both };
const char* const kMixes[] = {"reads", "writes", "both"};

struct Load {
    Mix mix = Mix::reads;
    unsigned gbps = 24; ///< of a channel, at 1 GHz: bytes a cycle
};
std::ostream& operator<<(std::ostream& out, const Load& load) {
    return out << kMixes[static_cast<unsigned>(load.mix)] << "_" << load.gbps;
}
std::vector<Load> loads() {
    std::vector<Load> all;
    for (const Mix mix : {Mix::reads, Mix::writes, Mix::both})
        for (const unsigned gbps : {24U, 48U, 64U, 96U}) all.push_back({mix, gbps});
    return all;
}
bool writes(Mix mix, std::uint64_t i) { return mix == Mix::writes || (mix == Mix::both && i % 2 != 0); }

void expect_rate(const Load& load, double bytes_per_cycle) {
    ::testing::Test::RecordProperty("bytes_per_cycle", std::to_string(bytes_per_cycle));
    EXPECT_GE(bytes_per_cycle, 0.98 * std::min(load.gbps, 64U));
    // Reads and writes each have 64 bytes a cycle of the pins, and share the channel.
    EXPECT_LE(bytes_per_cycle, std::min(load.gbps, load.mix == Mix::both ? 128U : 64U));
}

class Bandwidth : public ::testing::TestWithParam<Load> {};

// --- the bridge alone

/// Sends lines one after the other, a BEGIN_REQ a cycle if the bridge lets it, and takes responses at once.
class Sender final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<>, public tlm::tlm_mm_interface {
  public:
    SC_HAS_PROCESS(Sender);
    Sender(const sc_core::sc_module_name& name, Mix mix, unsigned count)
        : sc_module(name), socket("socket"), mix_(mix), count_(count) {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
        SC_THREAD(send);
    }
    tlm::tlm_initiator_socket<> socket;
    unsigned answered = 0;

    void free(tlm::tlm_generic_payload* payload) override { payload->reset(); }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override {
        if (phase == tlm::END_REQ) {
            request_ended_.notify();
            return tlm::TLM_ACCEPTED;
        }
        ++answered;
        EXPECT_TRUE(payload.is_response_ok());
        payload.release();
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    void send() {
        const sc_core::sc_time cycle(1, sc_core::SC_NS);
        for (unsigned i = 0; i < count_; ++i) {
            wait(cycle);
            auto& p = *payloads_.emplace_back(std::make_unique<tlm::tlm_generic_payload>(this));
            p.acquire();
            p.set_command(writes(mix_, i) ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
            p.set_address(std::uint64_t{i} * kLineBytes);
            p.set_data_ptr(data_);
            p.set_data_length(kLineBytes);
            p.set_streaming_width(kLineBytes);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            const tlm::tlm_sync_enum status = socket->nb_transport_fw(p, phase, delay);
            if (status == tlm::TLM_ACCEPTED) wait(request_ended_);
        }
    }
    Mix mix_;
    unsigned count_;
    unsigned char data_[kLineBytes]{};
    std::vector<std::unique_ptr<tlm::tlm_generic_payload>> payloads_;
    sc_core::sc_event request_ended_;
};

TEST_P(Bandwidth, OfABridgeIsThatOfTheChannelOrOfThePins) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const Load& load = GetParam();
    const unsigned count = kFastBuild ? 40'000 : 10'000;
    Clockwork clockwork("clockwork");
    rtl::Axi4ChannelConfig memory;
    memory.bytes_per_s = load.gbps * std::uint64_t{1'000'000'000};
    memory.stores = false;
    rtl::Axi4ChannelBlock channel(memory);
    TlmToAxi4Config config;
    config.manager.ids = rtl::Axi4ChannelBlock::kIds;
    TlmToAxi4 bridge("bridge", config, clockwork.domain(1'000'000), channel);
    Axi4Monitor monitor;
    bridge.observe([&](const auto& m, const auto& s) { monitor.observe(m, s); });
    Sender sender("sender", load.mix, count);
    sender.socket.bind(bridge.socket);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));

    EXPECT_EQ(sender.answered, count);
    EXPECT_TRUE(bridge.empty());
    monitor.finish();
    EXPECT_EQ(monitor.breaches(), std::vector<std::string>{});
    expect_rate(load, double{kLineBytes} * count / static_cast<double>(bridge.cycles()));
}

// --- from the SMs of a socket

/// Two channels, and around them all that is wide and deep enough to keep them busy.
SystemConfig wide_socket(const Load& load) {
    SystemConfig c;
    c.sockets = 1;
    c.socket.sms = 8;
    c.socket.noc.request_bytes_per_cycle = c.socket.noc.response_bytes_per_cycle = 512;
    c.socket.l2.slices = c.socket.memory.channels = 2;
    c.socket.l2.size_kib = 256;
    c.socket.l2.bytes_per_cycle = 512;
    c.socket.l2.entries = 512;
    c.socket.l2.write_policy = WritePolicy::write_through;
    c.socket.memory.bandwidth_gbps = 2.0 * load.gbps;
    c.socket.memory.model = MemoryModel::axi4_rtl;
    c.dispatch.launch_cycles = 0;
    c.checks.protocol = !kFastBuild;
    return c;
}

TEST_P(Bandwidth, OfASocketsChannelsIsThatOfTheChannelOrOfThePins) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const Load& load = GetParam();
    const SystemConfig config = wide_socket(load);
    constexpr unsigned kWarps = 32;
    const unsigned lines = kFastBuild ? 400 : 120; // of a warp
    const unsigned sms = config.socket.sms;
    const Workload workload =
        hand_workload({hand_launch("stream", sms, kWarps, [&](std::uint64_t block, unsigned warp) {
            WarpCode code;
            for (std::uint64_t i = 0; i < lines; ++i) {
                const std::uint64_t line = kHandBase + ((i * kWarps + warp) * sms + block) * kLineBytes;
                code.push_back(writes(load.mix, warp) ? store(line) : load_past_l1(line));
            }
            return code;
        })});
    System system(config, workload);
    system.run();
    const json values = system.stats().values();
    const std::uint64_t bytes = stat(values, "socket0.memory.read_bytes") + stat(values, "socket0.memory.write_bytes");
    EXPECT_EQ(bytes, std::uint64_t{lines} * kWarps * sms * kLineBytes);
    expect_rate(load, static_cast<double>(bytes) / 2.0 / static_cast<double>(kernel_cycles(system, "stream")));
}

INSTANTIATE_TEST_SUITE_P(All, Bandwidth, ::testing::ValuesIn(loads()), [](const auto& param) {
    return std::string(kMixes[static_cast<unsigned>(param.param.mix)]) + "_" + std::to_string(param.param.gbps);
});

} // namespace
} // namespace numavp::test
