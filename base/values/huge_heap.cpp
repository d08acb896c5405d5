#include "base/values/huge_heap.h"

#include <cstdint>
#include <cstdlib>
#include <limits>

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

} // namespace numavp
