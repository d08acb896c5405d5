#include "models/sm/sm.h"

#include <algorithm>
#include <utility>

#include "base/values/error.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {

Sm::Sm(sc_core::sc_module_name name, const SmConfig& config, const Resources& r)
    : sc_module(name), Arbiter(r.domain, {r.socket.value, kRankSm, r.index}),
      schedulers_(static_cast<std::uint8_t>(config.schedulers)), units_on_(config.has_units()),
      waits_unseen_(units_on_), kind_(config.scheduler), warps_(config.warps), slots_(config.schedulers),
      unit_(config.l1, {r.domain, r.pool, r.map, r.pages, r.socket, r.index, r.hooks, r.latencies,
                        static_cast<LoadStoreClient&>(*this), static_cast<Arbiter&>(*this)}),
      config_(config), socket_(r.socket), index_(r.index), client_(r.client), flags_(r.pool.flags),
      own_clock_(r.own_clock), blocks_(config.block_slots), free_registers_(config.registers),
      free_shared_(config.shared_bytes()), free_blocks_(config.block_slots), units_(config) {
    if (config.warps > kMaxWarps) throw ModelError("an SM has at most 64 warps");
    if (config.schedulers > kMaxSchedulers) throw ModelError("an SM has at most 8 schedulers");
    for (unsigned w = 0; w < kMaxWarps; w += schedulers_) first_members_ |= bit(w);
}

Sm::~Sm() = default;

// --- time

void Sm::set_ready(unsigned w) {
    ready_ |= bit(w);
    if (!deciding_) wake();
}

void Sm::wait_until(unsigned w, Cycle edge) {
    const Cycle now = domain_.now();
    warps_[w].until = edge;
    const Cycle at = std::min(edge, now + kTimerSlots - 1);
    const unsigned place = at % kTimerSlots;
    // Mostly it is the first of its edge: then its line is not read.
    timers_[place] = bit(w) | ((timed_ >> place & 1) != 0 ? timers_[place] : 0);
    timed_ |= bit(place);
    wake_at(at);
}

/// Decides when the warp's next instruction may issue, from `earliest` on.
void Sm::settle(unsigned w, Cycle earliest, bool deferred) {
    Warp& warp = warps_[w];
    std::uint32_t latest = 0;
    for (const std::uint8_t reg : warp.operands) {
        if (reg == kNoReg) continue;
        const std::uint32_t at = warp.ready[reg];
        if (at == kPending) {
            warp.blocked_on = reg;
            dependent_ &= ~bit(w);
            return;
        }
        if (at > latest) latest = at;
    }
    const Cycle when = std::max(earliest, warp.base + latest / 2);
    if (when <= earliest && !deferred) {
        warp.prefetch_coming();
        return set_ready(w);
    }
    if (when <= earliest) {
        dependent_ |= bit(w);
        return wait_until(w, earliest);
    }
    dependent_ = latest % 2 != 0 ? dependent_ & ~bit(w) : dependent_ | bit(w);
    wait_until(w, when);
}

void Sm::advance(unsigned w, Cycle earliest, bool deferred) {
    Warp& warp = warps_[w];
    try {
        warp.inst = *warp.stream->fetch();
        warp.coming = warp.stream->coming();
        units_.check(warp.inst);
    } catch (const ConfigError& error) { // a corrupt line of a trace, a matrix instruction that the SM does not have
        client_.bad_work(error.what());
        return;
    }
    warp.blocked_on = kNoReg;
    const Inst& inst = warp.inst;
    if (inst.op == Op::exit) warp.base = std::min(warp.base, domain_.now()); // of an empty kernel
    warp.operands = {inst.dst, inst.src[0], inst.src[1], inst.src[2], inst.src[3]};
    if (needs_unit(inst.op))
        memory_next_ |= bit(w);
    else
        memory_next_ &= ~bit(w);
    if (units_on_) {
        units_.next(w, inst);
        if (units_.is_asynchronous(inst)) // it adds to its destination in the tensor core's order
            std::replace(warp.operands.begin(), warp.operands.end(), inst.dst, std::uint8_t{kNoReg});
    }
    settle(w, earliest, deferred);
}

void Sm::write_register(Warp& warp, std::uint8_t reg, Cycle edge, bool from_memory) {
    if (reg == kNoReg) return;
    if (edge - warp.base >= kPending / 4) rebase(warp, domain_.now());
    if (reg > warp.top) warp.top = reg;
    warp.ready[reg] = static_cast<std::uint32_t>(2 * (edge - warp.base)) + from_memory;
}

