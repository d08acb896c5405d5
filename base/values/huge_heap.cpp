#include "base/values/huge_heap.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#include <unistd.h>

#include <sys/mman.h>
#endif

#include "base/values/huge_block.h"

namespace numavp {

#ifdef __GLIBC__
void grow_heap_in_huge_pages() {
    constexpr int kGrowth = 256 << 20;
    constexpr int kFromHeap = 32 << 20; // the most that glibc takes: larger blocks get pages of their own
    constexpr std::size_t kFirst = std::size_t{1} << 20;
    if (mallopt(M_MMAP_THRESHOLD, kFromHeap) == 0 || mallopt(M_TOP_PAD, kGrowth) == 0) return;
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max()); // what was freed is used again
    auto* const before = static_cast<char*>(sbrk(0));
    void* volatile first = std::malloc(kFirst); // volatile: the compiler may not leave the pair out
    std::free(first);
    const auto* const after = static_cast<char*>(sbrk(0));
    const std::size_t to_page = (kHugePage - reinterpret_cast<std::uintptr_t>(before) % kHugePage) % kHugePage;
    const auto grown = static_cast<std::size_t>(after - before); // little if the heap had room, or can't grow
    if (grown > to_page) ::madvise(before + to_page, grown - to_page, MADV_HUGEPAGE);
    mallopt(M_TOP_PAD, kGrowth / 16); // later growth, in ordinary pages, is no longer worth so many at a time
}
#else
void grow_heap_in_huge_pages() {}
#endif

namespace {

struct AddressRange {
    std::uintptr_t begin = 0, end = 0;
};

/// Mappings that have huge pages, without the parts of such pages at their ends.
std::vector<AddressRange> mappings_in_huge_pages() {
    std::vector<AddressRange> found;
    std::ifstream in("/proc/self/smaps");
    AddressRange mapping;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        const std::size_t dash = first.find('-');
        if (dash != std::string::npos) {
            mapping = {std::stoull(first.substr(0, dash), nullptr, 16),
                       std::stoull(first.substr(dash + 1), nullptr, 16)};
        } else if (std::size_t kib = 0; first == "AnonHugePages:" && words >> kib && kib > 0) {
            const std::uintptr_t begin = (mapping.begin + kHugePage - 1) / kHugePage * kHugePage;
            found.push_back({begin, mapping.end / kHugePage * kHugePage});
        }
    }
    return found;
}

bool is_resident(std::uintptr_t page) {
    unsigned char resident = 0;
    return ::mincore(reinterpret_cast<void*>(page), 1, &resident) == 0 && (resident & 1U) != 0;
}

} // namespace

void copy_huge_pages() {
#ifdef __linux__
    constexpr int kCollapse = 25; // MADV_COLLAPSE, of Linux 6.1 and glibc 2.37
    for (const AddressRange& mapping : mappings_in_huge_pages()) {
        for (std::uintptr_t page = mapping.begin; page < mapping.end; page += kHugePage) {
            if (!is_resident(page)) continue;
            auto* const byte = reinterpret_cast<volatile char*>(page);
            *byte = *byte; // splits it: one that is whole counts as collapsed, shared or not
            ::madvise(reinterpret_cast<void*>(page), kHugePage, kCollapse);
        }
    }
#endif
}

} // namespace numavp
