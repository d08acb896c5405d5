#include "base/values/huge_heap.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
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

struct MappedRange {
    std::uintptr_t begin = 0, end = 0;
};

/// Mappings that asked for huge pages and have some: not a stack, whose pages change while they are copied.
std::vector<MappedRange> mappings_in_huge_pages() {
    std::vector<MappedRange> found;
    std::ifstream in("/proc/self/smaps");
    MappedRange mapping;
    std::size_t huge_kib = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (const std::size_t dash = first.find('-'); dash != std::string::npos)
            mapping = {std::stoull(first.substr(0, dash), nullptr, 16),
                       std::stoull(first.substr(dash + 1), nullptr, 16)};
        else if (first == "AnonHugePages:")
            words >> huge_kib;
        else if (first == "VmFlags:" && huge_kib > 0 && line.find(" hg") != std::string::npos)
            found.push_back(
                {(mapping.begin + kHugePage - 1) / kHugePage * kHugePage, mapping.end / kHugePage * kHugePage});
    }
    return found;
}

bool is_resident(std::uintptr_t page) {
    unsigned char resident = 0;
    return ::mincore(reinterpret_cast<void*>(page), 1, &resident) == 0 && (resident & 1U) != 0;
}

#ifdef __linux__
/// After a move that has failed, which may have taken the pages at `place` away.
void fill_anew(void* place, const void* copy, std::size_t bytes) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (::mmap(place, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0) == MAP_FAILED) std::abort(); // the heap has a hole
    ::madvise(place, bytes, MADV_HUGEPAGE);
    std::memcpy(place, copy, bytes);
}
#endif

/// Puts a copy into the place of the pages. Uses no memory of the heap, which is what is copied.
void copy_pages(const MappedRange& pages) {
#ifdef __linux__
    const std::size_t bytes = pages.end - pages.begin;
    void* const room = ::mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) return; // they stay shared
    const auto first = reinterpret_cast<std::uintptr_t>(room);
    const std::uintptr_t begin = (first + kHugePage - 1) / kHugePage * kHugePage;
    void* const copy = reinterpret_cast<void*>(begin);
    void* const place = reinterpret_cast<void*>(pages.begin);
    ::madvise(copy, bytes, MADV_HUGEPAGE);
    std::memcpy(copy, place, bytes);
    if (::mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == MAP_FAILED) {
        fill_anew(place, copy, bytes);
        ::munmap(copy, bytes);
    }
    if (begin > first) ::munmap(room, begin - first);
    ::munmap(reinterpret_cast<void*>(begin + bytes), kHugePage - (begin - first));
#endif
}

} // namespace

void copy_huge_pages() {
    for (const MappedRange& mapping : mappings_in_huge_pages()) {
        MappedRange run{mapping.begin, mapping.begin};
        for (std::uintptr_t page = mapping.begin; page < mapping.end; page += kHugePage) {
            const bool resident = is_resident(page);
            if (resident) run.end = page + kHugePage;
            if (!resident || run.end == mapping.end) {
                if (run.end > run.begin) copy_pages(run);
                run = {page + kHugePage, page + kHugePage};
            }
        }
    }
}

} // namespace numavp
