/// Packets, sender and receiver by themselves, to the edge.
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "tests/tlm-links/flits/random_packet.h"
#include "tlm-links/flits/flit_receiver.h"
#include "tlm-links/flits/flit_sender.h"

namespace numavp::test {
namespace {

using rtl::CxsReceiverPins;
using rtl::CxsTransmitterPins;

std::vector<Flit> flits_of(const Packet& packet) {
    std::vector<Flit> flits;
    FlitWriter writer(packet);
    while (!writer.done()) flits.push_back(writer.next());
    return flits;
}

TEST(FlitPacket, HasTheFlitsThatAreDocumented) {
    Packet packet;
    packet.length = 128;
    EXPECT_EQ(flits_of(packet).size(), 1U); // asks only
    packet.bytes.resize(128);
    EXPECT_EQ(flits_of(packet).size(), 5U);
    packet.set_enables([](std::size_t i) { return i % 2 == 0; });
    EXPECT_EQ(flits_of(packet).size(), 5U);
    packet.enables.clear();
    packet.length = 16;
    packet.bytes.resize(16);
    EXPECT_EQ(flits_of(packet).size(), 1U);
    packet.length = 17;
    packet.bytes.resize(17);
    EXPECT_EQ(flits_of(packet).size(), 2U);
}

/// The layout is a contract with RTL: byte by byte.
TEST(FlitPacket, LiesInItsFlitsAsDocumented) {
    Packet packet;
    packet.kind = PacketKind::write;
    packet.status = 0x12;
    packet.id = 0x3456;
    packet.address = 0x1122334455667788;
    packet.length = 20;
    for (unsigned i = 0; i < 20; ++i) packet.bytes.push_back(static_cast<unsigned char>(0xa0 + i));
    packet.set_enables([](std::size_t i) { return i < 9; });
    const std::vector<Flit> flits = flits_of(packet);
    ASSERT_EQ(flits.size(), 2U);
    const rtl::CxsData first = {0x01 | 0x40 | 0x80,
                                0x12,
                                0x56,
                                0x34,
                                20,
                                0,
                                0,
                                0,
                                0x88,
                                0x77,
                                0x66,
                                0x55,
                                0x44,
                                0x33,
                                0x22,
                                0x11,
                                0xff,
                                0x01,
                                0,
                                0xa0,
                                0xa1,
                                0xa2,
                                0xa3,
                                0xa4,
                                0xa5,
                                0xa6,
                                0xa7,
                                0xa8,
                                0xa9,
                                0xaa,
                                0xab,
                                0xac};
    EXPECT_EQ(flits[0].data, first);
    EXPECT_EQ(flits[0].cntl, rtl::kCxsStart);
    EXPECT_EQ(flits[1].data[6], 0xb3);
    EXPECT_EQ(flits[1].cntl, rtl::kCxsEnd | 1U << rtl::kCxsEndPointer); // 7 bytes: the second piece of 4 is the last
    EXPECT_EQ(flits_of_packet(flits[0].data), 2U);
}

TEST(FlitPacket, ComesOutAsItWentIn) {
    Rng random(1);
    FlitReader reader;
    for (unsigned i = 0; i < 20'000; ++i) {
        const Packet packet = random_packet(random);
        const std::vector<Flit> flits = flits_of(packet);
        ASSERT_EQ(flits_of_packet(flits.front().data), flits.size());
        for (std::size_t k = 0; k < flits.size(); ++k) ASSERT_EQ(reader.take(flits[k]), k + 1 == flits.size());
        ASSERT_TRUE(same_packet(packet, reader.packet())) << i;
    }
}

TEST(FlitPacket, ThatIsNoneIsRefused) {
    Packet packet;
    packet.length = 40;
    packet.bytes.resize(40);
    const std::vector<Flit> flits = flits_of(packet);
    FlitReader in_the_middle;
    EXPECT_THROW(in_the_middle.take(flits[1]), ModelError);
    FlitReader twice;
    twice.take(flits[0]);
    EXPECT_THROW(twice.take(flits[0]), ModelError);
    FlitReader too_short;
    Flit cut = flits[0];
    cut.cntl |= rtl::kCxsEnd;
    EXPECT_THROW(too_short.take(cut), ModelError);
    packet.bytes.resize(39);
    EXPECT_THROW(FlitWriter{packet}, ModelError);
}

constexpr CxsReceiverPins kRest{false, false};
constexpr CxsReceiverPins kRun{false, true};
constexpr CxsReceiverPins kGrant{true, true};

Packet one_flit() { return {}; }

TEST(FlitSender, ActivatesSendsAndReturnsCredits) {
    FlitSender sender({4, 2});
    sender.edge(kRest);
    EXPECT_FALSE(sender.pins().activereq);
    EXPECT_TRUE(sender.idle());
    sender.take(one_flit());
    sender.edge(kRest);
    EXPECT_TRUE(sender.pins().activereq);
    sender.edge(kRest);
    EXPECT_FALSE(sender.pins().valid); // not acknowledged
    sender.edge(kRun);
    EXPECT_FALSE(sender.pins().valid); // no credit
    EXPECT_EQ(sender.starved_edges(), 1U);
    EXPECT_FALSE(sender.pop_sent().has_value());
    sender.edge(kGrant);
    EXPECT_TRUE(sender.pins().valid);
    EXPECT_EQ(sender.pop_sent(), 0U);
    sender.edge(kGrant);
    EXPECT_FALSE(sender.pins().valid);
    EXPECT_TRUE(sender.pins().activereq);
    sender.edge(kGrant);
    EXPECT_FALSE(sender.pins().activereq); // two edges without a flit
    EXPECT_FALSE(sender.pins().crdrtn);
    sender.edge(kRun);
    EXPECT_TRUE(sender.pins().crdrtn);
    sender.edge(kGrant); // was on its way
    EXPECT_TRUE(sender.pins().crdrtn);
    sender.edge(kRun);
    EXPECT_TRUE(sender.pins().crdrtn);
    EXPECT_EQ(sender.credits(), 0U);
    EXPECT_FALSE(sender.idle());
    sender.take(one_flit()); // must wait for the stop
    sender.edge(kRun);
    EXPECT_FALSE(sender.pins().activereq || sender.pins().crdrtn);
    sender.edge(kRest);
    EXPECT_TRUE(sender.pins().activereq);
}

TEST(FlitSender, RefusesMoreCreditsThanThereCanBe) {
    FlitSender sender({});
    sender.take(one_flit());
    for (unsigned i = 0; i < rtl::kCxsMostCredits; ++i) sender.edge({true, false});
    EXPECT_THROW(sender.edge({true, false}), ModelError);
}

CxsTransmitterPins asks() {
    CxsTransmitterPins t;
    t.activereq = true;
    return t;
}

/// `packets` of one flit each, as fast as credits come; how many got through.
unsigned flood(FlitReceiver& receiver, unsigned edges) {
    unsigned credits = 0;
    unsigned sent = 0;
    CxsTransmitterPins t = asks();
    for (unsigned i = 0; i < edges; ++i) {
        receiver.edge(t);
        credits += receiver.pins().crdgnt ? 1 : 0;
        t = asks();
        if (credits == 0) continue;
        --credits;
        ++sent;
        const Flit flit = FlitWriter(one_flit()).next();
        t.valid = true;
        t.data = flit.data;
        t.cntl = flit.cntl;
    }
    return sent;
}

TEST(FlitReceiver, HasAPlaceForEveryCreditAndNoMore) {
    FlitReceiver receiver({5, 2});
    EXPECT_TRUE(receiver.idle());
    receiver.edge(asks());
    EXPECT_TRUE(receiver.pins().activeack);
    EXPECT_TRUE(receiver.pins().crdgnt);
    FlitReceiver flooded({5, 2});
    EXPECT_EQ(flood(flooded, 100), 7U); // two packets, five places
    flooded.pop();
    EXPECT_EQ(flood(flooded, 100), 1U);
}

TEST(FlitReceiver, StopsWhenAllCreditsAreBack) {
    FlitReceiver receiver({2, 1});
    for (unsigned i = 0; i < 5; ++i) receiver.edge(asks());
    EXPECT_FALSE(receiver.pins().crdgnt);
    CxsTransmitterPins t;
    t.crdrtn = true;
    receiver.edge(t);
    EXPECT_TRUE(receiver.pins().activeack);
    EXPECT_FALSE(receiver.idle());
    receiver.edge(t);
    EXPECT_FALSE(receiver.pins().activeack);
    receiver.edge({});
    EXPECT_TRUE(receiver.idle());
    EXPECT_THROW(receiver.edge(t), ModelError); // a third one was never granted
}

TEST(FlitReceiver, RefusesSizesThatCannotBe) {
    EXPECT_THROW(FlitReceiver({16, 1}), ModelError);
    EXPECT_THROW(FlitReceiver({0, 1}), ModelError);
    EXPECT_THROW(FlitReceiver({1, 0}), ModelError);
    EXPECT_THROW(FlitSender({0, 1}), ModelError);
}

} // namespace
} // namespace numavp::test
