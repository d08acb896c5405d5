/// Packets over a line with errors whose RTL ends have a fault (tests/mutation/rtl.json), and who notices it.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/values/error.h"
#include "tests/tlm-links/flits/checked/checked_retry.h"
#include "tests/tlm-links/flits/retry_traffic.h"

namespace numavp::test {
namespace {

/// One error in 30 flits, and a retry buffer for less than a round trip.
constexpr RetryLineShape kFaultyLine{1e-4, 12, 12, 16, 60, 400};

/// Assertions that Verilator printed, without the bench: "<end>.<checker>.<name>".
std::set<std::string> broken_assertions(const std::string& printed) {
    const std::string failed = "Assertion failed in ", bench = "_bench.";
    std::set<std::string> names;
    for (std::size_t at = printed.find(failed); at != std::string::npos; at = printed.find(failed, at + 1)) {
        const std::size_t name = printed.find(bench, at) + bench.size();
        names.insert(printed.substr(name, printed.find(':', name) - name));
    }
    return names;
}

/// Runs packets until all have arrived, or until a monitor has seen something and the assertions have had their
/// patience, too.
struct Noticed {
    explicit Noticed(unsigned mutant) {
        constexpr unsigned kMostEdges = 40'000, kEdgesBehind = 1'200;
        CheckedRetrySender sender(mutant, kFaultyLine.buffer);
        CheckedRetryReceiver receiver(mutant, kFaultyLine.round_trip() + 1);
        RetryTraffic traffic(sender, receiver, kFaultyLine);
        std::string breach; // the first one of the line's monitors; of flits, if those see none
        const auto see = [&] {
            for (const std::vector<std::string>* found : {&traffic.sending.breaches(), &traffic.receiving.breaches()})
                if (breach.empty() && !found->empty()) breach = found->front();
        };
        ::testing::internal::CaptureStderr();
        try {
            unsigned behind = 0;
            for (unsigned i = 0; i < kMostEdges && behind < kEdgesBehind && !traffic.done(); ++i) {
                traffic.edge();
                see();
                behind += breach.empty() ? 0 : 1;
            }
        } catch (const ModelError&) { // of the sender or receiver of flits; the monitors have seen its pins
            traffic.relay.edge();     // and now the assertions
            see();
        }
        if (breach.empty()) breach = traffic.breach();
        broken = broken_assertions(::testing::internal::GetCapturedStderr());
        rule = breach.substr(std::min(breach.size(), breach.find(' ') + 1)); // behind the edge
        right = traffic.done() && !traffic.wrong();
    }
    std::string rule; ///< that a monitor saw broken; empty: none
    std::set<std::string> broken;
    bool right = false; ///< all packets arrived, as they were sent
};

TEST(RtlFaults, OfTheRetryEnds) {
    const Noticed whole(0);
    EXPECT_TRUE(whole.right);
    EXPECT_EQ(whole.rule, "");
    EXPECT_THAT(whole.broken, ::testing::IsEmpty());
    const struct {
        unsigned number;
        const char* what;
        const char* rule;
        const char* assertion; ///< of the checker, with the same rule
    } faults[] = {
        {1, "a repetition begins behind the oldest flit", "sender: a number that is not the next one",
         "sender.below.numbers_are_in_order"},
        {2, "a request is not heard", "sender: a repetition never begins", "sender.below.repetition_begins"},
        {3, "a flit more than fits is kept", "sender: more flits than its retry buffer holds",
         "sender.below.buffer_has_room"},
        {4, "what is acknowledged stays in the buffer", "sender: a flit that can go never does",
         "sender.below.line_goes_on"},
        {5, "a repeated flit has the bytes of the next one", "sender: a flit is not as it came",
         "sender.below.flit_is_as_it_came"},
        {6, "a flit has the code of the one before", "sender: a wrong CRC", "sender.below.code_is_right"},
        {7, "flits go without a place at the other end", "sender: a flit without a credit",
         "sender.below.flit_has_credit"},
        {8, "a flit that waits is lost when one is repeated", "sender: a flit is not as it came",
         "sender.below.flit_is_as_it_came"},
        {9, "a new flit is not kept", "sender: a flit is not as it came", "sender.below.flit_is_as_it_came"},
        {10, "the code is not looked at", "receiver: what has not come is acknowledged",
         "receiver.above.acknowledges_what_has_come"},
        {11, "the number is not looked at", "receiver: what has not come is acknowledged",
         "receiver.above.acknowledges_what_has_come"},
        {12, "nothing is asked for", "receiver: an answer never comes", "receiver.above.what_is_missing_is_asked_for"},
        {13, "the flit behind is asked for", "receiver: another flit is asked for",
         "receiver.above.asks_for_the_expected"},
        {14, "each flit that comes in vain is asked for", "receiver: asked again before it can have come",
         "receiver.above.asks_when_it_is_due"},
        {15, "a flit is acknowledged twice", "receiver: what has not come is acknowledged",
         "receiver.above.acknowledges_what_has_come"},
        {16, "a credit more than there are places", "receiver: more credits than it has places",
         "receiver.above.places_are_there"},
        {17, "a flit goes on twice", "receiver: a flit is not passed on as it came",
         "receiver.above.passes_it_as_it_came"},
        {18, "a bit flips on the way on", "receiver: a flit is not passed on as it came",
         "receiver.above.passes_it_as_it_came"},
        {19, "the link below is deactivated within a packet", "transmitter: the link is deactivated within a packet",
         "receiver.below.request_falls_between_packets"},
        {20, "a repetition ends after its first flit", "sender: a flit that can go never does",
         "sender.below.line_goes_on"},
        {21, "a credit is given once a place", "receiver: a credit never comes", "receiver.above.places_are_given"},
    };
    for (const auto& fault : faults) {
        const Noticed seen(fault.number);
        EXPECT_EQ(seen.rule, fault.rule) << fault.number << ": " << fault.what;
        EXPECT_THAT(seen.broken, ::testing::Contains(fault.assertion)) << fault.number << ": " << fault.what;
    }
}

} // namespace
} // namespace numavp::test
