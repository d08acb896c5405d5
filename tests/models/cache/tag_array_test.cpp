/// The tag array against a model that keeps each set as a list, in thousands of random steps.
#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/values/rng.h"
#include "models/cache/tag_array.h"

namespace numavp {
namespace {

struct Line {
    std::uint64_t address;
    bool remote;
    bool dirty;
};

/// One set as a list, most recent first.
class ListSet {
  public:
    ListSet(unsigned ways, unsigned local_ways, bool strict) : ways_(ways), local_ways_(local_ways), strict_(strict) {}
    std::list<Line>::iterator find(std::uint64_t address) {
        return std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.address == address; });
    }
    /// Address of the line that has to go, 0: a free frame, 1: none may.
    std::uint64_t victim(bool remote, bool spare) const {
        const auto own = static_cast<unsigned>(
            std::count_if(lines.begin(), lines.end(), [&](const Line& l) { return l.remote == remote; }));
        const unsigned quota = local_ways_ == 0 ? ways_ : remote ? ways_ - local_ways_ : local_ways_;
        const bool over = own >= quota;
        if (lines.size() < ways_ && !(strict_ && over)) return 0;
        for (const bool relaxed : {local_ways_ == 0, true})
            for (auto l = lines.rbegin(); l != lines.rend(); ++l) {
                if (relaxed && strict_ && local_ways_ != 0) continue;
                if (!relaxed && (l->remote == remote) != over) continue;
                if (!(spare && l->remote && l->dirty)) return l->address;
            }
        return 1;
    }
    std::list<Line> lines;

  private:
    unsigned ways_, local_ways_;
    bool strict_;
};

struct Case {
    unsigned ways, local_ways;
    bool strict;
};

class TagArrays : public ::testing::TestWithParam<Case> {};

TEST_P(TagArrays, BehaveLikeALruList) {
    const Case p = GetParam();
    TagArray tags(1, p.ways, false);
    tags.set_local_ways(p.local_ways);
    tags.set_strict(p.strict);
    ListSet model(p.ways, p.local_ways, p.strict);
    Rng rng(p.ways, p.local_ways);
    for (int step = 0; step < 20000; ++step) {
        const std::uint64_t n = rng.below(2 * p.ways + 4);
        const std::uint64_t address = (n + 1) << kLineShift;
        const bool remote = n % 2 != 0;
        const int frame = tags.find(address);
        const auto held = model.find(address);
        ASSERT_EQ(frame >= 0, held != model.lines.end()) << "step " << step;
        const auto action = rng.below(8);
        if (frame >= 0) {
            const auto f = static_cast<unsigned>(frame);
            ASSERT_EQ(tags.dirty(f), held->dirty);
            if (action == 0) {
                tags.invalidate(f);
                model.lines.erase(held);
                continue;
            }
            if (action == 1) {
                tags.mark_dirty(f, ByteMask::range(0, 4));
                held->dirty = true;
            }
            tags.touch(f);
            model.lines.splice(model.lines.begin(), model.lines, held);
            continue;
        }
        const bool spare = action == 2;
        const int chosen = tags.victim(address, {remote, spare});
        const std::uint64_t right = model.victim(remote, spare);
        if (right == 1) {
            ASSERT_EQ(chosen, -1) << "step " << step;
            continue;
        }
        ASSERT_GE(chosen, 0) << "step " << step;
        const auto f = static_cast<unsigned>(chosen);
        ASSERT_EQ(tags.valid(f) ? tags.line_at(f) : 0, right) << "step " << step;
        if (right != 0) model.lines.erase(model.find(right));
        tags.install(f, address, remote, SectorSet::all());
        model.lines.push_front({address, remote, false});
    }
}
INSTANTIATE_TEST_SUITE_P(Shapes, TagArrays,
                         ::testing::Values(Case{1, 0, false}, Case{4, 0, false}, Case{4, 2, false}, Case{4, 3, true},
                                           Case{6, 1, false}, Case{16, 0, false}, Case{16, 8, false}, Case{16, 8, true},
                                           Case{16, 15, false}, Case{17, 0, false}, Case{24, 9, true},
                                           Case{64, 0, false}, Case{64, 31, false}),
                         [](const auto& param) {
                             return std::to_string(param.param.ways) + "_ways_" +
                                    std::to_string(param.param.local_ways) + "_local" +
                                    (param.param.strict ? "_strict" : "");
                         });

TEST(TagArray, AnyNumberOfSetsIsUsedEvenlyByLinesSideBySide) {
    for (const unsigned sets : {1U, 3U, 48U, 63U, 64U, 100U}) {
        constexpr unsigned kWays = 4;
        TagArray tags(sets, kWays, false);
        const unsigned lines = 2 * sets; // half of what the cache holds: a set that gets twice its share still fits it
        for (std::uint64_t n = 0; n < lines; ++n) {
            const std::uint64_t line = (1000 * sets + n) << kLineShift;
            const int frame = tags.victim(line, {});
            ASSERT_GE(frame, 0);
            tags.install(static_cast<unsigned>(frame), line, false, SectorSet::all());
        }
        unsigned held = 0;
        for (std::uint64_t n = 0; n < lines; ++n) held += tags.find((1000 * sets + n) << kLineShift) >= 0 ? 1 : 0;
        EXPECT_EQ(held, lines) << sets << " sets";
    }
}