void Sm::await_register(Warp& warp, std::uint8_t reg) {
    if (reg == kNoReg) return;
    if (reg > warp.top) warp.top = reg;
    warp.ready[reg] = kPending;
}

/// A block that runs for billions of cycles: its registers' times count from `to` on.
void Sm::rebase(Warp& warp, Cycle to) {
    for (std::uint32_t& at : warp.ready)
        if (at != kPending)
            at = warp.base + at / 2 > to ? static_cast<std::uint32_t>(2 * (warp.base + at / 2 - to)) + at % 2 : 0;
    warp.base = to;
}

/// Warps whose time has come.
inline void Sm::take_due(Cycle now) {
    const unsigned place = now % kTimerSlots;
    if ((timed_ >> place & 1) == 0) return; // mostly: a line less to touch
    account(now);
    timed_ &= ~bit(place);
    std::uint64_t due = std::exchange(timers_[place], 0);
    for (std::uint64_t bits = due; bits; bits &= bits - 1)
        warps_[static_cast<unsigned>(__builtin_ctzll(bits))].prefetch_issue();
    for (; due; due &= due - 1) {
        const auto w = static_cast<unsigned>(__builtin_ctzll(due));
        if (warps_[w].until <= now) {
            ready_ |= bit(w);
            warps_[w].prefetch_coming();
        } else if ((ready_ & bit(w)) == 0) { // beyond the ring
            wait_until(w, warps_[w].until);
        }
    }
}

void Sm::arbitrate() {
    const Cycle now = domain_.now();
    if (waits_unseen_) account(now);
    deciding_ = true;
    take_due(now);
    if ((leaving_ & ready_) != 0) end_leaving();
    if (const Txn* const first = unit_.first_response()) {
        warps_[first->tag].prefetch_coming();
        unit_.take_responses();
        touches_.forget(kResponseTags);
    }
    bool stepped = false;
    if (unit_active_ || unit_.wants_step()) {
        stepped = !unit_.refuses();
        unit_active_ = unit_.step();
    }
    for (std::uint64_t bits = std::exchange(flushes_, 0); bits; bits &= bits - 1)
        start_flush(static_cast<unsigned>(__builtin_ctzll(bits)));
    if (issuable() != 0) {
        bool issued = false;
        for (unsigned s = 0; s < schedulers_; ++s) {
            Scheduler& scheduler = scheduler_[s];
            const std::uint64_t could = issuable() & members(s);
            unsigned w = 0;
            if (could == 0 || scheduler.busy_until > now || !pick(scheduler, could, w)) continue;
            if (!issued) account(now);
            issued = true;
            scheduler.last = w;
            slots_.issued(s);
            issue(w);
            if (scheduler.busy_until > now + 1) wake_at(scheduler.busy_until);
        }
        counts_.busy_cycles += issued;
    }
    if (stepped || unit_active_) name_head();
    deciding_ = false;
    plan_next(now);
}

/// Names what the load-store unit's next step touches.
inline void Sm::name_head() {
    touches_.expect(kHead, unit_.head());
    touches_.expect(kHeadTags, unit_.head_tags());
}

/// Names the warp that issues when the load-store unit has room again: the next one of the first scheduler that has
/// any.
inline void Sm::name_waiting() {
    if (kind_ == WarpScheduler::greedy_oldest) return; // its choice would read all of them
    for (unsigned s = 0; s < schedulers_; ++s) {
        const std::uint64_t could = ready_ & members(s);
        if (could == 0) continue;
        const Warp& warp = warps_[in_turn(scheduler_[s], could)];
        touches_.expect(kWaiting, &warp);
        touches_.expect(kWaitingInst, &warp.inst);
        return;
    }
}

/// The edge at which there will be something to decide, as far as is known.
inline void Sm::plan_next(Cycle now) {
    if (unit_full_ && ready_ != 0)
        name_waiting();
    else
        touches_.forget(kWaiting, kWaitingInst);
    if (unit_active_) return wake(); // and plans again then
    const std::uint64_t could = issuable();
    if (could == 0) return;
    if (units_on_) return plan_units(now, could);
    for (unsigned s = 0; s < schedulers_; ++s)
        if ((could & members(s)) != 0) {
            if (scheduler_[s].busy_until <= now + 1) return wake();
            wake_at(scheduler_[s].busy_until);
        }
}

/// The next in turn of the warps `could`; unless turns are strict, the last one again if it can.
inline unsigned Sm::in_turn(const Scheduler& scheduler, std::uint64_t could) const {
    const unsigned last = scheduler.last;
    if ((could & bit(last)) != 0 && kind_ != WarpScheduler::loose_round_robin) return last;
    const std::uint64_t after = last == 63 ? 0 : could & (~0ULL << (last + 1));
    return static_cast<unsigned>(__builtin_ctzll(after ? after : could));
}

