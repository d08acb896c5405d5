/// The edge adapters between the platform and foreign models of every legal style, with checkers on both sides and
/// every value compared with a flat memory.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/fast_build.h"
#include "tests/tlm-links/foreign_initiator.h"
#include "tests/tlm-links/foreign_target.h"
#include "tests/tlm-links/line_traffic.h"
#include "tlm-links/edge/edge_initiator_adapter.h"
#include "tlm-links/edge/edge_target_adapter.h"
#include "tlm-links/protocol/monitor.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

using sc_core::sc_time;

const unsigned kAccessesOfOne = of_campaign(2000, 400); ///< accesses of an initiator

std::string numbered(const char* name, std::size_t i) { return name + std::to_string(i); }

Rank edge_rank(std::size_t i, unsigned side) {
    return {kSystemRank, kRankEdge, static_cast<std::uint32_t>(2 * i + side)};
}

/// One simulation: a clock, a pool, checkers, and the time within which all must have ended.
struct EdgeBench {
    Clockwork clockwork{"clockwork"};
    ClockDomain& clock = clockwork.domain(1'410'000);
    TxnPool pool;
    ProtocolRules inside = ProtocolRules::platform(clock, clock);
    ProtocolRules outside;
    std::vector<std::unique_ptr<ProtocolChecker>> checkers;

    EdgeBench() { pool.functional = true; }
    void wire(tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const ProtocolRules& rules) {
        checkers.push_back(bind_checked(from, to, numbered("checker", checkers.size()).c_str(), &rules));
    }
    void run(double ms) {
        sc_core::sc_start(sc_time(ms, sc_core::SC_MS));
        for (const auto& checker : checkers) checker->finish();
        EXPECT_EQ(pool.in_flight(), 0U);
        EXPECT_TRUE(clockwork.idle());
    }
};

void expect_right(const ForeignInitiator& initiator, const FlatMemory& memory) {
    EXPECT_TRUE(initiator.finished()) << "only " << initiator.answered() << " answered";
    EXPECT_EQ(initiator.wrong(), 0U);
    EXPECT_EQ(memory.first_difference(initiator.reference), std::nullopt);
}

// --- the family itself

TEST(ForeignModels, AreLegalAmongThemselves) {
    EdgeBench bench;
    std::vector<std::unique_ptr<ForeignInitiator>> initiators;
    std::vector<std::unique_ptr<ForeignTarget>> targets;
    for (const InitiatorStyle& i : initiator_styles()) {
        for (const TargetStyle& t : target_styles()) {
            const std::size_t n = initiators.size();
            initiators.push_back(std::make_unique<ForeignInitiator>(numbered("initiator", n).c_str(), i, 200, n));
            targets.push_back(std::make_unique<ForeignTarget>(numbered("target", n).c_str(), t, n));
            bench.wire(initiators.back()->socket, targets.back()->socket, bench.outside);
        }
    }
    bench.run(1);
    for (const auto& initiator : initiators) EXPECT_TRUE(initiator->finished()) << initiator->name();
}

// --- a foreign initiator on a platform port

struct Inside {
    EdgeInitiatorConfig config;
    unsigned memory_depth;
};

TEST(EdgeInitiatorAdapter, ServesEveryStyleRightly) {
    const Inside variants[] = {{{{}, 1, 1, 1, 1}, 1}, {{{}, 4, 16, 4, 2}, 4}, {{{}, 16, 3, 2, 7}, 2}};
    EdgeBench bench;
    std::vector<std::unique_ptr<ForeignInitiator>> initiators;
    std::vector<std::unique_ptr<EdgeInitiatorAdapter>> adapters;
    std::vector<std::unique_ptr<LineMemory>> memories;
    for (const InitiatorStyle& style : initiator_styles()) {
        for (Inside variant : variants) {
            const std::size_t n = initiators.size();
            initiators.push_back(
                std::make_unique<ForeignInitiator>(numbered("initiator", n).c_str(), style, kAccessesOfOne, n));
            variant.config.range = initiators[n]->range;
            adapters.push_back(
                std::make_unique<EdgeInitiatorAdapter>(numbered("adapter", n).c_str(), variant.config,
                                                       EdgeResources{bench.clock, bench.pool, edge_rank(n, 0)}));
            memories.push_back(std::make_unique<LineMemory>(numbered("memory", n).c_str(), variant.memory_depth,
                                                            bench.clock, static_cast<unsigned>(n)));
            bench.wire(initiators[n]->socket, adapters[n]->socket, bench.outside);
            bench.wire(adapters[n]->port.socket, memories[n]->port.socket, bench.inside);
        }
    }
    bench.run(10);
    for (std::size_t n = 0; n < initiators.size(); ++n) {
        SCOPED_TRACE(std::string(initiator_styles()[n / 3].name) + ", variant " + std::to_string(n % 3));
        expect_right(*initiators[n], memories[n]->memory);
        EXPECT_TRUE(adapters[n]->empty());
    }
}

