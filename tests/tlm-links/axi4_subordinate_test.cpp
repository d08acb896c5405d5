/// The core of the bridge from AXI4 on bare pins: random managers against a memory that answers late and in any order,
/// what it refuses, and what it does when it is full.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "tests/support/fast_build.h"
#include "tests/tlm-links/random_manager.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi/axi4_subordinate.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp::test {
namespace {

/// Serves what a subordinate hands on after random times, each access at once.
class LateMemory {
  public:
    LateMemory(Axi4Subordinate& subordinate, unsigned most_edges, std::uint64_t seed)
        : subordinate_(subordinate), most_edges_(most_edges), rng_(seed) {}
    FlatMemory memory;

    void edge() {
        ++now_;
        while (Axi4Burst* burst = subordinate_.next_request())
            out_.push_back({burst, now_ + 1 + rng_.below(most_edges_)});
        for (std::size_t i = 0; i < out_.size();)
            if (out_[i].due <= now_) {
                serve(*out_[i].burst);
                out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                ++i;
            }
    }

  private:
    struct Out {
        Axi4Burst* burst;
        std::uint64_t due;
    };
    void serve(Axi4Burst& burst) {
        for (unsigned i = 0; i < burst.bytes; ++i) {
            if (!burst.write)
                memory.read(burst.address + i, burst.data() + i, 1);
            else if (!burst.partial || burst.enables()[i] != 0)
                memory.write(burst.address + i, burst.data() + i, std::size_t{1});
        }
        subordinate_.finish(burst, rtl::kAxiOkay);
        subordinate_.release(burst);
    }

