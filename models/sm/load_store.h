/// An SM's load-store unit with its L1: from warp instructions to line accesses on the SM's memory port.
///
/// The L1 is write-through, without allocation on writes, and not kept coherent by hardware. If this SM stores to a
/// line while it is being fetched, the loads that wait for it use the line, but the L1 does not keep it. With sectors
/// the same holds for each sector, and a miss asks only for sectors that are neither valid nor on their way.
/// Optional: accesses to shared memory go through the unit and its banks, atomics are serialised by lane and word.
/// Not modelled: bank conflicts of the L1, texture and constant caches.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/stats/histogram.h"
#include "base/time/bandwidth_server.h"
#include "models/cache/tag_array.h"
#include "models/mmu/translator.h"
#include "models/paging/page_table.h"
#include "models/sm/l1_reads.h"
#include "models/sm/sm_config.h"
#include "sw/work/coalesce.h"
#include "tlm-links/protocol/address_map.h"
#include "tlm-links/protocol/ports.h"

namespace numavp {

/// Supplies and receives the data values of a functional run.
class DataHooks {
  public:
    /// Supplies the bytes of `mask` in `line`: the data of a store or the operands of an atomic.
    virtual void produce(std::uint64_t cookie, std::uint64_t virtual_line, ByteMask mask, unsigned char* line) = 0;
    /// Receives the bytes that a load or an atomic has read.
    virtual void consume(std::uint64_t cookie, std::uint64_t virtual_line, ByteMask mask,
                         const unsigned char* line) = 0;

  protected:
    ~DataHooks() = default;
};

/// Accesses under way for one launch of a kernel, which has not ended before there is none. Each worker counts those of
/// its own SMs.
struct KernelTraffic {
    std::uint64_t& outstanding(unsigned shard) { return of_shard_[shard].accesses; }
    std::uint64_t outstanding() const {
        std::uint64_t sum = 0;
        for (unsigned shard = 0; shard < shards; ++shard) sum += of_shard_[shard].accesses;
        return sum;
    }
    unsigned shards = 1; ///< that have SMs

  private:
    struct alignas(64) Count { ///< a cache line, so that no two workers write to the same
        std::uint64_t accesses = 0;
    };
    std::array<Count, Clockwork::kMaxWorkers> of_shard_{};
};

struct LoadCounts {
    // What most machines count most comes first: eight, a cache line.
    std::uint64_t instructions = 0; ///< loads, stores, atomics issued with an active lane
    std::uint64_t load_lines = 0, store_lines = 0;
    std::uint64_t sectors = 0;       ///< 32-byte sectors of all of them
    std::uint64_t store_sectors = 0; ///< of stores and atomics
    std::uint64_t misses_local = 0;
    std::uint64_t stalls = 0; ///< times that the head could not go on
    std::uint64_t misses_remote = 0;
    std::uint64_t atomic_lines = 0;
    std::uint64_t hit_sectors = 0; ///< of those that were found
    std::uint64_t hits = 0, merged = 0;
    std::uint64_t invalidations = 0; ///< flushes of the L1
};

/// Latency of loads that left their SM. One object for all SMs of a socket keeps its histogram in the CPU's cache.
struct LoadLatency {
    Histogram histogram; ///< ps
    std::array<std::uint64_t, kParts> parts_ps{};
    std::uint64_t translation_ps = 0; ///< before it: since their instruction began to wait for a page
    Histogram stores, atomics;        ///< ps, of records of stores and of atomics
};
/// Index 0: local lines, 1: remote lines.
using LoadLatencies = std::array<LoadLatency, 2>;

/// Callbacks of the load-store unit to its SM. Calls come in deliveries and in arbitration.
class LoadStoreClient {
  public:
    /// The destination of a load is ready at `edge` (now or later).
    virtual void load_done(unsigned warp, std::uint32_t generation, std::uint8_t reg, Cycle edge) = 0;
    /// A store or atomic of the warp has been performed.
    virtual void store_done(unsigned warp, std::uint32_t generation) = 0;
    /// A place in the unit's queue is free again.
    virtual void unit_ready() = 0;
    /// Something has come for a warp: the unit is to take it in this edge's second pass, and will touch `tags`.
    virtual void response_came(unsigned warp, const void* tags) = 0;
    /// Something that the unit waited for has come: step it.
    virtual void step_unit() = 0;
    /// A page that the kernel accesses has no place.
    virtual void no_place(KernelTraffic& traffic) = 0;
    /// An operation of the warp has made all its accesses. Only called where operations may wait for translations.
    virtual void operation_made(unsigned warp, std::uint32_t generation) = 0;
    /// No access of a kernel's traffic is under way any more.
    virtual void traffic_drained(KernelTraffic& traffic) = 0;

