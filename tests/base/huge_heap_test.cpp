#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/values/huge_block.h"
#include "base/values/huge_heap.h"

namespace numavp {
namespace {

/// True if some part of the heap has the kernel's flag for huge pages.
bool heap_asks_for_huge_pages() {
    std::ifstream maps("/proc/self/smaps");
    bool in_heap = false;
    for (std::string line; std::getline(maps, line);) {
        const bool is_range = line.find(' ') != std::string::npos && line.find('-') < line.find(' ');
        if (is_range) in_heap = line.find("[heap]") != std::string::npos;
        if (in_heap && line.rfind("VmFlags:", 0) == 0 && line.find(" hg") != std::string::npos) return true;
    }
    return false;
}

TEST(HugeHeap, GrowsByALotAndAsksForHugePagesThere) {
    if (!std::filesystem::exists("/sys/kernel/mm/transparent_hugepage"))
        GTEST_SKIP() << "the kernel has no transparent huge pages";
    ASSERT_FALSE(heap_asks_for_huge_pages());
    const char* const before = static_cast<char*>(sbrk(0));
    grow_heap_in_huge_pages();
    const auto grown = static_cast<char*>(sbrk(0)) - before;
    if (grown == 0) GTEST_SKIP() << "a sanitizer has its own heap";
    EXPECT_GE(grown, 256 << 20);
    EXPECT_TRUE(heap_asks_for_huge_pages());
}

/// Memory in huge pages of the mapping with this address.
std::size_t huge_kib_at(const void* address) {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    std::ifstream maps("/proc/self/smaps");
    bool inside = false;
    for (std::string line; std::getline(maps, line);) {
        const std::size_t dash = line.find('-');
        if (line.find(' ') != std::string::npos && dash < line.find(' '))
            inside = at >= std::stoull(line.substr(0, dash), nullptr, 16) &&
                     at < std::stoull(line.substr(dash + 1), nullptr, 16);
        if (inside && line.rfind("AnonHugePages:", 0) == 0) return std::stoull(line.substr(14));
    }
    return 0;
}

/// A forked process has the same bytes in huge pages, which stay huge when they are written, and are its own.
TEST(HugeHeap, OfAForkedProcessIsCopiedInHugePages) {
    constexpr std::size_t kPages = 4;
    constexpr std::size_t kWords = kPages * kHugePage / sizeof(std::uint64_t);
    const HugeBlock block = make_huge_block(kPages * kHugePage);
    auto* const words = static_cast<std::uint64_t*>(block.get());
    for (std::size_t i = 0; i < kWords; ++i) words[i] = i * i;
    const std::size_t huge_kib = huge_kib_at(words);
    const auto bad_words = [words](std::uint64_t more) {
        std::size_t bad = 0;
        for (std::size_t i = 0; i < kWords; ++i) bad += words[i] != i * i + more ? 1 : 0;
        return bad;
    };
    const pid_t child = ::fork();
    if (child == 0) {
        copy_huge_pages();
        int faults = bad_words(0) == 0 ? 0 : 1;
        for (std::size_t i = 0; i < kWords; ++i) ++words[i];
        faults |= bad_words(1) == 0 ? 0 : 2;
        faults |= huge_kib_at(words) >= huge_kib ? 0 : 4;
        ::_exit(faults);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status) & 1, 0) << "its bytes differ";
    EXPECT_EQ(WEXITSTATUS(status) & 2, 0) << "it can't write them";
    EXPECT_EQ(WEXITSTATUS(status) & 4, 0) << "its huge pages are split";
    EXPECT_EQ(bad_words(0), 0U) << "it wrote to those of its parent";
}

} // namespace
} // namespace numavp
