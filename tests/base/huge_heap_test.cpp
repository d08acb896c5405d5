#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

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

} // namespace
} // namespace numavp
