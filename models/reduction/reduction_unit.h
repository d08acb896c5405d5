/// The unit of a switch that adds up and replicates: a target for multicast addresses, an initiator to their members.
///
/// A read of a multicast line becomes a read of each member's line; when all answers are there they are added in the
/// order of the members, and one answer goes back (multimem.ld_reduce). A write, or an atomic whose old value is not
/// used, goes to each member, and one acknowledgement goes back when all have it (multimem.st, multimem.red). Requests
/// are taken in order, and go to the members in that order, so that two writes of one line reach each member alike.
///
/// The table of requests on their way is the unit's only memory: a full one holds up the port. That cannot block the
/// network, since the unit asks memories alone, over channels that no packet towards the unit takes; a machine's file
/// is checked for that. Not modelled: operations other than addition, sums that begin before all members have answered.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/stats/histogram.h"
#include "base/stats/model_part.h"
#include "base/time/bandwidth_server.h"
#include "models/paging/multicast_map.h"
#include "models/paging/page_table.h"
#include "models/reduction/reduction_config.h"
#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

struct ReductionCounts {
    std::uint64_t reads = 0, writes = 0, atomics = 0; ///< requests taken
    std::uint64_t asked = 0;                          ///< records sent to members
    std::uint64_t additions = 0;                      ///< of two elements
    std::uint64_t read_bytes = 0, written_bytes = 0;  ///< of data, of members' answers and of what they were sent
    std::uint64_t stalls = 0;                         ///< edges at which a request waited for an entry
};

class ReductionUnit final : public sc_core::sc_module,
                            public ModelPart,
                            private RequesterIf,
                            private ResponderIf,
                            private Arbiter {
  public:
    struct Resources {
        ClockDomain& domain;
        TxnPool& pool;
        const AddressMap& map;
        PageTable& pages;
        const MulticastMap& arrays;
        SocketId number; ///< of the unit among the ends of the network
        Rank rank;
    };
    ReductionUnit(sc_core::sc_module_name name, const ReductionConfig& config, const Resources& resources);

    tlm::tlm_target_socket<>& requests() { return requests_.socket; }
    tlm::tlm_initiator_socket<>& members() { return members_.socket; }
    const ReductionCounts& counts() const { return counts_; }
    unsigned entries_in_use() const { return static_cast<unsigned>(entries_.size() - free_.size()); }
    double energy_pj() const { return config_.add_pj * static_cast<double>(counts_.additions); }
    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    void add_waves(WaveSet& waves, const std::string& owner) override;
    std::string waiting_for() const override;
    std::string disagreement() override;

  private:
    /// A request that waits for its members.
    struct Entry {
        Txn* parent = nullptr;
        MulticastMap::Target target;
        unsigned asked = 0, missing = 0;
        Cycle since = 0;
        std::vector<Txn*> answers; ///< by member; null: has not come
        unsigned members() const { return static_cast<unsigned>(answers.size()); }
    };

    bool request(unsigned port, Txn& txn) override;
    bool response(unsigned port, Txn& txn) override;
    void arbitrate() override;
    bool accept();
    void begin(Txn& txn);
    bool ask();
    void ask_member(unsigned index);
    void take(Txn& answer);
    void finish(unsigned index);
    void add_up(const Entry& entry);
    void respond();

    const ReductionConfig config_;
    TxnPool& pool_;
    const AddressMap& map_;
    PageTable& pages_;
    const MulticastMap& arrays_;
    const SocketId number_;
    TargetPort requests_;
    InitiatorPort members_;
    Inlet inlet_;
    BandwidthServer adders_;
    std::vector<Entry> entries_;
    std::vector<unsigned> free_;
    std::deque<unsigned> asking_; ///< entries whose members have not all been asked, in the order of their requests
    TxnQueue arrived_;            ///< members' answers of this edge
    TxnQueue done_;               ///< answers that wait for room on the wire
    Histogram latency_;           ///< cycles from a request's entry to its answer
    ReductionCounts counts_;
};

} // namespace numavp
