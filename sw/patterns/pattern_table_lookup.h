/// Random reads in a table, with little traffic besides: cross-section look-ups, hash probes, random gathers.
///
/// Each lane of each look-up reads an entry drawn at random. There is one table for all blocks (most of it remote, and
/// reused by all), or one for each block (local under first touch).
#pragma once

#include "base/values/name_table.h"
#include "sw/patterns/pattern.h"

namespace numavp {

enum class Tables : std::uint8_t { shared, per_block };
inline constexpr NameTable<Tables> kTablesNames{
    "number of tables",
    {{Tables::shared, "shared", "one table for all blocks"},
     {Tables::per_block, "per_block", "each block has a table of its own"}}};

struct TableLookupParameters : BlockParameters {
    std::uint64_t blocks = 512;
    Tables tables = Tables::shared;
    std::uint64_t table_bytes = std::uint64_t{3} << 20;
    std::uint32_t entry_bytes = 8;
    std::uint32_t lookups = 16;
    std::uint32_t in_flight = 4;
    std::uint32_t work = 4;
    bool build = true;
    std::uint64_t build_blocks = 0;
    std::uint32_t iterations = 1;
    void validate(const Place& place) const;
};
template <class V> void describe(V& v, TableLookupParameters& c) {
    v.integer("blocks", c.blocks, 1, 1ULL << 24, "blocks", "thread blocks (scaled)");
    v.choice("tables", c.tables, kTablesNames, "sharing of the tables between blocks");
    v.integer("table_bytes", c.table_bytes, 512, 1ULL << 36, "B", "size of a table, a multiple of 512 (not scaled)");
    v.integer("entry_bytes", c.entry_bytes, 4, 16, "B", "4, 8 or 16: what a look-up reads");
    v.integer("lookups", c.lookups, 1, 1U << 20, "look-ups",
              "look-ups of a thread; the reuse of an entry is threads * blocks * lookups * entry_bytes / table_bytes");
    v.integer("in_flight", c.in_flight, 1, 8, "look-ups", "look-ups of a thread that don't wait for each other");
    v.integer("work", c.work, 1, 1024, "instructions", "arithmetic with what a look-up brought");
    v.boolean("build", c.build, "a first kernel writes the tables, each block its part: it decides where pages live");
    v.integer(
        "build_blocks", c.build_blocks, 0, 1ULL << 24, "blocks",
        "blocks that write a shared table; 0: one for each 4 KB of it, 1: a prologue that one SM runs (not scaled)");
    v.integer("iterations", c.iterations, 1, 1U << 20, "launches", "number of launches of the look-ups");
    describe_block(v, c);
}

class TableLookup final : public Pattern {
  public:
    using Parameters = TableLookupParameters;
    TableLookup(const Parameters& parameters, const PatternContext& context);
    std::vector<ArrayNeed> arrays() const override;
    std::vector<std::shared_ptr<Kernel>> kernels(const ArrayBases& at) const override;

  private:
    std::uint64_t all_tables_bytes() const;
    Parameters p_;
    std::uint64_t seed_;
};

} // namespace numavp