// --- a foreign target behind a platform port

TEST(EdgeTargetAdapter, DrivesEveryStyleRightly) {
    EdgeBench bench;
    std::vector<std::unique_ptr<LineDriver>> drivers;
    std::vector<std::unique_ptr<EdgeTargetAdapter>> adapters;
    std::vector<std::unique_ptr<Monitor>> monitors;
    std::vector<std::unique_ptr<ForeignTarget>> targets;
    std::vector<std::string> names;
    for (const TargetStyle& style : target_styles()) {
        for (unsigned variant = 0; variant < 4; ++variant) {
            const std::size_t n = drivers.size();
            EdgeTargetConfig config;
            config.inlet_depth = 1 + variant % 2 * 3;
            config.outstanding = variant == 0 ? 1 : 12;
            config.port_depth = 1 + variant % 3;
            config.response_end = static_cast<ResponseEnd>(variant % 3);
            config.blocking = variant == 3;
            LineDriverConfig traffic;
            traffic.count = kAccessesOfOne;
            traffic.port_depth = 1 + variant;
            traffic.atomic_percent = variant == 2 ? 5 : 0;
            traffic.seed = n;
            drivers.push_back(std::make_unique<LineDriver>(numbered("driver", n).c_str(), traffic, bench.clock,
                                                           bench.pool, static_cast<unsigned>(n)));
            adapters.push_back(std::make_unique<EdgeTargetAdapter>(
                numbered("adapter", n).c_str(), config, EdgeResources{bench.clock, bench.pool, edge_rank(n, 0)}));
            monitors.push_back(std::make_unique<Monitor>(numbered("monitor", n).c_str()));
            targets.push_back(std::make_unique<ForeignTarget>(numbered("target", n).c_str(), style, n));
            names.push_back(std::string(style.name) + ", variant " + std::to_string(variant));
            bench.wire(drivers[n]->port.socket, adapters[n]->port.socket, bench.inside);
            bench.wire(adapters[n]->socket, monitors[n]->above, bench.outside);
            monitors[n]->below.bind(targets[n]->socket);
        }
    }
    bench.run(10);
    for (std::size_t n = 0; n < drivers.size(); ++n) {
        SCOPED_TRACE(names[n]);
        EXPECT_TRUE(drivers[n]->finished());
        EXPECT_EQ(drivers[n]->wrong(), 0U);
        EXPECT_EQ(targets[n]->memory.first_difference(drivers[n]->reference), std::nullopt);
        EXPECT_TRUE(adapters[n]->empty());
        EXPECT_TRUE(targets[n]->empty());
        const WireStats& stats = monitors[n]->stats();
        EXPECT_EQ(stats.requests, targets[n]->served);
        EXPECT_EQ(stats.responses, stats.requests);
        EXPECT_EQ(stats.bytes_read + stats.bytes_written, 128 * stats.requests);
        EXPECT_LE(stats.in_flight_max, n % 4 == 0 ? 1U : 12U);
        EXPECT_EQ(monitors[n]->in_flight(), 0U);
    }
}

// --- both

