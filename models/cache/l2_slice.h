/// One bank of a socket's L2, in each organisation of Figure 7 (NUMA-aware GPUs) and in NUBA's replicating one.
///
/// A target for its socket's SMs (`core_side`) and for other sockets (`home_side`), an initiator to its
/// memory channel (`mem_side`) and to the link (`link_side`). For lines of its own socket it is the point of
/// coherence: requests that come in, write-backs and atomics are served here. For lines of other sockets
/// it is a cache without authority, made coherent by flushes.
/// Requests to a line that is on its way wait in one entry, in order. Requests from other sockets have a queue
/// and entries of their own and never wait for the link: so no cycle of sockets can block.
/// With sectors an entry has a fill for each set of sectors that somebody missed. A read is answered when its own
/// sectors are there; writes and atomics to sectors of the entry wait for the last fill, others are served meanwhile.
/// With a directory (`coherence`) copies of another socket's lines stay when a kernel ends: their home notes who has
/// one and recalls it when the line is written, and writes to such lines go home at once (l2_slice_coherence.cpp).
/// Without a cache (`size_kib` 0) it is a memory's controller: it keeps no line when its requests are served.
/// Not modelled: bank conflicts of the data array, ECC.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/stats/model_part.h"
#include "base/time/bandwidth_server.h"
#include "base/time/cycle_parts.h"
#include "models/cache/copy_directory.h"
#include "models/cache/l2_config.h"
#include "models/cache/pending_table.h"
#include "models/cache/tag_array.h"
#include "tlm-links/protocol/access_trail.h"
#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

/// Lines of an L2 that a kernel boundary or a system-scope fence flushes.
enum class FlushScope : std::uint8_t { none, remote, all };

