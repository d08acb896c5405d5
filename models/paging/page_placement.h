/// Page placement: which socket's memory holds a page, decided at its first touch.
///
/// Section 3 of the NUMA-aware paper. Plain integers, so that driver firmware can stand in. Not modelled: pages
/// that move later, eviction to the host, the time of a fault.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/base/types.h"
#include "models/paging/placement_kind.h"

namespace numavp {

/// `wish` if there is room, else the next best: the memory with the fewest pages, the lowest index among equals.
/// Nothing if all are full.
std::optional<SocketId> place_or_next_best(SocketId wish, const MemoryUse& use);

/// Contract: called once a page, in the order of first touches; answers a memory with room, or nothing if and
/// only if all are full; depends on nothing but its calls so far.
class PagePlacement {
  public:
    virtual ~PagePlacement() = default;
    /// The home of `virtual_page`, which a warp of socket `toucher` is the first to access.
    virtual std::optional<SocketId> place(std::uint64_t virtual_page, SocketId toucher, const MemoryUse& use) = 0;
    /// Each page is spread over all memories line by line (PageTable has the formula); place() is not asked.
    virtual bool interleaves_lines() const { return false; }
};

/// Fine-grained: the lines of all pages go round the sockets, as a single GPU interleaves its channels.
class LineInterleavePlacement final : public PagePlacement {
  public:
    std::optional<SocketId> place(std::uint64_t, SocketId toucher, const MemoryUse& use) override {
        return place_or_next_best(toucher, use);
    }
    bool interleaves_lines() const override { return true; }
};

/// Page number modulo sockets. That is what Linux's interleave policy, which the paper names, does for mapped
/// memory (node by the page's index in its mapping): the home is a property of the address, whoever comes first,
/// so that results do not depend on the order of touches.
class PageInterleavePlacement final : public PagePlacement {
  public:
    std::optional<SocketId> place(std::uint64_t virtual_page, SocketId toucher, const MemoryUse& use) override;
};

/// The n-th page that is touched goes to socket n modulo sockets, as a driver does that serves faults in turn
/// (NUBA's comparison): balanced to a page whatever the addresses, but dependent on the order of touches.
class RoundRobinPlacement final : public PagePlacement {
  public:
    std::optional<SocketId> place(std::uint64_t virtual_page, SocketId toucher, const MemoryUse& use) override;

  private:
    std::uint64_t touched_ = 0;
};

/// The socket that touches a page first keeps it.
class FirstTouchPlacement final : public PagePlacement {
  public:
    std::optional<SocketId> place(std::uint64_t, SocketId toucher, const MemoryUse& use) override {
        return place_or_next_best(toucher, use);
    }
};

/// Any memory, all alike, drawn by a hash of the page's number (memory networks, section VI.A: "random page
/// placement"). Not by the order of touches, so that a page lies where it lay in another system with as many memories.
class RandomPlacement final : public PagePlacement {
  public:
    std::optional<SocketId> place(std::uint64_t virtual_page, SocketId toucher, const MemoryUse& use) override;
};

/// The memory with the fewest pages, the lowest index among equals.
class LeastFirstPlacement final : public PagePlacement {
  public:
    std::optional<SocketId> place(std::uint64_t, SocketId, const MemoryUse& use) override;
};

/// Local-And-Balanced (NUBA, section 4, Equation 1): the toucher's memory while the mean of pages over the largest is
/// above `percent`, else as least first. sw/driver/policy.c is the same as firmware.
class LabPlacement final : public PagePlacement {
  public:
    explicit LabPlacement(unsigned percent) : percent_(percent) {}
    std::optional<SocketId> place(std::uint64_t, SocketId toucher, const MemoryUse& use) override;

  private:
    unsigned percent_;
};

std::unique_ptr<PagePlacement> make_page_placement(const PlacementConfig& config);
/// With the defaults of its parameters.
std::unique_ptr<PagePlacement> make_page_placement(PlacementKind kind);

/// Pages that lie in memories of their own.
struct GivenPages {
    std::uint64_t first = 0, end = 0;
    std::vector<SocketId> memories;
};

/// Not all memories serve all pages: those of arrays lie in some, as `arrays` places them there, and those of the
/// host's buffers, and of arrays that are given to a GPU, in others, round which they go by their number.
class ChosenMemories final : public PagePlacement {
  public:
    /// Pages from `first_buffer` on are the host's, if it has memories.
    ChosenMemories(std::unique_ptr<PagePlacement> arrays, std::vector<SocketId> of_arrays,
                   std::vector<SocketId> of_buffers, std::uint64_t first_buffer, std::vector<GivenPages> given = {})
        : arrays_(std::move(arrays)), of_arrays_(std::move(of_arrays)), given_(std::move(given)) {
        if (!of_buffers.empty()) given_.push_back({first_buffer, ~std::uint64_t{0}, std::move(of_buffers)});
    }
    std::optional<SocketId> place(std::uint64_t virtual_page, SocketId toucher, const MemoryUse& use) override;

  private:
    std::unique_ptr<PagePlacement> arrays_;
    PageInterleavePlacement in_turn_;
    std::vector<SocketId> of_arrays_; ///< memories
    std::vector<GivenPages> given_;
};

} // namespace numavp
