/// Memories of different sizes: where pages go when the small ones are full, and machines that can't have them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/config/config.h"
#include "common/system/derived.h"
#include "common/system/load_system.h"
#include "common/system/memory_choice.h"
#include "models/paging/page_placement.h"
#include "models/paging/page_table.h"
#include "platform/machine/system.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/hand_kernel.h"

namespace numavp::test {
namespace {

/// Homes of pages 0, 1, 2 ... that socket 0 touches, over memories of 1, 4 and 2 pages; -1 where there was no place.
std::vector<int> homes(PlacementKind kind, unsigned pages) {
    const auto placement = make_page_placement(kind);
    MemoryUse use{{0, 0, 0}, 4, {1, 4, 2}};
    std::vector<int> result;
    for (unsigned page = 0; page < pages; ++page) {
        const auto home = placement->place(page, MemoryId(0), use);
        if (home) ++use.pages[home->value];
        result.push_back(home ? home->value : -1);
    }
    return result;
}

TEST(MemorySizes, AFullMemoryIsSkippedForTheLeastUsedThatHasRoom) {
    // Page 0 fills memory 0; what is meant for it goes to the fewest pages of those with room, though it has fewer.
    EXPECT_EQ(homes(PlacementKind::first_touch, 8), (std::vector<int>{0, 1, 2, 1, 2, 1, 1, -1}));
    EXPECT_EQ(homes(PlacementKind::page_interleave, 8), (std::vector<int>{0, 1, 2, 1, 1, 2, 1, -1}));
    EXPECT_EQ(homes(PlacementKind::round_robin, 8), (std::vector<int>{0, 1, 2, 1, 1, 2, 1, -1}));
    EXPECT_EQ(homes(PlacementKind::least_first, 8), (std::vector<int>{0, 1, 2, 1, 2, 1, 1, -1}));
}

TEST(MemorySizes, EveryPlacementFillsAllOfThemAndNoMore) {
    for (const auto& row : kPlacements) {
        if (make_page_placement(row.value)->interleaves_lines()) continue;
        std::vector<int> counts(3, 0);
        const std::vector<int> given = homes(row.value, 9);
        for (const int home : given)
            if (home >= 0) ++counts[static_cast<unsigned>(home)];
        EXPECT_EQ(counts, (std::vector<int>{1, 4, 2})) << row.name;
        EXPECT_EQ(given[7], -1) << row.name;
    }
}

TEST(MemorySizes, ChosenMemoriesKeepTheirSizes) {
    ChosenMemories chosen(make_page_placement(PlacementKind::first_touch), {MemoryId(0), MemoryId(2)}, {}, 0);
    MemoryUse use{{0, 0, 0}, 4, {1, 4, 2}};
    std::vector<int> given;
    for (unsigned page = 0; page < 4; ++page) {
        const auto home = chosen.place(page, MemoryId(0), use);
        if (home) ++use.pages[home->value];
        given.push_back(home ? home->value : -1);
    }
    EXPECT_EQ(given, (std::vector<int>{0, 2, 2, -1})) << "memory 1 has room, but holds no arrays";
}

PageTableParams table_of(std::vector<std::uint64_t> pages) {
    PageTableParams params;
    params.memories = static_cast<unsigned>(pages.size());
    params.page_bytes = 4096;
    for (std::uint64_t& n : pages) n *= params.page_bytes;
    params.capacity_bytes = *std::max_element(pages.begin(), pages.end());
    params.own_bytes = std::move(pages);
    return params;
}

TEST(MemorySizes, FramesLieWithinTheirMemories) {
    FirstTouchPlacement first_touch;
    PageTable table(table_of({1, 8, 2}), first_touch);
    bool failed = false;
    for (std::uint64_t page = 0; page < 11; ++page) {
        const PhysicalAddress at = table.translate(page * 4096 / kLineBytes, SocketId(2), failed);
        ASSERT_FALSE(failed) << page;
        const MemoryId memory = table.layout().memory_of(at);
        EXPECT_LT(table.layout().offset(at), (std::vector<std::uint64_t>{1, 8, 2})[memory.value] * 4096) << page;
    }
    EXPECT_EQ(table.allocated_bytes(MemoryId(0)), 4096U);
    EXPECT_EQ(table.allocated_bytes(MemoryId(1)), 8 * 4096U);
    EXPECT_EQ(table.allocated_bytes(MemoryId(2)), 2 * 4096U);
    table.translate(11 * 4096 / kLineBytes, SocketId(2), failed);
    EXPECT_TRUE(failed);
    EXPECT_EQ(
        table.failure_sentence(),
        "the page at virtual address 0xb000 has no place: 11 pages of 4096 B fill all 3 memories of up to 32768 B");
}

/// A socket that has several memories near it leaves out those that are full.
TEST(MemorySizes, OfTheMemoriesNearASocketAFullOneIsNotMeant) {
    FirstTouchPlacement first_touch;
    PageTableParams params = table_of({1, 3, 8});
    params.near = {{MemoryId(0), MemoryId(1)}};
    PageTable table(params, first_touch);
    bool failed = false;
    std::vector<unsigned> homes;
    for (std::uint64_t page = 0; page < 5; ++page)
        homes.push_back(table.layout().memory_of(table.translate(page * 4096 / kLineBytes, SocketId(0), failed)).value);
    EXPECT_EQ(homes, (std::vector<unsigned>{0, 1, 1, 1, 2}));
}

TEST(MemorySizes, LinesDoNotGoRoundThem) {
    LineInterleavePlacement interleave;
    EXPECT_THROW(PageTable(table_of({1, 2}), interleave), ConfigError);
    EXPECT_EQ(table_of({1, 2}).check(), "");
    PageTableParams params = table_of({1, 2});
    params.own_bytes.pop_back();
    EXPECT_NE(params.check(), "");
}

// --- machines

SystemConfig small_and_large() {
    SystemConfig c = small_system(3);
    SocketConfig host = c.socket;
    host.sms = 0;
    host.memory.capacity_gib = 5;
    c.own_sockets.all.push_back({{2, 2}, host});
    c.placement.page_kib = 2048;
    c.validate(Place("small"));
    return c;
}

TEST(MemorySizes, OfAMachineAreTheSumOfItsParts) {
    const SystemConfig c = small_and_large();
    EXPECT_EQ(memory_sizes(c), (std::vector<std::uint64_t>{1ULL << 30, 1ULL << 30, 5ULL << 30}));
    EXPECT_EQ(system_totals(c).memory_bytes, 7ULL << 30);
    EXPECT_EQ(address_map(c).socket_shift, 33U) << "the largest has the addresses";
    EXPECT_EQ(page_table_params(c).room({MemoryId(0), MemoryId(2)}), 6ULL << 30);
    EXPECT_TRUE(page_table_params(small_system(3)).own_bytes.empty());
}

/// More pages than the toucher's memory holds: the rest goes to the larger one when the other small one is level.
TEST(MemorySizes, WhatFindsNoPlaceNearGoesToTheOthers) {
    const SystemConfig c = small_and_large();
    constexpr std::uint64_t kPages = 512 + 300, kPage = 2048 * 1024;
    const Workload workload = hand_workload({hand_launch("fill", 2, 1, [](std::uint64_t block, unsigned) {
        WarpCode code;
        for (std::uint64_t page = 0; block == 0 && page < kPages; ++page)
            code.push_back(store(kHandBase + page * kPage));
        return code;
    })});
    System system(c, workload);
    system.run();
    const nlohmann::ordered_json values = system.stats().values();
    const auto allocated = [&](const char* socket) {
        return values.at(socket).at("memory").at("allocated_bytes").get<std::uint64_t>() / kPage;
    };
    EXPECT_EQ(allocated("socket0"), 512U);
    EXPECT_EQ(allocated("socket1"), 150U);
    EXPECT_EQ(allocated("socket2"), 150U);
}

TEST(MemorySizes, OfTheMachinesThatWereMeasuredAreTheirs) {
    struct {
        const char* name;
        unsigned gpus, cpu_gib;
    } const rows[] = {{"dgx-1", 8, 256}, {"s822lc", 4, 256}, {"ac922", 4, 512}};
    for (const auto& row : rows) {
        const SystemConfig c = load_system(row.name, {});
        std::vector<std::uint64_t> expected(row.gpus, 16ULL << 30);
        expected.insert(expected.end(), 2, std::uint64_t{row.cpu_gib} << 30);
        EXPECT_EQ(memory_sizes(c), expected) << row.name;
    }
}

std::string refusal(const std::string& more) {
    const std::string text = R"({"sockets": 3, "socket[2]": {"memory": {"capacity_gib": 64}})" + more + "}";
    try {
        read_config<SystemConfig>(parse_json(text, "s.json"), Place("s.json"));
    } catch (const ConfigError& e) {
        return e.what();
    }
    return "";
}

TEST(MemorySizes, AreRefusedWhereAllMustBeAlike) {
    EXPECT_EQ(refusal(""), "");
    EXPECT_EQ(refusal(R"(, "placement": {"policy": "line_interleave"})"),
              "s.json: $.socket[2].memory.capacity_gib: 64 GiB, and other memories have 16; placement.policy "
              "line_interleave takes lines from all alike; the same size is allowed, or another policy");
    EXPECT_EQ(
        refusal(R"(, "translation": {"mode": "full"})"),
        "s.json: $.socket[2].memory.capacity_gib: 64 GiB, and other memories have 16; with translation table pages "
        "lie in all alike; the same size is allowed, or translation.mode off");
    const std::string pair =
        R"(, "socket[0]": {"memory": {"capacity_gib": 0}}, "placement": {"sockets_per_memory": 2})";
    EXPECT_EQ(refusal(pair), "s.json: $.socket[2].memory.capacity_gib: 64 GiB, and socket[1] of the same memory "
                             "(placement.sockets_per_memory) has 16; the same size is allowed");
}

} // namespace
} // namespace numavp::test