TEST(EdgeAdapters, EveryInitiatorReachesEveryTarget) {
    EdgeBench bench;
    std::vector<std::unique_ptr<ForeignInitiator>> initiators;
    std::vector<std::unique_ptr<EdgeInitiatorAdapter>> in;
    std::vector<std::unique_ptr<EdgeTargetAdapter>> out;
    std::vector<std::unique_ptr<ForeignTarget>> targets;
    for (const InitiatorStyle& i : initiator_styles()) {
        for (const TargetStyle& t : target_styles()) {
            const std::size_t n = initiators.size();
            const EdgeResources in_parts{bench.clock, bench.pool, edge_rank(n, 0)};
            const EdgeResources out_parts{bench.clock, bench.pool, edge_rank(n, 1)};
            EdgeTargetConfig out_config;
            out_config.response_end = static_cast<ResponseEnd>(n % 3);
            out_config.blocking = n % 7 == 6;
            out_config.translate = [](std::uint64_t line) { return line - 0x40000 + 0x900000; };
            initiators.push_back(std::make_unique<ForeignInitiator>(numbered("initiator", n).c_str(), i, 200, n));
            EdgeInitiatorConfig in_config;
            in_config.range = initiators[n]->range;
            in.push_back(std::make_unique<EdgeInitiatorAdapter>(numbered("in", n).c_str(), in_config, in_parts));
            out.push_back(std::make_unique<EdgeTargetAdapter>(numbered("out", n).c_str(), out_config, out_parts));
            targets.push_back(std::make_unique<ForeignTarget>(numbered("target", n).c_str(), t, n));
            bench.wire(initiators[n]->socket, in[n]->socket, bench.outside);
            bench.wire(in[n]->port.socket, out[n]->port.socket, bench.inside);
            bench.wire(out[n]->socket, targets[n]->socket, bench.outside);
        }
    }
    bench.run(10);
    for (std::size_t n = 0; n < initiators.size(); ++n) {
        SCOPED_TRACE(std::string(initiator_styles()[n / target_styles().size()].name) + " to " +
                     target_styles()[n % target_styles().size()].name);
        EXPECT_TRUE(initiators[n]->finished()) << initiators[n]->answered();
        EXPECT_EQ(initiators[n]->wrong(), 0U);
        for (std::uint64_t at = 0; at < initiators[n]->range.size; ++at) { // at the translated addresses
            unsigned char have = 0;
            unsigned char want = 0;
            targets[n]->memory.read(0x900000 + at, &have, 1);
            initiators[n]->reference.read(0x40000 + at, &want, 1);
            ASSERT_EQ(have, want) << at;
        }
    }
}

// --- times, errors, debug

/// Sends single accesses from a thread.
struct Probe final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    SC_HAS_PROCESS(Probe);
    Probe(sc_core::sc_module_name name, std::function<void(Probe&)> script)
        : sc_module(name), socket("socket"), script_(std::move(script)) {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
        SC_THREAD(run);
    }
    void run() {
        script_(*this);
        finished = true;
    }
    /// A blocking access of `length` bytes; the status of its answer.
    tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, unsigned length,
                                    sc_time delay = sc_core::SC_ZERO_TIME) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(bytes);
        payload.set_data_length(length);
        payload.set_streaming_width(length);
        payload.set_dmi_allowed(false);
        socket->b_transport(payload, delay);
        EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
        EXPECT_FALSE(payload.is_dmi_allowed());
        return payload.get_response_status();
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    tlm::tlm_initiator_socket<> socket;
    unsigned char bytes[512]{};
    bool finished = false;

  private:
    std::function<void(Probe&)> script_;
};

/// A probe, an adapter with 1 cycle on its wire, and a memory that takes a cycle.
struct ProbeBench {
    explicit ProbeBench(std::function<void(Probe&)> script) : probe("probe", std::move(script)) {
        pool.functional = true;
        adapter.set_router([this](Txn& txn) {
            ++routed;
            txn.home = SocketId(3);
        });
        probe.socket.bind(adapter.socket);
        adapter.port.socket.bind(out.port.socket);
        out.socket.bind(target.socket);
    }
    static EdgeInitiatorConfig config() {
        EdgeInitiatorConfig config;
        config.range = {0x1000, 0x1000};
        return config;
    }
    Clockwork clockwork{"clockwork"};
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    unsigned routed = 0;
    Probe probe;
    EdgeInitiatorAdapter adapter{"adapter", config(), {clock, pool, edge_rank(0, 0)}};
    EdgeTargetAdapter out{"out", {}, {clock, pool, edge_rank(0, 1)}};
    ForeignTarget target{"target", target_styles().front(), 1};
};