struct SliceCounts {
    struct Class {
        std::uint64_t hits = 0, misses = 0, merged = 0;
        std::uint64_t reads() const { return hits + misses + merged; }
    };
    /// Reads and atomics that this slice serves, each counted at its first look-up: `local` and `remote` are requests
    /// of the socket's own SMs by the line's home, `incoming` those of other sockets.
    Class local, remote, incoming;
    std::uint64_t writes = 0;                         ///< stores and write-backs taken
    std::uint64_t hit_sectors = 0, write_sectors = 0; ///< of reads that hit or are merged; of writes
    std::uint64_t write_misses = 0;
    std::uint64_t atomics = 0, atomic_sectors = 0;       ///< performed here; that they touched
    std::uint64_t forwarded = 0;                         ///< atomics passed on to their home
    std::uint64_t written_local = 0, written_remote = 0; ///< lines written to memory, over the link
    std::uint64_t fills = 0;                             ///< lines, or sets of sectors, read from memory or the link
    std::uint64_t fill_sectors = 0;                      ///< sectors of the fills
    std::uint64_t outgoing_reads = 0;                    ///< fills over the link
    std::uint64_t outgoing_bytes = 0;                    ///< of the packets that answer these
    std::uint64_t flushes = 0;
    std::uint64_t invalidated = 0; ///< lines dropped by flushes
    std::uint64_t stalls = 0;      ///< times that a request at the head of a queue had to wait
    // With a directory.
    std::uint64_t recalls = 0;        ///< sent
    std::uint64_t recalled = 0;       ///< copies dropped at another home's word
    std::uint64_t recalled_fills = 0; ///< of lines on their way
    std::uint64_t passing = 0;        ///< fills of the other socket that it may not keep
    std::uint64_t upgrades = 0;       ///< writes to a copy here, passed on to its home
};

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
        bool has_memory = true; ///< of its socket; without one all lines are remote, and no `mem_side()` is there
    };
    L2Slice(sc_core::sc_module_name name, const L2Config& config, const Resources& resources);
    ~L2Slice() override;

    tlm::tlm_target_socket<>& core_side() { return ports_[kCore]->socket; }
    tlm::tlm_target_socket<>& home_side() { return ports_[kHome]->socket; }
    tlm::tlm_initiator_socket<>& mem_side() { return mem_->socket; }
    tlm::tlm_initiator_socket<>& link_side() { return link_->socket; }

    /// The lines that a kernel boundary flushes in this organisation.
    FlushScope flush_scope() const;
    /// Copies of other sockets' lines stay across boundaries, made coherent by recalls.
    bool keeps_copies() const { return directory_.has_value(); }
    const CopyDirectory* directory() const { return directory_ ? &*directory_ : nullptr; }
    /// Writes dirty lines of the scope home, drops the lines, waits for recalls, then calls `done` (in an arbitration
    /// pass).
    /// A flush that is asked for while one runs follows it.
    void flush(std::function<void()> done) { ask_flush({0, 0, std::move(done)}); }
    /// The same for the lines in [first, first + bytes) only, in every organisation.
    void flush_range(std::uint64_t first, std::uint64_t bytes, std::function<void()> done) {
        ask_flush({first, bytes, std::move(done)});
    }
    void set_local_ways(unsigned ways) {
        tags_.set_local_ways(ways);
        unsettle();
    }
    const TagArray& tags() const { return tags_; }
    const SliceCounts& counts() const { return counts_; }
    unsigned entries_in_use() const { return static_cast<unsigned>(entries_.size() - free_.size()); }
    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    void add_waves(WaveSet& waves, const std::string& owner) override;
    bool drained() const override;
    std::string waiting_for() const override;
    /// Installs a clean copy of a line of its own memory in no time. False, with no change, if the line is here or on
    /// its way, if the slice has no cache, or if the next victim is dirty. `data`: its bytes; null where values are not
    /// modelled.
    bool hold(std::uint64_t line, const unsigned char* data);
    /// Copies the bytes of `line` for which this slice is newer than memory into `out`. Functional runs only.
    void debug_overlay(std::uint64_t line, unsigned char* out);
    /// Updates the cached copy, and a fill in flight, after 8 bytes of memory changed in no time. Functional runs only.
    void debug_patch(std::uint64_t address, std::uint64_t word);

  private:
    enum Side : unsigned { kCore, kHome, kSides };
    enum Way : unsigned { kMemory, kLink, kWays }; ///< down, from where fills and acknowledgements come
    enum class State : std::uint8_t { idle, fill, write };
    struct alignas(64) Entry {
        std::uint64_t line = 0;
        State state = State::idle;
        bool stale = false;         ///< a flush came while the fill was on its way
        bool home = false;          ///< made for another socket's request
        bool passing = false;       ///< a fill came that is not to be kept (`Txn::passing`)
        bool flushing = false;      ///< a flush waits for this write
        std::uint8_t fills = 0;     ///< on their way
        std::uint16_t stores = 0;   ///< a write: so many first targets are answered when it is
        SectorSet asked;            ///< by a fill so far, or copied from the frame for a request that waits
        SectorSet arrived;          ///< of these, those that have come
        SectorSet claimed;          ///< sectors of requests that wait
        SectorSet written;          ///< of these, those that writes and atomics will change
        unsigned fresh = 0;         ///< stale: targets that came before the flush
        std::uint64_t followed = 0; ///< number of the followed access whose fill or write it is; 0: none
        CountedTxnQueue targets;
    };
    /// The bytes of a line while its waiting requests are served.
    struct Working {
        int frame = -1;
        unsigned char* data = nullptr;
        ByteMask dirty;
    };

    struct Flush {
        std::uint64_t first = 0, bytes = 0; ///< no bytes: the organisation's scope
        std::function<void()> done;
        bool covers(std::uint64_t line) const { return bytes == 0 || line - first < bytes; }
    };
    struct Patch {
        std::uint64_t address, word;
    };

    static constexpr unsigned kUnsettled = ~0U;
    /// What the next decision touches: of the first request its record, its place, its tags and its entry's place in
    /// the table; of what has come its entry and its tags.
    enum Touched : unsigned { kFirst, kFirstPlace, kFirstTags, kFirstPending, kArrivedEntry, kArrivedTags, kTouched };

    bool request(unsigned port, Txn& txn) override;
    bool response(unsigned port, Txn& txn) override;
    void arbitrate() override;

    Side side_of(const Txn& txn) const { return txn.requester == socket_ ? kCore : kHome; }
    bool is_remote(std::uint64_t line) const { return map_.home_of(line) != socket_; }
    void count(Txn& txn, std::uint64_t SliceCounts::Class::*what);
    /// Counts a write that is taken; -1 takes the count back.
    void count_write(const Txn& txn, int taken) {
        counts_.writes += static_cast<std::uint64_t>(taken);
        counts_.write_sectors += static_cast<std::uint64_t>(taken * static_cast<int>(txn.mask.sectors()));
    }
    bool access(Txn& txn);
    bool read(Txn& txn);
    bool write(Txn& txn);
    bool write_through(Txn& txn, int frame);
    bool writes_through(const Txn& txn) const {
        if (config_.write_policy == WritePolicy::write_through) return true;
        return directory_ && txn.home != socket_;
    }
    void add_coherence(StatGroup& group) const;
    void lend(Txn& txn);
    void changed(const Txn& txn);
    bool recalled(Txn& txn);
    void send_recall();
    void begin_recalls_of_flush();
    bool recalls_of_flush() const;
    bool atomic(Txn& txn);
    bool refuse(Txn& txn);
    bool forward_atomic(Txn& txn);
    bool on_its_way(unsigned frame) const;
    int victim(std::uint64_t line, TagArray::Demand demand) const {
        return config_.has_cache() ? tags_.victim(line, demand) : -1;
    }
    bool fetch(Txn& txn);
    bool passes(const Entry& entry, const Txn& txn) const;
    bool wait_in(unsigned entry, Txn& txn);
    bool ask(unsigned entry, Txn& txn);
    SectorSet take_from_frame(unsigned entry, SectorSet wanted);
    SectorSet neighbours(const Entry& e, SectorSet wanted) const;
    double cycles_of_writing(const Txn& txn) const;
    void claim(Entry& entry, const Txn& txn);
    void gather(unsigned entry, Txn& child);
    void serve_reads(Entry& entry, const Working& line, const Txn& child);
    unsigned char* gathered(unsigned entry) { return &gathered_[std::size_t{entry} * kLineBytes]; }
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
    void fetch_ahead(std::uint64_t line) const;
    unsigned acquire(std::uint64_t line, State state, Side side);
    void release(unsigned entry);
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
    void ask_flush(Flush flush);
    void start_flush();
    void step_flush();
    void patch(Txn& child);
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

    // Members that every decision reads come first, side by side.
    Touches<kTouched> touches_{*this};
    std::array<TxnQueue, kWays> arrived_; ///< responses of this edge: of its memory, over the link
    std::array<Inlet, kSides> inlets_;
    std::array<CountedTxnQueue, kSides> replays_;
    std::array<CountedTxnQueue, kSides> responses_;
    TxnQueue to_mem_, to_link_;
    std::array<std::unique_ptr<TargetPort>, kSides> ports_;
    std::unique_ptr<InitiatorPort> mem_;
    std::unique_ptr<InitiatorPort> link_;
    /// Set of the first request's line, if it was refused and would be again.
    std::array<unsigned, kSides> settled_{kUnsettled, kUnsettled};
    bool home_turn_ = false;
    bool flushing_ = false;
    SocketId socket_;
    unsigned index_;
    TxnPool& pool_;
    const AddressMap& map_;
    L2Config config_;
    unsigned fetched_sectors_; ///< at least, by a fill from memory
    const bool paced_;         ///< what a request writes may take longer than its cycle
    CycleParts free_at_;       ///< of writing what a request brought
    std::array<BandwidthServer, kSides> data_;
    TagArray tags_;
    PendingTable pending_;
    std::vector<Entry> entries_;
    std::vector<std::uint16_t> free_;
    std::vector<unsigned char> gathered_; ///< with sectors: arrived bytes of each entry's line; functional runs
    std::vector<std::uint32_t> flush_frames_;
    std::size_t flush_next_ = 0;
    unsigned flush_writes_ = 0;
    Flush flush_; ///< the one that runs
    std::vector<Flush> flush_queued_;
    std::vector<Patch> patches_; ///< of lines on their way
    std::optional<CopyDirectory> directory_;
    std::array<unsigned, 2> recalls_out_{}; ///< not acknowledged, by what flush waits for them: the last, or the next
    unsigned recalls_to_flush_ = 0;         ///< of those not sent, the first so many are for the last
    bool recall_epoch_ = false;             ///< of what the next flush waits for
    Waited held_up_ = Waited::nothing;      ///< why the last access was refused
    SliceCounts counts_;
};

} // namespace numavp
