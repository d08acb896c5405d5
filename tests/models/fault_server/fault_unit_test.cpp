/// The page-fault unit by its registers: merging, masking, a full queue, completion, invalidation in two rounds, and
/// what it says of a driver that is wrong.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/fault_server/fault_unit.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Reg = FaultUnitRegister;

constexpr unsigned kMessage = 10; ///< cycles of 1 ns
constexpr std::uint64_t kPage = 65536;
constexpr unsigned kShift = 34;

/// A socket that writes down what it hears.
class Listener final : public FaultClient {
  public:
    Listener(std::vector<std::string>& log, unsigned number) : log_(log), name_("socket" + std::to_string(number)) {}
    void resolved(std::uint64_t page) override { log_.push_back(name_ + " resolved " + std::to_string(page)); }
    void room() override { log_.push_back(name_ + " room"); }
    void invalidate(const PageInvalidation& what) override {
        log_.push_back(name_ + " invalidate " + std::to_string(what.page));
        frames.push_back(what.frame);
    }
    std::vector<PhysicalAddress> frames; ///< that it gave up

  private:
    std::vector<std::string>& log_;
    std::string name_;
};

class Taker final : public InterruptTaker {
  public:
    void interrupt(bool l) override { level = l; }
    bool level = false;
};

class FaultUnitTest : public ::testing::Test {
  protected:
    FaultUnitTest()
        : clockwork("clockwork"), domain(clockwork.domain(1'000'000)),
          table(RadixLayout(48, 16), TableRegion{MemoryId(0), 2, kShift, std::uint64_t{1} << 33, 4096}, memory) {
        line.connect(taker);
        FaultUnitConfig config;
        config.queue_entries = 2;
        config.message_cycles = kMessage;
        config.socket_shift = kShift;
        config.page_bytes = kPage;
        config.frames = 1000;
        unit = std::make_unique<FaultUnit>(config, FaultUnit::Resources{domain, line, 0, table});
        for (unsigned s = 0; s < 2; ++s) sockets.push_back(std::make_unique<Listener>(log, s));
        unit->set_clients({sockets[0].get(), sockets[1].get()});
    }
    /// Calls are made from outside the clockwork, between edges: each is followed by time.
    void pass(std::uint64_t cycles) {
        clockwork.poke();
        sc_core::sc_start(sc_core::sc_time(static_cast<double>(cycles), sc_core::SC_NS));
    }
    bool fault(std::uint64_t page, unsigned socket, bool write = false) {
        return unit->fault({page, SocketId(socket), write});
    }
    std::uint64_t read(Reg reg) { return unit->read_register(static_cast<std::size_t>(reg)); }
    void write(Reg reg, std::uint64_t value) { unit->write_register(static_cast<std::size_t>(reg), value); }
    void serve(std::uint64_t page, PhysicalAddress frame) {
        table.map(page, frame);
        write(Reg::pop, 1);
        write(Reg::done, page);
    }
    /// The page's frames for both sockets, by a table of replicas; a word with kReplicated is the socket's own.
    void replicate(std::uint64_t page, std::uint64_t word0, std::uint64_t word1, std::uint64_t state = 3) {
        const PhysicalAddress words = table.region().page(4000);
        table.memory().write(words, {word0});
        table.memory().write(words + 8, {word1});
        table.write_leaf(page, {words | TableWord::kReplicated | state});
    }
    PhysicalAddress frame(unsigned socket, std::uint64_t number) const {
        return (PhysicalAddress{socket} << kShift) + number * kPage;
    }

    Clockwork clockwork;
    ClockDomain& domain;
    TableMemory memory;
    RadixTable table;
    InterruptLine line;
    Taker taker;
    std::vector<std::string> log;
    std::vector<std::unique_ptr<Listener>> sockets;
    std::unique_ptr<FaultUnit> unit;
};

