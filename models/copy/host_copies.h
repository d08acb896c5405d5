/// Copies of a host program between host and devices. Each copy is split among the copy engines of sockets with SMs.
///
/// A copy goes from one range of virtual addresses to another; the places of their pages decide which links it uses.
/// The host's buffer of an array is separate memory: it has the array's virtual address with the highest bit set and
/// lies in the host's memories. A page is moved by an engine near the memory of the array, for copies between two
/// arrays near the one that is read (a choice: the sender's engine writes to its peer). Programs wait for their copies;
/// copies of different streams overlap, but each engine does its share in order; a socket may have an engine for what
/// comes to its memories and another for the rest. Not modelled: the time of the API
/// calls, staging of memory that is not pinned.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <systemc>

#include "base/stats/model_part.h"
#include "models/copy/copies_config.h"
#include "models/copy/line_mover.h"
#include "models/dispatch/copy_service.h"
#include "models/mmu/address_space.h"

namespace numavp {

/// The error's sentence for a copy whose page cannot be placed.
std::string no_place_for(const Launch& launch);

/// Sums over the copies of one direction.
struct CopyTotals {
    std::uint64_t copies = 0, bytes = 0, busy_ps = 0;
    unsigned running = 0;
    Cycle since = 0; ///< with one under way
};

class HostCopies final : public sc_core::sc_module,
                         private Arbiter,
                         public CopyService,
                         public ModelPart,
                         private LineMover::Client {
  public:
    struct Resources {
        ClockDomain& domain;
        TxnPool& pool;
        const AddressMap& map;
        const AddressSpace& space;
        std::uint64_t page_bytes;
        unsigned address_bits;
        std::vector<SocketId> sockets; ///< that have engines
        /// For each memory, the numbers of the sockets with engines near it.
        std::vector<std::vector<unsigned>> near;
        std::function<void(const std::string&)> fail; ///< called with a sentence if a page has no place
    };
    HostCopies(sc_core::sc_module_name name, const CopiesConfig& config, const Resources& resources);
    ~HostCopies() override;

    /// The mover's port to the crossbar of socket `sockets[i]`.
    tlm::tlm_initiator_socket<>& port(unsigned i) { return movers_[i]->port(); }

    CopyStart copy(const Launch& launch, std::function<void()> done) override;
    /// Called at the end of each copy with the edge at which it began.
    std::function<void(const Launch& launch, Cycle since)> on_end;

    void add_statistics(StatGroup& machine) const override;
    void add_series(SeriesGroup& machine) const override;
    std::string waiting_for() const override;

  private:
    struct Running {
        Launch launch;
        std::function<void()> done;
        Cycle since = 0;
        std::uint64_t ranges_left = 0, bytes_left = 0;
    };
    /// Source and destination of a copy, as virtual addresses.
    struct Ends {
        std::uint64_t from = 0, to = 0;
        bool engine_at_to = false; ///< the engine is near the memory of the target
    };
    Ends ends_of(const Launch& launch) const;
    CopyTotals& totals_of(const Launch& launch);
    void arbitrate() override;
    void line_moved(const MoveRange& range, std::uint64_t line) override;
    void range_moved(const MoveRange& range) override;
    unsigned mover_for(std::uint64_t array, std::uint64_t page) const;
    std::uint64_t ps_since(Cycle edge) const { return domain_.edge_ps(domain_.now()) - domain_.edge_ps(edge); }
    bool place(std::uint64_t address, std::uint64_t toucher, PhysicalAddress& physical);
    void begin_ranges(const Ends& ends, std::uint32_t tag);

    const AddressMap& map_;
    const AddressSpace& space_;
    CopiesConfig config_;
    std::uint64_t page_bytes_;
    unsigned address_bits_;
    std::vector<SocketId> sockets_;
    std::vector<std::vector<unsigned>> near_;
    std::function<void(const std::string&)> fail_;
    std::vector<std::unique_ptr<LineMover>> movers_;
    std::map<std::uint32_t, Running> running_; ///< by tag
    std::set<std::uint32_t> ended_;            ///< tags of those whose last line has come at this edge
    std::uint32_t next_tag_ = 0;
    std::uint64_t moved_bytes_ = 0; ///< in whole lines
    Cycle busy_since_ = 0;
    std::uint64_t busy_ps_ = 0;        ///< with a copy under way
    std::array<CopyTotals, 3> totals_; ///< to devices, to the host, between arrays
};

} // namespace numavp