  protected:
    ~LoadStoreClient() = default;
};

class LoadStore final : private RequesterIf {
  public:
    struct Resources {
        ClockDomain& domain;
        TxnPool& pool;
        const AddressMap& map;
        PageTable& pages;
        SocketId socket;
        unsigned sm;
        DataHooks* hooks;
        LoadLatencies& latencies;
        LoadStoreClient& client;
        Arbiter& arbiter;
    };
    /// The warp that issues an instruction, as the SM knows it.
    struct Issuer {
        unsigned warp;
        std::uint32_t generation;
        KernelTraffic* traffic;
    };
    LoadStore(const L1Config& config, const Resources& resources);
    /// Takes translations from the socket's MMU in place of the page table; before the simulation starts.
    TranslationUser& translate_with(Translator& translator, unsigned warps);

    tlm::tlm_initiator_socket<>& port() { return port_.socket; }
    bool has_room() const { return queued_ < config_.queue_depth; }
    /// Takes a load, store, atomic, reduce or, with banks, an access to shared memory; there must be room. Returns the
    /// number of its line accesses for which `store_done` will be called, 0 for a load.
    unsigned push(const Inst& inst, const Issuer& issuer);
    /// A response of this edge, null if there is none. They are those of loads, whose `tag` is a warp.
    const Txn* first_response() const { return arrived_.empty() ? nullptr : &arrived_.front(); }
    /// Processes the responses of this edge: registers become ready.
    void take_responses() {
        while (!arrived_.empty()) take_response(arrived_.pop());
    }
    /// Performs the look-ups of one cycle. True if it has work for the next cycle.
    bool step();
    /// Drops all lines; a line that is being fetched will not be kept.
    void invalidate();
    void set_local_ways(unsigned ways) {
        if (config_.partitioned) tags_.set_local_ways(ways);
    }
    /// What the next step touches first, and the tags of its access as far as look_ahead() knew them.
    const void* head() const { return &queue_[head_]; }
    const void* head_tags() const { return ahead_tags_; }
    /// A step could get somewhere: it is not blocked, or on the wire only and that has room again.
    bool wants_step() const { return (queued_ | replays_) != 0 && (!blocked_ || wire_freed()); }
    /// A step would find the head of the queue as it left it, and refuse it again.
    bool refuses() const { return settled_ && !wire_freed(); }
    bool drained() const { return queued_ == 0 && waiting() == 0 && in_flight() == 0; }
    std::string waiting_for() const;
    /// Warps with operations that wait for translations, or wait behind such a one of their warp; a bit each.
    std::uint64_t untranslated() const { return untranslated_; }
    /// True if the queue is blocked because as many instructions as allowed wait for pages.
    bool held_by_pages() const { return blocked_ && on_pages_; }
    const LoadCounts& counts() const { return counts_; }
    const TagArray& tags() const { return tags_; }

  private:
    struct alignas(64) Operation { ///< one instruction in the queue: with its first line, a cache line
        unsigned count = 0, next = 0;
        unsigned cycles = 0; ///< for which shared memory's banks are needed
        Op op = Op::load;
        bool bypass = false, read_only = false, signals = false;
        unsigned load = 0; ///< its entry in loads_, loads and atomics
        Issuer issuer{};
        std::array<LineAccess, kMaxLinesPerInst> lines;
        std::uint64_t cookie = 0;           ///< valid with hooks
        std::uint64_t unmapped_ps = kNever; ///< with translation: when it began to wait for a page; kNever: it did not
    };
    /// A destination register that waits: two in a cache line.
    struct alignas(32) Load {
        std::uint16_t waiting = 0; ///< lines on their way, and one for the instruction itself until it has made all
        std::uint8_t warp = 0;
        std::uint8_t reg = kNoReg;
        std::uint32_t generation = 0; ///< of the warp
        Cycle ready = 0;
        std::uint64_t cookie = 0;
        union {
            KernelTraffic* traffic = nullptr;
            std::uint64_t next_free; ///< of an entry that is not used: the next such one
        };
    };
    static_assert(sizeof(Load) == 32);
    /// Result of an attempt at an operation's next line.
    enum class Outcome : std::uint8_t {
        more,    ///< made, or out of the way: the next one may be tried
        all,     ///< made, and the operation has no other
        blocked, ///< nothing more this cycle
        unmapped
    };

