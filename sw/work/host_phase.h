/// Work of the host's program between copies and kernels: a loop over items, each with its accesses and instructions.
///
/// An item reads, computes, writes. An entry of a workload's file (`HostEntry`) becomes a phase with addresses
/// (`HostPhase`) when the workload's arrays have their addresses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "base/values/name_table.h"
#include "base/values/rng.h"

namespace numavp {

enum class HostWay : std::uint8_t { read, write, update };
inline constexpr NameTable<HostWay> kHostWays{
    "way of an access",
    {{HostWay::read, "read", "The item reads the element."},
     {HostWay::write, "write",
      "The item writes the element; the cache fetches its line first, as for a partial write."},
     {HostWay::update, "update", "The item reads the element and writes it."}}};

enum class HostOrder : std::uint8_t { sequential, random };
inline constexpr NameTable<HostOrder> kHostOrders{
    "order of accesses",
    {{HostOrder::sequential, "sequential", "Item after item, a stride apart."},
     {HostOrder::random, "random", "Each item an element that is drawn uniformly."}}};

enum class HostDependence : std::uint8_t { none, sum, chase };
inline constexpr NameTable<HostDependence> kHostDependences{
    "dependence of items",
    {{HostDependence::none, "none", "Items depend on each other in nothing."},
     {HostDependence::sum, "sum", "Flops of all items are one chain, as in a sum."},
     {HostDependence::chase, "chase", "An item's first read needs what the last item read last, as in a list."}}};

/// An access that each item makes.
struct HostAccessEntry {
    std::string array;
    HostWay way = HostWay::read;
    HostOrder order = HostOrder::sequential;
    unsigned element_bytes = 4;
    std::uint64_t stride_bytes = 0;
    double share = 1.0;
};
template <class V> void describe(V& v, HostAccessEntry& c) {
    v.text("array", c.array, "name of an array of this workload");
    v.choice("way", c.way, kHostWays, "kind of access of an item to its element");
    v.choice("order", c.order, kHostOrders, "rule that gives an item its element");
    v.integer("element_bytes", c.element_bytes, 1, 65536, "B", "bytes that an item accesses, side by side");
    v.integer("stride_bytes", c.stride_bytes, 0, 1ULL << 32, "B",
              "distance from an item's element to the next one's; 0: they lie side by side. In each pass the elements "
              "lie one element further in the stride, and begin again where it is full");
    v.real("share", c.share, 1e-9, 1.0, "", "part of the array that is accessed, from its beginning");
}

/// A phase as a workload's file describes it.
struct HostEntry {
    std::string name = "host";
    std::vector<HostAccessEntry> accesses;
    std::uint64_t items = 0;
    std::uint32_t passes = 1;
    std::uint32_t instructions = 0, flops = 0, chain = 0;
    HostDependence dependence = HostDependence::none;
    bool given = false;
    void validate(const Place& place);
};
template <class V> void describe(V& v, HostEntry& c) {
    v.text("name", c.name, "name of the phase: the work of the program in it");
    v.list("accesses", c.accesses, "accesses of each item, in order: all reads, then all writes");
    v.integer("items", c.items, 0, 1ULL << 40, "items",
              "turns of the loop at scale 1; 0: one for each element of the first access");
    v.integer("passes", c.passes, 1, 1U << 20, "times", "number of passes over all items");
    v.integer("instructions", c.instructions, 0, 1U << 30, "instructions",
              "instructions of an item, in all: loads, stores and flops too; 1 at least");
    v.integer("flops", c.flops, 0, 1U << 30, "flops", "floating-point operations of an item");
    v.integer("chain", c.chain, 0, 1U << 30, "flops",
              "flops of an item that wait for each other and for the last item, with dependence sum; 0: all");
    v.choice("dependence", c.dependence, kHostDependences, "dependence of an item on the one before");
}

/// An access with its place in memory.
struct HostAccess {
    std::uint64_t base = 0;  ///< virtual byte address of the array
    std::uint64_t bytes = 0; ///< of the array, that are accessed
    unsigned element_bytes = 4;
    std::uint64_t stride_bytes = 4;
    HostWay way = HostWay::read;
    HostOrder order = HostOrder::sequential;

    bool reads() const { return way != HostWay::write; }
    bool writes() const { return way != HostWay::read; }
    /// Number of elements of a pass; 0 if the array is smaller than an element.
    std::uint64_t steps() const;
    /// Virtual byte address of an item's element; `draws` is the stream of random elements.
    std::uint64_t address(std::uint64_t item, const Rng& draws) const;
};

struct HostPhase {
    std::string name;
    std::vector<HostAccess> accesses;
    std::uint64_t items = 0;
    std::uint64_t instructions = 1, flops = 0; ///< of an item
    std::uint64_t chain = 0;                   ///< flops of an item, one behind the other
    HostDependence dependence = HostDependence::none;
    std::uint64_t seed = 1;

    bool writes() const;
    std::uint64_t all_instructions() const { return items * instructions; }
    /// Bytes that all items read and write.
    std::uint64_t accessed_bytes() const;
};

/// Makes a phase of a file's entry; the number of items may follow from the arrays. `placed` are the accesses with
/// their arrays, in order; `scale` is the workload's. `share` is the part of the kernels' work that is done: the phase
/// does as large a part, from the beginning of its arrays (random accesses still span them). ConfigError at `place`.
HostPhase make_host_phase(const HostEntry& entry, std::vector<HostAccess> placed, double scale, double share,
                          const Place& place);

} // namespace numavp
