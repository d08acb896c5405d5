/// Foreign initiators at the ports of sockets: debug access, and models that pause or stop the simulation.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "base/values/error.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/small_system.h"

namespace numavp::test {
namespace {

using Bytes = std::vector<unsigned char>;
using sc_core::sc_time;
using ::testing::HasSubstr;

/// Nothing but the ports gives work.
Workload idle_workload() {
    Workload none;
    none.name = "none";
    return none;
}

/// Runs a script at time 0.
class Scripted final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(Scripted);
    Scripted(sc_core::sc_module_name name, std::function<void(Scripted&)> script)
        : sc_module(name), socket("socket"), script_(std::move(script)) {
        SC_THREAD(run);
    }
    tlm_utils::simple_initiator_socket<Scripted> socket;
    bool finished = false;

    Bytes read(std::uint64_t address, std::size_t count) {
        Bytes bytes(count, 0xee);
        EXPECT_EQ(access(tlm::TLM_READ_COMMAND, address, bytes, false), count);
        return bytes;
    }
    void write(std::uint64_t address, Bytes bytes) {
        EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, address, bytes, false), bytes.size());
    }
    unsigned debug(tlm::tlm_command command, std::uint64_t address, Bytes& bytes) {
        return access(command, address, bytes, true);
    }

  private:
    void run() {
        script_(*this);
        finished = true;
    }
    unsigned access(tlm::tlm_command command, std::uint64_t address, Bytes& bytes, bool debug) {
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(bytes.data());
        payload.set_data_length(static_cast<unsigned>(bytes.size()));
        payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
        if (debug) return socket->transport_dbg(payload);
        sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(payload, delay);
        return payload.is_response_ok() ? payload.get_data_length() : 0;
    }
    std::function<void(Scripted&)> script_;
};

Bytes counted(std::size_t count, unsigned char first) {
    Bytes bytes(count);
    for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(first + i);
    return bytes;
}

class DebugAccess : public ::testing::TestWithParam<L2Organisation> {};

/// A loader fills memory before anything has run; later changes meet lines that L2s hold, dirty and as copies.
TEST_P(DebugAccess, WritesWhatPortsOfAllSocketsRead) {
    SystemConfig config = small_system(2);
    config.socket.l2.organisation = GetParam();
    SystemOptions options;
    options.core_ports = 1;
    const Workload none = idle_workload();
    const std::uint64_t base = std::uint64_t{300} << 20; // of socket 0's memory
    Scripted far("far", [&](Scripted& port) {
        sc_core::wait(sc_time(10, sc_core::SC_US));
        EXPECT_EQ(port.read(base, 400)[5], 8) << "now there are copies in the other socket";
        sc_core::wait(sc_time(10, sc_core::SC_US)); // near changes them
        Bytes expected = counted(400, 3);
        std::fill(expected.begin() + 130, expected.begin() + 140, 0x77);
        std::fill(expected.begin() + 3, expected.begin() + 6, 0x99);
        EXPECT_EQ(port.read(base, 400), expected);
    });
    Scripted near("near", [&](Scripted& port) {
        Bytes loaded = counted(400, 3);
        EXPECT_EQ(port.debug(tlm::TLM_WRITE_COMMAND, base, loaded), 400U);
        Bytes seen(400);
        EXPECT_EQ(port.debug(tlm::TLM_READ_COMMAND, base, seen), 400U);
        EXPECT_EQ(seen, loaded);
        EXPECT_EQ(port.read(base, 400), loaded);
        port.write(base + 130, Bytes(10, 0x55)); // a dirty part of a line
        sc_core::wait(sc_time(15, sc_core::SC_US));
        Bytes change(10, 0x77);
        EXPECT_EQ(port.debug(tlm::TLM_WRITE_COMMAND, base + 130, change), 10U);
        Bytes other(3, 0x99);
        EXPECT_EQ(port.debug(tlm::TLM_WRITE_COMMAND, base + 3, other), 3U);
        EXPECT_EQ(port.read(base + 130, 10), change);
        EXPECT_EQ(port.read(base + 3, 3), other);
        Bytes beyond(8);
        EXPECT_EQ(port.debug(tlm::TLM_WRITE_COMMAND, ~std::uint64_t{0} - 100, beyond), 0U) << "no memory is there";
    });
    System system(config, none, options);
    near.socket.bind(system.core_port(0, 0));
    far.socket.bind(system.core_port(1, 0));
    system.run_for(60'000);
    EXPECT_TRUE(near.finished);
    EXPECT_TRUE(far.finished);
    system.run();
}

INSTANTIATE_TEST_SUITE_P(All, DebugAccess, ::testing::Values(L2Organisation::memory_side, L2Organisation::numa_aware));

/// Calls `what` at 30 ns.
struct Caller final : sc_core::sc_module {
    SC_HAS_PROCESS(Caller);
    Caller(sc_core::sc_module_name name, std::function<void()> call) : sc_module(name), what(std::move(call)) {
        SC_THREAD(run);
    }
    void run() {
        wait(sc_time(30, sc_core::SC_NS));
        what();
    }
    std::function<void()> what;
};

TEST(ForeignModels, APauseShortensNoStep) {
    Caller caller("caller", [] { sc_core::sc_pause(); });
    const Workload none = idle_workload();
    System system(small_system(1), none);
    system.run_for(1000);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(1, sc_core::SC_US));
    system.run_for(1000);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(2, sc_core::SC_US));
}

TEST(ForeignModels, AStopWithinAStepIsReported) {
    Caller caller("caller", [] { sc_core::sc_stop(); });
    const Workload none = idle_workload();
    System system(small_system(1), none);
    try {
        system.run_for(1000);
        ADD_FAILURE() << "the step was shortened without a word";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), HasSubstr("stopped the simulation by sc_stop() at 30 ns, 970000 ps early"));
    }
}

} // namespace
} // namespace numavp::test
