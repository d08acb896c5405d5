/// One bank of a socket's L2, in each organisation of Figure 7 (NUMA-aware GPUs) and in NUBA's replicating one.
///
/// A target for its socket's SMs (`core_side`) and for other sockets (`home_side`), an initiator to its
/// memory channel (`mem_side`) and to the link (`link_side`). For lines of its own socket it is the point of
/// coherence: requests that come in, write-backs and atomics are served here. For lines of other sockets
/// it is a cache without authority, made coherent by flushes.
/// Requests from other sockets have a queue and entries of their own and never wait for the link: so no cycle of
/// sockets can block. Without a cache (`size_kib` 0) it is a memory's controller: it keeps no line when its requests
/// are served.
///
/// This is the shell: ports, queues, turns, times, statistics. What it decides by is in plain classes: the lines that
/// are held and those on their way (line_table.h), the order of requests to a line on its way (request_order.h),
/// flushes (slice_flush.h), copies in the other socket's slice with their recalls (copy_coherence.h).
///
/// Not modelled: bank conflicts of the data array, ECC.
#pragma once

#include <array>
#include <functional>
#include <memory>

#include "base/stats/model_part.h"
#include "base/time/bandwidth_server.h"
#include "base/time/cycle_parts.h"
#include "models/cache/copy_coherence.h"
#include "models/cache/l2_config.h"
#include "models/cache/line_table.h"
#include "models/cache/partial_lines.h"
#include "models/cache/slice_counts.h"
#include "models/cache/slice_flush.h"
#include "tlm-links/protocol/access_trail.h"
#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