TEST(EdgeAdapters, AnIdleAccessTakesTheDocumentedCycles) {
    ProbeBench bench([](Probe& probe) {
        const auto took = [&](const sc_time& delay) {
            const std::uint64_t before = sc_now_ps();
            EXPECT_EQ(probe.access(tlm::TLM_READ_COMMAND, 0x1000, 64, delay), tlm::TLM_OK_RESPONSE);
            return sc_now_ps() - before;
        };
        // Starts at the next edge; wire 1; the adapter of the target 1; its answer is seen 1 later; wire 1.
        EXPECT_EQ(took(sc_core::SC_ZERO_TIME), 5000U) << "called on an edge";
        sc_core::wait(sc_time(300, sc_core::SC_PS));
        EXPECT_EQ(took(sc_core::SC_ZERO_TIME), 4700U) << "called 300 ps after an edge";
        sc_core::wait(sc_time(400, sc_core::SC_PS));
        EXPECT_EQ(took(sc_time(10, sc_core::SC_NS)), 14600U) << "annotated with 10 ns, 400 ps after an edge";
        EXPECT_EQ(took(sc_time(9500, sc_core::SC_PS)), 14000U) << "annotated with 9.5 ns, on an edge";
    });
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_TRUE(bench.probe.finished);
    EXPECT_EQ(bench.routed, 4U);
}

TEST(EdgeAdapters, ErrorsComeBackAsStatus) {
    ProbeBench bench([](Probe& probe) {
        using namespace tlm;
        EXPECT_EQ(probe.access(TLM_READ_COMMAND, 0xfff, 1), TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(probe.access(TLM_READ_COMMAND, 0x2000, 1), TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(probe.access(TLM_WRITE_COMMAND, 0x1fff, 2), TLM_ADDRESS_ERROR_RESPONSE) << "half inside";
        EXPECT_EQ(probe.access(TLM_READ_COMMAND, 0x1fff, 1), TLM_ADDRESS_ERROR_RESPONSE) << "the target's own error";
        EXPECT_EQ(probe.access(TLM_READ_COMMAND, 0x1700, 512), TLM_ADDRESS_ERROR_RESPONSE) << "one line of four";
        EXPECT_EQ(probe.access(TLM_READ_COMMAND, 0x1000, 0), TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(probe.access(TLM_IGNORE_COMMAND, 0x1000, 1), TLM_OK_RESPONSE);
        EXPECT_EQ(probe.access(TLM_READ_COMMAND, 0x1000, 512), TLM_OK_RESPONSE);
    });
    bench.target.size = 0x1800;
    sc_core::sc_start(sc_time(10, sc_core::SC_US));
    EXPECT_TRUE(bench.probe.finished);
    EXPECT_TRUE(bench.adapter.empty());
    EXPECT_EQ(bench.pool.in_flight(), 0U);
}

TEST(EdgeAdapters, DebugAccessGoesThroughAndDmiIsRefused) {
    ProbeBench bench([](Probe& probe) {
        tlm::tlm_generic_payload payload;
        payload.set_read();
        payload.set_address(0x1010);
        payload.set_data_ptr(probe.bytes);
        payload.set_data_length(4);
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(probe.socket->get_direct_mem_ptr(payload, dmi));
        EXPECT_EQ(probe.socket->transport_dbg(payload), 4U);
        EXPECT_EQ(probe.bytes[0], 0xab);
        EXPECT_EQ(sc_now_ps(), 0U);
    });
    const unsigned char value = 0xab;
    bench.target.memory.write(0x1010, &value, std::size_t{1});
    bench.adapter.set_debug(&bench.out.port); // the platform would look into its caches first
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_TRUE(bench.probe.finished);
}

TEST(EdgeAdapters, DebugAccessWithoutAnAnswererTransfersNothing) {
    ProbeBench bench([](Probe& probe) {
        tlm::tlm_generic_payload payload;
        payload.set_data_length(4);
        EXPECT_EQ(probe.socket->transport_dbg(payload), 0U);
    });
    sc_core::sc_start(sc_time(1, sc_core::SC_US));
    EXPECT_TRUE(bench.probe.finished);
}

} // namespace
} // namespace numavp::test
