/// Reports of parts, grouped: who waits for whom, and which queues grow.
#include <map>

#include <gtest/gtest.h>

#include "platform/live/live_text.h"
#include "platform/live/live_waits.h"

namespace numavp::test {
namespace {

const std::vector<LivePart> kReports = {
    {"the dispatcher", "3 blocks and 9 accesses of kernel a", ""},
    {"socket0.sm0", "4 responses to its memory port, 2 instructions in its load-store unit", ""},
    {"socket0.sm1", "30 responses to its memory port, 8 instructions in its load-store unit", ""},
    {"socket0.sm2", "", ""},
    {"socket0.l2.slice0", "its own turn to serve a request of its SMs", ""},
    {"socket0.link", "", "12 packets, one of line 0x80 from socket 1"},
    {"socket1.link", "", "5 packets, one of line 0xbeef00 from socket 0"}};

TEST(LiveWaits, AddPartsThatReportTheSame) {
    const std::vector<LiveWait> found = LiveWaits().of(kReports, 2);
    ASSERT_EQ(found.size(), 5U);
    EXPECT_EQ(found[0].parts, "socket0.sm") << "the largest amount comes first";
    EXPECT_EQ(found[0].verb, "waits for");
    EXPECT_EQ(found[0].count, 2U);
    EXPECT_EQ(found[0].all, 3U) << "one of them waits for nothing";
    EXPECT_EQ(found[0].amount, 34U);
    EXPECT_EQ(found[0].change, 0) << "there was no look before";
    EXPECT_EQ(found[0].most, "socket0.sm1");
    EXPECT_EQ(found[0].what, "30 responses to its memory port, 8 instructions in its load-store unit");
    EXPECT_EQ(found[1].parts, "socket0.link");
    EXPECT_EQ(found[1].verb, "holds");
    EXPECT_EQ(found[4].parts, "socket0.l2.slice");
    EXPECT_EQ(found[4].amount, 1U) << "a report without a number counts its part";
}

TEST(LiveWaits, OfManySocketsGoOverAllSockets) {
    const std::vector<LiveWait> found = LiveWaits().of(kReports, 16);
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[1].parts, "socket*.link");
    EXPECT_EQ(found[1].amount, 17U) << "addresses and numbers of sockets do not set reports apart";
    EXPECT_EQ(found[1].count, 2U);
}

TEST(LiveWaits, SayWhichQueuesGrow) {
    LiveWaits waits;
    waits.of(kReports, 2);
    std::vector<LivePart> later = kReports;
    later[2].waits = "50 responses to its memory port, 8 instructions in its load-store unit";
    later[5].holds = "1 packets, one of line 0x80 from socket 1";
    later.push_back({"socket1.noc", "", "7 packets, one of line 0x100 from socket 1"});
    std::map<std::string, std::int64_t> changes;
    for (const LiveWait& wait : waits.of(later, 2)) changes[wait.parts] = wait.change;
    EXPECT_EQ(changes.at("socket0.sm"), 20);
    EXPECT_EQ(changes.at("socket0.link"), -11);
    EXPECT_EQ(changes.at("socket1.noc"), 7) << "it held nothing before";
    EXPECT_EQ(changes.at("socket1.link"), 0);
}

TEST(LiveText, IsCutToTheTerminal) {
    EXPECT_EQ(cut_to("abcdef\nxy\nz\n", 4, 2), "abcd\nxy\n");
    EXPECT_EQ(cut_to("abcdef\n", 0, 0), "abcdef\n") << "no terminal";
    EXPECT_EQ(cut_to("\033[1mabcdef\033[0m\n", 3, 0), "\033[1mabc\033[0m\n") << "colours end where they would";
    EXPECT_EQ(cut_to("\xc3\xa4\xc3\xb6\xc3\xbc\n", 2, 0), "\xc3\xa4\xc3\xb6\n") << "columns, not bytes";
}

} // namespace
} // namespace numavp::test
