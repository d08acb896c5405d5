/// The page table: addresses as a table, no two lines in one place under any policy, failures as sentences.
#include <string>
#include <unordered_map>
#include <unordered_set>

#include <gtest/gtest.h>

#include "base/values/error.h"
#include "base/values/rng.h"
#include "models/paging/page_placement.h"
#include "models/paging/page_table.h"

namespace numavp {
namespace {

constexpr std::uint64_t kLine = kLineBytes;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

std::uint64_t line_of(std::uint64_t address) { return address / kLineBytes; }

TEST(RowPermutation, EachLineHasOnePlaceAndRowsStayTogether) {
    const RowPermutation map(8, 16);
    std::unordered_set<std::uint64_t> places;
    std::vector<std::uint64_t> lines(8, 0);
    constexpr std::uint64_t kLines = 16 * 8 * 64;
    for (std::uint64_t line = 0; line < kLines; ++line) {
        const MemoryId memory = map.memory_of(line);
        ASSERT_LT(memory.value, 8U);
        EXPECT_EQ(memory, map.memory_of(line & ~std::uint64_t{15})) << "the row of line " << line;
        EXPECT_EQ(map.lines_below(line, memory), lines[memory.value]) << line;
        ++lines[memory.value];
        EXPECT_TRUE(places.insert(map.line_in_memory(line) * 8 + memory.value).second) << line;
        EXPECT_EQ(map.line_of(memory, map.line_in_memory(line)), line);
    }
    EXPECT_EQ(lines, std::vector<std::uint64_t>(8, kLines / 8));
}

/// Rows of 16 lines in 8 memories, a power of two apart: lines that go round stay in one memory, permuted rows do not.
TEST(RowPermutation, SpreadsStridesThatPlainInterleavingPutsInOneMemory) {
    const RowPermutation map(8, 16);
    for (unsigned shift = 7; shift < 13; ++shift) { // 8 rows apart and more
        std::unordered_map<std::uint64_t, unsigned> plain, permuted;
        for (std::uint64_t i = 0; i < 64; ++i) {
            ++plain[(i << shift) / 16 % 8];
            ++permuted[map.memory_of(i << shift).value];
        }
        EXPECT_EQ(plain.size(), 1U);
        EXPECT_EQ(permuted.size(), 8U) << shift;
        for (const auto& [memory, rows] : permuted) EXPECT_EQ(rows, 8U) << "memory " << memory << ", shift " << shift;
    }
}

TEST(PageTable, PermutedRowsAreCountedInTheirMemories) {
    RowPermutationPlacement placement(16);
    PageTable table({4, 24 * kMiB, 4096, 48}, placement);
    std::vector<std::uint64_t> bytes(4, 0);
    for (std::uint64_t page = 0; page < 50; ++page)
        for (std::uint64_t line = 0; line < 32; ++line) {
            bool failed = false;
            const PhysicalAddress address = table.translate(page * 32 + line, SocketId(0), failed);
            ASSERT_FALSE(failed);
            bytes[table.layout().memory_of(address).value] += kLine;
        }
    for (unsigned m = 0; m < 4; ++m) EXPECT_EQ(table.allocated_bytes(MemoryId(m)), bytes[m]) << m;
    EXPECT_THROW(PageTable({3, 24 * kMiB, 4096, 48}, placement), ConfigError);
}

TEST(PageTable, FramesAscendInEachSocket) {
    FirstTouchPlacement placement;
    PageTable table({4, 24 * kMiB, 65536, 48}, placement);
    struct {
        std::uint64_t virtual_address;
        unsigned toucher;
        PhysicalAddress physical;
    } const rows[] = {
        {0x7f00'0001'2380, 2, 64 * kMiB + 0x2380},       // socket_shift is 25: first frame of socket 2
        {0x7f00'0001'ff80, 0, 64 * kMiB + 0xff80},       // the same page, whoever comes
        {0x0000'0000'0000, 2, 64 * kMiB + 65536},        // second frame of socket 2
        {0xffff'ffff'ff80, 0, 0xff80},                   // last line of the address space
        {0x0000'0001'0000, 3, 96 * kMiB},                //
        {0x0000'0002'0000, 0, 65536},                    //
        {0x0000'0000'0080, 1, 64 * kMiB + 65536 + 0x80}, //
    };
    for (const auto& row : rows) {
        bool failed = false;
        EXPECT_EQ(table.translate(line_of(row.virtual_address), SocketId(row.toucher), failed), row.physical)
            << std::hex << row.virtual_address;
        EXPECT_FALSE(failed);
    }
    EXPECT_EQ(table.pages(), 5U);
    EXPECT_EQ(table.shared_pages(), 2U);
    EXPECT_EQ(table.allocated_bytes(MemoryId(0)), 2U * 65536);
    EXPECT_EQ(table.allocated_bytes(MemoryId(1)), 0U);
    EXPECT_EQ(table.allocated_bytes(MemoryId(2)), 2U * 65536);
    EXPECT_EQ(table.layout().memory_of(64 * kMiB), MemoryId(2));
}

TEST(PageTable, CountsPagesThatSeveralTouch) {
    FirstTouchPlacement placement;
    PageTable table({2, 8192 * kMiB, kPage, 64}, placement);
    bool failed = false;
    const auto touch = [&](std::uint64_t page, unsigned by) { table.entry(page, SocketId(by), failed); };
    const std::uint64_t last = (std::uint64_t{1} << 52) - 1; // of 64-bit addresses
    for (const std::uint64_t page : {std::uint64_t{5}, last}) {
        touch(page, 1);
        touch(page, 1);
    }
    EXPECT_EQ(table.shared_pages(), 0U);
    touch(5, 0);
    touch(5, 1); // counts once, whoever comes again
    touch(5, 0);
    EXPECT_EQ(table.shared_pages(), 1U);
    for (std::uint64_t page = 100; page < 4000; ++page) touch(page, 0); // the table grows
    EXPECT_EQ(table.shared_pages(), 1U);
    touch(5, 0);
    touch(last, 0);
    EXPECT_EQ(table.shared_pages(), 2U);
    EXPECT_EQ(table.pages(), 3902U);
    EXPECT_FALSE(failed);
}

TEST(PageTable, InterleavedLinesGoRoundTheSocketsWithinEachPage) {
    LineInterleavePlacement placement;
    PageTable table({4, 32 * kMiB, 4096, 48}, placement);
    struct {
        std::uint64_t virtual_address;
        PhysicalAddress physical;
    } const rows[] = {
        {0x10'0000, 0},                     // line 0 of the first page
        {0x10'0080, 32 * kMiB},             // line 1: socket 1
        {0x10'0180, 96 * kMiB},             // line 3: socket 3
        {0x10'0200, 128},                   // line 4: socket 0 again
        {0x10'0f80, 96 * kMiB + 7 * kLine}, // line 31
        {0x00'5000, 8 * kLine},             // second page touched: line 32 of the memory
        {0x00'5080, 32 * kMiB + 8 * kLine}, //
    };
    for (const auto& row : rows) {
        bool failed = false;
        EXPECT_EQ(table.translate(line_of(row.virtual_address), SocketId(1), failed), row.physical);
        EXPECT_FALSE(failed);
    }
    for (unsigned s = 0; s < 4; ++s) EXPECT_EQ(table.allocated_bytes(MemoryId(s)), 2048U);
}

TEST(PageTable, AnEntryIsWorthTheSameAsATranslation) {
    FirstTouchPlacement placement;
    PageTable table({2, 16 * kMiB, 65536, 48}, placement);
    bool failed = false;
    const PageEntry entry = table.entry(table.page_of(line_of(0x123'4580)), SocketId(1), failed);
    for (std::uint64_t page = 0; page < 150; ++page) table.entry(page, SocketId(0), failed); // grows meanwhile
    EXPECT_EQ(table.address(entry, line_of(0x123'4580)), table.translate(line_of(0x123'4580), SocketId(0), failed));
    EXPECT_EQ(table.address(entry, line_of(0x123'4580)), 16 * kMiB + 0x4580);
    EXPECT_FALSE(failed);
    EXPECT_EQ(sizeof(PageEntry), 8U);
}

TEST(PageTableContract, EveryPolicyGivesEveryLineAPlaceOfItsOwnUntilAllAreFull) {
    Rng random(9);
    for (const auto& policy : kPlacements) {
        for (unsigned sockets : {1U, 2U, 3U, 4U, 7U, 16U}) {
            SCOPED_TRACE(std::string(policy.name) + " on " + std::to_string(sockets) + " sockets");
            const auto placement = make_page_placement(policy.value);
            if (placement->row_lines() != 0 && (sockets & (sockets - 1)) != 0) continue; // refused, above
            const std::uint64_t capacity = 11 * kPage;
            PageTable table({sockets, capacity, 4096, 48}, *placement);
            std::unordered_map<std::uint64_t, PhysicalAddress> seen; // virtual line to address
            std::unordered_set<PhysicalAddress> taken;
            std::vector<std::uint64_t> pages;
            for (unsigned i = 0; i < 11 * sockets; ++i) pages.push_back((random.next() >> 28) + i % 2);
            bool failed = false;
            for (const std::uint64_t page : pages) {
                for (unsigned i = 0; i < 32; ++i) {
                    const std::uint64_t line = page * 32 + i;
                    const PhysicalAddress at = table.translate(line, SocketId(random.next() % sockets), failed);
                    ASSERT_FALSE(failed);
                    ASSERT_LT(table.layout().memory_of(at).value, sockets);
                    ASSERT_LT(table.layout().offset(at), capacity);
                    ASSERT_EQ(at % kLineBytes, 0U);
                    if (!seen.emplace(line, at).second) continue;
                    ASSERT_TRUE(taken.insert(at).second);
                }
            }
            ASSERT_EQ(table.pages(), pages.size()) << "the random pages are distinct";
            for (const auto& [line, at] : seen) ASSERT_EQ(table.translate(line, SocketId(0), failed), at);
            std::uint64_t bytes = 0;
            for (unsigned s = 0; s < sockets; ++s) bytes += table.allocated_bytes(MemoryId(s));
            EXPECT_EQ(bytes, table.pages() * 4096);

            EXPECT_FALSE(failed);
            table.translate(1, SocketId(0), failed);
            EXPECT_TRUE(failed);
            EXPECT_EQ(table.failure(), PageFailure::memories_full);
        }
    }
}

TEST(PageTable, FindsAMillionPagesAgain) {
    PageInterleavePlacement placement;
    PageTable table({4, 4096 * kMiB, 4096, 48}, placement);
    bool failed = false;
    const std::uint64_t strides[] = {1, 2, 512, 1ULL << 14};
    for (std::uint64_t s = 0; s < 4; ++s)
        for (std::uint64_t i = 0; i < 250'000; ++i) {
            const std::uint64_t page = s << 32 | i * strides[s];
            const PhysicalAddress at = table.translate(page * 32 + 5, SocketId(0), failed);
            ASSERT_EQ(table.layout().memory_of(at).value, page % 4) << page;
        }
    EXPECT_FALSE(failed);
    EXPECT_EQ(table.translate(5, SocketId(3), failed), 5 * 128U);
    EXPECT_EQ(table.pages(), 1'000'000U);
}

TEST(PageTable, FailuresAreSentences) {
    FirstTouchPlacement placement;
    PageTable table({2, 131072, 65536, 40}, placement);
    bool failed = false;
    table.translate(line_of((std::uint64_t{1} << 40) - 128), SocketId(0), failed);
    EXPECT_FALSE(failed);
    table.translate(line_of(std::uint64_t{1} << 40), SocketId(0), failed);
    EXPECT_TRUE(failed);
    EXPECT_EQ(table.failure(), PageFailure::address_too_wide);
    EXPECT_EQ(table.failure_sentence(),
              "the page at virtual address 0x10000000000 is beyond the system's 40-bit addresses");

    PageTable small({2, 65536, 65536, 48}, placement);
    failed = false;
    for (std::uint64_t page = 0; page < 3; ++page) small.entry(page, SocketId(1), failed);
    EXPECT_TRUE(failed);
    EXPECT_EQ(small.failure_sentence(), "the page at virtual address 0x20000 has no place: 2 pages of 65536 B fill "
                                        "all 2 memories of 65536 B");
    table.translate(line_of(std::uint64_t{1} << 41), SocketId(0), failed);
    EXPECT_EQ(table.failure_sentence(),
              "the page at virtual address 0x10000000000 is beyond the system's 40-bit addresses")
        << "the first failure is kept";
}

TEST(PageTable, ContradictorySizesAreSentences) {
    struct {
        PageTableParams params;
        const char* sentence;
    } const rows[] = {
        {{4, 4096 * kMiB, 65536, 48}, ""},
        {{1, 4096 * kMiB, 4096, 32}, ""},
        {{1, 4096 * kMiB, 2 * kMiB, 64}, ""},
        {{1, 4096 * kMiB, 4 * kMiB, 48}, "a page of 4194304 B; allowed are powers of two from 4096 to 2097152"},
        {{1, 4096 * kMiB, 65536, 65}, "addresses of 65 bits; allowed are 32 to 64"},
        {{2, kMiB, 65536, 48, 65536, {}, {131072, kMiB}}, ""},
        {{2, kMiB, 65536, 48, 65536, {}, {65536, kMiB}},
         "a memory of 65536 B, of which 65536 B are reserved; a page of 65536 B beside them is allowed"},
        {{2, kMiB, 65536, 48, 0, {}, {65536, 2 * kMiB}}, "a memory of 2097152 B; the largest is said to have 1048576"},
        {{0, kMiB, 65536, 48}, "0 memories; allowed are 1 to 4096"},
        {{4097, kMiB, 65536, 48}, "4097 memories; allowed are 1 to 4096"},
        {{4, kMiB, 3000, 48}, "a page of 3000 B; allowed are powers of two from 4096 to 2097152"},
        {{4, kMiB, 2048, 48}, "a page of 2048 B; allowed are powers of two from 4096 to 2097152"},
        {{4, kMiB, 65536, 31}, "addresses of 31 bits; allowed are 32 to 64"},
        {{4, 32768, 65536, 48}, "a socket's memory of 32768 B; allowed are a page of 65536 B to 2^56 B"},
        {{4, ~0ULL, 65536, 48}, "a socket's memory of 18446744073709551615 B; allowed are a page of 65536 B to 2^56 B"},
        {{4, 4096 * kMiB, 65536, 33}, "4 memories of 4294967296 B need addresses of 34 bits; the system has 33"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(row.params.check(), row.sentence);
        FirstTouchPlacement placement;
        if (*row.sentence)
            EXPECT_THROW(PageTable(row.params, placement), ConfigError);
        else
            EXPECT_NO_THROW(PageTable(row.params, placement));
    }
}

} // namespace
} // namespace numavp
