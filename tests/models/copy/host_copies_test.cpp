/// Copies of a host's program at the ports of four sockets: whose engine moves which page, which lines with which
/// bytes, and whose turn it is.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/stats/stats.h"
#include "models/copy/host_copies.h"
#include "models/paging/page_placement.h"
#include "tests/tlm-links/traffic_ends.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using What = Launch::What;

constexpr unsigned kEngines = 4, kHostMemory = 4, kCopyBits = 48; ///< sockets with engines, then the host's memory
constexpr std::uint64_t kCopyPage = 4096, kPageLines = kCopyPage / kLineBytes, kArray = 1U << 30;

struct AtEdge final : Handler {
    AtEdge() { node.handler = this; }
    void deliver(Node&) override { what(); }
    std::function<void()> what;
    Node node;
};

/// What a port saw of a copy: memories that were read, and that were written, a line each.
struct PortLines {
    std::vector<unsigned> read, written;
};

class CopiesAtPorts : public ::testing::Test {
  protected:
    void TearDown() override { EXPECT_EQ(pool_.in_flight(), 0U); }
    void make(unsigned engines, unsigned lines_in_flight, std::vector<std::vector<unsigned>> near) {
        map_.memories = kEngines + 1;
        CopiesConfig config;
        config.mode = CopyMode::engines;
        config.engines = engines;
        config.lines_in_flight = lines_in_flight;
        copies_ = std::make_unique<HostCopies>(
            "copies", config,
            HostCopies::Resources{domain_, pool_, map_, space_, kCopyPage, kCopyBits,
                                  std::vector<SocketId>{SocketId(0), SocketId(1), SocketId(2), SocketId(3)},
                                  std::move(near), [this](const std::string& why) { fault_ = why; }});
        for (unsigned p = 0; p < kEngines; ++p) {
            takers_.push_back(std::make_unique<Taker>(("taker" + std::to_string(p)).c_str(), domain_, p));
            copies_->port(p).bind(takers_.back()->socket());
        }
    }
    /// Each memory of an array has its own socket near it, the host's none.
    void make_plain(unsigned engines = 2, unsigned lines_in_flight = 64) {
        make(engines, lines_in_flight, {{0}, {1}, {2}, {3}, {}});
    }
    static Launch of(What what, std::uint64_t address, std::uint64_t bytes, std::uint64_t target = 0) {
        Launch copy;
        copy.what = what;
        copy.address = address;
        copy.bytes = bytes;
        copy.target = target;
        return copy;
    }
    void touch(std::uint64_t page, unsigned by) {
        bool failed = false;
        pages_.entry(kArray / kCopyPage + page, SocketId(by), failed);
    }
    /// The copies begin at one edge; a while passes. Numbers of those that have ended, in their order.
    std::vector<std::size_t> perform(const std::vector<Launch>& launches, unsigned ns = 100'000) {
        begin_.what = [this, launches] {
            for (std::size_t i = 0; i < launches.size(); ++i)
                EXPECT_EQ(copies_->copy(launches[i], [this, i] { ended_.push_back(i); }), CopyStart::under_way);
        };
        domain_.at_from_outside(sc_core::sc_time_stamp().value() / 1000 + 1, begin_.node);
        sc_core::sc_start(sc_core::sc_time(ns, sc_core::SC_NS));
        return ended_;
    }
    PortLines at_port(unsigned port) const {
        PortLines lines;
        for (const Taker::Taken& one : takers_[port]->taken)
            (one.kind == Kind::store ? lines.written : lines.read)
                .push_back(static_cast<unsigned>(one.line >> map_.socket_shift));
        return lines;
    }
    /// Where a page of the array lies.
    unsigned memory_of(std::uint64_t page) {
        bool failed = false;
        const auto line = (kArray + page * kCopyPage) / kLineBytes;
        return static_cast<unsigned>(pages_.translate(line, SocketId(0), failed) >> map_.socket_shift);
    }
    static std::vector<unsigned> lines(std::size_t count, unsigned memory) {
        return std::vector<unsigned>(count, memory);
    }