    static constexpr unsigned kNowhere = ~0U; ///< place of an operation that does not wait for a page
    struct Translating;
    struct Discard {
        void operator()(Translating* translating) const;
    };

    bool response(unsigned port, Txn& txn) override;
    std::uint64_t in_flight() const { return in_flight_[0] + in_flight_[1]; }
    unsigned waiting() const;
    Outcome try_head();
    Outcome try_translated();
    Outcome attempt(Operation& op, unsigned place);
    Outcome refuse();
    void made(const Operation& op);
    void tell_made(const Issuer& issuer) {
        if (translating_) client_.operation_made(issuer.warp, issuer.generation);
    }
    void leave_queue();
    void epoch_ended();
    void look_ahead();
    bool load(Operation& op, std::uint64_t physical, const LineAccess& line);
    bool wire_freed() const { return on_port_ && port_.ready(); }
    void take_response(Txn& txn);
    void unsettle(std::uint64_t line);
    void count_refusal();
    void keep(const Txn& txn, SectorSet sectors);
    /// The sectors that an access needs: all if the cache has whole lines.
    SectorSet sectors_of(ByteMask mask) const { return config_.sectored ? SectorSet::touched(mask) : SectorSet::all(); }
    bool write(Operation& op, std::uint64_t physical, const LineAccess& line);
    std::uint64_t translate(std::uint64_t virtual_line);
    std::uint64_t find_translated(const Operation& op, std::uint64_t virtual_line, unsigned place);
    bool behind(const Operation& op) const;
    Outcome wait_for_page(Operation& op, bool behind_another);
    void count_translated(std::uint64_t virtual_line, bool sent_remote);
    void send(Txn& txn, std::uint64_t virtual_line, const Operation& op, bool past_l1);
    void follow(Txn& txn, std::uint64_t virtual_line, const Operation& op);
    void line_arrived(unsigned load, Cycle ready);
    void step_banks(Operation& op);
    unsigned new_load(const Inst& inst, const Issuer& issuer);
    void finish_load(Txn& txn);
    void finish_write(Txn& txn);
    void left(KernelTraffic* traffic);
    void end(Txn& txn);

    // Members that every step reads come first, side by side: each group fits one cache line.
    TxnQueue arrived_; ///< responses of this edge to loads
    unsigned head_ = 0, queued_ = 0;
    unsigned replays_ = 0;           ///< operations whose translations have come
    bool blocked_ = false;           ///< the head waits
    bool on_port_ = false;           ///< for the wire
    bool settled_ = false;           ///< the head was refused, and nothing has come since that could let it go on
    bool on_pages_ = false;          ///< until an instruction that waits for a page has been made: no more may wait
    std::uint64_t untranslated_ = 0; ///< warps with operations that wait for translations, a bit each
    std::uint64_t ahead_ = kNever;   ///< physical line of the next access, if it is known
    const void* ahead_tags_ = this;  ///< what its look-up touches
    Cycle refused_at_ = kNever;      ///< edge of which a refusal was counted without a step

    std::array<std::uint64_t, 2> in_flight_{}; ///< of each epoch
    Cycle last_sent_ = 0; ///< edge at which the last record leaves: an access past the L1 overtakes none
    BandwidthServer injection_;

    LoadCounts counts_;

    std::unique_ptr<Translating, Discard> translating_; ///< null: pages come from the page table, in no time
    SocketId socket_;
    std::uint16_t sm_;
    std::uint16_t shard_;
    bool epoch_ = false;
    unsigned free_loads_ = kNowhere; ///< first of the entries of loads_ that are not used
    std::vector<Load> loads_;
    std::vector<Operation> queue_; ///< a ring

    ClockDomain& domain_;
    TxnPool& pool_;
    const AddressMap& map_;
    PageTable& pages_;
    DataHooks* hooks_;
    LoadLatencies& latencies_;
    LoadStoreClient& client_;
    L1Config config_;
    alignas(64) TagArray tags_;
    L1Reads reads_;
    InitiatorPort port_;
    struct CachedPage {
        std::uint64_t page = kNever;
        Translation entry;
    };
    const CachedPage& cached_page(std::uint64_t page) const { return cached_pages_[page % cached_pages_.size()]; }
    std::array<CachedPage, 32> cached_pages_{};
};

} // namespace numavp
