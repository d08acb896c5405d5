/// A streaming multiprocessor: block slots, warps in order, schedulers, scoreboard, shared memory, L1.
///
/// It is woken only when the state of a warp changes: a stalled warp costs nothing. A warp issues in order; an
/// instruction waits until its sources and its destination are ready (a load blocks at its use).
/// Optional: execution units with initiation intervals, banks of shared memory (in the load-store unit).
/// Not modelled: instruction fetch, register-bank conflicts, divergence beyond the active mask.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/stats/model_part.h"
#include "models/sm/execution_units.h"
#include "models/sm/load_store.h"
#include "models/sm/slot_account.h"
#include "sw/work/workload.h"

namespace numavp {

class FlagBoard;

struct SmCounts {
    std::uint64_t instructions = 0; ///< warp instructions
    std::uint64_t busy_cycles = 0;  ///< cycles in which something was issued
    std::uint64_t blocks = 0;
    std::uint64_t barriers = 0, fences = 0;
    std::uint64_t polls = 0;             ///< loads of flags by warps that wait for them
    std::uint64_t matrix_operations = 0; ///< on tensor cores with a table; a multiply-add is two
};

/// One launch of a kernel, as the SMs see it.
struct KernelRun : KernelTraffic {
    const KernelShape* shape = nullptr;
    Kernel* kernel = nullptr;
    std::uint64_t blocks_left = 0; ///< not yet ended
    /// Of each socket's SMs: the cycle from which the launch's sizes and arguments are there; 0: no block asked for
    /// them.
    std::vector<std::vector<Cycle>> arguments_at;
};

/// Callbacks of an SM: reports finished blocks, and performs the L2 flush that a system-scope fence needs. They come
/// from the worker of the SM's shard.
class SmClient {
  public:
    /// A block of the run has ended: the callee counts it off blocks_left.
    virtual void block_done(SocketId socket, unsigned sm, KernelRun& run) = 0;
    virtual void traffic_drained(KernelRun& run) = 0;
    /// Writes back and drops the lines of the socket's L2 that a boundary flushes, then calls `done`.
    virtual void flush_socket(SocketId socket, std::function<void()> done) = 0;
    /// A page that the kernel touches has no place: the callee ends the simulation.
    virtual void no_place(KernelRun& run) = 0;
    /// A source of work turned out to be broken while it was read: the callee ends the simulation.
    virtual void bad_work(const std::string& sentence) = 0;

  protected:
    ~SmClient() = default;
};

class Sm final : public sc_core::sc_module, public ModelPart, private Arbiter, private LoadStoreClient {
  public:
    struct Resources {
        ClockDomain& domain;
        TxnPool& pool;
        const AddressMap& map;
        PageTable& pages;
        SocketId socket;
        unsigned index;
        DataHooks* hooks;
        LoadLatencies& latencies;
        SmClient& client;
        bool own_clock = false; ///< blocks are started in another clock
    };
    Sm(sc_core::sc_module_name name, const SmConfig& config, const Resources& resources);
    ~Sm() override;

    tlm::tlm_initiator_socket<>& mem_side() { return unit_.port(); }
    /// Takes translations from the socket's MMU in place of the page table; before the simulation starts.
    TranslationUser& translate_with(Translator& translator);
    /// Reason why a block of that shape can never run on such an SM; empty if it can.
    static std::string why_never(const SmConfig& config, const KernelShape& shape);
    bool fits(const KernelShape& shape) const;
    /// Starts a block, for which fits() must be true.
    void start(KernelRun& run, std::unique_ptr<BlockStreams> block);
    /// Drops all lines of the L1.
    void invalidate_l1() { unit_.invalidate(); }
    void set_l1_local_ways(unsigned ways) { unit_.set_local_ways(ways); }
    const LoadStore& unit() const { return unit_; }
    const SmCounts& counts() const { return counts_; }
    /// Counts of the load-store unit, and (slots) use of the issue slots in all cycles before the last `account()`.
    const LoadCounts& load_store_counts() const { return unit_.counts(); }
    SlotCounts slots() const { return slots_.counts(); }
    /// Charges the issue slots of cycles before `now`; to be called before warps change state (not at decisions that
    /// change none) and before slots().
    void account(Cycle now) {
        if (slots_.from() == now) return;
        if ((ready_ | dependent_ | at_barrier_ | unit_.untranslated()) == 0)
            slots_.skip(now);
        else
            charge_slots(now);
    }
    unsigned resident_warps() const { return static_cast<unsigned>(__builtin_popcountll(occupied_)); }
    void add_statistics(StatGroup& owner) const override;
    void add_series(SeriesGroup& owner) const override;
    bool drained() const override { return occupied_ == 0 && unit_.drained(); }
    std::string waiting_for() const override;
    std::string disagreement() override;