    Clockwork clockwork_{"clockwork"};
    ClockDomain& domain_ = clockwork_.domain(1'000'000);
    TxnPool pool_;
    AddressMap map_;
    ChosenMemories placement_{make_page_placement(PlacementKind::first_touch),
                              {MemoryId(0), MemoryId(1), MemoryId(2), MemoryId(3)},
                              {MemoryId(kHostMemory)},
                              (std::uint64_t{1} << (kCopyBits - 1)) / kCopyPage};
    PageTable pages_{{kEngines + 1, std::uint64_t{1} << 34, kCopyPage, kCopyBits}, placement_};
    AddressSpace space_{pages_, nullptr};
    std::unique_ptr<HostCopies> copies_;
    std::vector<std::unique_ptr<Taker>> takers_;
    AtEdge begin_;
    std::vector<std::size_t> ended_;
    std::string fault_;
};

/// Five untouched pages for four sockets: as their blocks would, the sockets touch them in contiguous shares.
TEST_F(CopiesAtPorts, UntouchedPagesAreSharedInContiguousParts) {
    make_plain();
    EXPECT_THAT(perform({of(What::copy_to_device, kArray, 5 * kCopyPage)}), ElementsAre(0U));
    const unsigned homes[] = {0, 0, 1, 2, 3};
    for (unsigned page = 0; page < 5; ++page) EXPECT_EQ(memory_of(page), homes[page]) << "page " << page;
    for (unsigned port = 0; port < kEngines; ++port) {
        const std::size_t count = (port == 0 ? 2 : 1) * kPageLines;
        EXPECT_EQ(at_port(port).read, lines(count, kHostMemory)) << port;
        EXPECT_EQ(at_port(port).written, lines(count, port)) << port;
    }
    EXPECT_EQ(fault_, "");
}

/// A copy to the host or to another array of pages that nobody has touched shares what it reads, too.
TEST_F(CopiesAtPorts, WhatIsReadUntouchedIsSharedAlike) {
    make_plain();
    EXPECT_THAT(perform({of(What::copy_to_host, kArray, 4 * kCopyPage)}), ElementsAre(0U));
    for (unsigned page = 0; page < kEngines; ++page) {
        EXPECT_EQ(memory_of(page), page);
        EXPECT_EQ(at_port(page).read, lines(kPageLines, page));
        EXPECT_EQ(at_port(page).written, lines(kPageLines, kHostMemory));
    }
}

/// To devices the engine is the target's, to the host the source's, between arrays that of what is read.
TEST_F(CopiesAtPorts, AnEngineNearTheArrayMovesIt) {
    make_plain();
    touch(0, 2);
    touch(1, 1);
    touch(2, 3);
    perform({of(What::copy_to_device, kArray, kCopyPage)});
    EXPECT_EQ(at_port(2).read, lines(kPageLines, kHostMemory));
    EXPECT_EQ(at_port(2).written, lines(kPageLines, 2));
    takers_[2]->taken.clear();
    perform({of(What::copy_to_host, kArray, kCopyPage)});
    EXPECT_EQ(at_port(2).read, lines(kPageLines, 2));
    EXPECT_EQ(at_port(2).written, lines(kPageLines, kHostMemory));
    takers_[2]->taken.clear();
    perform({of(What::copy_peer, kArray + kCopyPage, kCopyPage, kArray + 2 * kCopyPage)});
    EXPECT_EQ(at_port(1).read, lines(kPageLines, 1)) << "the sender's engine writes to its peer";
    EXPECT_EQ(at_port(1).written, lines(kPageLines, 3));
    for (const unsigned idle : {0U, 2U, 3U}) EXPECT_THAT(takers_[idle]->taken, IsEmpty()) << idle;
    EXPECT_THAT(ended_, ElementsAre(0U, 0U, 0U));
}

