/// Initiators whose processes are killed or reset within a blocking call, at every time of the call: the call is
/// unwound, its answer goes nowhere, later calls are answered rightly, and nothing is left.
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "base/time/clockwork.h"
#include "tests/tlm-links/axi4_pin_models.h"
#include "tests/tlm-links/foreign_initiator.h"
#include "tests/tlm-links/foreign_target.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/edge/edge_initiator_adapter.h"
#include "tlm-links/edge/edge_target_adapter.h"
#include "tlm-links/edge/serial_target.h"
#include "tlm-links/flits/flits_to_tlm.h"
#include "tlm-links/flits/tlm_to_flits.h"
#include "tlm-links/protocol/monitor.h"
#include "tlm-links/protocol/protocol_checker.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

using sc_core::sc_time;

constexpr unsigned kTimes = 60;      ///< of a reset and of a kill, kStepPs apart
constexpr unsigned kStepPs = 333;    ///< the idle calls take 5 to 20 ns
constexpr unsigned kMostBytes = 512; ///< four lines

using Buffer = std::array<unsigned char, kMostBytes>;

/// What the processes of an initiator share.
struct Calls {
    std::uint64_t base;
    unsigned bytes;
    std::function<void(tlm::tlm_generic_payload&)> call;
    unsigned overwritten = 0; ///< buffers that a late answer changed
    unsigned wrong = 0;       ///< reads that did not bring what was written

    bool access(bool write, Buffer& buffer) const {
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(base);
        payload.set_data_ptr(buffer.data());
        payload.set_data_length(bytes);
        payload.set_streaming_width(bytes);
        call(payload);
        return payload.is_response_ok();
    }
    void read_rightly() {
        Buffer buffer{};
        wrong += !access(false, buffer) || buffer[0] != 0x5a || buffer[bytes - 1] != 0x5a;
    }
};

/// A process that reads once, and in its second life watches the place of the buffer of its first one.
struct Life final : sc_core::sc_module {
    SC_HAS_PROCESS(Life);
    Life(sc_core::sc_module_name name, Calls& shared) : sc_module(name), calls(shared) { SC_THREAD(live); }
    void live() {
        handle = sc_core::sc_get_current_process_handle();
        Buffer buffer;
        buffer.fill(0xee);
        if (++lives == 1) wait(begin);
        if (lives > 1) {
            wait(sc_time(500, sc_core::SC_NS)); // for the answer to the life before
            calls.overwritten += std::count(buffer.begin(), buffer.end(), 0xee) != kMostBytes;
            return;
        }
        calls.wrong += !calls.access(false, buffer) || buffer[0] != 0x5a;
    }
    Calls& calls;
    unsigned lives = 0;
    sc_core::sc_event begin;
    sc_core::sc_process_handle handle;
};

/// Ends processes at all times of their calls; a process beside them calls too.
class Victim final : public sc_core::sc_module {
  public:
    SC_HAS_PROCESS(Victim);
    Victim(sc_core::sc_module_name name, std::uint64_t base, unsigned bytes) : sc_module(name), socket("socket") {
        calls.base = base;
        calls.bytes = bytes;
        calls.call = [this](tlm::tlm_generic_payload& payload) {
            sc_time delay = sc_core::SC_ZERO_TIME;
            socket->b_transport(payload, delay);
        };
        for (unsigned i = 0; i < 2 * kTimes; ++i) lives_.emplace_back(("life" + std::to_string(i)).c_str(), calls);
        SC_THREAD(boss);
        SC_THREAD(beside);
    }
    tlm_utils::simple_initiator_socket<Victim> socket;
    Calls calls;
    unsigned ended = 0;
    bool finished = false;

  private:
    void beside() {
        for (;;) {
            wait(begin_);
            for (unsigned i = 0; i < 3; ++i) calls.read_rightly();
        }
    }
    void boss() {
        Buffer buffer;
        buffer.fill(0x5a);
        calls.wrong += !calls.access(true, buffer);
        for (unsigned i = 0; i < lives_.size(); ++i) {
            Life& life = lives_[i];
            life.begin.notify();
            if (i % 4 >= 2) begin_.notify();
            const unsigned pair = i / 2;
            wait(sc_time(pair * kStepPs + 1, sc_core::SC_PS));
            if (!life.handle.terminated()) {
                ++ended;
                if (i % 2 != 0)
                    life.handle.kill();
                else
                    life.handle.reset();
            }
            wait(sc_time(1, sc_core::SC_US));
            calls.read_rightly();
        }
        finished = true;
    }

    std::deque<Life> lives_;
    sc_core::sc_event begin_;
};

constexpr std::uint64_t kVictims = 0x1000;

