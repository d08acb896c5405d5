/// Memory in pages of 2 MiB, if the system grants them: tables with random accesses then cost fewer page walks.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include <sys/mman.h>

namespace numavp {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

struct HugeBlockDeleter {
    void operator()(void* block) const { std::free(block); }
};
using HugeBlock = std::unique_ptr<void, HugeBlockDeleter>;

/// Uninitialised memory of at least `bytes`, aligned to a huge page; in ordinary pages if there are no huge ones.
inline HugeBlock make_huge_block(std::size_t bytes) {
    const std::size_t size = (bytes + kHugePage - 1) / kHugePage * kHugePage;
    HugeBlock block(std::aligned_alloc(kHugePage, size));
    if (!block) throw std::bad_alloc();
    ::madvise(block.get(), size, MADV_HUGEPAGE);
    return block;
}

} // namespace numavp