  private:
    static constexpr unsigned kTimerSlots = 64;
    static constexpr unsigned kMaxSchedulers = 8;
    static constexpr unsigned kMaxWarps = 64;
    static constexpr std::uint32_t kPending = ~0U;
    /// What the next decision touches: the head of the load-store unit's queue with its tags, the tags of what has
    /// come, and of a warp that waits for the unit its state and its instruction.
    enum Touched : unsigned { kHead, kHeadTags, kResponseTags, kWaiting, kWaitingInst, kTouched };
    struct alignas(64) Warp {
        Cycle base = 0;
        Cycle until = 0;                        ///< waiting for time: until then
        unsigned top = 0;                       ///< highest register written in this block
        std::array<std::uint8_t, 5> operands{}; ///< registers that the next instruction reads or writes
        std::uint8_t blocked_on = kNoReg;
        bool fencing = false;
        bool arriving = false; ///< at a barrier, when its operations have been made
        unsigned unmade = 0;   ///< operations in the load-store unit, where they may wait for translations
        unsigned block = 0;
        WarpStream* stream = nullptr;
        KernelRun* run = nullptr;
        std::uint64_t age = 0;
        alignas(64) Inst inst;        ///< the next one: a copy, which is fetched with its warp
        const Inst* coming = nullptr; ///< the one after it, if it is made already
        /// Per register: twice the cycles after `base` from which it can be read, and 1 if memory gives it; kPending:
        /// it is on its way.
        alignas(64) std::array<std::uint32_t, 256> ready{};
        /// Fetches what an issue touches.
        void prefetch_issue() const {
            __builtin_prefetch(this, 1);
            __builtin_prefetch(&inst, 1);
        }
        /// Fetches what a change of its state touches; the registers in use are mostly the lowest.
        void prefetch() const {
            prefetch_issue();
            __builtin_prefetch(ready.data(), 1);
        }
        /// Fetches what the issue of its instruction will read for the next one.
        [[gnu::always_inline]] void prefetch_coming() const {
            __builtin_prefetch(stream, 1);
            // It may lie in two lines, or be gone with its block: numbers, not a pointer into an array.
            const auto first = reinterpret_cast<std::uintptr_t>(coming);
            __builtin_prefetch(reinterpret_cast<const void*>(first));
            __builtin_prefetch(reinterpret_cast<const void*>(first + sizeof(Inst) - 1));
        }
    };
    /// What the stores of a warp slot need: beside each other, since a store is performed long after its warp was near.
    struct Outstanding {
        std::uint32_t generation = 0; ///< of the slot's warp
        std::uint32_t stores = 0;     ///< of that warp, which have not been performed
    };
    struct Scheduler {
        Cycle busy_until = 0;
        unsigned last = 0; ///< warp that it issued from last
    };
    /// The warps of a scheduler.
    std::uint64_t members(unsigned scheduler) const { return first_members_ << scheduler; }
    struct Block {
        std::unique_ptr<BlockStreams> streams;
        KernelRun* run = nullptr;
        std::uint64_t warps = 0;   ///< that have not ended
        std::uint64_t arrived = 0; ///< at the barrier
    };

