#include "sw/patterns/pattern_table_lookup.h"

#include <algorithm>

#include "base/values/rng.h"
#include "sw/loops/program.h"

namespace numavp {
namespace {

constexpr unsigned kMaxInFlight = 8;
constexpr std::uint64_t kMaxTablesBytes = std::uint64_t{1} << 46;
/// Unless the parameters say otherwise, a shared table is written in parts of 4 KB, one for each block.
constexpr std::uint64_t kPart = 4096;

/// Writes `bytes` for each block, from the start of the table on.
struct Build {
    std::uint64_t table, total, part;
    std::uint32_t warps;

    class Warp final : public StepStream<Warp, 2> {
      public:
        Warp(const Build& b, std::uint64_t block, unsigned warp)
            : b_(b), at_(block * b.part + warp * kWarpVectorBytes), end_(std::min(b.total, (block + 1) * b.part)) {}
        void step(Emitter& e) {
            if (at_ >= end_) {
                e.exit();
                return;
            }
            e.compute(0, {0});
            e.store(contiguous(b_.table + at_, kVectorBytes), {0});
            at_ += b_.warps * kWarpVectorBytes;
        }

      private:
        const Build& b_;
        std::uint64_t at_, end_;
    };
};

struct Lookup {
    std::uint64_t table, input, output;
    std::uint64_t table_stride; ///< bytes from a block's table to the next one's; 0 if all share one
    std::uint64_t entries;
    std::uint32_t entry_bytes, lookups, in_flight, work, threads;
    std::uint64_t seed;

    class Warp final : public StepStream<Warp, 2 + 3 * kMaxInFlight, kMaxInFlight> {
      public:
        Warp(const Lookup& l, std::uint64_t block, unsigned warp)
            : l_(l), table_(l.table + block * l.table_stride),
              element_(block * l.threads + std::uint64_t{warp} * kWarpLanes), rng_(l.seed, element_) {}

        void step(Emitter& e) {
            enum : std::uint8_t { r_index, r_key, r_sum, r_hash = 8, r_entry = 16 };
            if (!started_) {
                started_ = true;
                e.compute(r_index, {});
                e.load(r_key, contiguous(l_.input + element_ * kFloatBytes, kFloatBytes), {r_index}).read_only = true;
            }
            const std::uint32_t n = std::min(l_.in_flight, l_.lookups - done_);
            for (std::uint32_t i = 0; i < n; ++i) {
                const auto hash = static_cast<std::uint8_t>(r_hash + i);
                e.compute(hash, {r_key, r_sum});
                LaneList lanes = e.list();
                for (unsigned lane = 0; lane < kWarpLanes; ++lane)
                    lanes.set(lane, table_ + entry(rng_.next()) * l_.entry_bytes);
                e.load(static_cast<std::uint8_t>(r_entry + i), lanes, l_.entry_bytes, {hash}).read_only = true;
            }
            for (std::uint32_t i = 0; i < n; ++i)
                e.compute(r_sum, {static_cast<std::uint8_t>(r_entry + i), r_sum}, l_.work);
            done_ += n;
            if (n != 0) return;
            e.store(contiguous(l_.output + element_ * kFloatBytes, kFloatBytes), {r_index, r_sum});
            e.exit();
        }

      private:
        /// Uniform in [0, entries): the high word of a product; its bias is below entries / 2^64.
        std::uint64_t entry(std::uint64_t random) const {
            __extension__ using Wide = unsigned __int128;
            return static_cast<std::uint64_t>((Wide{random} * l_.entries) >> 64);
        }

        const Lookup& l_;
        std::uint64_t table_;
        std::uint64_t element_;
        Rng rng_;
        std::uint32_t done_ = 0;
        bool started_ = false;
    };
};

} // namespace

void TableLookupParameters::validate(const Place& place) const {
    BlockParameters::validate(place);
    if (table_bytes % kWarpVectorBytes != 0) throw ConfigError(place.at("table_bytes"), "multiples of 512 are allowed");
    if (tables == Tables::per_block && table_bytes > kMaxTablesBytes / blocks)
        throw ConfigError(place.at("table_bytes"), "the tables of all blocks together take more than 64 TiB");
    if (entry_bytes != 4 && entry_bytes != 8 && entry_bytes != 16)
        throw ConfigError(place.at("entry_bytes"), "entries have 4, 8 or 16 bytes");
}

TableLookup::TableLookup(const Parameters& parameters, const PatternContext& context)
    : p_(parameters), seed_(context.seed) {
    p_.blocks = context.scaled(p_.blocks);
}

std::uint64_t TableLookup::all_tables_bytes() const {
    return p_.tables == Tables::shared ? p_.table_bytes : p_.blocks * p_.table_bytes;
}

std::vector<ArrayNeed> TableLookup::arrays() const {
    const std::uint64_t bytes = p_.blocks * p_.threads * kFloatBytes;
    return {{"table", all_tables_bytes()}, {"input", bytes}, {"output", bytes}};
}

std::vector<std::shared_ptr<Kernel>> TableLookup::kernels(const ArrayBases& at) const {
    std::vector<std::shared_ptr<Kernel>> launches;
    const bool shared = p_.tables == Tables::shared;
    if (p_.build) {
        const std::uint64_t bytes = all_tables_bytes();
        const std::uint64_t rows = bytes / kWarpVectorBytes; // what a warp writes at once
        const std::uint64_t wide =
            p_.build_blocks == 0 ? kPart : (rows + p_.build_blocks - 1) / p_.build_blocks * kWarpVectorBytes;
        const std::uint64_t part = shared ? wide : p_.table_bytes;
        launches.push_back(make_kernel(p_.shape("build_table", (bytes + part - 1) / part, bytes / kWarpVectorBytes),
                                       Build{at.at("table"), bytes, part, p_.warps()}));
    }
    const std::uint64_t accesses = p_.blocks * p_.warps() * (std::uint64_t{p_.lookups} + 2);
    const std::shared_ptr<Kernel> lookup = make_kernel(
        p_.shape("lookup", p_.blocks, accesses),
        Lookup{at.at("table"), at.at("input"), at.at("output"), shared ? 0 : p_.table_bytes,
               p_.table_bytes / p_.entry_bytes, p_.entry_bytes, p_.lookups, p_.in_flight, p_.work, p_.threads, seed_});
    launches.insert(launches.end(), p_.iterations, lookup);
    return launches;
}

} // namespace numavp
