/// The monitors of a line that repeats flits: a right exchange, and the rule that each change to it breaks.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tlm-links/flits/flit_retry_monitor.h"

namespace numavp::test {
namespace {

using rtl::CxsTransmitterPins;
using rtl::RetryAnswerPins;
using rtl::RetryFlitPins;

constexpr unsigned kTrip = 5; ///< from an error to the edge at which its flit comes again

RetryFlitPins flit_of(unsigned number) {
    RetryFlitPins flit;
    flit.valid = true;
    flit.number = number;
    flit.cntl = rtl::kCxsStart | rtl::kCxsEnd;
    flit.data.fill(static_cast<unsigned char>(0x10 + number));
    flit.crc = retry_crc(flit);
    return flit;
}
CxsTransmitterPins above_of(unsigned number) {
    CxsTransmitterPins pins;
    pins.valid = true;
    pins.cntl = flit_of(number).cntl;
    pins.data = flit_of(number).data;
    return pins;
}
RetryAnswerPins acknowledge(unsigned number) { return {true, false, number, false}; }
RetryAnswerPins again(unsigned number) { return {false, true, number, false}; }

/// Pins of an end at one edge: credited flits on its other side, the line, the answers.
struct Pins {
    CxsTransmitterPins flits;
    RetryFlitPins line;
    RetryAnswerPins answer;
};
using Exchange = std::vector<Pins>;

/// Three flits, of which the second one is asked for again.
Exchange of_sender() {
    Exchange e(20);
    for (std::size_t i = 0; i < 3; ++i) e[i].answer.credit = true;
    for (unsigned i = 0; i < 3; ++i) {
        e[1 + i].flits = above_of(i);
        e[4 + i].line = flit_of(i);
    }
    e[7].answer = acknowledge(0);
    e[8].answer = again(1);
    e[10].line = flit_of(1);
    e[11].line = flit_of(2);
    e[13].answer = acknowledge(1);
    e[14].answer = acknowledge(2);
    return e;
}
Exchange of_receiver() {
    Exchange e(20);
    for (std::size_t i = 0; i < 3; ++i) e[i].answer.credit = true;
    e[3].line = flit_of(0);
    e[4].answer = acknowledge(0);
    e[5].line = flit_of(1);
    e[5].line.data[7] ^= 1;
    e[6].answer = again(1);
    e[6].line = flit_of(2); // in vain
    e[6].flits = above_of(0);
    e[7].answer.credit = true; // of the place that is free again
    e[10].line = flit_of(1);
    e[11].line = flit_of(2);
    e[11].answer = acknowledge(1);
    e[12].answer = acknowledge(2);
    e[13].flits = above_of(1);
    e[14].flits = above_of(2);
    return e;
}

std::string first_of(const std::vector<std::string>& breaches) { return breaches.empty() ? "" : breaches.front(); }
std::string seen_at_sender(const Exchange& exchange) {
    FlitRetrySenderMonitor monitor(3, 8);
    for (const Pins& p : exchange) monitor.observe(p.flits, p.line, p.answer);
    monitor.finish();
    return first_of(monitor.breaches());
}
std::string seen_at_receiver(const Exchange& exchange) {
    FlitRetryReceiverMonitor monitor(kTrip, 3, 8);
    for (const Pins& p : exchange) monitor.observe(p.line, p.answer, p.flits);
    monitor.finish();
    return first_of(monitor.breaches());
}

struct Change {
    std::string breach; ///< that is seen
    std::function<void(Exchange&)> change;
};

TEST(FlitRetryMonitor, SeesWhatTheSendingEndDoesWrong) {
    EXPECT_EQ(seen_at_sender(of_sender()), "");
    const Change changes[] = {
        {"5: sender: a number that is not the next one", [](Exchange& e) { e[5].line = flit_of(2); }},
        {"4: sender: a wrong CRC", [](Exchange& e) { e[4].line.crc ^= 0x8000; }},
        {"2: sender: a flit without a credit",
         [](Exchange& e) {
             e[0].answer.credit = e[1].answer.credit = false;
             e[2].line = flit_of(0);
         }},
        {"1: sender: a flit that has not come", [](Exchange& e) { e[1].line = flit_of(0); }},
        {"6: sender: a flit is not as it came",
         [](Exchange& e) {
             e[6].line.data[31] = 0;
             e[6].line.crc = retry_crc(e[6].line);
         }},
        {"11: sender: a flit is not as it came", // when it is sent for the second time
         [](Exchange& e) {
             e[11].line.cntl = rtl::kCxsEnd;
             e[11].line.crc = retry_crc(e[11].line);
         }},
        {"10: sender: a number that is not the next one", [](Exchange& e) { e[10].line = flit_of(2); }},
        {"16: sender: a repetition never begins",
         [](Exchange& e) {
             e[10].line.valid = e[11].line.valid = false;
             e[13].answer = e[14].answer = {};
         }},
        {"18: sender: a flit that can go never does", // the repetition ends after its first flit
         [](Exchange& e) {
             e[11].line.valid = false;
             e[14].answer = {};
         }},
        {"7: receiver: an answer to another flit", [](Exchange& e) { e[7].answer = acknowledge(1); }},
        {"8: receiver: an answer to another flit", [](Exchange& e) { e[8].answer = again(2); }},
        {"15: receiver: an answer to what was not sent", [](Exchange& e) { e[15].answer = acknowledge(3); }},
        {"20: the end: a flit is not acknowledged", [](Exchange& e) { e[14].answer = {}; }},
        {"20: the end: a flit was not sent", [](Exchange& e) { e[17].flits = above_of(3); }},
    };
    for (const Change& c : changes) {
        Exchange exchange = of_sender();
        c.change(exchange);
        EXPECT_EQ(seen_at_sender(exchange), c.breach);
    }
}

/// A fourth flit finds three in a buffer of three.
TEST(FlitRetryMonitor, SeesARetryBufferThatOverruns) {
    Exchange exchange = of_sender();
    exchange[3].answer.credit = true;
    exchange[5].flits = above_of(3);
    exchange[7].line = flit_of(3); // at the edge at which room is made
    EXPECT_EQ(seen_at_sender(exchange), "7: sender: more flits than its retry buffer holds");
}

TEST(FlitRetryMonitor, SeesWhatTheReceivingEndDoesWrong) {
    EXPECT_EQ(seen_at_receiver(of_receiver()), "");
    const Change changes[] = {
        {"14: receiver: an answer never comes", [](Exchange& e) { e[4].answer = e[11].answer = e[12].answer = {}; }},
        {"3: receiver: what has not come is acknowledged", [](Exchange& e) { e[3].answer = acknowledge(0); }},
        {"6: receiver: what has not come is acknowledged", [](Exchange& e) { e[6].answer = acknowledge(1); }},
        {"4: receiver: another flit is acknowledged", [](Exchange& e) { e[4].answer = acknowledge(1); }},
        {"6: receiver: another flit is asked for", [](Exchange& e) { e[6].answer = again(2); }},
        {"5: receiver: nothing is missing, and it is asked for", [](Exchange& e) { e[5].answer = again(1); }},
        {"7: receiver: asked again before it can have come", [](Exchange& e) { e[7].answer = again(1); }},
        {"3: receiver: more credits than it has places", [](Exchange& e) { e[3].answer.credit = true; }},
        {"13: receiver: a credit never comes", [](Exchange& e) { e[7].answer.credit = false; }},
        {"5: receiver: a flit that has not come is passed on",
         [](Exchange& e) {
             e[4].flits = above_of(0);
             e[5].flits = above_of(0);
         }},
        {"6: receiver: a flit is not passed on as it came", [](Exchange& e) { e[6].flits = above_of(1); }},
        {"14: receiver: a flit that has not come is passed on",
         [](Exchange& e) {
             e[12].flits = above_of(1);
             e[13].flits = above_of(2);
         }},
        {"20: the end: a flit was not passed on", [](Exchange& e) { e[14].flits.valid = false; }},
        {"12: receiver: an answer never comes", // nobody asks for the damaged flit
         [](Exchange& e) {
             e[6].answer = {};
             e[10].line.valid = e[11].line.valid = false;
             e[11].answer = e[12].answer = {};
             e[13].flits = e[14].flits = {};
         }},
    };
    for (const Change& c : changes) {
        Exchange exchange = of_receiver();
        c.change(exchange);
        EXPECT_EQ(seen_at_receiver(exchange), c.breach);
    }
}

/// Each bit of number, control and data changes the code; the last bit that is fed, by the polynomial alone.
TEST(FlitRetryMonitor, HasACodeThatSeesEachBit) {
    const RetryFlitPins whole = flit_of(7);
    for (unsigned place = 0; place < rtl::kRetryFlitBits - 32; ++place) {
        RetryFlitPins damaged = whole;
        if (place < 8)
            damaged.number ^= 1U << place;
        else if (place < 22)
            damaged.cntl ^= 1U << (place - 8);
        else
            damaged.data[(place - 22) / 8] ^= static_cast<unsigned char>(1U << (place - 22) % 8);
        EXPECT_NE(retry_crc(damaged), whole.crc) << place;
    }
    RetryFlitPins one;
    one.data[0] = 1;
    EXPECT_EQ(retry_crc(one) ^ retry_crc({}), 0x04c11db7U);
}

} // namespace
} // namespace numavp::test
