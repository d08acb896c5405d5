/// Page placement: which memory holds a page, decided at its first touch.
///
/// Section 3 of the NUMA-aware paper. Plain integers, so that driver firmware can take its place. Not modelled: pages
/// that move later, eviction to the host, the time of a fault.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/values/types.h"
#include "models/paging/placement_kind.h"

namespace numavp {

/// `wish` if there is room, else the next best: of the memories that are not full the one with the fewest pages, the
/// lowest index among equals. Nothing if all are full.
std::optional<MemoryId> place_or_next_best(MemoryId wish, const MemoryUse& use);

/// Contract: called once a page, in the order of first touches; returns a memory with room, or no value if and only if
/// all are full; depends on nothing but its calls so far.
class PagePlacement {
  public:
    virtual ~PagePlacement() = default;
    /// Chooses the memory of `virtual_page`, whose first access comes from a warp of a socket near memory `near`.
    virtual std::optional<MemoryId> place(std::uint64_t virtual_page, MemoryId near, const MemoryUse& use) = 0;
    /// True if pages are spread over all memories line by line (see PageTable for the formula); place() is not called.
    virtual bool interleaves_lines() const { return false; }
    /// Lines that stay together in a permutation of rows (RowPermutation); 0: lines go round.
    virtual unsigned row_lines() const { return 0; }
};

/// Hands pages to a placement that may be replaced by another one between two pages; that knows nothing of the calls
/// before. Both place pages, or the first one stays.
class ReplaceablePlacement final : public PagePlacement {
  public:
    explicit ReplaceablePlacement(std::unique_ptr<PagePlacement> first) : now_(std::move(first)) {}
    void replace(std::unique_ptr<PagePlacement> other) { now_ = std::move(other); }
    std::optional<MemoryId> place(std::uint64_t virtual_page, MemoryId near, const MemoryUse& use) override {
        return now_->place(virtual_page, near, use);
    }
    bool interleaves_lines() const override { return now_->interleaves_lines(); }
    unsigned row_lines() const override { return now_->row_lines(); }

  private:
    std::unique_ptr<PagePlacement> now_;
};

/// Fine-grained: the lines of all pages go round the sockets, as a single GPU interleaves its channels.
class LineInterleavePlacement final : public PagePlacement {
  public:
    std::optional<MemoryId> place(std::uint64_t, MemoryId near, const MemoryUse& use) override {
        return place_or_next_best(near, use);
    }
    bool interleaves_lines() const override { return true; }
};

/// Rows of lines over all memories by a permutation.
class RowPermutationPlacement final : public PagePlacement {
  public:
    explicit RowPermutationPlacement(unsigned row_lines) : row_lines_(row_lines) {}
    std::optional<MemoryId> place(std::uint64_t, MemoryId near, const MemoryUse& use) override {
        return place_or_next_best(near, use);
    }
    bool interleaves_lines() const override { return true; }
    unsigned row_lines() const override { return row_lines_; }

  private:
    unsigned row_lines_;
};

/// Page number modulo sockets, as Linux's interleave policy, which the paper names, does for mapped memory (node by the
/// page's index in its mapping). The home follows from the address alone, so that results depend neither on which
/// socket touches a page first nor on the order of touches.
class PageInterleavePlacement final : public PagePlacement {
  public:
    std::optional<MemoryId> place(std::uint64_t virtual_page, MemoryId near, const MemoryUse& use) override;
};

/// The n-th page that is touched goes to socket n modulo sockets, as by a driver that serves faults in turn (NUBA's
/// comparison): memories are equally full for any addresses, but homes depend on the order of touches.
class RoundRobinPlacement final : public PagePlacement {
  public:
    std::optional<MemoryId> place(std::uint64_t virtual_page, MemoryId near, const MemoryUse& use) override;

