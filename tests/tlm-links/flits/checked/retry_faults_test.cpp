/// Packets over a line with errors whose RTL ends have a fault (tests/mutation/rtl.json), and who notices it.
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "tests/tlm-links/flits/checked/checked_retry.h"
#include "tests/tlm-links/flits/retry_traffic.h"

namespace numavp::test {
namespace {

/// One error in 30 flits, and a retry buffer for less than a round trip.
constexpr RetryLineShape kFaultyLine{1e-4, 12, 12, 16, 60, 400};

/// Runs packets until a monitor and an assertion have seen something, or all have arrived.
struct Noticed {
    explicit Noticed(unsigned mutant) {
        CheckedRetrySender sender(mutant, kFaultyLine.buffer);
        CheckedRetryReceiver receiver(mutant, kFaultyLine.round_trip() + 1);
        RetryTraffic traffic(sender, receiver, kFaultyLine);
        const auto broken = [&] { return sender.assertion_broken() || receiver.assertion_broken(); };
        try {
            for (unsigned i = 0; i < 40'000 && !traffic.done() && (!broken() || traffic.breach().empty()); ++i)
                traffic.edge();
        } catch (const ModelError&) { // of the sender or receiver of flits, which the monitors see first
        }
        by_assertion = broken();
        const std::string breach = traffic.breach();
        rule = breach.substr(std::min(breach.size(), breach.find(' ') + 1)); // behind the edge
        right = traffic.done() && !traffic.wrong();
    }
    std::string rule; ///< that a monitor saw broken; empty: none
    bool by_assertion = false;
    bool right = false; ///< all packets arrived, as they were sent
};

TEST(RtlFaults, OfTheRetryEnds) {
    const Noticed whole(0);
    EXPECT_TRUE(whole.right);
    EXPECT_EQ(whole.rule, "");
    EXPECT_FALSE(whole.by_assertion);
    const struct {
        unsigned number;
        const char* what;
        const char* rule;
    } faults[] = {
        {1, "a repetition begins behind the oldest flit", "sender: a number that is not the next one"},
        {2, "a request is not heard", "sender: a repetition never begins"},
        {3, "a flit more than fits is kept", "sender: more flits than its retry buffer holds"},
        {4, "what is acknowledged stays in the buffer", "sender: a flit that can go never does"},
        {5, "a repeated flit has the bytes of the next one", "sender: a flit is not as it came"},
        {6, "a flit has the code of the one before", "sender: a wrong CRC"},
        {7, "flits go without a place at the other end", "sender: a flit without a credit"},
        {8, "a flit that waits is lost when one is repeated", "sender: a flit is not as it came"},
        {9, "a new flit is not kept", "sender: a flit is not as it came"},
        {10, "the code is not looked at", "receiver: what has not come is acknowledged"},
        {11, "the number is not looked at", "receiver: what has not come is acknowledged"},
        {12, "nothing is asked for", "receiver: an answer never comes"},
        {13, "the flit behind is asked for", "receiver: another flit is asked for"},
        {14, "each flit that comes in vain is asked for", "receiver: asked again before it can have come"},
        {15, "a flit is acknowledged twice", "receiver: what has not come is acknowledged"},
        {16, "a credit more than there are places", "receiver: more credits than it has places"},
        {17, "a flit goes on twice", "receiver: a flit is not passed on as it came"},
        {18, "a bit flips on the way on", "receiver: a flit is not passed on as it came"},
        {19, "the link below is deactivated within a packet", "transmitter: the link is deactivated within a packet"},
    };
    for (const auto& fault : faults) {
        const Noticed seen(fault.number);
        EXPECT_EQ(seen.rule, fault.rule) << fault.number << ": " << fault.what;
        EXPECT_TRUE(seen.by_assertion) << fault.number << ": " << fault.what;
    }
}

} // namespace
} // namespace numavp::test