/// One of the warps `could` of a scheduler; false if their execution units are busy.
inline bool Sm::pick(const Scheduler& scheduler, std::uint64_t could, unsigned& warp) const {
    if (units_on_) {
        could = units_.free(static_cast<unsigned>(&scheduler - scheduler_.data()), could, domain_.now());
        if (could == 0) return false;
    }
    if (kind_ != WarpScheduler::greedy_oldest) {
        warp = in_turn(scheduler, could);
    } else if ((could & bit(scheduler.last)) != 0) {
        warp = scheduler.last;
    } else {
        warp = static_cast<unsigned>(__builtin_ctzll(could));
        for (std::uint64_t bits = could; bits; bits &= bits - 1) {
            const auto w = static_cast<unsigned>(__builtin_ctzll(bits));
            if (warps_[w].age < warps_[warp].age) warp = w;
        }
    }
    return true;
}

// --- instructions

bool Sm::needs_unit(Op op) const {
    return op == Op::load || op == Op::store || op == Op::atomic || op == Op::reduce ||
           (op == Op::shared && config_.l1.shared_banks != 0);
}

inline void Sm::issue(unsigned w) {
    const Cycle now = domain_.now();
    Warp& warp = warps_[w];
    const Inst& inst = warp.inst;
    ready_ &= ~bit(w);
    counts_.instructions += inst.repeat;
    Cycle next = now + 1;
    if (inst.repeat > 1) {
        next = now + inst.repeat;
        scheduler_[w % schedulers_].busy_until = next;
        slots_.issued(w % schedulers_, next);
    }
    switch (inst.op) {
    case Op::compute:
        if (units_on_)
            next = issue_to_unit(w, inst, now);
        else
            write_register(warp, inst.dst,
                           next - 1 + (inst.latency ? inst.latency : config_.compute_cycles) +
                               config_.dependent_cycles);
        break;
    case Op::shared:
        if (config_.l1.shared_banks == 0) {
            write_register(warp, inst.dst, now + config_.shared_cycles, true);
            break;
        }
        [[fallthrough]];
    case Op::load:
    case Op::store:
    case Op::atomic:
    case Op::reduce:
        if (__builtin_expect(inst.awaits != 0, 0)) return poll(w);
        if (inst.op == Op::load || inst.op == Op::atomic || inst.op == Op::shared) await_register(warp, inst.dst);
        if (const unsigned stores = unit_.push(inst, {w, outstanding_[w].generation, warp.run}); stores != 0)
            outstanding_[w].stores += stores;
        warp.unmade += may_wait_;
        unit_full_ = !unit_.has_room();
        unit_active_ = true;
        break;
    case Op::barrier: return barrier(w);
    case Op::fence: return fence(w);
    case Op::exit:
        if (!units_on_) return end_warp(w);
        leaving_ |= bit(w);
        dependent_ |= bit(w);
        return wait_until(w, units_.exit(inst, now));
    }
    advance(w, next);
}

void Sm::load_done(unsigned w, std::uint32_t generation, std::uint8_t reg, Cycle edge) {
    if (outstanding_[w].generation != generation) return;
    if (__builtin_expect((polling_ & bit(w)) != 0, 0)) return polled(w, edge);
    Warp& warp = warps_[w];
    account(domain_.now());
    write_register(warp, reg, edge, true);
    if (warp.blocked_on == reg && reg != kNoReg) {
        warp.blocked_on = kNoReg;
        settle(w, domain_.now());
    }
}

void Sm::store_done(unsigned w, std::uint32_t generation) {
    Outstanding& outstanding = outstanding_[w];
    if (outstanding.generation != generation) return;
    if (--outstanding.stores != 0 || warps_[w].unmade != 0 || !warps_[w].fencing) return;
    flushes_ |= bit(w); // in arbitration: flushes of several SMs come in the order of their ranks
    wake();
}

void Sm::operation_made(unsigned w, std::uint32_t generation) {
    Warp& warp = warps_[w];
    if (outstanding_[w].generation != generation || may_wait_ == 0 || --warp.unmade != 0) return;
    if (warp.fencing && outstanding_[w].stores == 0) start_flush(w);
    if (!warp.arriving) return;
    warp.arriving = false;
    arrive(w);
}

TranslationUser& Sm::translate_with(Translator& translator) {
    may_wait_ = translator.config().waits() ? 1 : 0;
    waits_unseen_ = true;
    return unit_.translate_with(translator, config_.warps);
}

} // namespace numavp
