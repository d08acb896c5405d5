/// A memory transaction as one record: TLM-2.0 generic payload, queue node and routing in one object.
///
/// Most hops touch one cache line of it, TxnHot's first: the payload is for modules outside. A cache is a target above
/// and an initiator below: it makes a new record for a miss, a fill or a write-back, whose parent records wait in the
/// cache.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <tlm>

#include "base/time/clockwork.h"
#include "base/values/huge_block.h"
#include "base/values/types.h"
#include "tlm-links/protocol/atomic.h"

namespace numavp {

enum class Kind : std::uint8_t {
    load,   ///< from an SM (or a foreign initiator)
    store,  ///< write-through data of an SM
    atomic, ///< performed at the home's L2 slice
    fill,   ///< a cache's read of a line, or of sectors of it
    write,  ///< a cache's write-through or write-back
    walk,   ///< a page-table read of an MMU
    recall  ///< a home's request to drop another cache's copy of a line: a write of no byte
};

/// The parts of a transaction's latency; they tile it, so they sum to it.
enum class Part : std::uint8_t { sm, noc, link, slice, home, memory, count };
inline constexpr unsigned kParts = static_cast<unsigned>(Part::count);

class AccessLog;
class AccessTrail;
class FlagBoard;
class TxnPool;
struct KernelTraffic;
struct Txn;

/// Members of the payload's lines: an attribute is valid if a module outside has seen the record (`seen_outside`), the
/// response's status always. Others are here since they are seldom used.
struct TxnShown : tlm::tlm_generic_payload {
    AccessTrail* trail = nullptr; ///< valid if `followed`
    std::uint64_t virtual_line =
        0;                    ///< the address before placement; valid if its maker checks values, or if `followed`
    std::uint64_t cookie = 0; ///< valid if its maker checks values
    std::array<std::uint16_t, kParts> parts_above{}; ///< multiples of 2^32 ps of each part; valid if `long_parts`
};

/// Members that hops of a transaction touch: two cache lines, of which most hops touch the first alone. The second is
/// for who makes the record, for who serves or ends it, and for crossbars behind the first.
struct alignas(64) TxnHot : Node {
    static constexpr unsigned kMaxRoute = 7;

    std::uint64_t line = 0; ///< physical byte address of the 128-byte line
    std::uint64_t stamped_ps = 0;
    std::array<std::uint32_t, kParts> parts_ps{};
    SocketId home;                   ///< socket whose memory holds the line
    SocketId requester;              ///< socket whose SM or cache made the record
    std::uint16_t slice = 0;         ///< L2 slice of the line at its home
    std::uint16_t request_bytes = 0; ///< size of the request on a link or a crossbar
    std::uint16_t response_bytes = 0;
    std::uint16_t passed = 0; ///< the last ingress port passed; those before it are in `route`
    Kind kind = Kind::load;
    std::uint8_t depth = 0; ///< ingress ports passed
    bool counted : 1;       ///< the slice that serves it has counted it among its hits and misses
    bool seen_outside : 1;  ///< the payload is in use: a foreign module has seen it and may have added an extension
    bool long_parts : 1;    ///< a part passed 2^32 ps: see Txn::add_part()
    bool epoch : 1;         ///< for the requester: the epoch, of two, in which the record was made
    bool followed : 1;      ///< its hops are reported to `trail` (access_log.h)
    bool read_only : 1;     ///< the line is never written while this kernel runs
    bool no_return : 1;     ///< an atomic whose old value is not used
    bool passing : 1;       ///< a fill whose line may not be kept, since its home had no place to list the copy
    bool whole : 1;         ///< `mask` has all bytes of the line
    bool pooled : 1;        ///< the record has ended and is back in its pool

    alignas(64) std::uint64_t born_ps = 0;
    ByteMask mask = ByteMask::full(); ///< bytes of the line that are read or written
    union {                           ///< for the requester; `kind` tells which member is valid
        Txn* parent = nullptr;        ///< for a cache's fill: the record that needs the line
        KernelTraffic* traffic;       ///< for an SM's load, store or atomic: counts of its kernel
    };
    Cycle departs = 0;         ///< while it waits for a wire: earliest edge, in the clock of the module that holds it
    std::uint32_t tag = 0;     ///< for the requester
    std::uint32_t load = 0;    ///< for the requester: the instruction that gets the result of a load or an atomic
    std::uint16_t source = 0;  ///< index of the SM; of the slice for a child record
    std::uint16_t context = 0; ///< for the requester: an index into its tables
    std::array<std::uint16_t, kMaxRoute - 1> route{}; ///< ingress ports passed but the last; popped on the way back