    Axi4Subordinate& subordinate_;
    unsigned most_edges_;
    Rng rng_;
    std::uint64_t now_ = 0;
    std::vector<Out> out_;
};

struct PinCase {
    const char* name;
    ManagerStyle style;
    Axi4SubordinateConfig config;
    unsigned most_edges; ///< that the memory takes
};
void PrintTo(const PinCase& c, std::ostream* out) { *out << c.name; }

const PinCase kCases[] = {
    {"words", {16, 16, 1}, {16, 16}, 20},
    {"aligned bursts", {16, 16, 8}, {16, 16}, 20},
    {"one id", {1, 12, 3, 0, true}, {4, 4}, 60},
    {"two ids, stalls", {2, 16, 6, 128, true}, {16, 3}, 60},
    {"one place each", {8, 16, 4, 0, true}, {1, 1}, 9},
    {"one at a time", {4, 1, 64, 30, true}, {16, 16}, 9},
    {"more ids than places", {1000, 40, 3, 20, true}, {7, 5}, 200},
    {"long bursts, many stalls", {16, 8, 64, 220, true}, {8, 8}, 30},
    {"wrong and illegal", {4, 16, 3, 20, true, 10, 10}, {8, 8, RandomManager::kBytes}, 40},
    {"at once", {16, 16, 2, 0, true}, {16, 16}, 1},
};

class Axi4SubordinatePins : public ::testing::TestWithParam<PinCase> {};

TEST_P(Axi4SubordinatePins, ServeEveryManagerRightly) {
    const PinCase& c = GetParam();
    const unsigned count = of_campaign(300'000) / (c.style.most_beats + 2);
    RandomManager manager(c.style, count, 7);
    Axi4Subordinate subordinate(c.config);
    LateMemory memory(subordinate, c.most_edges, 8);
    Axi4Monitor monitor;
    for (std::uint64_t edges = 0; edges < 1'000ULL * count && !(manager.finished() && subordinate.idle()); ++edges) {
        monitor.observe(manager.pins(), subordinate.pins());
        subordinate.edge(manager.pins());
        manager.edge();
        manager.settle(subordinate.pins());
        memory.edge();
    }
    EXPECT_TRUE(manager.finished()) << manager.answered() << " of " << count;
    EXPECT_TRUE(subordinate.idle());
    EXPECT_EQ(manager.wrong(), 0U);
    EXPECT_EQ(memory.memory.first_difference(manager.reference), std::nullopt);
    monitor.finish();
    for (const std::string& breach : monitor.breaches()) // of a manager that is asked for them, its own
        EXPECT_TRUE(c.style.illegal_percent != 0 && breach.find("manager: ") != std::string::npos) << breach;
}
INSTANTIATE_TEST_SUITE_P(All, Axi4SubordinatePins, ::testing::ValuesIn(kCases));

/// A subordinate whose edges are given by hand.
struct ByHand {
    rtl::AxiManagerPins m;
    Axi4Subordinate subordinate;

    explicit ByHand(const Axi4SubordinateConfig& config) : subordinate(config) { m.bready = m.rready = true; }
    const rtl::AxiSubordinatePins& s() const { return subordinate.pins(); }
    void edge() { subordinate.edge(m); }
};

TEST(Axi4Subordinate, HandsABurstOnAsBytes) {
    ByHand hand({});
    hand.m.aw = {true, 5, 0x1030, 1};
    hand.edge();
    hand.m.aw.valid = false;
    EXPECT_TRUE(hand.s().wready);
    hand.m.w.valid = true;
    for (unsigned beat = 0; beat < 2; ++beat) {
        EXPECT_EQ(hand.subordinate.next_request(), nullptr);
        hand.m.w.last = beat == 1;
        hand.m.w.strb = beat == 0 ? 0xffff'0000'0000'0000 : 0x3;
        for (unsigned i = 0; i < 64; ++i) hand.m.w.data[i] = static_cast<unsigned char>(100 * beat + i);
        hand.edge();
    }
    hand.m.w.valid = false;
    EXPECT_FALSE(hand.s().wready);
    Axi4Burst* burst = hand.subordinate.next_request();
    ASSERT_NE(burst, nullptr);
    EXPECT_TRUE(burst->write && burst->partial);
    EXPECT_EQ(burst->address, 0x1030U);
    ASSERT_EQ(burst->bytes, 16U + 64U);
    EXPECT_EQ(burst->data()[0], 0x30);
    EXPECT_EQ(burst->data()[16], 100);
    for (unsigned i = 0; i < burst->bytes; ++i) EXPECT_EQ(burst->enables()[i], i < 18 ? 0xff : 0) << i;
    EXPECT_FALSE(hand.s().b.valid);
    hand.subordinate.finish(*burst, rtl::kAxiSlverr);
    EXPECT_FALSE(hand.s().b.valid); // before the edge
    hand.edge();
    EXPECT_TRUE(hand.s().b.valid);
    EXPECT_EQ(hand.s().b.id, 5U);
    EXPECT_EQ(hand.s().b.resp, rtl::kAxiSlverr);
    EXPECT_FALSE(hand.subordinate.idle());
    hand.edge();
    EXPECT_TRUE(hand.subordinate.idle());
}

TEST(Axi4Subordinate, StallsWhenItsPlacesAreTakenAndNotBefore) {
    ByHand hand({3, 2});
    hand.m.ar = {true, 0, 0, 0};
    for (unsigned taken = 0; taken < 3; ++taken) {
        EXPECT_TRUE(hand.s().arready);
        hand.edge();
        hand.m.ar.addr += 64;
    }
    EXPECT_FALSE(hand.s().arready);
    EXPECT_TRUE(hand.s().awready);
    for (unsigned i = 0; i < 100; ++i) hand.edge();
    EXPECT_FALSE(hand.s().arready);
    Axi4Burst* const burst = hand.subordinate.next_request();
    hand.subordinate.finish(*burst, rtl::kAxiOkay);
    hand.edge(); // its only beat is on the pins, but its bytes are still being looked at
    EXPECT_TRUE(hand.s().r.valid);
    hand.edge();
    EXPECT_FALSE(hand.s().arready);
    hand.subordinate.release(*burst);
    hand.edge();
    EXPECT_TRUE(hand.s().arready);

    hand.m.ar.valid = false;
    hand.m.aw = {true, 0, 0x4000, 0};
    hand.edge();
    EXPECT_TRUE(hand.s().awready && hand.s().wready);
    hand.edge();
    EXPECT_FALSE(hand.s().awready);
}

TEST(Axi4Subordinate, AnswersInTheOrderOfAnIdAndInAnyBetweenIds) {
    ByHand hand({});
    for (const unsigned id : {1U, 1U, 2U}) {
        hand.m.ar = {true, id, 64, 0};
        hand.edge();
    }
    hand.m.ar.valid = false;
    Axi4Burst* bursts[3] = {};
    for (auto& burst : bursts) burst = hand.subordinate.next_request();
    std::vector<unsigned> ids;
    for (const unsigned finished : {1U, 2U, 0U}) { // the later one of id 1 first
        hand.subordinate.finish(*bursts[finished], rtl::kAxiOkay);
        hand.edge();
        if (hand.s().r.valid) ids.push_back(hand.s().r.id);
    }
    hand.edge();
    if (hand.s().r.valid) ids.push_back(hand.s().r.id);
    EXPECT_EQ(ids, (std::vector<unsigned>{2, 1, 1}));
}

TEST(Axi4Subordinate, HoldsBackWhatOverlaps) {
    ByHand hand({});
    hand.m.ar = {true, 1, 64, 0};
    hand.edge();
    hand.m.ar.valid = false;
    hand.m.aw = {true, 2, 64, 0};
    hand.edge();
    hand.m.aw.valid = false;
    hand.m.w.valid = hand.m.w.last = true;
    hand.m.w.strb = ~0ULL;
    hand.edge();
    hand.m.w.valid = false;
    Axi4Burst* const read = hand.subordinate.next_request();
    ASSERT_NE(read, nullptr);
    EXPECT_EQ(hand.subordinate.next_request(), nullptr);
    hand.subordinate.finish(*read, rtl::kAxiOkay);
    EXPECT_NE(hand.subordinate.next_request(), nullptr);
}

struct Refused {
    const char* what;
    rtl::AxiAddressPins address;
    unsigned response;
    unsigned last = kNeverLast; ///< the beat of a write with WLAST, if not the last one
    static constexpr unsigned kNeverLast = ~0U;
};

TEST(Axi4Subordinate, AnswersItselfWhatBreaksTheRules) {
    const Refused rows[] = {
        {"across 4 KB", {true, 3, 0xfc0, 1}, rtl::kAxiSlverr},
        {"256 beats", {true, 3, 0, 255}, rtl::kAxiSlverr},
        {"FIXED", {true, 3, 0, 1, 6, 0}, rtl::kAxiSlverr},
        {"WRAP", {true, 3, 0, 1, 6, 2}, rtl::kAxiSlverr},
        {"narrow", {true, 3, 0, 1, 5}, rtl::kAxiSlverr},
        {"WLAST early", {true, 3, 0, 3}, rtl::kAxiSlverr, 1},
        {"just outside", {true, 3, 0x3f80, 1}, rtl::kAxiDecerr},
        {"far outside", {true, 3, ~0ULL - 63, 0}, rtl::kAxiDecerr},
        {"just inside", {true, 3, 0x3f40, 1}, rtl::kAxiOkay},
    };
    for (const Refused& row : rows) {
        SCOPED_TRACE(row.what);
        const bool served = row.response == rtl::kAxiOkay;
        if (row.last == Refused::kNeverLast) {
            ByHand hand({2, 2, 0x3fc0});
            hand.m.ar = row.address;
            hand.edge();
            hand.m.ar.valid = false;
            EXPECT_EQ(hand.subordinate.next_request() != nullptr, served);
            if (!served) {
                for (unsigned beat = 0; beat <= row.address.len; ++beat, hand.edge()) {
                    ASSERT_TRUE(hand.s().r.valid);
                    EXPECT_EQ(hand.s().r.resp, row.response);
                    EXPECT_EQ(hand.s().r.last, beat == row.address.len);
                }
                EXPECT_TRUE(hand.subordinate.idle());
            }
        }
        ByHand hand({2, 2, 0x3fc0});
        hand.m.aw = row.address;
        hand.edge();
        hand.m.aw.valid = false;
        hand.m.w.valid = true;
        for (unsigned beat = 0; beat <= row.address.len && !(hand.m.w.last && beat != 0); ++beat) {
            hand.m.w.last = beat == std::min(row.last, row.address.len);
            EXPECT_FALSE(hand.s().b.valid);
            hand.edge();
        }
        EXPECT_EQ(hand.subordinate.next_request() != nullptr, served);
        EXPECT_EQ(hand.s().b.valid, !served);
        EXPECT_TRUE(served || hand.s().b.resp == row.response);
    }
}

TEST(Axi4Subordinate, NeedsPlaces) {
    EXPECT_THROW(Axi4Subordinate({0, 1}), ModelError);
    EXPECT_THROW(Axi4Subordinate({1, 0}), ModelError);
}

} // namespace
} // namespace numavp::test