    static std::uint64_t bit(unsigned warp) { return 1ULL << warp; }
    void arbitrate() override;
    /// Warps that could issue if their execution units take them.
    std::uint64_t issuable() const { return unit_full_ ? ready_ & ~memory_next_ : ready_; }
    bool pick(const Scheduler& scheduler, std::uint64_t could, unsigned& warp) const;
    unsigned in_turn(const Scheduler& scheduler, std::uint64_t could) const;
    void take_due(Cycle now);
    void plan_next(Cycle now);
    void name_waiting();
    void name_head();
    void issue(unsigned w);
    /// `deferred`: the warp is not ready before `earliest`, even for a decision at the edge of the call.
    void advance(unsigned w, Cycle earliest, bool deferred = false);
    void settle(unsigned w, Cycle earliest, bool deferred = false);
    void set_ready(unsigned w);
    void wait_until(unsigned w, Cycle edge);
    void write_register(Warp& warp, std::uint8_t reg, Cycle edge, bool from_memory = false);
    void await_register(Warp& warp, std::uint8_t reg);
    void rebase(Warp& warp, Cycle to);
    void barrier(unsigned w);
    void arrive(unsigned w);
    void release_barrier(Block& block);
    void fence(unsigned w);
    void poll(unsigned w);
    void polled(unsigned w, Cycle edge);
    void start_flush(unsigned w);
    void end_warp(unsigned w);
    bool needs_unit(Op op) const;
    Cycle issue_to_unit(unsigned w, const Inst& inst, Cycle now);
    void plan_units(Cycle now, std::uint64_t could);
    void end_leaving();
    void charge_slots(Cycle now);

    void load_done(unsigned warp, std::uint32_t generation, std::uint8_t reg, Cycle edge) override;
    void store_done(unsigned warp, std::uint32_t generation) override;
    void operation_made(unsigned warp, std::uint32_t generation) override;
    void unit_ready() override {
        if (!unit_full_) return;
        account(domain_.now());
        unit_full_ = false;
    }
    void response_came(unsigned warp, const void* tags) override {
        __builtin_prefetch(&outstanding_[warp]);
        warps_[warp].prefetch();
        touches_.expect(kResponseTags, tags);
        wake();
    }
    void step_unit() override {
        unit_active_ = true;
        if (!deciding_) wake();
    }
    void no_place(KernelTraffic& traffic) override { client_.no_place(static_cast<KernelRun&>(traffic)); }
    void traffic_drained(KernelTraffic& traffic) override { client_.traffic_drained(static_cast<KernelRun&>(traffic)); }

    // Members that every decision reads come first, side by side, also in the load-store unit.
    Touches<kTouched> touches_{*this};
    std::uint64_t ready_ = 0;         ///< could issue now
    std::uint64_t memory_next_ = 0;   ///< whose next instruction needs the load-store unit
    std::uint64_t occupied_ = 0;      ///< warp slots in use
    std::uint64_t flushes_ = 0;       ///< warps whose fence may flush now
    std::uint64_t leaving_ = 0;       ///< warps whose exit is in the pipeline
    std::uint64_t polling_ = 0;       ///< warps that read a flag for which they wait
    std::uint64_t dependent_ = 0;     ///< that wait, or have waited, for arithmetic (SlotAccount::Warps)
    std::uint64_t at_barrier_ = 0;    ///< or at a fence
    std::uint64_t timed_ = 0;         ///< places of timers_ that have a warp
    std::uint64_t first_members_ = 0; ///< warps of the first scheduler
    std::uint8_t schedulers_;
    bool units_on_;     ///< arithmetic is limited by execution units
    bool waits_unseen_; ///< what warps wait for changes without them: in execution units, or for translations
    bool unit_full_ = false;
    bool unit_active_ = false;
    bool deciding_ = false;     ///< within arbitrate(), which sees to its own next edge
    std::uint8_t may_wait_ = 0; ///< 1: operations may wait for translations
    const WarpScheduler kind_;  ///< of its schedulers
    std::vector<Warp> warps_;
    SlotAccount slots_;
    std::array<Scheduler, kMaxSchedulers> scheduler_{};
    SmCounts counts_;
    LoadStore unit_;
    std::array<std::uint64_t, kTimerSlots> timers_{};  ///< by edge, of those that timed_ has
    std::array<Outstanding, kMaxWarps> outstanding_{}; ///< by warp
    SmConfig config_;
    SocketId socket_;
    unsigned index_;
    SmClient& client_;
    FlagBoard* const flags_; ///< null: no kernel waits for flags
    const bool own_clock_;
    std::vector<Block> blocks_;
    unsigned free_registers_, free_shared_, free_blocks_;
    std::uint64_t next_age_ = 0;
    ExecutionUnits units_;
};

} // namespace numavp