class L2Slice final : public sc_core::sc_module,
                      public ModelPart,
                      private RequesterIf,
                      private ResponderIf,
                      private Arbiter {
  public:
    struct Resources {
        ClockDomain& domain;
        TxnPool& pool;
        const AddressMap& map;
        SocketId socket;
        unsigned index; ///< of this slice in its socket
        bool has_link;
        Rank rank;
        bool has_memory = true;  ///< of its socket; without one all lines are remote, and no `mem_side()` is there
        Part part = Part::slice; ///< of latencies to which its time for its own socket's requests counts
    };
    L2Slice(sc_core::sc_module_name name, const L2Config& config, const Resources& resources);
    ~L2Slice() override;

    tlm::tlm_target_socket<>& core_side() { return ports_[kCore]->socket; }
    tlm::tlm_target_socket<>& home_side() { return ports_[kHome]->socket; }
    tlm::tlm_initiator_socket<>& mem_side() { return mem_->socket; }
    tlm::tlm_initiator_socket<>& link_side() { return link_->socket; }

    /// The lines that a kernel boundary flushes in this organisation.
    FlushScope flush_scope() const { return copies_ ? FlushScope::none : flush_scope_of(config_); }
    /// Copies of other sockets' lines stay across boundaries, made coherent by recalls.
    bool keeps_copies() const { return copies_ != nullptr; }
    const CopyDirectory* directory() const { return copies_ ? &copies_->directory() : nullptr; }
    /// Writes dirty lines of the scope home, drops the lines, waits for recalls, then calls `done` (in an arbitration
    /// pass).
    /// A flush that is asked for while one runs follows it.
    void flush(std::function<void()> done) { ask_flush({0, 0, std::move(done)}); }
    /// The same for the lines in [first, first + bytes) only, in every organisation.
    void flush_range(std::uint64_t first, std::uint64_t bytes, std::function<void()> done) {
        ask_flush({first, bytes, std::move(done)});
    }
    void set_local_ways(unsigned ways) {
        table_.tags().set_local_ways(ways);
        unsettle();
    }
    const TagArray& tags() const { return table_.tags(); }
    const SliceCounts& counts() const { return counts_; }
    unsigned entries_in_use() const { return table_.in_use(); }
    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    void add_waves(WaveSet& waves, const std::string& owner) override;
    bool drained() const override;
    std::string waiting_for() const override;
    /// Installs a clean copy of a line of its own memory in no time. False, with no change, if the line is here or on
    /// its way, if the slice has no cache, or if the next victim is dirty. `data`: its bytes; null where values are not
    /// modelled.
    bool hold(std::uint64_t line, const unsigned char* data) {
        if (!table_.hold(line, data)) return false;
        unsettle(tags().set_of(line));
        return true;
    }
    /// Copies the bytes of `line` for which this slice is newer than memory into `out`. Functional runs only.
    void debug_overlay(std::uint64_t line, unsigned char* out) { table_.overlay(line, is_remote(line), out); }
    /// Updates the cached copy, and a fill in flight, after 8 bytes of memory changed in no time. Functional runs only.
    void debug_patch(std::uint64_t address, std::uint64_t word) { table_.patch(address, word); }

  private:
    enum Side : unsigned { kCore, kHome, kSides };
    enum Way : unsigned { kMemory, kLink, kWays }; ///< down, from where fills and acknowledgements come
    using Table = LineTable<CountedTxnQueue>;
    using Entry = Table::Entry;
    using State = Table::State;
    static constexpr unsigned kNone = Table::kNone;
    /// The bytes of a line while its waiting requests are served.
    struct Working {
        int frame = -1;
        unsigned char* data = nullptr;
        ByteMask dirty;
    };

    static constexpr unsigned kUnsettled = ~0U;
    /// What the next decision touches: of the first request its record, its place and its tags; of what has come its
    /// entry and its tags.
    enum Touched : unsigned { kFirst, kFirstPlace, kFirstTags, kArrivedEntry, kArrivedTags, kTouched };

    bool request(unsigned port, Txn& txn) override;
    bool response(unsigned port, Txn& txn) override;
    void arbitrate() override;

    Side side_of(const Txn& txn) const { return txn.requester == socket_ ? kCore : kHome; }
    bool is_remote(std::uint64_t line) const { return map_.home_of(line) != socket_; }
    void count(Txn& txn, std::uint64_t SliceCounts::Class::*what);
    /// Counts a write that is taken; -1 takes the count back.
    void count_write(const Txn& txn, int taken) {
        counts_.writes += static_cast<std::uint64_t>(taken);
        counts_.write_sectors += static_cast<std::uint64_t>(taken * static_cast<int>(txn.sectors()));
    }
    bool access(Txn& txn);
    bool read(Txn& txn);
    bool write(Txn& txn);
    bool write_through(Txn& txn, int frame);
    bool has_room_for_part(const Txn& txn, int frame);
    void complete(unsigned entry, SectorSet sectors);
    void note_part(unsigned frame);
    bool writes_through(const Txn& txn) const {
        if (config_.write_policy == WritePolicy::write_through) return true;
        return copies_ && txn.home != socket_;
    }
    /// A write of which no byte stays here: it goes on to another home, and its line is not held.
    bool passes_on(const Txn& txn) const { return copies_ && txn.home != socket_ && table_.tags().find(txn.line) < 0; }
    /// What the order of a line's requests depends on.
    LineRequest request_of(const Txn& txn) const {
        const SectorSet touched = txn.touched();
        if (txn.kind == Kind::atomic) return {LineRequest::Does::atomic, txn.home != socket_, touched};
        if (txn.is_write()) return {LineRequest::Does::write, writes_through(txn), touched};
        return {LineRequest::Does::read, false, touched};
    }
    void add_coherence(StatGroup& group) const;
    void lend(Txn& txn);
    void changed(const Txn& txn);
    bool recalled(Txn& txn);
    void send_recall();
    bool atomic(Txn& txn);
    bool refuse(Txn& txn);
    bool forward_atomic(Txn& txn);
    bool fetch(Txn& txn);
    bool passes(const Entry& entry, const Txn& txn) const;
    bool wait_in(unsigned entry, Txn& txn);
    bool ask(unsigned entry, Txn& txn);
    SectorSet neighbours(const Entry& e, SectorSet wanted) const;
    double cycles_of_writing(const Txn& txn) const;
    void serve_reads(Entry& entry, const Table::Arrived& line, const Txn& child);
    bool serve_side(Side side);
    bool has_work(Side side) const { return !replays_[side].empty() || !inlets_[side].empty(); }
    /// True while the first request of a side is still in the pipeline in front of the look-up.
    bool in_pipeline(Side side) const {
        return config_.lookup_cycles != 0 && inlets_[side].front().departs > domain_.now();
    }
    /// Something has changed for which a request that was refused may be taken.
    void unsettle() { settled_.fill(kUnsettled); }
    /// The same for lines of one set alone.
    void unsettle(unsigned set) {
        for (unsigned& settled : settled_)
            if (settled == set) settled = kUnsettled;
    }
    bool settled(Side side) const { return settled_[side] != kUnsettled; }
    void wake_for_more();
    void name_first(Side side);
    void finish(Txn& child);
    void evict(unsigned frame, unsigned entry);
    void send_child(Txn& child, unsigned delay);
    void start_write(unsigned entry, ByteMask mask, const unsigned char* data);
    void finish_fill(Txn& child);
    void finish_write(Txn& child);
    bool combine(unsigned entry);
    void write_held(const Txn& txn, int frame);
    bool serve_target(Txn& txn, Working& line, const Txn& child);
    void replay(CountedTxnQueue& targets);
    void respond(Txn& txn, unsigned latency);
    void drain_responses();
    void perform(Txn& txn, unsigned char* line);
    void ask_flush(SliceFlush::Request flush);
    void step_flush();
    void absorb(Txn& parent, const Txn& child);
    bool held_up(Waited why) {
        held_up_ = why;
        return false;
    }
    void hold_back(TxnQueue& queue, Txn& txn);
    void send_queued(TxnQueue& queue, InitiatorPort& port);
    void follow_answer(const Txn& txn) const;
    void follow_response(const Txn& txn, Side side) const;
    void follow_look_up(const Txn& txn) const;
    void follow_wait(const Txn& txn, const Entry& entry) const;
    void follow_child(Txn& child, const Txn& parent, Entry& entry);
    void follow_until_now(const Txn& txn, Waited what) const;

    // Members that every decision reads come first, side by side: each group fits one cache line.
    Touches<kTouched> touches_{*this};
    const Part part_; ///< to which time for the socket's own requests counts
    bool home_turn_ = false;
    const bool paced_;                 ///< what a request writes may take longer than its cycle
    Waited held_up_ = Waited::nothing; ///< why the last access was refused
    SocketId socket_;
    std::uint16_t index_;
    /// Set of the first request's line, if it was refused and would be again.
    std::array<unsigned, kSides> settled_{kUnsettled, kUnsettled};

    alignas(64) std::array<TxnQueue, kWays> arrived_; ///< responses of this edge: of its memory, over the link
    TxnQueue to_mem_, to_link_;

    alignas(64) std::array<Inlet, kSides> inlets_;

    alignas(64) std::array<CountedTxnQueue, kSides> replays_; // these two share a line and a half
    std::array<CountedTxnQueue, kSides> responses_;
    SliceFlush flush_; ///< whether it runs is at its beginning

    alignas(64) std::array<std::unique_ptr<TargetPort>, kSides> ports_;
    std::unique_ptr<InitiatorPort> mem_;
    std::unique_ptr<InitiatorPort> link_;
    TxnPool& pool_;
    const AddressMap& map_;
    std::unique_ptr<CopyCoherence> copies_; ///< with a directory
    unsigned fetched_sectors_;              ///< at least, by a fill from memory

    alignas(64) L2Config config_;
    alignas(64) std::array<BandwidthServer, kSides> data_;
    alignas(64) SliceCounts counts_;
    alignas(64) Table table_;
    CycleParts free_at_;                    ///< of writing what a request brought
    std::unique_ptr<PartialLines> partial_; ///< with l2.partial_lines
};

} // namespace numavp
