/// The driver's rules for unified memory: who gets pages, who accesses them where they lie, what makes room.
#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sw/driver/prefetch_tree.h"
#include "sw/driver/unified_memory.h"
#include "tests/sw/driver/called_firmware.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kWhole = ~0U;
enum : std::uint32_t { kCpu0, kCpu1, kGpu0, kGpu1, kPlaces };

struct Work {
    UnifiedKind kind;
    std::uint32_t block, leaves, from, to;
    bool operator==(const Work& o) const {
        return kind == o.kind && block == o.block && leaves == o.leaves && from == o.from && to == o.to;
    }
};

/// Two CPUs and two GPUs that reach all memories but, for CPUs, those of GPUs; GPU n has CPU n near it.
struct Driven {
    explicit Driven(std::uint32_t count, std::uint32_t room) : blocks(count), chunks(std::size_t{count} * kPlaces) {
        unified_init(&memory, kPlaces, kPrefetchPercent, blocks.data(), chunks.data(), count);
        for (std::uint32_t p = 0; p < kPlaces; ++p) {
            memory.place[p].host = p < kGpu0;
            memory.place[p].reaches = p < kGpu0 ? 0b0011 : 0b1111;
            memory.place[p].fast = p < kGpu0 ? 0 : 0b1100; // as peers by NVLink
            memory.place[p].home = p % 2;
            memory.place[p].room = p < kGpu0 ? 0 : room;
        }
    }
    std::vector<Work> log() const {
        std::vector<Work> all;
        for (std::uint32_t w = 0; w < memory.logged; ++w) {
            const UnifiedWork& work = memory.log[w];
            all.push_back({work.kind, work.block, work.leaves, work.from, work.to});
        }
        return all;
    }
    std::uint32_t touch(std::uint32_t block, std::uint32_t leaves, std::uint32_t place, bool write = false) {
        return unified_touch(&memory, block, leaves, place, write);
    }
    std::uint32_t resident(std::uint32_t block, std::uint32_t place) const {
        return chunks[std::size_t{block} * kPlaces + place].resident;
    }
    void watch() {
        thrashing.resize(blocks.size());
        for (std::uint32_t block = 0; block < blocks.size(); ++block) unified_watch(&memory, block, &thrashing[block]);
    }

    std::vector<UnifiedBlock> blocks;
    std::vector<ThrashingBlock> thrashing;
    std::vector<UnifiedChunk> chunks;
    UnifiedMemory memory{};
};

TEST(UnifiedMemory, PagesMoveToWhoTouchesThem) {
    Driven driven(1, 4);
    unified_allocate(&driven.memory, 0, kWhole, kCpu0);
    EXPECT_EQ(driven.touch(0, 1, kGpu0), 0U);
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedMove, 0, 1, kCpu0, kGpu0}));
    EXPECT_EQ(driven.touch(0, 2, kGpu0), 0U); // the half of a quarter is there: more than 51 % with this one
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedMove, 0, 0b10, kCpu0, kGpu0}));
    EXPECT_EQ(driven.touch(0, 4, kGpu0), 0U);
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedMove, 0, 0b1100, kCpu0, kGpu0})) << "the tree rule";
    EXPECT_EQ(driven.touch(0, 1, kGpu0), 0U);
    EXPECT_THAT(driven.log(), IsEmpty());
    EXPECT_EQ(driven.touch(0, 1, kGpu1), 0U);
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedMove, 0, 1, kGpu0, kGpu1}));
    EXPECT_EQ(driven.touch(0, 1, kCpu1), 0U);
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedMove, 0, 1, kGpu1, kCpu1}));
    EXPECT_EQ(driven.touch(0, 1U << 31, kCpu1), 1U << 31) << "CPUs access each other's memory";
    EXPECT_EQ(driven.memory.place[kGpu1].room, 4U);
    EXPECT_EQ(driven.memory.place[kGpu0].room, 3U);
}

