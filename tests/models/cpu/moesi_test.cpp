/// The protocol's function, every state and event, against a table that is written down here; and what several L1s make
/// of it, access by access.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "models/cpu/host_caches.h"

namespace numavp::test {
namespace {

constexpr LineState kStates[] = {LineState::invalid, LineState::shared, LineState::exclusive, LineState::owned,
                                 LineState::modified};

char letter(LineState state) { return "ISEOM"[static_cast<unsigned>(state)]; }

/// Next state, `?` where the directory is asked, `!` where the bytes are given.
std::string outcome(LineState state, LineEvent event, bool others) {
    const LineStep step = moesi(state, event, others);
    return std::string(1, letter(step.next)) + (step.asks ? "?" : "") + (step.gives ? "!" : "");
}

TEST(Moesi, HasTheTransitionsOfItsTable) {
    struct Row {
        LineEvent event;
        bool others;
        const char* from[5]; ///< I, S, E, O, M
    };
    const Row rows[] = {
        {LineEvent::load, false, {"E?", "S", "E", "O", "M"}},
        {LineEvent::load, true, {"S?", "S", "E", "O", "M"}},
        {LineEvent::store, false, {"M?", "M?", "M", "M?", "M"}},
        {LineEvent::store, true, {"M?", "M?", "M", "M?", "M"}},
        {LineEvent::other_load, false, {"I", "S", "S!", "O!", "O!"}},
        {LineEvent::other_store, false, {"I", "I", "I!", "I!", "I!"}},
        {LineEvent::evict, false, {"I", "I", "I", "I!", "I!"}},
        {LineEvent::clean, false, {"I", "S", "E", "S!", "E!"}},
    };
    for (const Row& row : rows)
        for (unsigned s = 0; s < 5; ++s)
            EXPECT_EQ(outcome(kStates[s], row.event, row.others), row.from[s])
                << letter(kStates[s]) << ", event " << static_cast<unsigned>(row.event) << ", others " << row.others;
}

/// Three cores with caches of four sets of two ways, and an L2 of eight sets of four.
class ThreeCores : public ::testing::Test {
  protected:
    static HostCoreConfig config() {
        HostCoreConfig c;
        c.cores = 3;
        c.l1_kib = 1;
        c.l1_ways = 2;
        c.l2_kib = 4;
        c.l2_ways = 4;
        return c;
    }
    std::string states(std::uint64_t line) const {
        std::string text;
        for (unsigned core = 0; core < 3; ++core) text += letter(caches_.state(core, line));
        return text;
    }
    HostCaches::Took access(unsigned core, bool store, std::uint64_t line = 0, Slot at = 10000) {
        if (!caches_.holds(line)) {
            CoreWrite victim;
            written_ += caches_.make_room(line, victim) ? 1 : 0;
            caches_.install(core, line, nullptr);
        }
        return caches_.access({core, line, store, ByteMask::full()}, at);
    }
    HostCaches caches_{config(), false};
    unsigned written_ = 0; ///< lines that had to be, for others
    Slot now_ = 1000;
};

constexpr Slot kNear = 2 * 4, kL2 = 10 * 4, kFar = (10 + 10) * 4;

TEST_F(ThreeCores, FollowTheProtocol) {
    struct Row {
        unsigned core;
        bool store;
        const char* after;
        Slot latency;
        unsigned transfers, invalidations, upgrades; ///< so far
    };
    const Row rows[] = {
        {0, false, "EII", kNear, 0, 0, 0}, // its line has come from memory
        {1, false, "SSI", kFar, 1, 0, 0},  // the owner's E may be M
        {2, false, "SSS", kL2, 1, 0, 0},   // the L2 has it
        {1, true, "IMI", kFar, 1, 2, 1},   //
        {1, true, "IMI", kNear, 1, 2, 1},  //
        {0, false, "SOI", kFar, 2, 2, 1},  //
        {2, false, "SOS", kFar, 3, 2, 1},  // the owner gives it again
        {1, true, "IMI", kFar, 3, 4, 2},   // from O
        {2, false, "IOS", kFar, 4, 4, 2},  //
        {2, true, "IIM", kFar, 5, 5, 3},   // from S beside an O
        {0, true, "MII", kFar, 6, 6, 3},   // from M to M
    };
    for (const Row& row : rows) {
        now_ += 1000;
        const HostCaches::Took took = access(row.core, row.store, 0, now_);
        EXPECT_EQ(states(0), row.after);
        EXPECT_EQ(took.begin, now_) << row.after;
        EXPECT_EQ(took.latency, row.latency) << row.after;
        EXPECT_EQ(caches_.counts().transfers, row.transfers) << row.after;
        EXPECT_EQ(caches_.counts().invalidations, row.invalidations) << row.after;
        EXPECT_EQ(caches_.counts().upgrades, row.upgrades) << row.after;
    }
}

/// One request for a line after the other; those for another line, and hits, do not wait.
TEST_F(ThreeCores, GetALineOneAfterTheOther) {
    access(0, true, 0, 1000);
    EXPECT_EQ(access(1, true, 0, 1000).begin, 1000U);
    EXPECT_EQ(access(2, true, 0, 1000).begin, 1000 + kFar);
    EXPECT_EQ(access(0, true, 0, 1001).begin, 1000 + 2 * kFar);
    EXPECT_EQ(access(0, true, 0, 1001).begin, 1001U) << "it is the core's";
    EXPECT_EQ(access(1, true, 128, 1001).begin, 1001U);
    EXPECT_EQ(access(1, false, 0, 1000 + 3 * kFar - 1).begin, 1000 + 3 * kFar);
    EXPECT_EQ(access(2, false, 0, 1000 + 5 * kFar).begin, 1000 + 5 * kFar);
}

TEST_F(ThreeCores, CleanWhatACoreHasWrittenAndKeepIt) {
    access(0, true);
    access(1, false);
    EXPECT_EQ(states(0), "OSI");
    CoreWrite write;
    EXPECT_FALSE(caches_.clean(1, write)) << "it has written nothing";
    ASSERT_TRUE(caches_.clean(0, write));
    EXPECT_EQ(write.line, 0U);
    EXPECT_EQ(write.mask, ByteMask::full());
    EXPECT_EQ(states(0), "SSI");
    EXPECT_FALSE(caches_.clean(0, write));
    access(1, true);
    access(0, true); // both have written it
    ASSERT_TRUE(caches_.clean(1, write));
    EXPECT_EQ(states(0), "EII");
    EXPECT_FALSE(caches_.clean(0, write)) << "it is in memory";
    access(0, true);
    EXPECT_TRUE(caches_.clean(0, write)) << "a silent store from E";
    access(0, true);
    access(1, true); // it was dirty before
    EXPECT_TRUE(caches_.clean(1, write)) << "the second core's phase may end first";
}

TEST_F(ThreeCores, BeginAnewWithAnotherLine) {
    access(0, true, 0, 1000000);
    access(1, true, 0, 1000000);
    std::uint64_t line = 128;
    while (caches_.holds(0)) access(2, false, line += 128); // the last one is in its frame
    EXPECT_EQ(access(0, false, line, 2000).begin, 2000U);
}

TEST_F(ThreeCores, GiveUpLinesThatTheL2GivesUp) {
    access(0, true, 0);
    access(1, false, 0);
    std::uint64_t line = 128;
    while (caches_.holds(0)) access(2, false, line += 128);
    EXPECT_EQ(states(0), "III");
    EXPECT_EQ(written_, 1U) << "its bytes went to memory";
}

/// Lines leave an L1 while the L2 keeps them.
TEST_F(ThreeCores, EvictFromTheirOwnL1) {
    access(0, true, 0);
    access(1, false, 0);
    std::uint64_t line = 128;
    while (caches_.state(0, 0) != LineState::invalid) access(0, false, line += 128);
    ASSERT_TRUE(caches_.holds(0));
    EXPECT_EQ(states(0), "ISI");
    EXPECT_EQ(access(2, false).latency, kL2) << "the owner is gone, and the L2 has the bytes";
    EXPECT_EQ(states(0), "ISS");
    CoreWrite write;
    EXPECT_TRUE(caches_.clean(0, write)) << "it is still to be written to memory";
}

TEST_F(ThreeCores, ForgetWhatIsClean) {
    access(0, true, 0);
    access(1, false, 0);
    access(1, false, 128);
    access(2, false, 256);
    caches_.forget(256, 128);
    EXPECT_FALSE(caches_.holds(256));
    EXPECT_TRUE(caches_.holds(128));
    caches_.forget();
    EXPECT_FALSE(caches_.holds(128));
    ASSERT_TRUE(caches_.holds(0)) << "it is dirty";
    EXPECT_EQ(states(0), "III");
    CoreWrite write;
    EXPECT_TRUE(caches_.clean(0, write));
    EXPECT_EQ(write.line, 0U);
    EXPECT_FALSE(caches_.holds(0)) << "its other bytes may be old";
}

/// A dirty line around which memory has changed leaves the L2, and comes back as memory has it now: what is written to
/// it then stays when it is clean.
TEST_F(ThreeCores, KeepALineThatHasComeBack) {
    for (const bool range : {false, true}) {
        access(0, true, 0);
        if (range)
            caches_.forget(0, 128);
        else
            caches_.forget();
        std::uint64_t line = 128;
        while (caches_.holds(0)) access(2, false, line += 128);
        access(0, true, 0);
        CoreWrite write;
        ASSERT_TRUE(caches_.clean(0, write));
        EXPECT_EQ(write.line, 0U);
        EXPECT_TRUE(caches_.holds(0)) << "the next phase need not fetch it";
        EXPECT_EQ(states(0), "EII");
        EXPECT_FALSE(caches_.clean(0, write));
        access(0, true, 0);
        caches_.forget(0, 128);
        ASSERT_TRUE(caches_.clean(0, write));
        EXPECT_FALSE(caches_.holds(0)) << "memory has changed since it came back";
    }
}

/// A range from the middle of a line on: the line of its first byte, and that of its last.
TEST_F(ThreeCores, ForgetTheLinesThatARangeTouches) {
    for (std::uint64_t line = 0; line < 512; line += 128) access(1, false, line);
    caches_.forget(200, 57); // bytes 200 to 256
    EXPECT_TRUE(caches_.holds(0));
    EXPECT_FALSE(caches_.holds(128));
    EXPECT_FALSE(caches_.holds(256));
    EXPECT_TRUE(caches_.holds(384));
    EXPECT_EQ(states(0) + states(128) + states(256) + states(384), "IEIIIIIIIIEI");
    access(1, false, 128);
    access(1, false, 256);
    caches_.forget(200, 56); // to byte 255
    EXPECT_FALSE(caches_.holds(128));
    EXPECT_TRUE(caches_.holds(256));
    for (std::uint64_t line = 512; line < 1024; line += 128) caches_.ask(0, line);
    caches_.forget(512 + 200, 57);
    EXPECT_FALSE(caches_.arrived(512).again);
    EXPECT_TRUE(caches_.arrived(640).again);
    EXPECT_TRUE(caches_.arrived(768).again);
    EXPECT_FALSE(caches_.arrived(896).again);
}

TEST_F(ThreeCores, FetchALineAgainThatChangesUnderWay) {
    caches_.ask(1, 0);
    caches_.ask(0, 128);
    caches_.ask(0, 256);
    caches_.forget(128, 100);
    caches_.ask(2, 128);
    EXPECT_FALSE(caches_.arrived(0).again);
    EXPECT_FALSE(caches_.arrived(256).again);
    const HostCaches::Arrived came = caches_.arrived(128);
    EXPECT_TRUE(came.again);
    EXPECT_EQ(came.cores.front(), 0U);
    EXPECT_FALSE(caches_.ask(1, 128)) << "it is on its way again";
    EXPECT_EQ(caches_.arrived(128).cores, (std::vector<unsigned>{0, 2, 1}));
    caches_.ask(1, 0);
    caches_.forget();
    EXPECT_TRUE(caches_.arrived(0).again);
}

TEST_F(ThreeCores, AskMemoryOnceForALine) {
    EXPECT_TRUE(caches_.ask(1, 0));
    EXPECT_FALSE(caches_.ask(0, 0));
    EXPECT_TRUE(caches_.ask(0, 128));
    EXPECT_EQ(caches_.arrived(0).cores, (std::vector<unsigned>{1, 0}));
    EXPECT_TRUE(caches_.ask(2, 0));
}

} // namespace
} // namespace numavp::test