/// As many lines of a slice as its frames have room for all stay, wherever they begin and however many slices there
/// are.
TEST(TagArray, SpreadEvenlyItHoldsAsManyLinesOfASliceAsItHasFrames) {
    constexpr unsigned kWays = 16;
    for (const unsigned slices : {1U, 40U, 48U, 64U})
        for (const unsigned sets : {1U, 64U, 100U, 320U})
            for (const unsigned shift : {0U, 1U}) {
                const Slicing slicing{slices, shift, 0};
                TagArray tags(sets, kWays, false);
                tags.spread_evenly(slicing);
                const std::uint64_t first = std::uint64_t{slices} * sets << shift; // a slice's next turn of all sets
                std::vector<std::uint64_t> lines;
                for (std::uint64_t n = first; lines.size() < std::size_t{sets} * kWays; ++n)
                    if (slicing.slice_of(n << kLineShift) == slices / 2) lines.push_back(n << kLineShift);
                for (const std::uint64_t line : lines)
                    tags.install(static_cast<unsigned>(tags.victim(line, {})), line, false, SectorSet::all());
                const auto held = [&](std::uint64_t line) { return tags.find(line) >= 0; };
                EXPECT_TRUE(std::all_of(lines.begin(), lines.end(), held))
                    << slices << " slices, " << sets << " sets, " << (1U << shift) << " lines side by side";
            }
}

/// A line that is dirty as a whole has no mask of its own; the next line of its frame must not inherit either.
TEST(TagArray, DirtyBytesAreThoseThatWereWritten) {
    Rng rng(7);
    TagArray tags(2, 4, false);
    std::vector<ByteMask> masks(64); // by line; of lines that are not here they are empty
    unsigned whole = 0;
    for (unsigned step = 0; step < 20'000; ++step) {
        const std::uint64_t number = rng.below(masks.size()), line = number * kLineBytes;
        int frame = tags.find(line);
        if (frame < 0) {
            frame = tags.victim(line, {});
            const auto f = static_cast<unsigned>(frame);
            if (tags.valid(f)) masks[tags.line_at(f) / kLineBytes] = ByteMask{};
            tags.install(f, line, false, SectorSet());
        }
        const auto f = static_cast<unsigned>(frame);
        ASSERT_EQ(tags.line_at(f), line);
        const ByteMask mask =
            rng.below(4) == 0 ? ByteMask::full() : ByteMask::range(static_cast<unsigned>(rng.below(64)), 64);
        if (rng.below(2) == 0) {
            tags.mark_dirty(f, mask);
            masks[number] |= mask;
        }
        EXPECT_EQ(tags.dirty(f), masks[number].any());
        EXPECT_TRUE(tags.dirty_mask(f).covers(masks[number]) && masks[number].covers(tags.dirty_mask(f)));
        EXPECT_EQ(tags.sectors(f).bits, SectorSet::covered(masks[number]).bits);
        whole += masks[number].all();
        if (rng.below(16) == 0) {
            tags.invalidate(f);
            masks[number] = ByteMask{};
        }
    }
    EXPECT_GT(whole, 1'000U);
    std::vector<std::uint32_t> dirty;
    const unsigned found = tags.sweep(0, 32 * kLineBytes, dirty); // of half of the lines
    for (const std::uint32_t frame : dirty) EXPECT_TRUE(masks[tags.line_at(frame) / kLineBytes].any());
    unsigned here = 0, written = 0;
    for (std::uint64_t number = 0; number < 32; ++number) {
        here += tags.find(number * kLineBytes) >= 0;
        written += masks[number].any();
    }
    EXPECT_EQ(here, written) << "the clean ones are gone";
    EXPECT_EQ(dirty.size(), written);
    EXPECT_GE(found, written);
}

TEST(TagArray, SweepDropsCleanLinesAndNamesDirtyOnes) {
    TagArray tags(4, 4, false);
    for (std::uint64_t n = 1; n <= 12; ++n) {
        const int f = tags.victim(n << kLineShift, {n % 3 == 0, false});
        tags.install(static_cast<unsigned>(f), n << kLineShift, n % 3 == 0, SectorSet::all());
        if (n % 4 == 0) tags.mark_dirty(static_cast<unsigned>(f), ByteMask::range(0, 1));
    }
    std::vector<std::uint32_t> dirty;
    const unsigned local = tags.count_valid(false);
    tags.sweep(true, dirty);
    EXPECT_EQ(tags.count_valid(false), local);
    for (const std::uint32_t f : dirty) EXPECT_TRUE(tags.remote(f) && tags.dirty(f));
    EXPECT_EQ(tags.count_valid(true), dirty.size());
}

} // namespace
} // namespace numavp