TEST(UnifiedMemory, WhatIsReadMostlyIsCopied) {
    Driven driven(1, 4);
    driven.blocks[0].read_mostly = true;
    unified_allocate(&driven.memory, 0, 0b11, kCpu0);
    driven.touch(0, 0b11, kGpu0);
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedCopy, 0, 0b11, kCpu0, kGpu0}));
    driven.touch(0, 0b11, kGpu1);
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedCopy, 0, 0b11, kCpu0, kGpu1}));
    driven.touch(0, 0b01, kGpu1, true);
    EXPECT_THAT(driven.log(),
                ElementsAre(Work{kUnifiedDrop, 0, 0b01, kCpu0, kCpu0}, Work{kUnifiedDrop, 0, 0b01, kGpu0, kGpu0}));
    EXPECT_EQ(driven.resident(0, kCpu0), 0b10U);
    EXPECT_EQ(driven.resident(0, kGpu1), 0b11U);
}

TEST(UnifiedMemory, WhoIsAdvisedAccessesInPlace) {
    Driven driven(2, 4);
    driven.blocks[0].accessed_by = 1U << kGpu0;
    unified_allocate(&driven.memory, 0, kWhole, kCpu0);
    EXPECT_EQ(driven.touch(0, 0xff, kGpu0), 0xffU);
    EXPECT_THAT(driven.log(), IsEmpty());
    EXPECT_EQ(driven.touch(0, 1, kGpu1), 0U) << "no advice for this one";
    EXPECT_EQ(driven.touch(0, 1, kGpu0), 1U) << "at its peer";

    driven.blocks[1].preferred = kGpu1;
    unified_allocate(&driven.memory, 1, kWhole, UNIFIED_NONE);
    EXPECT_EQ(driven.touch(1, 1, kGpu0, true), 1U) << "it comes into being there";
    EXPECT_EQ(driven.resident(1, kGpu1), 1U);
    EXPECT_EQ(driven.touch(1, 1, kCpu0), 0U) << "a CPU does not reach it";
    EXPECT_EQ(driven.resident(1, kCpu0), 1U);
    EXPECT_EQ(driven.touch(1, 1, kGpu1), 0U) << "back to where it is preferred";
    EXPECT_EQ(driven.resident(1, kGpu1), 1U);
}

/// By the order in which chunks were filled, whoever was touched last.
TEST(UnifiedMemory, TheOldestChunkMakesRoom) {
    Driven driven(4, 2);
    for (std::uint32_t block = 0; block < 4; ++block) unified_allocate(&driven.memory, block, kWhole, kCpu0);
    driven.touch(0, kWhole, kGpu1);
    driven.touch(1, 1, kGpu1);
    driven.touch(0, kWhole, kGpu1); // there already
    driven.touch(2, kWhole, kGpu1);
    EXPECT_THAT(driven.log(),
                ElementsAre(Work{kUnifiedEvict, 0, kWhole, kGpu1, kCpu1}, Work{kUnifiedMove, 2, kWhole, kCpu0, kGpu1}));
    driven.touch(1, 2, kGpu1); // a part of it is allocated: the newest now
    driven.touch(3, kWhole, kGpu1);
    EXPECT_THAT(driven.log(),
                ElementsAre(Work{kUnifiedEvict, 2, kWhole, kGpu1, kCpu1}, Work{kUnifiedMove, 3, kWhole, kCpu0, kGpu1}));
    ASSERT_TRUE(unified_reserve(&driven.memory, kGpu1));
    ASSERT_TRUE(unified_reserve(&driven.memory, kGpu1));
    EXPECT_FALSE(unified_reserve(&driven.memory, kGpu1)) << "all of it is taken by what does not move";
    EXPECT_EQ(driven.touch(0, 1, kGpu1), 1U) << "accessed where it is";
    unified_release(&driven.memory, kGpu1);
    EXPECT_EQ(driven.touch(0, 1, kGpu1), 0U);
}