void expect_unwound(Victim& victim, tlm::tlm_target_socket<>& target, const std::function<bool()>& empty) {
    Monitor monitor("monitor");
    ProtocolChecker checker("checker");
    victim.socket.bind(monitor.above);
    monitor.below.bind(checker.above);
    checker.below.bind(target);
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    EXPECT_TRUE(victim.finished);
    EXPECT_EQ(victim.calls.overwritten, 0U);
    EXPECT_EQ(victim.calls.wrong, 0U);
    EXPECT_GE(victim.ended, 20U) << "calls that were still under way";
    EXPECT_TRUE(empty());
    EXPECT_EQ(monitor.in_flight(), 0U);
    checker.finish();
}

TEST(UnwoundCalls, LeaveTheEdgeAdapter) {
    Clockwork clockwork("clockwork");
    ClockDomain& clock = clockwork.domain(1'000'000);
    TxnPool pool;
    pool.functional = true;
    Victim victim("victim", kVictims, kMostBytes);
    EdgeInitiatorConfig config;
    config.range = {kVictims, 0x1000};
    config.lines = 2;
    EdgeInitiatorAdapter in("in", config, {clock, pool, {kSystemRank, kRankEdge, 0}});
    EdgeTargetAdapter out("out", {}, {clock, pool, {kSystemRank, kRankEdge, 1}});
    ForeignTarget target("target", target_styles().front(), 1);
    in.port.socket.bind(out.port.socket);
    out.socket.bind(target.socket);
    expect_unwound(victim, in.socket, [&] { return in.empty() && pool.in_flight() == 0; });
}

TEST(UnwoundCalls, LeaveTheBridgeToAxi4) {
    Clockwork clockwork("clockwork");
    Victim victim("victim", kVictims, kMostBytes);
    StructMemory memory(1);
    TlmToAxi4 bridge("bridge", {{}, {kVictims, 0x1000}}, clockwork.domain(1'000'000), memory);
    expect_unwound(victim, bridge.socket, [&] { return bridge.empty(); });
}

TEST(UnwoundCalls, LeaveTheBridgeToFlits) {
    Clockwork clockwork("clockwork");
    Victim victim("victim", kVictims, kMostBytes);
    rtl::CxsWires requests, responses;
    FlitClock clock("flit_clock", clockwork.domain(1'000'000));
    TlmToFlits bridge("to_flits", {{}, 16, {kVictims, 0x1000}}, clock, {requests, responses});
    FlitsToTlm back("from_flits", {{}, 8}, clock, {requests, responses});
    ForeignTarget target("target", target_styles().front(), 1);
    back.socket.bind(target.socket);
    expect_unwound(victim, bridge.socket, [&] { return bridge.empty() && back.empty(); });
}

/// Eight bytes; an access takes 7 ns.
class Word final : public SerialTarget {
  public:
    SC_HAS_PROCESS(Word);
    explicit Word(sc_core::sc_module_name name) : SerialTarget(name) {
        SC_METHOD(serve);
        sensitive << due_;
        dont_initialize();
        SC_METHOD(answer);
        sensitive << done_;
        dont_initialize();
    }

  private:
    void wake_after(std::uint64_t ps) override { due_.notify(ps_time(ps + 1 - sc_now_ps())); }
    void serve() {
        if (next(sc_now_ps())) done_.notify(sc_time(7, sc_core::SC_NS));
    }
    void answer() {
        tlm::tlm_generic_payload& payload = serving();
        unsigned char* const data = payload.get_data_ptr();
        if (payload.is_write())
            std::copy_n(data, word_.size(), word_.begin());
        else
            std::copy(word_.begin(), word_.end(), data);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        respond();
    }
    std::array<unsigned char, 8> word_{};
    sc_core::sc_event due_, done_;
};

TEST(UnwoundCalls, LeaveATargetOfRegisters) {
    Victim victim("victim", kVictims, 8);
    Word word("word");
    expect_unwound(victim, word.socket, [&] { return word.empty(); });
}

// --- both interfaces at once, at a target of registers

TEST(SerialTarget, KeepsTheOrderOfMixedCalls) {
    InitiatorStyle style{"words", 0, ResponseAnswer::any, 8, 6, 5'003, 9'001};
    style.blocking_percent = 30;
    style.words = true;
    ForeignInitiator initiator("initiator", style, 3000, 1);
    initiator.range = {0, 16}; // one word of eight bytes: addresses are those of the word
    Word word("word");
    ProtocolChecker checker("checker");
    initiator.socket.bind(checker.above);
    checker.below.bind(word.socket);
    sc_core::sc_start(sc_time(1, sc_core::SC_MS));
    EXPECT_TRUE(initiator.finished()) << initiator.answered();
    EXPECT_EQ(initiator.wrong(), 0U);
    checker.finish();
}

} // namespace
} // namespace numavp::test
