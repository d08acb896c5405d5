/// Every pattern of the table keeps the contract of sw/patterns/pattern.h.
#include <array>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "sw/work/coalesce.h"
#include "sw/work/count.h"
#include "sw/workloads/pattern_table.h"
#include "tests/sw/kernels/pattern_cases.h"

namespace numavp {
namespace {

/// A stream as text, to compare streams with.
std::string text_of(const Inst& inst) {
    Inst copy = inst;
    copy.list = nullptr;
    std::string text;
    const auto add = [&](auto value) { text += std::to_string(value) + ' '; };
    add(static_cast<int>(copy.op));
    add(copy.dst);
    for (const std::uint8_t source : copy.src) add(source);
    add(copy.width);
    add(copy.latency);
    add(copy.repeat);
    add(copy.mask);
    const bool memory = copy.op == Op::load || copy.op == Op::store || copy.op == Op::atomic || copy.op == Op::reduce ||
                        copy.op == Op::shared;
    if (!memory) return text;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((copy.mask >> lane & 1) == 0) continue;
        add(inst.mode == AddressMode::list ? inst.list[lane]
                                           : inst.base + static_cast<std::uint64_t>(std::int64_t{inst.stride} * lane));
    }
    return text;
}

std::string warp_text(WarpStream& warp) {
    std::string text;
    for (;;) {
        const Inst& inst = *warp.fetch();
        text += text_of(inst) + "\n";
        if (inst.op == Op::exit) return text;
    }
}

std::string block_text(Kernel& kernel, std::uint64_t b) {
    std::string text;
    const auto block = kernel.open(b);
    for (unsigned w = 0; w < kernel.shape().warps(); ++w) text += warp_text(block->warp(w));
    return text;
}

/// The same block with its warps fetched in turns and another block open beside it.
std::string interleaved_block_text(Kernel& kernel, std::uint64_t b) {
    const auto block = kernel.open(b);
    const auto other = kernel.open((b + 1) % kernel.shape().blocks);
    const unsigned warps = kernel.shape().warps();
    std::vector<std::string> text(warps);
    std::vector<bool> ended(warps, false);
    bool other_ended = false;
    for (unsigned left = warps; left != 0;) {
        for (unsigned w = warps; w-- != 0;) {
            if (ended[w]) continue;
            const Inst& inst = *block->warp(w).fetch();
            text[w] += text_of(inst) + "\n";
            if (inst.op == Op::exit) {
                ended[w] = true;
                --left;
            }
            if (!other_ended) other_ended = other->warp(0).fetch()->op == Op::exit;
        }
    }
    std::string all;
    for (const std::string& t : text) all += t;
    return all;
}

class PatternContract : public ::testing::TestWithParam<PatternCase> {};

TEST_P(PatternContract, StreamsAreTheSameInEveryOrderAndEveryMaking) {
    const Workload first = workload_of(GetParam());
    const Workload second = workload_of(GetParam());
    ASSERT_EQ(first.launches.size(), second.launches.size());
    for (std::size_t i = 0; i < first.launches.size(); ++i) {
        Kernel& a = *first.launches[i].kernel;
        Kernel& b = *second.launches[i].kernel;
        ASSERT_EQ(a.shape().blocks, b.shape().blocks);
        for (std::uint64_t block = a.shape().blocks; block-- != 0;) {
            const std::string expected = block_text(a, block);
            EXPECT_EQ(interleaved_block_text(a, block), expected) << a.shape().name << " block " << block;
            EXPECT_EQ(block_text(b, a.shape().blocks - 1 - block), block_text(a, a.shape().blocks - 1 - block));
        }
    }
}

TEST_P(PatternContract, AddressesLieInTheDeclaredRangesOnTwoMegabyteBoundaries) {
    const Workload workload = workload_of(GetParam());
    ASSERT_FALSE(workload.ranges.empty());
    for (const Range& range : workload.ranges) EXPECT_EQ(range.base % (2 << 20), 0U) << range.name;
    for (const Launch& launch : workload.launches) {
        for (std::uint64_t b = 0; b < launch.kernel->shape().blocks; ++b) {
            const auto block = launch.kernel->open(b);
            for (unsigned w = 0; w < launch.kernel->shape().warps(); ++w) {
                for (const Inst* inst = block->warp(w).fetch(); inst->op != Op::exit; inst = block->warp(w).fetch()) {
                    const bool memory = inst->op == Op::load || inst->op == Op::store || inst->op == Op::atomic ||
                                        inst->op == Op::reduce;
                    if (!memory) continue;
                    ASSERT_NE(inst->mask, 0U) << "a memory instruction without a lane";
                    LineAccess lines[kMaxLinesPerInst];
                    const unsigned n = coalesce(*inst, lines);
                    for (unsigned i = 0; i < n; ++i) {
                        for (unsigned byte = 0; byte < kLineBytes; ++byte) {
                            if (!lines[i].mask.test(byte)) continue;
                            const std::uint64_t address = lines[i].line_address + byte;
                            bool inside = false;
                            for (const Range& r : workload.ranges)
                                inside |= address >= r.base && address < r.base + r.bytes;
                            ASSERT_TRUE(inside) << launch.kernel->shape().name << " " << std::hex << address;
                        }
                    }
                }
            }
        }
    }
}

TEST_P(PatternContract, DeclaredAccessesAreThoseOfTheStreams) {
    const Workload workload = workload_of(GetParam());
    for (const Launch& launch : workload.launches)
        EXPECT_EQ(launch.kernel->shape().accesses, count_accesses(*launch.kernel)) << launch.kernel->shape().name;
}

TEST_P(PatternContract, WhatALoadBringsIsUsed) {
    const Workload workload = workload_of(GetParam());
    for (const Launch& launch : workload.launches) {
        const auto block = launch.kernel->open(0);
        for (unsigned w = 0; w < launch.kernel->shape().warps(); ++w) {
            std::set<unsigned> unused;
            for (const Inst* inst = block->warp(w).fetch(); inst->op != Op::exit; inst = block->warp(w).fetch()) {
                for (const std::uint8_t source : inst->src) unused.erase(source);
                if (inst->op == Op::load) {
                    EXPECT_EQ(unused.count(inst->dst), 0U) << launch.kernel->shape().name << " r" << int{inst->dst};
                    unused.insert(inst->dst);
                }
            }
            EXPECT_TRUE(unused.empty()) << launch.kernel->shape().name << " warp " << w;
        }
    }
}

TEST_P(PatternContract, WarpsOfABlockMeetAtTheSameBarriers) {
    const Workload workload = workload_of(GetParam());
    for (const Launch& launch : workload.launches) {
        const auto block = launch.kernel->open(launch.kernel->shape().blocks - 1);
        std::set<unsigned> counts;
        for (unsigned w = 0; w < launch.kernel->shape().warps(); ++w) {
            unsigned barriers = 0;
            for (const Inst* inst = block->warp(w).fetch(); inst->op != Op::exit; inst = block->warp(w).fetch())
                barriers += inst->op == Op::barrier ? 1U : 0U;
            counts.insert(barriers);
        }
        EXPECT_EQ(counts.size(), 1U) << launch.kernel->shape().name;
    }
}

TEST_P(PatternContract, ScaleChangesTheSizeAndKeepsTheContract) {
    WorkloadOptions options;
    options.scale = 2.0;
    const Workload once = workload_of(GetParam());
    const Workload twice = workload_of(GetParam(), options);
    EXPECT_GT(twice.footprint_bytes(), once.footprint_bytes());
    const Launch& last = twice.launches.back();
    EXPECT_EQ(last.kernel->shape().accesses, count_accesses(*last.kernel));
    options.scale = 1e-6;
    for (const Launch& launch : workload_of(GetParam(), options).launches) {
        ASSERT_GE(launch.kernel->shape().blocks, 1U);
        EXPECT_EQ(launch.kernel->shape().accesses, count_accesses(*launch.kernel));
    }
}

std::string case_name(const ::testing::TestParamInfo<PatternCase>& info) {
    return std::string(info.param.pattern) + "_" + std::to_string(info.index);
}
INSTANTIATE_TEST_SUITE_P(All, PatternContract, ::testing::ValuesIn(pattern_cases()), case_name);

TEST(Patterns, EveryRowOfTheTableHasACase) {
    std::set<std::string> covered;
    for (const PatternCase& c : pattern_cases()) covered.insert(c.pattern);
    for (const PatternEntry& row : patterns()) EXPECT_EQ(covered.count(std::string(row.name)), 1U) << row.name;
}

TEST(Patterns, SeedChangesRandomPatternsOnly) {
    const auto stream_of = [](const PatternCase& c, std::uint64_t seed) {
        WorkloadOptions options;
        options.seed = seed;
        return block_text(*workload_of(c, options).launches.back().kernel, 0);
    };
    const PatternCase random{"table_lookup", R"({"blocks": 2, "table_bytes": 4096})"};
    const PatternCase fixed{"stream_triad", R"({"elements": 4096})"};
    EXPECT_NE(stream_of(random, 1), stream_of(random, 2));
    EXPECT_EQ(stream_of(random, 3), stream_of(random, 3));
    EXPECT_EQ(stream_of(fixed, 1), stream_of(fixed, 2));
}

} // namespace
} // namespace numavp