TEST(UnifiedMemory, APrefetchMovesWhateverIsAdvised) {
    Driven driven(1, 4);
    driven.blocks[0].preferred = kCpu0;
    driven.blocks[0].accessed_by = kWhole;
    unified_allocate(&driven.memory, 0, 0xff, kCpu0);
    EXPECT_EQ(unified_prefetch(&driven.memory, 0, kWhole, kGpu0), 0U);
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedMove, 0, 0xff, kCpu0, kGpu0}));
}

/// To the CUDA runtime the host is one: a prefetch to a CPU takes pages from GPUs, not from another CPU.
TEST(UnifiedMemory, APrefetchLeavesPagesWithAnotherCpu) {
    Driven driven(1, 4);
    unified_allocate(&driven.memory, 0, 0b11, kCpu0);
    driven.touch(0, 0b10, kGpu0);
    EXPECT_EQ(unified_prefetch(&driven.memory, 0, 0b11, kCpu1), 0b01U);
    EXPECT_THAT(driven.log(), ElementsAre(Work{kUnifiedMove, 0, 0b10, kGpu0, kCpu1}));
}

/// A call of a random program.
struct Call {
    enum What { allocate, free, touch, write, prefetch, reserve, release, advise } what;
    std::uint32_t block, leaves, place, advice;
};

std::vector<Call> random_calls(std::uint32_t blocks, unsigned count) {
    std::mt19937 random(7);
    std::vector<Call> calls;
    for (std::uint32_t block = 0; block < blocks; ++block)
        calls.push_back({Call::allocate, block, block % 3 == 0 ? 0xfffffU : kWhole, block % kPlaces, 0});
    unsigned reserved = 0;
    for (unsigned i = 0; i < count; ++i) {
        const auto draw = [&random](unsigned below) { return static_cast<std::uint32_t>(random() % below); };
        const unsigned which = draw(100);
        Call call{Call::touch, draw(blocks), draw(2) == 0 ? 1U << draw(32) : static_cast<std::uint32_t>(random()),
                  draw(kPlaces), draw(1U << 16)};
        call.what = which < 50   ? Call::touch
                    : which < 80 ? Call::write
                    : which < 88 ? Call::prefetch
                    : which < 94 ? Call::advise
                                 : Call::reserve;
        if (call.what == Call::reserve) {
            call.place = kGpu1;
            if (reserved != 0) call.what = Call::release;
            reserved ^= 1U;
        }
        calls.push_back(call);
        if (which != 99) continue;
        calls.push_back({Call::free, call.block, 0, 0, 0});
        calls.push_back({Call::allocate, call.block, kWhole, UNIFIED_NONE, 0});
    }
    return calls;
}

void advise(UnifiedBlock& block, std::uint32_t advice) {
    block.read_mostly = (advice & 3U) == 0;
    block.preferred = (advice >> 2 & 1U) != 0 ? advice >> 3 & 3U : UNIFIED_NONE;
    block.accessed_by = (advice >> 5 & 1U) != 0 ? advice >> 6 & 15U : 0;
}

/// Between two calls: short enough that blocks of a few dozen thrash.
std::uint64_t time_of(const Call& call) { return 10 * (call.advice & 0xffU); }

std::uint32_t make(UnifiedMemory& memory, const Call& call) {
    memory.logged = 0;
    memory.now += time_of(call);
    switch (call.what) {
    case Call::allocate: unified_allocate(&memory, call.block, call.leaves, call.place); return 0;
    case Call::free: unified_free(&memory, call.block); return 0;
    case Call::touch: return unified_touch(&memory, call.block, call.leaves, call.place, false);
    case Call::write: return unified_touch(&memory, call.block, call.leaves, call.place, true);
    case Call::prefetch: return unified_prefetch(&memory, call.block, call.leaves, call.place);
    case Call::reserve: EXPECT_TRUE(unified_reserve(&memory, call.place)); return 0;
    case Call::release: unified_release(&memory, call.place); return 0;
    case Call::advise: advise(memory.block[call.block], call.advice); return 0;
    }
    return 0;
}

/// Data that the log moves: what a place has of a leaf is the version that was written last, or nothing.
class Contents {
  public:
    explicit Contents(std::uint32_t blocks) : versions_(std::size_t{blocks} * 32 * kPlaces, 0), last_(blocks * 32, 0) {}