  private:
    std::uint64_t touched_ = 0;
};

/// The socket that touches a page first becomes its home.
class FirstTouchPlacement final : public PagePlacement {
  public:
    std::optional<MemoryId> place(std::uint64_t, MemoryId near, const MemoryUse& use) override {
        return place_or_next_best(near, use);
    }
};

/// First touch by leaves of 64 KiB, with what the range rule of unified memory's driver adds
/// (sw/driver/prefetch_tree.h): the largest range of its block of 2 MiB of which more than 51 % lie in that memory
/// then. A leaf that came along has its place, and takes room, from its own first touch on. Unlike in the driver
/// nothing moves later, leaves in another memory stay there, pages are served one by one, and the last block of an
/// array counts whole. A policy that begins during a run knows nothing of the pages before.
class FirstTouchTreePlacement final : public PagePlacement {
  public:
    /// Pages of at most a leaf.
    explicit FirstTouchTreePlacement(std::uint64_t page_bytes);
    std::optional<MemoryId> place(std::uint64_t virtual_page, MemoryId near, const MemoryUse& use) override;

  private:
    using Leaves = std::vector<std::uint32_t>; ///< of a block that lie in each memory, as bits
    std::uint64_t leaf_pages_;
    std::unordered_map<std::uint64_t, Leaves> blocks_;
};

/// A memory drawn uniformly by a hash of the page's number and a seed (memory networks, section VI.A: "random page
/// placement"). The order of touches does not matter, so a page has the same memory in all systems with as many
/// memories.
class RandomPlacement final : public PagePlacement {
  public:
    explicit RandomPlacement(std::uint64_t seed) : seed_(seed) {}
    std::optional<MemoryId> place(std::uint64_t virtual_page, MemoryId near, const MemoryUse& use) override;

  private:
    std::uint64_t seed_;
};

/// The memory with the fewest pages, of those that are not full; the lowest index among equals.
class LeastFirstPlacement final : public PagePlacement {
  public:
    std::optional<MemoryId> place(std::uint64_t, MemoryId, const MemoryUse& use) override;
};

/// Local-And-Balanced (NUBA, section 4, Equation 1): the toucher's memory while the mean number of pages is above
/// `percent` of the largest, else as LeastFirstPlacement. The paper breaks ties "arbitrarily": they go to the lowest
/// index, or with `ties_near` to the toucher's memory if it is among the equals. sw/driver/policy.c is the same as
/// firmware.
class LabPlacement final : public PagePlacement {
  public:
    explicit LabPlacement(unsigned percent, bool ties_near = false) : percent_(percent), ties_near_(ties_near) {}
    std::optional<MemoryId> place(std::uint64_t, MemoryId near, const MemoryUse& use) override;

  private:
    unsigned percent_;
    bool ties_near_;
};

std::unique_ptr<PagePlacement> make_page_placement(const PlacementConfig& config);
/// Makes a policy whose parameters have their defaults.
std::unique_ptr<PagePlacement> make_page_placement(PlacementKind kind);

/// A range of pages that is placed in the given memories only.
struct GivenPages {
    std::uint64_t first = 0, end = 0;
    std::vector<MemoryId> memories;
};

/// Placement in subsets of the memories: pages of arrays go to `of_arrays`, as the policy `arrays` places them there.
/// Pages of the host's buffers, and of arrays given to a GPU, go to other subsets, by page number modulo their size.
class ChosenMemories final : public PagePlacement {
  public:
    /// Pages from `first_buffer` on belong to the host's buffers, if `of_buffers` is not empty.
    ChosenMemories(std::unique_ptr<PagePlacement> arrays, std::vector<MemoryId> of_arrays,
                   std::vector<MemoryId> of_buffers, std::uint64_t first_buffer, std::vector<GivenPages> given = {})
        : arrays_(std::move(arrays)), of_arrays_(std::move(of_arrays)), given_(std::move(given)) {
        if (!of_buffers.empty()) given_.push_back({first_buffer, ~std::uint64_t{0}, std::move(of_buffers)});
    }
    std::optional<MemoryId> place(std::uint64_t virtual_page, MemoryId near, const MemoryUse& use) override;

  private:
    std::unique_ptr<PagePlacement> arrays_;
    PageInterleavePlacement in_turn_;
    std::vector<MemoryId> of_arrays_;
    std::vector<GivenPages> given_;
};

} // namespace numavp
