/// Atomics on TLM-2.0 wires: the extension of a record, and what every edge of the platform says to a foreign one.
#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "tests/tlm-links/axi4_pin_models.h"
#include "tests/tlm-links/foreign_target.h"
#include "tests/tlm-links/line_traffic.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/edge/edge_initiator_adapter.h"
#include "tlm-links/flits/flits_to_tlm.h"
#include "tlm-links/flits/tlm_to_flits.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

TEST(Atomic, HasItsExtensionAndOtherRecordsHaveNone) {
    TxnPool pool;
    for (unsigned i = 0; i < 3; ++i) { // the same record again and again
        Txn& atomic = pool.make(Kind::atomic, 0x80, ByteMask::range(4, 4));
        EXPECT_EQ(atomic.get_command(), tlm::TLM_IGNORE_COMMAND);
        ASSERT_NE(atomic_of(atomic), nullptr);
        EXPECT_FALSE(asks_nothing(atomic));
        EXPECT_EQ(atomic.get_byte_enable_length(), kLineBytes);
        atomic.release();
        Txn& load = pool.make(Kind::load, 0x80, ByteMask::full());
        EXPECT_EQ(&load, &atomic);
        EXPECT_EQ(atomic_of(load), nullptr);
        load.release();
    }
}

TEST(Atomic, KeepsItsExtensionThroughResetAndGivesItBackOnce) {
    TxnPool pool;
    Txn& first = pool.make(Kind::atomic, 0x80, ByteMask::full());
    AtomicExtension* const extension = atomic_of(first);
    extension->operand[5] = 7;
    first.reset();
    EXPECT_EQ(atomic_of(first), extension);
    EXPECT_EQ(extension->operand[5], 7);
    first.seen_outside = true; // then free_all_extensions() is called too
    first.release();
    Txn& second = pool.make(Kind::atomic, 0x80, ByteMask::full());
    Txn& third = pool.make(Kind::atomic, 0x100, ByteMask::full());
    EXPECT_EQ(atomic_of(second), extension) << "a pool of one";
    EXPECT_NE(atomic_of(third), extension);
    third.free_all_extensions(); // by somebody who should not
    third.release();
    Txn& fourth = pool.make(Kind::atomic, 0x180, ByteMask::full());
    EXPECT_NE(atomic_of(fourth), nullptr);
    EXPECT_NE(atomic_of(fourth), extension);
    second.release();
    fourth.release();
}

TEST(Atomic, IsCopiedWithItsPayload) {
    TxnPool pool;
    Txn& atomic = pool.make(Kind::atomic, 0x80, ByteMask::full());
    atomic.atomic().operand.fill(3);
    atomic.atomic().result.fill(4);
    tlm::tlm_generic_payload copy;
    copy.deep_copy_from(atomic);
    ASSERT_NE(atomic_of(copy), nullptr);
    EXPECT_NE(atomic_of(copy), atomic_of(atomic));
    EXPECT_EQ(atomic_of(copy)->operand, atomic.atomic().operand);
    EXPECT_EQ(atomic_of(copy)->result, atomic.atomic().result);
    atomic.release();
    copy.free_all_extensions(); // its own
}

/// Sends one command after the other by blocking calls, and keeps the answers.
struct Asker final : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
    SC_HAS_PROCESS(Asker);
    Asker(sc_core::sc_module_name name, std::uint64_t line) : sc_module(name), socket("socket"), line_(line) {
        socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
        SC_THREAD(run);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_ACCEPTED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    tlm::tlm_initiator_socket<> socket;
    std::vector<tlm::tlm_response_status> answers; ///< to a write, an ignored command, an atomic, a read
    std::array<unsigned char, kLineBytes> data{};

  private:
    void run() {
        data.fill(0x11);
        ask(tlm::TLM_WRITE_COMMAND, false);
        data.fill(0x22);
        ask(tlm::TLM_IGNORE_COMMAND, false);
        ask(tlm::TLM_IGNORE_COMMAND, true);
        ask(tlm::TLM_READ_COMMAND, false);
    }
    void ask(tlm::tlm_command command, bool atomic) {
        AtomicExtension extension;
        extension.operand.fill(1);
        tlm::tlm_generic_payload payload;
        payload.set_command(command);
        payload.set_address(line_);
        payload.set_data_ptr(data.data());
        payload.set_data_length(kLineBytes);
        payload.set_streaming_width(kLineBytes);
        if (atomic) payload.set_extension(&extension);
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        socket->b_transport(payload, delay);
        answers.push_back(payload.get_response_status());
        if (atomic) payload.clear_extension(&extension);
    }
    std::uint64_t line_;
};

