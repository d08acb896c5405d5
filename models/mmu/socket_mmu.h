/// A socket's memory-management unit: the L2 TLB that its SMs share, and the walkers behind it.
///
/// An SM's request takes a port of the L2 TLB and its latency. A miss begins a walk, or joins the one for its page; a
/// walk reads a word of each level, root first, as a transaction of kind `walk` from the home of the table page (kept
/// in that home's L2, never in another's). It takes what the table says when the word arrives (TableMemory). A word
/// that is not valid is a fault: the walker is free when the fault has been taken, and the page walks again when it is
/// resolved. Of a page with replicas it reads one word more, its socket's; that translation is read-only, and a store
/// walks again, to make sure, and faults. One may serve the SMs of all sockets (`share()`): the others keep what
/// concerns their own SMs and slices when a page moves. Not modelled: caches of upper levels (page-walk caches), the
/// wires between SMs and L2 TLB.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/stats/model_part.h"
#include "base/time/bandwidth_server.h"
#include "models/mmu/address_space.h"
#include "models/mmu/mmu_way.h"
#include "models/mmu/page_invalidator.h"
#include "models/mmu/tlb.h"
#include "models/mmu/translator.h"
#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

struct MmuCounts {
    std::uint64_t l2_hits = 0, l2_misses = 0;
    std::uint64_t merged = 0;        ///< misses that joined a walk or a fault for their page
    std::uint64_t walks = 0;         ///< begun; again after a fault
    std::uint64_t walk_reads = 0;    ///< words read
    std::uint64_t restarts = 0;      ///< walks that an invalidation made start over
    std::uint64_t most_walks = 0;    ///< at once
    std::uint64_t faults = 0;        ///< taken by the server of faults
    std::uint64_t held = 0;          ///< times that a walker had to hold a fault
    std::uint64_t invalidations = 0; ///< pages forgotten
    std::uint64_t read_only = 0;     ///< walks for stores that met a page with replicas
    std::uint64_t notes = 0;         ///< access notes sent
    Histogram walk_ps;               ///< from a walk's begin to the page's translation or its fault
};

/// Compares the words that walks of functional runs carried with the words that were used when they arrived.
struct WalkCheck {
    std::uint64_t same = 0;
    std::uint64_t older = 0; ///< the table changed while the word was on its way back
};

