/// The memory channel in RTL beside the one in C++: an idle access differs by the documented cycles of adapter and
/// bridge, whatever clock, bandwidth and latency are; and nothing is simulated while nothing is in flight.
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/memory/channel/axi4_channel.h"
#include "models/memory/channel/channel.h"
#include "rtl/blocks.h"
#include "tests/rtl/memory/asker.h"
#include "tests/support/needs.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

struct Access {
    const char* name;
    Kind kind;
    ByteMask mask;
};
const std::vector<Access>& accesses() {
    static const std::vector<Access> all{{"read", Kind::fill, ByteMask::full()},
                                         {"write", Kind::write, ByteMask::full()},
                                         {"a sector", Kind::write, ByteMask::range(70, 3)},
                                         {"three sectors", Kind::write, ByteMask::range(31, 64)},
                                         // A read of a part costs its sectors in the one, a line in the other, which
                                         // a machine with sectors refuses.
                                         {"read again", Kind::load, ByteMask::full()}};
    return all;
}

/// One of so many bytes a second.
ChannelConfig channel_of(std::uint64_t bytes_per_s) {
    ChannelConfig config;
    config.channels = 1;
    config.bandwidth_gbps = static_cast<double>(bytes_per_s) / 1e9;
    return config;
}

/// Both channels of one configuration, asked the same.
struct Pair {
    Pair(const std::string& label, const ChannelConfig& config, ClockDomain& clock, TxnPool& pool, unsigned index)
        : asker(("asker_" + label).c_str(), clock, pool), rtl_asker(("rtl_asker_" + label).c_str(), clock, pool),
          channel(("channel_" + label).c_str(), config, clock, Rank{0, kRankChannel, index}),
          rtl(("rtl_" + label).c_str(), config, EdgeResources{clock, pool, Rank{1, kRankChannel, index}}, Slicing{1}) {
        asker.port.socket.bind(channel.port(0));
        rtl_asker.port.socket.bind(rtl.port(0));
    }
    void ask(Cycle edge, Kind kind, std::uint64_t line, ByteMask mask) {
        for (Asker* to : {&asker, &rtl_asker}) to->ask(edge, kind, line, mask);
    }
    void ask_all() {
        for (std::size_t i = 0; i < accesses().size(); ++i)
            ask(100 + 3'000 * i, accesses()[i].kind, kLineBytes * i, accesses()[i].mask);
    }
    Asker asker, rtl_asker;
    Channel channel;
    Axi4Channel rtl;
};

TEST(Axi4Channel, AnIdleAccessDiffersByTheDocumentedCycles) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    Clockwork clockwork("clockwork");
    TxnPool pool;
    std::vector<std::string> labels;
    std::vector<std::unique_ptr<Pair>> pairs;
    for (const std::uint64_t khz : {1'000'000ULL, 1'410'000ULL}) {
        ClockDomain& clock = clockwork.domain(khz);
        for (const std::uint64_t rate :
             {24'000'000'000ULL, 48'000'000'000ULL, 64'000'000'000ULL, 96'000'000'000ULL, 13'731'000'000ULL})
            for (const unsigned latency : {1U, 2U, 100U, 777U}) {
                ChannelConfig config = channel_of(rate);
                config.latency_ns = latency * 1e6 / static_cast<double>(khz);
                labels.push_back(std::to_string(khz) + "kHz_" + std::to_string(rate) + "Bps_" +
                                 std::to_string(latency));
                pairs.push_back(
                    std::make_unique<Pair>(labels.back(), config, clock, pool, static_cast<unsigned>(pairs.size())));
                pairs.back()->ask_all();
            }
    }
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
    for (std::size_t n = 0; n < pairs.size(); ++n) {
        SCOPED_TRACE(labels[n]);
        const std::vector<Cycle>& own = pairs[n]->asker.took();
        const std::vector<Cycle>& rtl = pairs[n]->rtl_asker.took();
        ASSERT_EQ(own.size(), accesses().size());
        ASSERT_EQ(rtl.size(), accesses().size());
        for (std::size_t i = 0; i < own.size(); ++i) {
            const bool write = accesses()[i].kind == Kind::write;
            EXPECT_EQ(rtl[i], own[i] + (write ? Axi4Channel::kWriteCycles : Axi4Channel::kReadCycles))
                << accesses()[i].name;
        }
        const ChannelCounts& a = pairs[n]->channel.counts();
        const ChannelCounts& b = pairs[n]->rtl.counts();
        EXPECT_EQ(a.reads, b.reads);
        EXPECT_EQ(a.writes, b.writes);
        EXPECT_EQ(a.read_bytes, b.read_bytes);
        EXPECT_EQ(a.write_bytes, b.write_bytes);
        EXPECT_EQ(pairs[n]->channel.busy_bytes(), pairs[n]->rtl.busy_bytes());
    }
    EXPECT_EQ(pool.in_flight(), 0U);
}

/// Requests wait for each other in both alike, so that even those of bursts differ by the same cycles. The pins carry a
/// beat a cycle: they do not come faster.
TEST(Axi4Channel, UnderLoadAccessesDifferByTheSame) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    Clockwork clockwork("clockwork");
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    std::vector<std::unique_ptr<Pair>> pairs;
    std::vector<Kind> kinds;
    for (const Kind kind : {Kind::fill, Kind::write})
        for (const std::uint64_t rate : {9'000'000'000ULL, 24'000'000'000ULL, 37'500'000'000ULL, 48'000'000'000ULL}) {
            const auto n = static_cast<unsigned>(pairs.size());
            const ChannelConfig config = channel_of(rate);
            pairs.push_back(std::make_unique<Pair>("loaded" + std::to_string(n), config, clock, pool, n));
            kinds.push_back(kind);
            Rng random(n, 0);
            for (Cycle burst = 100; burst < 400'000; burst += 2'000) {
                Cycle edge = burst;
                for (unsigned i = 0; i < 50; ++i) {
                    edge += 2 + (random.chance(1, 4) ? random.below(40) : 0);
                    ByteMask mask = ByteMask::full();
                    if (kind == Kind::write && random.chance(1, 2))
                        mask = ByteMask::range(static_cast<unsigned>(random.below(32)), 90);
                    pairs.back()->ask(edge, kind, kLineBytes * random.below(1 << 20), mask);
                }
            }
        }
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    for (std::size_t n = 0; n < pairs.size(); ++n) {
        SCOPED_TRACE("pair " + std::to_string(n));
        const std::vector<Cycle>& own = pairs[n]->asker.took();
        const std::vector<Cycle>& rtl = pairs[n]->rtl_asker.took();
        ASSERT_EQ(own.size(), 10'000U);
        const unsigned more = kinds[n] == Kind::write ? Axi4Channel::kWriteCycles : Axi4Channel::kReadCycles;
        unsigned other = 0, waited = 0;
        for (std::size_t i = 0; i < own.size(); ++i) {
            other += rtl[i] != own[i] + more;
            waited += own[i] > own[0] + 10;
        }
        EXPECT_EQ(other, 0U);
        EXPECT_GT(waited, 0U) << "no request waited for another";
    }
    EXPECT_EQ(pool.in_flight(), 0U);
}

TEST(Axi4Channel, SimulatesNothingWhileNothingIsInFlight) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    Clockwork clockwork("clockwork");
    TxnPool pool;
    const ChannelConfig config = channel_of(24'000'000'000); // 24 B a cycle, 100 cycles
    Pair pair("idle", config, clockwork.domain(1'000'000), pool, 0);
    pair.ask_all();
    const auto run_us = [](double us) { sc_core::sc_start(sc_core::sc_time(us, sc_core::SC_US)); };
    // A read is on the pins one edge after the adapter's call, and has ended when the bridge answers.
    const auto cycles_of = [&](std::size_t i) { return pair.rtl_asker.took()[i] - 3; };
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < accesses().size(); ++i) {
        run_us(1); // asked after 100 cycles of each 3000
        expected += cycles_of(i);
        EXPECT_EQ(pair.rtl.bridge().cycles(), expected) << accesses()[i].name;
        const auto deliveries = clockwork.deliveries();
        run_us(2);
        EXPECT_EQ(pair.rtl.bridge().cycles(), expected) << "idle after " << accesses()[i].name;
        EXPECT_EQ(clockwork.deliveries(), deliveries);
    }
    run_us(1'000'000);
    EXPECT_EQ(pair.rtl.bridge().cycles(), expected) << "after a second";
}

} // namespace
} // namespace numavp::test
