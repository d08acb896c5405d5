/// Names, configuration and input of the page placements. Their code is declared in page_placement.h, which few sources
/// include, so that a change there recompiles few.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/values/name_table.h"
#include "base/values/types.h"

namespace numavp {

/// Fill of the memories, from which a placement decides.
struct MemoryUse {
    std::vector<std::uint64_t> pages;          ///< allocated in each memory
    std::uint64_t capacity_pages = 0;          ///< of each
    std::vector<std::uint64_t> own_capacity{}; ///< of each instead, where they differ
    std::uint64_t capacity(MemoryId memory) const {
        return own_capacity.empty() ? capacity_pages : own_capacity[memory.value];
    }
    bool full(MemoryId memory) const { return pages[memory.value] >= capacity(memory); }
};

enum class PlacementKind : std::uint8_t {
    line_interleave,
    row_permutation,
    page_interleave,
    round_robin,
    first_touch,
    first_touch_tree,
    random,
    least_first,
    lab,
    lab_near
};

inline constexpr NameTable<PlacementKind> kPlacements{
    "page placement",
    {{PlacementKind::line_interleave, "line_interleave", "Consecutive lines go round all sockets (fine-grained)."},
     {PlacementKind::row_permutation, "row_permutation",
      "Rows of row_lines lines go to the memories by a permutation, the XOR with the row's upper bits (PAE)."},
     {PlacementKind::page_interleave, "page_interleave", "Page number modulo sockets (Linux interleave)."},
     {PlacementKind::round_robin, "round_robin", "Pages go round the sockets in the order of first touch."},
     {PlacementKind::first_touch, "first_touch", "The socket that accesses a page first keeps it."},
     {PlacementKind::first_touch_tree, "first_touch_tree",
      "First touch of 64 KiB, with what the range rule of unified memory's driver adds in 2 MiB."},
     {PlacementKind::random, "random", "Any memory, drawn by the page's number, whoever touches it."},
     {PlacementKind::least_first, "least_first", "The memory with the fewest pages, of those that are not full."},
     {PlacementKind::lab, "lab", "First touch while pages are in balance, else least first (NUBA, section 4)."},
     {PlacementKind::lab_near, "lab_near",
      "Local-And-Balanced with ties to the toucher: its memory, if no other has fewer pages."}}};

/// Configuration of paging: one struct, one field list (base/config/config.h).
struct PlacementConfig {
    PlacementKind policy = PlacementKind::first_touch;
    std::string memories; ///< parts
    unsigned page_kib = 64, address_bits = 49, sockets_per_memory = 1, lab_percent = 90, row_lines = 16;
    std::uint64_t seed = 0;
    /// Pages have no memory: their lines lie in all of them.
    bool interleaves() const {
        return policy == PlacementKind::line_interleave || policy == PlacementKind::row_permutation;
    }
    bool by_balance() const { return policy == PlacementKind::lab || policy == PlacementKind::lab_near; }
    std::uint64_t page_bytes() const { return std::uint64_t{page_kib} * 1024; }
};

template <class V> void describe(V& v, PlacementConfig& c) {
    v.choice("policy", c.policy, kPlacements, "Policy that gives a page to a memory.");
    v.parts(
        "memories", c.memories,
        "Parts whose memories hold what kernels use, such as \"cube\" or \"cube[0..3]\"; empty: all that have memory.");
    v.integer("page_kib", c.page_kib, 4, 2048, "KiB",
              "Page size, a power of two. 64 is a choice; 4 and 2048 are sensitivities.");
    v.integer("address_bits", c.address_bits, 32, 64, "bits", "Width of addresses (Pascal: 49).");
    v.integer("lab_percent", c.lab_percent, 1, 99, "%",
              "Normalised page balance above which lab is first touch (NUBA, section 4: 90).");
    v.integer("row_lines", c.row_lines, 1, 64, "lines",
              "Lines of 128 B that row_permutation keeps together, a power of two (a row of HBM: 16).");
    v.integer("seed", c.seed, 0, ~std::uint64_t{0}, "", "Seed of the draws of random; other seeds give other places.");
    v.integer("sockets_per_memory", c.sockets_per_memory, 1, 64, "sockets",
              "Sockets side by side whose memories are one, a power of two of those with memory: consecutive lines go "
              "round them (memory networks, section III: 4, the cubes of a cluster).");
}

} // namespace numavp