    TxnHot()
        : counted(false), seen_outside(false), long_parts(false), epoch(false), followed(false), read_only(false),
          no_return(false), passing(false), whole(true), pooled(false) {}
};
static_assert(sizeof(TxnHot) == 128, "a hop touches one cache line, at most two");

struct Txn final : TxnShown, TxnHot {
    // --- the payload's buffers
    std::array<unsigned char, kLineBytes> data{};
    std::array<unsigned char, kLineBytes> enables{};

    /// Prefetches the cache line that every hop touches.
    void prefetch() const { __builtin_prefetch(static_cast<const TxnHot*>(this), 1); }
    bool is_remote() const { return home != requester; }
    bool is_write() const { return kind == Kind::store || kind == Kind::write; }
    // The sectors and the bytes of `mask`; if these are all, its cache line is not read.
    SectorSet touched() const { return whole ? SectorSet::all() : SectorSet::touched(mask); }
    unsigned sectors() const { return whole ? kLineSectors : mask.sectors(); }
    ByteMask bytes() const { return whole ? ByteMask::full() : mask; }
    /// Operand and result of an atomic; other records have none.
    AtomicExtension& atomic() const { return *get_extension<AtomicExtension>(); }
    void push_port(unsigned port) {
        if (depth != 0) route[depth - 1U] = passed;
        passed = static_cast<std::uint16_t>(port);
        ++depth;
    }
    unsigned pop_port() {
        const unsigned port = passed;
        if (--depth != 0) passed = route[depth - 1U];
        return port;
    }
    unsigned last_port() const { return passed; }

    void start(std::uint64_t now_ps) {
        born_ps = stamped_ps = now_ps;
        parts_ps.fill(0);
        long_parts = false;
    }
    /// Adds the time since the last stamp to `part`.
    void stamp(Part part, std::uint64_t now_ps) {
        add_part(static_cast<unsigned>(part), now_ps - stamped_ps);
        stamped_ps = now_ps;
    }
    void add_part(unsigned part, std::uint64_t ps) {
        const std::uint64_t sum = parts_ps[part] + ps;
        parts_ps[part] = static_cast<std::uint32_t>(sum);
        if (__builtin_expect(sum >> 32 != 0, 0)) carry(part, sum >> 32);
    }
    std::uint64_t part(unsigned p) const {
        return parts_ps[p] + (long_parts ? std::uint64_t{parts_above[p]} << 32 : 0);
    }
    /// Sets the payload's attributes, for a module outside that is about to see the record for the first time.
    void show();
    /// Sets the answer of who serves the request. Among ports of ours a payload, whose status is that of success from
    /// the start, is not touched.
    void answer(tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE) {
        if (__builtin_expect(seen_outside || status != tlm::TLM_OK_RESPONSE, 0)) answer_outside(status);
    }

    /// Converts a payload that is known to be a record.
    static Txn& of(tlm::tlm_generic_payload& payload) { return static_cast<Txn&>(payload); }

  private:
    void answer_outside(tlm::tlm_response_status status);
    /// Adds the time to a part that exceeds 4.29 ms (a link of some kB/s), outside the lines that every hop touches.
    void carry(unsigned part, std::uint64_t above) {
        if (!long_parts) parts_above.fill(0);
        long_parts = true;
        parts_above[part] = static_cast<std::uint16_t>(parts_above[part] + above);
    }
};
static_assert(sizeof(Txn) == 576, "an odd number of cache lines spreads records over all sets of a cache");

/// Makes records and takes them back, as the base protocol's memory manager.
class TxnPool final : public tlm::tlm_mm_interface {
  public:
    TxnPool() = default;
    ~TxnPool() override;
    TxnPool(const TxnPool&) = delete;
    TxnPool& operator=(const TxnPool&) = delete;

