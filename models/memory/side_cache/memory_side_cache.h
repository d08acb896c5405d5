/// A bank of a memory-side cache: it stands between an L2 slice, or a memory controller, and their memory channel.
///
/// Every read and write of the memory passes it, so it is coherent by its place: kernel boundaries and fences flush
/// nothing, and dirty lines stay until they are evicted. What it decides by is the L2's: it has an L2Slice with one
/// side (tags, entries, order of requests to a line), whose time counts as the memory's in latencies, and statistics of
/// its own. Not modelled: prefetching by the cache, filters of snoops that share its tags.
#pragma once

#include <memory>
#include <string>

#include "base/stats/model_part.h"
#include "models/cache/l2_slice.h"
#include "models/memory/side_cache/side_cache_config.h"

namespace numavp {

class MemorySideCache final : public sc_core::sc_module, public ModelPart {
  public:
    struct Resources {
        ClockDomain& domain; ///< the L2's
        TxnPool& pool;
        const AddressMap& map;
        SocketId socket;
        unsigned index;  ///< of the bank: that of the L2 slice before it
        unsigned slices; ///< of the socket
        bool sectored;
        Rank rank;
    };
    MemorySideCache(sc_core::sc_module_name name, const SideCacheConfig& config, const Resources& resources);

    tlm::tlm_target_socket<>& request_side() { return bank_.core_side(); }
    tlm::tlm_initiator_socket<>& mem_side() { return bank_.mem_side(); }
    const SliceCounts& counts() const { return bank_.counts(); }
    /// Of what the bank has done so far.
    double energy_pj() const;
    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    void add_waves(WaveSet& waves, const std::string& owner) override;
    std::string waiting_for() const override { return bank_.waiting_for(); }
    std::string holding() const override { return bank_.holding(); }
    bool drained() const override { return bank_.drained(); }
    /// Copies the bytes of `line` that are newer than memory into `out`. Functional runs only.
    void debug_overlay(std::uint64_t line, unsigned char* out) { bank_.debug_overlay(line, out); }
    /// Updates the cached copy, and a fill in flight, after 8 bytes of memory changed in no time. Functional runs only.
    void debug_patch(std::uint64_t address, std::uint64_t word) { bank_.debug_patch(address, word); }

  private:
    SideCacheConfig config_;
    unsigned index_;
    bool sectored_;
    L2Slice bank_;
};

} // namespace numavp