void expect_refused(const Asker& asker) {
    EXPECT_EQ(asker.answers,
              (std::vector<tlm::tlm_response_status>{tlm::TLM_OK_RESPONSE, tlm::TLM_OK_RESPONSE,
                                                     tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE}));
    for (const unsigned char byte : asker.data) ASSERT_EQ(byte, 0x11) << "only the write has changed the memory";
}

TEST(Atomic, OfAForeignInitiatorIsRefusedByTheEdgeAdapter) {
    Clockwork clockwork("clockwork");
    TxnPool pool;
    pool.functional = true;
    ClockDomain& clock = clockwork.domain(1'000'000);
    Asker asker("asker", 0x1000);
    EdgeInitiatorAdapter adapter("adapter", {{0, 1 << 20}}, {clock, pool, {0, kRankSm, 0}});
    LineMemory memory("memory", 4, clock, 0);
    asker.socket.bind(adapter.socket);
    adapter.port.socket.bind(memory.port.socket);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    expect_refused(asker);
}

TEST(Atomic, OfAForeignInitiatorIsRefusedByTheBridgeToAxi4) {
    Clockwork clockwork("clockwork");
    Asker asker("asker", 0x1000);
    StructMemory memory(1);
    TlmToAxi4 bridge("bridge", {{}, {0, 1 << 20}}, clockwork.domain(1'000'000), memory);
    asker.socket.bind(bridge.socket);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    expect_refused(asker);
}

TEST(Atomic, OfAForeignInitiatorIsRefusedByTheBridgeToFlits) {
    Clockwork clockwork("clockwork");
    FlitClock clock("clock", clockwork.domain(1'000'000));
    rtl::CxsWires requests, responses;
    Asker asker("asker", 0x1000);
    TlmToFlits above("above", {{}, 16, {0, 1 << 20}}, clock, {requests, responses});
    FlitsToTlm below("below", {}, clock, {requests, responses});
    ForeignTarget target("target", target_styles().front(), 1);
    asker.socket.bind(above.socket);
    below.socket.bind(target.socket);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    expect_refused(asker);
}

/// Sends packets and keeps what comes back.
struct PacketEnd final : FlitClocked {
    PacketEnd(rtl::CxsWires& requests, rtl::CxsWires& responses) : requests_(requests), responses_(responses) {}
    void edge(std::uint64_t) override {
        sender.edge(requests_.rx);
        receiver.edge(responses_.tx);
        for (; receiver.any(); receiver.pop()) answers.push_back(receiver.front());
    }
    void drive() override {
        requests_.tx = sender.pins();
        responses_.rx = receiver.pins();
    }
    bool idle() const override { return sender.idle() && receiver.idle(); }

    FlitSender sender{FlitSenderConfig{}};
    FlitReceiver receiver{FlitReceiverConfig{}};
    std::vector<Packet> answers;

  private:
    rtl::CxsWires& requests_;
    rtl::CxsWires& responses_;
};

TEST(Atomic, InAPacketIsRefusedByTheBridgeFromFlits) {
    Clockwork clockwork("clockwork");
    FlitClock clock("clock", clockwork.domain(1'000'000));
    rtl::CxsWires requests, responses;
    PacketEnd end(requests, responses);
    clock.add(end);
    FlitsToTlm below("below", {}, clock, {requests, responses});
    ForeignTarget target("target", target_styles().front(), 1);
    below.socket.bind(target.socket);
    Packet packet;
    packet.length = kLineBytes;
    packet.bytes.assign(kLineBytes, 1);
    for (const PacketKind kind : {PacketKind::write, PacketKind::atomic}) {
        packet.kind = kind;
        end.sender.take(packet);
        ++packet.id;
    }
    clock.tick_after(0);
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    ASSERT_EQ(end.answers.size(), 2U);
    EXPECT_EQ(target.served, 1U);
    for (const Packet& answer : end.answers) {
        const auto expected = answer.id == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE;
        EXPECT_EQ(static_cast<std::int8_t>(answer.status), static_cast<std::int8_t>(expected));
    }
    EXPECT_TRUE(below.empty());
}

} // namespace
} // namespace numavp::test