class SocketMmu final : public sc_core::sc_module,
                        public ModelPart,
                        public Translator,
                        public FaultClient,
                        private RequesterIf,
                        private Arbiter {
  public:
    struct Resources {
        ClockDomain& domain;
        TxnPool& pool;
        const AddressMap& map;
        const AddressSpace& space;
        const RadixTable& table;
        FaultSink& sink;
        WalkCheck* check; ///< may be null
        SocketId socket;
        std::uint16_t source; ///< requester index (`Txn::source`) of walks
    };
    SocketMmu(sc_core::sc_module_name name, const MmuConfig& config, const Resources& resources);
    ~SocketMmu() override;

    tlm::tlm_initiator_socket<>& mem_side() { return port_.socket; }
    /// Connects an SM's load-store unit; call it in the order of the SMs.
    void connect(TranslationUser& user);
    void connect(L2Slice& slice) { invalidator_.connect(slice); }
    /// After all have been connected, and before simulation starts: the first serves all, also its own, over their
    /// ways.
    static void share(const std::vector<SocketMmu*>& all, unsigned unit);
    /// One more user, of that socket; its number.
    unsigned serve(TranslationUser& user, SocketId socket);
    /// A user's request has come. In a delivery.
    void asked(unsigned user, std::uint64_t page, bool write);

    void request(unsigned sm, std::uint64_t page, bool write) override;
    bool at_once(std::uint64_t page, Translation& entry) override;
    void sent_remote(std::uint64_t page) override;
    void epoch_ended() override { invalidator_.epoch_ended(); }
    void resolved(std::uint64_t page) override;
    void room() override;
    void invalidate(const PageInvalidation& invalidation) override;

    /// Takes another threshold of notes; both are more than 0. Pages keep their counts.
    void set_note_threshold(unsigned accesses) { config_.note_threshold = accesses; }

    const MmuCounts& mmu_counts() const { return counts_; }
    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    bool drained() const override {
        return by_page_.empty() && looking_ == 0 && asked_.empty() && (!way_ || way_->idle()) && invalidator_.idle();
    }
    std::string waiting_for() const override;

  private:
    struct Client {
        TranslationUser* user;
        SocketId socket;
    };
    struct Asked {
        unsigned client;
        std::uint64_t page;
        bool write;
    };
    struct LookUp : Node {
        std::uint64_t page = 0;
        unsigned sm = 0; ///< number of the client
        bool write = false;
    };
    struct LookUpDone final : Handler {
        SocketMmu* owner = nullptr;
        void deliver(Node& node) override {
            owner->due_.push_back(&static_cast<LookUp&>(node));
            owner->wake();
        }
    };
    enum class State : std::uint8_t { queued, walking, asking, held, faulted };
    struct Walk { ///< a page that is not in the L2 TLB and is asked for
        std::uint64_t page = 0;
        PhysicalAddress table = 0; ///< page of the level that it reads
        std::uint64_t since_ps = 0;
        std::vector<unsigned> sms; ///< numbers of clients
        State state = State::queued;
        unsigned level = 0;
        bool write = false;       ///< the first who asked wants to store
        bool writes = false;      ///< one of them does
        bool in_replicas = false; ///< `table` is one of replicas
        bool again = false;       ///< resolved while it asked, or to start over when its word comes
    };

    bool response(unsigned port, Txn& txn) override;
    void arbitrate() override;
    void take_asked();
    void look_up(unsigned client, std::uint64_t page, bool write);
    void forget(std::uint64_t page);
    void looked_up(LookUp& look_up);
    void word_came(Txn& txn);
    void missed(unsigned sm, std::uint64_t page, bool write);
    void begin(unsigned walk);
    void from_root(unsigned walk);
    void send(unsigned walk);
    void take_word(unsigned walk);
    void take_at_once(unsigned walk);
    bool ask(unsigned walk, bool read_only);
    void ask_held();
    bool sound(const Walk& walk, TableWord word) const;
    void finish(unsigned walk, Translation entry);
    /// The socket for which a walk reads: that of the first who asked.
    SocketId reader(const Walk& walk) const { return clients_[walk.sms.front()].socket; }
    PhysicalAddress word_of(const Walk& walk) const;
    const Translation* known(std::uint64_t page, SocketId reader);
    void compare(const Txn& txn, const Walk& walk) const;

    SocketId socket_;
    std::uint16_t source_;
    TxnPool& pool_;
    const AddressMap& map_;
    const AddressSpace& space_;
    const RadixTable& table_;
    FaultSink& sink_;
    WalkCheck* check_;
    Tlb tlb_;
    BandwidthServer injection_;
    InitiatorPort port_;
    PageInvalidator invalidator_;
    std::vector<TranslationUser*> users_; ///< the SMs of its socket
    std::vector<Client> clients_; ///< users that it serves: those of its socket or, if it is shared, of all sockets
    std::unique_ptr<MmuWay> way_; ///< to the MMU that serves all
    SocketMmu* unit_ = nullptr;   ///< the MMU that serves all; null: each serves its socket
    std::vector<Asked> asked_;    ///< requests of this edge that came by ways
    LookUpDone look_up_done_;
    std::deque<LookUp> look_ups_; ///< all that were made
    std::vector<LookUp*> free_look_ups_;
    std::vector<LookUp*> due_; ///< of this edge
    TxnQueue arrived_;         ///< words of walks, of this edge
    Cycle port_cycle_ = 0;     ///< in which the last look-up was begun
    unsigned ports_used_ = 0;
    unsigned looking_ = 0;
    std::vector<Walk> walks_;
    std::vector<unsigned> free_walks_;
    std::unordered_map<std::uint64_t, unsigned> by_page_;
    std::deque<unsigned> queue_;   ///< wait for a walker
    std::deque<unsigned> to_send_; ///< have a walker, wait for the wire
    std::deque<unsigned> held_;    ///< have a walker, wait for room for their faults
    unsigned active_ = 0;          ///< walkers at work
    unsigned faulted_ = 0;
    bool room_ = false;
    std::unordered_map<std::uint64_t, unsigned> remote_accesses_; ///< by page, since the last note
    MmuCounts counts_;
};

} // namespace numavp