    void allocate(std::uint32_t block) {
        for (std::uint32_t leaf = 0; leaf < 32; ++leaf) last_[block * 32 + leaf] = 0;
    }
    void follow(const Work& work) {
        for (std::uint32_t leaf = 0; leaf < 32; ++leaf) {
            if ((work.leaves >> leaf & 1U) == 0) continue;
            if (work.kind == kUnifiedDrop) {
                at(work.block, leaf, work.from) = kGone;
                continue;
            }
            ASSERT_NE(at(work.block, leaf, work.from), kGone) << "moved from where it is not";
            at(work.block, leaf, work.to) = at(work.block, leaf, work.from);
            if (work.kind != kUnifiedCopy) at(work.block, leaf, work.from) = kGone;
        }
    }
    void write(std::uint32_t block, std::uint32_t leaf, std::uint32_t place) {
        at(block, leaf, place) = last_[block * 32 + leaf] = ++writes_;
    }
    void read(std::uint32_t block, std::uint32_t leaf, std::uint32_t place) {
        ASSERT_EQ(at(block, leaf, place), last_[block * 32 + leaf]) << block << ' ' << leaf << ' ' << place;
    }
    unsigned& at(std::uint32_t block, std::uint32_t leaf, std::uint32_t place) {
        return versions_[(std::size_t{block} * 32 + leaf) * kPlaces + place];
    }
    static constexpr unsigned kGone = ~0U;

  private:
    std::vector<unsigned> versions_, last_;
    unsigned writes_ = 0;
};

