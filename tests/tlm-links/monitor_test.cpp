/// The monitor's counts on a wire whose times are known.
#include <vector>

#include <gtest/gtest.h>

#include "tests/tlm-links/line_traffic.h"
#include "tlm-links/protocol/monitor.h"

namespace numavp::test {
namespace {

TEST(Monitor, CountsRequestsBytesAndLatency) {
    Clockwork clockwork("clockwork");
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    LineDriverConfig traffic;
    traffic.count = 500;
    traffic.outstanding = 6;
    traffic.refuses = false;
    LineDriver driver("driver", traffic, clock, pool, 0);
    LineMemory memory("memory", 2, clock, 0);
    memory.longest_cycles = 1; // in order: the driver's reference holds
    Monitor monitor("monitor");
    driver.port.socket.bind(monitor.above);
    monitor.below.bind(memory.port.socket);
    std::uint64_t latency_sum = 0;
    unsigned writes = 0;
    monitor.set_recorder([&](const Monitor::Record& record) {
        latency_sum += record.response_ps - record.request_ps;
        writes += record.payload.is_write();
    });
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    ASSERT_TRUE(driver.finished());
    EXPECT_EQ(driver.wrong(), 0U);
    const WireStats& stats = monitor.stats();
    EXPECT_EQ(stats.requests, 500U);
    EXPECT_EQ(stats.responses, 500U);
    EXPECT_EQ(stats.errors, 0U);
    EXPECT_EQ(stats.bytes_written, 128U * writes);
    EXPECT_EQ(stats.bytes_read, 128U * (500 - writes));
    EXPECT_EQ(stats.latency_ps.sum(), latency_sum);
    EXPECT_EQ(stats.latency_ps.count(), 500U);
    EXPECT_EQ(stats.latency_ps.min(), 2000U) << "taken at once: one cycle in the memory, one on its wire";
    EXPECT_GT(stats.deferred, 0U);
    EXPECT_LE(stats.in_flight_max, 6U);
    EXPECT_GE(stats.in_flight_max, 3U);
    EXPECT_EQ(monitor.in_flight(), 0U);
}

} // namespace
} // namespace numavp::test