/// Of several sockets near a memory, and of all where none is near, the number of the array's page chooses.
TEST_F(CopiesAtPorts, AmongSeveralEnginesThePageChooses) {
    make(2, 64, {{1, 3}, {1, 3}, {1, 3}, {1, 3}, {}});
    for (std::uint64_t page = 0; page < 4; ++page) touch(page, 0);
    perform({of(What::copy_to_device, kArray, 4 * kCopyPage)}); // kArray is page 2^18
    for (const unsigned port : {1U, 3U}) {
        EXPECT_EQ(at_port(port).written, lines(2 * kPageLines, 0));
        for (const Taker::Taken& one : takers_[port]->taken) // frames are given out in the order of touches
            EXPECT_EQ(one.line % (2 * kCopyPage) / kCopyPage, port == 1 ? 0U : 1U) << "even pages go to the first";
    }
    EXPECT_THAT(takers_[0]->taken, IsEmpty());
}

TEST_F(CopiesAtPorts, WithoutAnEngineNearbyAllTakePagesInTurn) {
    make(1, 64, {{}, {}, {}, {}, {}});
    for (std::uint64_t page = 0; page < 4; ++page) touch(page, 0);
    perform({of(What::copy_to_host, kArray, 4 * kCopyPage)});
    for (unsigned port = 0; port < kEngines; ++port) EXPECT_EQ(at_port(port).read, lines(kPageLines, 0)) << port;
}

/// From byte 100 of a line on, 200 bytes: the end of a line, a whole one, the beginning of a third; whole lines are
/// read.
TEST_F(CopiesAtPorts, LinesAreWrittenAsFarAsTheyAreCopied) {
    make_plain();
    touch(0, 0);
    perform({of(What::copy_to_device, kArray + 100, 200)});
    std::vector<std::pair<std::uint64_t, ByteMask>> read, written;
    for (const Taker::Taken& one : takers_[0]->taken)
        (one.kind == Kind::store ? written : read).emplace_back(one.line % kCopyPage, one.mask);
    using Line = std::pair<std::uint64_t, ByteMask>;
    EXPECT_EQ(read, (std::vector<Line>{{0, ByteMask::full()}, {128, ByteMask::full()}, {256, ByteMask::full()}}));
    EXPECT_EQ(written, (std::vector<Line>{
                           {0, ByteMask::range(100, 28)}, {128, ByteMask::full()}, {256, ByteMask::range(0, 44)}}));
}

/// Across a page of the source and another one of the target each stretch lies in one page of both.
TEST_F(CopiesAtPorts, StretchesEndWithThePagesOfBothSides) {
    make_plain();
    for (std::uint64_t page = 0; page < 4; ++page) touch(page, static_cast<unsigned>(page));
    // Lines 31 to 33 of the first two pages to lines 30 to 32 of the last two.
    const std::uint64_t from = kArray + 31 * kLineBytes, to = kArray + 2 * kCopyPage + 30 * kLineBytes;
    perform({of(What::copy_peer, from, 3 * kLineBytes, to)});
    EXPECT_EQ(at_port(0).read, lines(1, 0));
    EXPECT_EQ(at_port(0).written, lines(1, 2));
    EXPECT_EQ(at_port(1).read, lines(2, 1));
    EXPECT_THAT(at_port(1).written, ::testing::UnorderedElementsAre(2U, 3U)) << "one ends a page, one begins the next";
}

/// Two engines of a socket: one for what comes to its memory, one for the rest. They take turns at the port, line by
/// line, so that both directions are in use from the beginning.
TEST_F(CopiesAtPorts, TwoEnginesTakeTurns) {
    make_plain(2);
    touch(0, 1);
    touch(1, 1);
    perform({of(What::copy_to_device, kArray, kCopyPage), of(What::copy_to_host, kArray + kCopyPage, kCopyPage)});
    const std::vector<unsigned> read = at_port(1).read;
    ASSERT_EQ(read.size(), 2 * kPageLines);
    for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i], i % 2 == 0 ? kHostMemory : 1U) << i;
}