    /// Makes a record with one reference, held by the caller until `end()`, for `mask` of the line at `line`. An atomic
    /// has its extension, and its payload is set; that of others is when a module outside is about to see it.
    Txn& make(Kind kind, std::uint64_t line, ByteMask mask);
    /// Ends a record, as `release()` by its maker does. A record that no foreign module has seen has no other holder,
    /// so that its count of references, on a cache line that is not needed otherwise, stays untouched.
    void end(Txn& txn) {
        if (__builtin_expect(txn.seen_outside || txn.kind == Kind::atomic, 0)) return txn.release();
        take_back(txn);
    }
    void free(tlm::tlm_generic_payload* payload) override;

    std::uint64_t made() const { return made_; }
    std::uint64_t returned() const { return returned_; }
    std::uint64_t in_flight() const { return made_ - returned_; }
    /// True if records carry data values; otherwise their data is undefined.
    bool functional = false;
    /// Number of SM accesses until the next one that is followed; the load-store units count it down.
    std::uint64_t until_followed = kNever;
    AccessLog* accesses = nullptr; ///< set with it
    FlagBoard* flags = nullptr;    ///< null: no kernel waits for flags

  private:
    void grow();
    void take_back(Txn& txn) {
        if (__builtin_expect(txn.pooled, 0)) return ended_twice(txn);
        txn.pooled = true;
        txn.next = free_;
        free_ = &txn;
        ++returned_;
    }
    static void ended_twice(const Txn& txn);
    void attach_atomic(Txn& txn);
    static void detach_atomic(Txn& txn);
    static constexpr std::size_t kChunk = kHugePage / sizeof(Txn);
    std::vector<HugeBlock> chunks_; ///< kChunk records each
    Node* free_ = nullptr;
    std::vector<std::unique_ptr<AtomicExtension>> atomics_; ///< all extensions that were ever in use at a time
    std::vector<AtomicExtension*> free_atomics_;
    std::uint64_t made_ = 0;
    std::uint64_t returned_ = 0;
};

/// The records of a simulation: a pool for each shard, whose parts make records and end those that they made.
class TxnPools {
  public:
    explicit TxnPools(unsigned shards) {
        for (unsigned s = 0; s < shards; ++s) of_shard_.push_back(std::make_unique<TxnPool>());
    }
    TxnPool& of(unsigned shard) const { return *of_shard_[shard]; }
    std::uint64_t made() const { return sum(&TxnPool::made); }
    std::uint64_t returned() const { return sum(&TxnPool::returned); }
    std::uint64_t in_flight() const { return made() - returned(); }

  private:
    std::uint64_t sum(std::uint64_t (TxnPool::*count)() const) const {
        std::uint64_t all = 0;
        for (const auto& pool : of_shard_) all += ((*pool).*count)();
        return all;
    }
    std::vector<std::unique_ptr<TxnPool>> of_shard_;
};

/// An intrusive first-in first-out list of records.
class TxnQueue {
  public:
    bool empty() const { return first_ == nullptr; }
    Txn& front() const { return *static_cast<Txn*>(first_); }
    /// Fetches the record that comes next.
    void prefetch_front() const {
        if (first_ != nullptr) front().prefetch();
    }
    void push(Txn& txn) {
        txn.next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = &txn;
        last_ = &txn;
    }
    void push_front(Txn& txn) {
        txn.next = first_;
        if (first_ == nullptr) last_ = &txn;
        first_ = &txn;
    }
    Txn& pop() {
        Txn& txn = front();
        first_ = txn.next;
        return txn;
    }

  private:
    Node* first_ = nullptr;
    Node* last_ = nullptr; ///< valid unless empty
};

/// A TxnQueue that counts its records.
class CountedTxnQueue : private TxnQueue {
  public:
    using TxnQueue::empty;
    using TxnQueue::front;
    unsigned size() const { return size_; }
    void push(Txn& txn) {
        TxnQueue::push(txn);
        ++size_;
    }
    void push_front(Txn& txn) {
        TxnQueue::push_front(txn);
        ++size_;
    }
    Txn& pop() {
        --size_;
        return TxnQueue::pop();
    }

  private:
    unsigned size_ = 0;
};

} // namespace numavp