TEST_F(FaultUnitTest, ShowsAFaultWhenItsMessageHasComeAndNotBefore) {
    pass(1);
    ASSERT_TRUE(fault(7, 1, true));
    pass(kMessage - 1);
    EXPECT_EQ(read(Reg::status), 0U);
    EXPECT_EQ(read(Reg::head_info), 0U);
    pass(1);
    EXPECT_EQ(read(Reg::status), 1U);
    EXPECT_EQ(read(Reg::head_page), 7U);
    EXPECT_EQ(read(Reg::head_info), 1U | 1U << 16 | 1U << 17 | std::uint64_t{2} << 32);
}

TEST_F(FaultUnitTest, MergesFaultsOfAllSocketsAndTellsEachOnce) {
    pass(1);
    EXPECT_TRUE(fault(7, 1));
    EXPECT_TRUE(fault(7, 0));
    pass(kMessage);
    EXPECT_EQ(read(Reg::status), 1U);
    EXPECT_EQ(read(Reg::head_info) >> 32, 3U);
    serve(7, frame(0, 3));
    EXPECT_EQ(read(Reg::outstanding), 0U);
    pass(kMessage);
    EXPECT_THAT(log, ElementsAre("socket0 resolved 7", "socket1 resolved 7"));
    EXPECT_EQ(unit->ledger().counts.raised, 1U);
    EXPECT_EQ(unit->ledger().counts.merged, 1U);
    EXPECT_EQ(unit->resident(MemoryId(0)), 1U);
    EXPECT_TRUE(unit->drained());
}

TEST_F(FaultUnitTest, LosesNothingWhenItIsFull) {
    pass(1);
    EXPECT_TRUE(fault(1, 0));
    EXPECT_TRUE(fault(2, 0));
    EXPECT_FALSE(fault(3, 1)); // its walker keeps it
    EXPECT_TRUE(fault(2, 1));  // joins one that is there
    pass(kMessage);
    EXPECT_EQ(read(Reg::status), 2U | std::uint64_t{1} << 32);
    serve(1, frame(0, 0));
    pass(kMessage);
    EXPECT_THAT(log, ElementsAre("socket1 room", "socket0 resolved 1"));
    EXPECT_TRUE(fault(3, 1));
    EXPECT_EQ(unit->ledger().counts.refused, 1U);
}

TEST_F(FaultUnitTest, RaisesItsInterruptOnlyAsTheMaskSays) {
    pass(1);
    ASSERT_TRUE(fault(1, 0));
    pass(kMessage);
    EXPECT_FALSE(taker.level);
    write(Reg::control, 1);
    EXPECT_TRUE(taker.level);
    write(Reg::control, 2);
    EXPECT_FALSE(taker.level);
    unit->access_note(SocketId(1), 9);
    pass(kMessage);
    EXPECT_TRUE(taker.level);
    EXPECT_EQ(read(Reg::note_page), 9U);
    EXPECT_EQ(read(Reg::note_info), 1U | 1U << 17);
    write(Reg::note_pop, 1);
    EXPECT_FALSE(taker.level);
}

TEST_F(FaultUnitTest, InvalidatesAtTheHomeLast) {
    pass(1);
    ASSERT_TRUE(fault(5, 0));
    pass(kMessage);
    serve(5, frame(0, 1));
    pass(kMessage);
    log.clear();
    table.memory().write(table.slot(5), {frame(0, 1) | TableWord::kMoving});
    write(Reg::control, 4);
    write(Reg::invalidate, 5);
    EXPECT_EQ(read(Reg::status) >> 34, 1U);
    pass(kMessage);
    EXPECT_THAT(log, ElementsAre("socket1 invalidate 5")); // the home waits for the others' write-backs
    unit->invalidated(SocketId(1), 5);
    pass(2 * kMessage);
    EXPECT_THAT(log, ElementsAre("socket1 invalidate 5", "socket0 invalidate 5"));
    EXPECT_FALSE(taker.level);
    const std::uint64_t before_ps = unit->progress_ps();
    unit->invalidated(SocketId(0), 5);
    pass(kMessage);
    EXPECT_TRUE(taker.level);
    EXPECT_GT(unit->progress_ps(), before_ps) << "whoever looks for a driver that stands still sees that it moves";
    EXPECT_EQ(unit->resident(MemoryId(0)), 0U);
    EXPECT_EQ(read(Reg::invalidated), 1U); // reading it takes the interrupt back
    EXPECT_FALSE(taker.level);
}