/// One engine does all in order: the second copy's first line is asked for behind the first one's last.
TEST_F(CopiesAtPorts, OneEngineDoesAllInOrder) {
    make_plain(1);
    touch(0, 1);
    touch(1, 1);
    EXPECT_THAT(
        perform({of(What::copy_to_device, kArray, kCopyPage), of(What::copy_to_host, kArray + kCopyPage, kCopyPage)}),
        ElementsAre(0U, 1U));
    const std::vector<unsigned> read = at_port(1).read;
    ASSERT_EQ(read.size(), 2 * kPageLines);
    for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(read[i], i < kPageLines ? kHostMemory : 1U) << i;
}

/// Copies between arrays are no arrivals: they are the second engine's too, behind a copy to the host.
TEST_F(CopiesAtPorts, TheSecondEngineHasAllThatLeaves) {
    make_plain(2);
    for (const std::uint64_t page : {0U, 1U}) touch(page, 1);
    touch(2, 3);
    perform({of(What::copy_to_host, kArray, kCopyPage),
             of(What::copy_peer, kArray + kCopyPage, kCopyPage, kArray + 2 * kCopyPage)});
    std::vector<unsigned> written = at_port(1).written;
    ASSERT_EQ(written.size(), 2 * kPageLines);
    EXPECT_EQ(std::vector<unsigned>(written.begin(), written.begin() + kPageLines), lines(kPageLines, kHostMemory));
}

/// An engine has so many lines under way and no more: memory that answers nothing for a while sees that many reads.
TEST_F(CopiesAtPorts, LinesUnderWayAreBounded) {
    make_plain(2, 7);
    touch(0, 0);
    takers_[0]->close_until(500);
    perform({of(What::copy_to_device, kArray, kCopyPage)}, 400);
    EXPECT_EQ(takers_[0]->taken.size(), 7U);
    EXPECT_EQ(copies_->waiting_for(), "4096 of 4096 bytes of a copy to devices");
    EXPECT_THAT(ended_, IsEmpty());
    sc_core::sc_start(sc_core::sc_time(2000, sc_core::SC_NS));
    EXPECT_THAT(ended_, ElementsAre(0U));
    EXPECT_EQ(copies_->waiting_for(), "");
}

/// Time with two copies under way counts once for both, and for each of its direction; an empty copy takes none.
TEST_F(CopiesAtPorts, TimesOfCopiesAreTheirSpans) {
    make_plain(2);
    for (std::uint64_t page = 0; page < 3; ++page) touch(page, 0);
    struct Span {
        What what;
        Cycle begin, end;
    };
    std::vector<Span> spans;
    copies_->on_end = [&](const Launch& launch, Cycle since) { spans.push_back({launch.what, since, domain_.now()}); };
    perform({of(What::copy_to_device, kArray, 2 * kCopyPage)}, 20);
    perform({of(What::copy_to_host, kArray + 2 * kCopyPage, kCopyPage)});
    ASSERT_EQ(spans.size(), 2U);
    const Span& in = spans[0].what == What::copy_to_device ? spans[0] : spans[1];
    const Span& out = spans[0].what == What::copy_to_device ? spans[1] : spans[0];
    ASSERT_LT(in.begin, out.begin);
    ASSERT_LT(out.begin, in.end) << "or they are not under way at once";
    EXPECT_EQ(copies_->copy(of(What::copy_to_device, kArray, 0), [] {}), CopyStart::ended);
    StatGroup root;
    copies_->add_statistics(root);
    const nlohmann::ordered_json values = root.values().at("copies");
    EXPECT_EQ(values.at("to_device").at("busy_ps"), 1000 * (in.end - in.begin));
    EXPECT_EQ(values.at("to_host").at("busy_ps"), 1000 * (out.end - out.begin));
    EXPECT_EQ(values.at("busy_ps"), 1000 * (std::max(in.end, out.end) - in.begin)) << "of both together";
    EXPECT_EQ(values.at("to_device").at("copies"), 2);
    EXPECT_EQ(values.at("to_device").at("bytes"), 2 * kCopyPage);
}

} // namespace
} // namespace numavp::test