/// Who reads finds what was written last, wherever it lies, in memories of which two hold a third of all blocks.
TEST(UnifiedMemory, ValuesAgreeWithAFlatMemory) {
    constexpr std::uint32_t kBlocks = 24, kRoom = 4;
    Driven driven(kBlocks, kRoom);
    driven.watch();
    Contents contents(kBlocks);
    unsigned evictions = 0, remote = 0, reserved = 0, naps = 0;
    for (const Call& call : random_calls(kBlocks, 4000)) {
        const std::uint32_t away = make(driven.memory, call);
        naps += (call.what == Call::touch || call.what == Call::write) && driven.memory.nap_ns != 0 ? 1 : 0;
        if (call.what == Call::allocate) contents.allocate(call.block);
        for (std::uint32_t leaf = 0; call.what == Call::allocate && leaf < 32; ++leaf)
            for (std::uint32_t place = 0; place < kPlaces; ++place) contents.at(call.block, leaf, place) = 0;
        for (const Work& work : driven.log()) {
            evictions += work.kind == kUnifiedEvict ? 1 : 0;
            contents.follow(work);
        }
        reserved += call.what == Call::reserve ? 1 : 0;
        reserved -= call.what == Call::release ? 1 : 0;
        for (std::uint32_t leaf = 0; leaf < 32 && (call.what == Call::touch || call.what == Call::write); ++leaf) {
            if ((call.leaves & driven.blocks[call.block].all) >> leaf == 0) break;
            if ((call.leaves & driven.blocks[call.block].all & 1U << leaf) == 0) continue;
            const bool there = (away >> leaf & 1U) != 0;
            const std::uint32_t place = there ? unified_place_of(&driven.memory, call.block, leaf) : call.place;
            ASSERT_NE(driven.resident(call.block, place) & 1U << leaf, 0U);
            remote += there ? 1 : 0;
            if (call.what == Call::write)
                contents.write(call.block, leaf, place);
            else
                contents.read(call.block, leaf, place);
        }
        for (const std::uint32_t gpu : {kGpu0, kGpu1}) {
            std::uint32_t chunks = gpu == kGpu1 ? reserved : 0;
            for (std::uint32_t block = 0; block < kBlocks; ++block) chunks += driven.resident(block, gpu) != 0 ? 1 : 0;
            ASSERT_EQ(chunks + driven.memory.place[gpu].room, kRoom);
        }
        if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(evictions, 100U);
    EXPECT_GT(remote, 1000U);
    EXPECT_GT(naps, 50U);
    EXPECT_GT(std::count_if(driven.thrashing.begin(), driven.thrashing.end(),
                            [](const ThrashingBlock& block) { return block.ever_pinned; }),
              3);
}

/// The same source on the RV64 core does the same work for the same calls.
TEST(UnifiedMemory, WorksAlikeOnRiscV) {
#ifndef NUMAVP_FUNCTIONS_ELF
    GTEST_SKIP() << "there is no compiler for RISC-V";
#else
    constexpr std::uint32_t kBlocks = 12, kRoom = 3;
    constexpr std::uint64_t kMemory = CalledFirmware::kRam + (64 << 10), kBlock = kMemory + sizeof(UnifiedMemory),
                            kChunk = kBlock + kBlocks * sizeof(UnifiedBlock),
                            kWatched = kChunk + sizeof(UnifiedChunk) * kPlaces * kBlocks;
    static_assert(kWatched % alignof(ThrashingBlock) == 0);
    static_assert(sizeof(UnifiedMemory) < 16 << 10);
    CalledFirmware firmware(NUMAVP_FUNCTIONS_ELF, 128 << 10);
    firmware.call("unified_init", {kMemory, kPlaces, kPrefetchPercent, kBlock, kChunk, kBlocks});
    Driven driven(kBlocks, kRoom);
    driven.watch();
    for (std::uint64_t block = 0; block < kBlocks; ++block)
        firmware.call("unified_watch", {kMemory, block, kWatched + block * sizeof(ThrashingBlock)});
    auto* there = firmware.memory<UnifiedMemory>(kMemory);
    std::copy(std::begin(driven.memory.place), std::end(driven.memory.place), std::begin(there->place));
    const auto word = CalledFirmware::word;
    unsigned naps = 0;
    for (const Call& call : random_calls(kBlocks, 600)) {
        const std::uint32_t away = make(driven.memory, call);
        std::uint64_t result = 0;
        there->now += time_of(call);
        const std::uint64_t block = word(call.block), leaves = word(call.leaves), place = word(call.place);
        switch (call.what) {
        case Call::allocate: firmware.call("unified_allocate", {kMemory, block, leaves, place}); break;
        case Call::free: firmware.call("unified_free", {kMemory, block}); break;
        case Call::touch: result = firmware.call("unified_touch", {kMemory, block, leaves, place, 0}); break;
        case Call::write: result = firmware.call("unified_touch", {kMemory, block, leaves, place, 1}); break;
        case Call::prefetch: result = firmware.call("unified_prefetch", {kMemory, block, leaves, place}); break;
        case Call::reserve: firmware.call("unified_reserve", {kMemory, place}); break;
        case Call::release: firmware.call("unified_release", {kMemory, place}); break;
        case Call::advise:
            advise(firmware.memory<UnifiedBlock>(kBlock)[call.block], call.advice);
            there->logged = 0;
            break;
        }
        ASSERT_EQ(static_cast<std::uint32_t>(result), away);
        ASSERT_EQ(there->nap_ns, driven.memory.nap_ns);
        naps += driven.memory.nap_ns != 0 ? 1 : 0;
        if (call.what == Call::release) continue; // has no log of its own
        ASSERT_EQ(there->logged, driven.memory.logged);
        for (std::uint32_t w = 0; w < there->logged; ++w) {
            const UnifiedWork& mine = driven.memory.log[w];
            const UnifiedWork& other = there->log[w];
            ASSERT_EQ((Work{other.kind, other.block, other.leaves, other.from, other.to}),
                      (Work{mine.kind, mine.block, mine.leaves, mine.from, mine.to}));
        }
    }
    EXPECT_GT(naps, 10U);
    EXPECT_TRUE(std::any_of(driven.thrashing.begin(), driven.thrashing.end(),
                            [](const ThrashingBlock& block) { return block.ever_pinned; }));
#endif
}

} // namespace
} // namespace numavp::test