/// Page 5 of a fault by socket 0 is in frame 1 of memory 0, with a replica in frame 2 of memory 1.
class ReplicatedPage : public FaultUnitTest {
  protected:
    void SetUp() override {
        pass(1);
        ASSERT_TRUE(fault(5, 0));
        pass(kMessage);
        serve(5, frame(0, 1));
        pass(kMessage);
        table.memory().write(table.slot(5), {frame(0, 1) | TableWord::kMoving});
        invalidate();
        replicate(5, kHome, kReplica);
        write(Reg::done, 5);
        ASSERT_EQ(clockwork.failure(), "");
        log.clear();
        for (auto& socket : sockets) socket->frames.clear();
    }
    /// All whom it asks answer.
    void invalidate() {
        log.clear();
        write(Reg::invalidate, 5);
        for (std::size_t answered = 0; answered < 2; ++answered) {
            pass(kMessage);
            if (log.size() <= answered) break;
            unit->invalidated(SocketId(log[answered] == "socket1 invalidate 5"), 5);
            pass(kMessage);
        }
    }
    const std::uint64_t kHome = frame(0, 1) | 3, kReplica = frame(1, 2) | TableWord::kReplicated | 3;
};

TEST_F(ReplicatedPage, GivesUpTheFrameOfEachSocketAtOnce) {
    replicate(5, kHome, kReplica, TableWord::kMoving);
    invalidate();
    EXPECT_THAT(log, ElementsAre("socket1 invalidate 5", "socket0 invalidate 5"));
    EXPECT_THAT(sockets[0]->frames, ElementsAre(frame(0, 1)));
    EXPECT_THAT(sockets[1]->frames, ElementsAre(frame(1, 2)));
    table.map(5, frame(0, 1));
    write(Reg::done, 5);
    EXPECT_EQ(clockwork.failure(), "");
    EXPECT_EQ(unit->ledger().counts.replicas, 1U);
    EXPECT_EQ(unit->ledger().counts.replicas_dropped, 1U);
    EXPECT_EQ(unit->ledger().counts.collapses, 1U);
    EXPECT_EQ(unit->resident(MemoryId(0)), 1U);
    EXPECT_EQ(unit->resident(MemoryId(1)), 0U) << "pages, not replicas";
}

TEST_F(ReplicatedPage, HoldsUpOneSocketIfOnlyItsWordMoves) {
    replicate(5, kHome, frame(1, 2) | TableWord::kMoving);
    invalidate();
    EXPECT_THAT(log, ElementsAre("socket1 invalidate 5"));
    EXPECT_EQ(read(Reg::invalidated), 2U);
    replicate(5, kHome, kHome);
    write(Reg::done, 5);
    EXPECT_EQ(clockwork.failure(), "");
    EXPECT_EQ(unit->ledger().counts.invalidations, 1U) << "of the whole page";
    EXPECT_EQ(unit->ledger().counts.replicas_dropped, 1U);
    EXPECT_EQ(unit->ledger().counts.collapses, 0U);
}

TEST_F(ReplicatedPage, AStoreMakesAWaitingFaultOneThatWrites) {
    ASSERT_TRUE(fault(5, 1));
    pass(kMessage);
    EXPECT_EQ(read(Reg::head_info) >> 16 & 1, 0U);
    ASSERT_TRUE(unit->fault({5, SocketId(0), true, true}));
    EXPECT_EQ(read(Reg::head_info) >> 16 & 1, 1U);
}

TEST_F(ReplicatedPage, EndsTheRunIfAReplicaIsKept) {
    table.memory().write(table.slot(5), {frame(0, 1) | TableWord::kMoving});
    write(Reg::invalidate, 5);
    EXPECT_THAT(clockwork.failure(), HasSubstr("does not say that it moves away from 0x10000 and its replicas"));
}

TEST_F(ReplicatedPage, EndsTheRunIfItsReplicasFrameIsUsedBefore) {
    ASSERT_TRUE(fault(6, 0));
    pass(kMessage);
    serve(6, frame(1, 2));
    EXPECT_THAT(clockwork.failure(), HasSubstr("holds page 0x5 already"));
}

TEST_F(ReplicatedPage, EndsTheRunIfASocketsFrameChangesWithoutABreak) {
    replicate(5, kHome, kHome);
    write(Reg::done, 5);
    EXPECT_THAT(clockwork.failure(), HasSubstr("socket 1 had it at 0x400020000 and no cache has been asked"));
}

TEST_F(ReplicatedPage, EndsTheRunIfAReplicaIsElsewhere) {
    replicate(5, kHome, frame(0, 3) | TableWord::kReplicated | 3);
    write(Reg::done, 5);
    EXPECT_THAT(clockwork.failure(), HasSubstr("the replica of socket 1 at 0x30000 is not in its memory"));
}

TEST_F(ReplicatedPage, EndsTheRunIfStoresWereNotStopped) {
    ASSERT_TRUE(fault(6, 0));
    pass(kMessage);
    serve(6, frame(0, 3));
    replicate(6, frame(0, 3) | 3, frame(1, 3) | TableWord::kReplicated | 3);
    write(Reg::done, 6);
    EXPECT_THAT(clockwork.failure(), HasSubstr("no TLB has been asked to give up that it may be stored to"));
}

/// A driver that is wrong ends the run with a sentence.
class WrongDriver : public FaultUnitTest {
  protected:
    void SetUp() override {
        pass(1);
        ASSERT_TRUE(fault(5, 0));
        ASSERT_TRUE(fault(6, 0));
        pass(kMessage);
    }
};

TEST_F(WrongDriver, CompletesAPageThatIsNotMapped) {
    write(Reg::pop, 1);
    write(Reg::done, 5);
    EXPECT_THAT(clockwork.failure(), HasSubstr("wrong place: its entry in the page table is not valid"));
}

TEST_F(WrongDriver, PutsAPageBeyondTheMemory) {
    serve(5, frame(1, 1000));
    EXPECT_THAT(clockwork.failure(), HasSubstr("frame 1000 is beyond the 1000 of memory 1"));
}

TEST_F(WrongDriver, PutsAPageIntoNoSocketsMemory) {
    serve(5, frame(2, 0));
    EXPECT_THAT(clockwork.failure(), HasSubstr("memory 2 is none of a socket"));
}

TEST_F(WrongDriver, PutsAPageAcrossFrames) {
    serve(5, frame(0, 1) + 4096);
    EXPECT_THAT(clockwork.failure(), HasSubstr("not the start of a page's frame"));
}

TEST_F(WrongDriver, PutsTwoPagesIntoOneFrame) {
    serve(5, frame(0, 1));
    EXPECT_EQ(clockwork.failure(), "");
    serve(6, frame(0, 1));
    EXPECT_THAT(clockwork.failure(), HasSubstr("holds page 0x5 already"));
}

TEST_F(WrongDriver, InvalidatesAPageThatIsMapped) {
    serve(5, frame(0, 1));
    write(Reg::invalidate, 5);
    EXPECT_THAT(clockwork.failure(), HasSubstr("invalidates page 0x5 while its entry in the page table is valid"));
}

TEST_F(WrongDriver, InvalidatesAPageAtAnotherPlace) {
    serve(5, frame(0, 1));
    table.memory().write(table.slot(5), {frame(0, 2) | TableWord::kMoving});
    write(Reg::invalidate, 5);
    EXPECT_THAT(clockwork.failure(), HasSubstr("does not say that it moves away from 0x10000"));
}

TEST_F(WrongDriver, MovesAPageThatCachesStillHold) {
    serve(5, frame(0, 1));
    table.map(5, frame(1, 1));
    write(Reg::done, 5);
    EXPECT_THAT(clockwork.failure(), HasSubstr("no cache has been asked to give it up"));
}

TEST_F(WrongDriver, SaysWhyItRefusesAPage) {
    unit->last_words = [] { return std::string("all is full"); };
    write(Reg::pop, 1);
    write(Reg::fail, 5);
    EXPECT_THAT(clockwork.failure(), HasSubstr("the driver refuses the page at virtual address 0x50000: all is full"));
}

} // namespace
} // namespace numavp::test
