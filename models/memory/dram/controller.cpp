#include "models/memory/dram/controller.h"

#include <algorithm>

#include "models/memory/dram/refresh/refresh.h"
#include "models/memory/dram/row_policy/row_policy.h"
#include "models/memory/dram/scheduler/scheduler.h"

namespace numavp {

namespace {
constexpr std::uint64_t bank_bit(unsigned bank) { return std::uint64_t{1} << bank; }

/// Calls `use` with each bank of a set, lowest first.
template <class F> inline void for_each_bank(std::uint64_t set, const F& use) {
    for (; set != 0; set &= set - 1) use(static_cast<unsigned>(__builtin_ctzll(set)));
}
} // namespace

MemoryController::MemoryController(const MemoryDeviceConfig& config, unsigned channel, unsigned channels)
    : depth_(config.queue_depth), high_((config.write_high_percent * config.queue_depth + 99) / 100),
      low_(config.write_low_percent * config.queue_depth / 100), split_(config.split_commands),
      scheduler_(make_memory_scheduler(config.scheduler)), row_policy_(make_row_policy(config.row_policy)),
      refresh_(make_refresh(config.refresh, config.timing, config.first_refresh(channel, channels),
                            config.decoder().banks())),
      times_(config.timing, config.decoder().groups(), config.decoder().banks_of_group()),
      table_(config.decoder().banks(), config.queue_depth), rows_(config.decoder().banks()),
      chosen_(config.decoder().banks(), {kNoSlot, kNoSlot}), in_order_(scheduler_->in_order()),
      refresh_due_(refresh_->due()), per_bank_(refresh_->bank() != kAllBanks) {
    next_ = refresh_due_;
}

MemoryController::~MemoryController() = default;

void MemoryController::accept(const DramAddress& address, bool write, std::uint32_t tag, Cycle now) {
    RequestTable::Request r;
    r.accepted = now;
    r.age = accepted_++;
    r.row = address.row;
    r.tag = tag;
    r.bank = static_cast<std::uint8_t>(address.bank);
    table_.add(r, write, (open_ & bank_bit(r.bank)) != 0 ? &rows_[r.bank] : nullptr);
    update(r.bank, write ? 1 : 0);
    next_ = std::min(next_, now + 1);
}

void MemoryController::update(unsigned bank, unsigned direction) {
    const BankSet bit = bank_bit(bank);
    want_column_[direction] &= ~bit;
    want_activate_[direction] &= ~bit;
    want_precharge_[direction] &= ~bit;
    const BankRequests& list = table_.list(bank, direction);
    if (list.oldest == kNoSlot) return;
    const MemorySlot slot = scheduler_->choose(list);
    chosen_[bank][direction] = slot;
    if ((open_ & bit) == 0)
        want_activate_[direction] |= bit;
    else if (table_[slot].row == rows_[bank])
        want_column_[direction] |= bit;
    else
        want_precharge_[direction] |= bit;
}

void MemoryController::choose_direction() {
    const unsigned reads = table_.size(0), writes = table_.size(1);
    if (writes <= low_) draining_ = false;
    if (writes >= high_) draining_ = true;
    serving_ = draining_ || (reads == 0 && writes != 0) ? 1 : 0;
}

/// Banks that may get commands for the direction.
MemoryController::BankSet MemoryController::eligible(unsigned direction) const {
    if (!in_order_) return ~BankSet{0};
    Choice oldest;
    BankSet bank = 0;
    for_each_bank(want_column_[direction] | want_activate_[direction] | want_precharge_[direction], [&](unsigned b) {
        const std::uint64_t age = table_[table_.list(b, direction).oldest].age;
        if (age >= oldest.age) return;
        oldest.age = age;
        bank = bank_bit(b);
    });
    return bank;
}

void MemoryController::tick(Cycle now) {
    if (now < next_) return;
    const bool due = now >= refresh_due_;
    if (due && !per_bank_) return refresh(now);
    held_ = due ? bank_bit(refresh_->bank()) : 0;
    choose_direction();
    Cycle next = due ? kNever : refresh_due_;
    bool row = due && try_refresh(now, next); // before a column command, of which there may be one in each cycle
    bool issued = (!row || split_) && try_column(now, next);
    if (!row && (!issued || split_)) row = try_row(now, next);
    issued |= row;
    next_ = issued ? now + 1 : next;
}

bool MemoryController::try_column(Cycle now, Cycle& next) {
    unsigned direction = serving_ ^ 1U;
    BankSet set = fresh_[direction] & want_column_[direction] & ~held_;
    if (set == 0) {
        direction = serving_;
        set = want_column_[direction] & ~held_;
        if (set == 0) return false;
        set &= eligible(direction);
    }
    if (times_.channel_column(direction) > now) {
        if (set != 0) next = std::min(next, times_.channel_column(direction));
        return false;
    }
    Choice best;
    for_each_bank(set, [&](unsigned b) {
        const Cycle at = times_.column(b, direction);
        const MemorySlot slot = chosen_[b][direction];
        if (at > now)
            next = std::min(next, at);
        else if (urgency(slot) < best.age)
            best = {slot, urgency(slot), false};
    });
    if (best.slot == kNoSlot) return false;
    column(best.slot, direction, now);
    return true;
}

bool MemoryController::try_row(Cycle now, Cycle& next) {
    BankSet activates = want_activate_[serving_] & ~held_;
    BankSet precharges = want_precharge_[serving_] & ~fresh_[serving_ ^ 1U] & ~held_;
    if ((activates | precharges) == 0) return false;
    if (in_order_) {
        const BankSet one = eligible(serving_);
        activates &= one;
        precharges &= one;
    }
    Choice best;
    const auto weigh = [&](unsigned b, Cycle at, bool activates_row) {
        const MemorySlot slot = chosen_[b][serving_];
        if (at > now)
            next = std::min(next, at);
        else if (urgency(slot) < best.age)
            best = {slot, urgency(slot), activates_row};
    };
    if (activates != 0 && times_.channel_activate() > now)
        next = std::min(next, times_.channel_activate());
    else
        for_each_bank(activates, [&](unsigned b) { weigh(b, times_.activate(b), true); });
    for_each_bank(precharges, [&](unsigned b) { weigh(b, times_.precharge(b), false); });
    if (best.slot == kNoSlot) return false;
    const RequestTable::Request& r = table_[best.slot];
    if (best.activate)
        activate(r.bank, r.row, now);
    else
        precharge(r.bank, now);
    return true;
}

void MemoryController::column(MemorySlot slot, unsigned direction, Cycle now) {
    const RequestTable::Request r = table_[slot];
    table_.remove(slot, direction);
    completions_[direction].push({times_.data_end(direction, now), r.accepted, r.tag});
    fresh_[0] &= ~bank_bit(r.bank);
    fresh_[1] &= ~bank_bit(r.bank);
    if (direction == 0) {
        ++counts_.reads;
        times_.read(r.bank, now);
    } else {
        ++counts_.writes;
        times_.written(r.bank, now);
    }
    const bool more = table_.list(r.bank, 0).oldest_hit != kNoSlot || table_.list(r.bank, 1).oldest_hit != kNoSlot;
    const bool closes = row_policy_->closes(more);
    static constexpr DramCommand kCommands[2][2] = {{DramCommand::read, DramCommand::read_precharge},
                                                    {DramCommand::write, DramCommand::write_precharge}};
    tell(now, kCommands[direction][closes], r.bank, r.row);
    if (closes) {
        times_.precharged(r.bank, times_.precharge(r.bank));
        close(r.bank);
        update(r.bank);
    } else {
        update(r.bank, direction);
    }
}

void MemoryController::activate(unsigned bank, std::uint32_t row, Cycle now) {
    ++counts_.activates;
    times_.activated(bank, now);
    rows_[bank] = row;
    open_ |= bank_bit(bank);
    fresh_[serving_] |= bank_bit(bank);
    table_.opened(bank, row);
    tell(now, DramCommand::activate, bank, row);
    update(bank);
}

void MemoryController::precharge(unsigned bank, Cycle now) {
    times_.precharged(bank, now);
    tell(now, DramCommand::precharge, bank, 0);
    close(bank);
    update(bank);
}

void MemoryController::close(unsigned bank) {
    ++counts_.precharges;
    open_ &= ~bank_bit(bank);
    fresh_[0] &= ~bank_bit(bank);
    fresh_[1] &= ~bank_bit(bank);
    table_.closed(bank);
}

/// A step of the refresh of one bank, which is due.
bool MemoryController::try_refresh(Cycle now, Cycle& next) {
    const unsigned bank = refresh_->bank();
    const bool open = (open_ & bank_bit(bank)) != 0;
    const Cycle at = open ? times_.precharge(bank) : times_.refresh(bank);
    if (at > now) {
        next = std::min(next, at);
        return false;
    }
    if (open) {
        precharge(bank, now);
        return true;
    }
    ++counts_.refreshes;
    times_.refreshed(bank, now);
    tell(now, DramCommand::refresh_bank, bank, 0);
    refresh_->issued(now);
    refresh_due_ = refresh_->due();
    return true;
}

void MemoryController::refresh(Cycle now) {
    Cycle at = 0;
    if (open_ != 0) {
        for_each_bank(open_, [&](unsigned b) { at = std::max(at, times_.precharge(b)); });
        if (at > now) {
            next_ = at;
            return;
        }
        tell(now, DramCommand::precharge_all, 0, 0);
        for_each_bank(open_, [&](unsigned b) {
            times_.precharged(b, now);
            close(b);
            update(b);
        });
        next_ = now + 1;
        return;
    }
    at = times_.refresh();
    if (at > now) {
        next_ = at;
        return;
    }
    ++counts_.refreshes;
    times_.refreshed(now);
    tell(now, DramCommand::refresh, 0, 0);
    refresh_->issued(now);
    refresh_due_ = refresh_->due();
    next_ = now + 1;
}

} // namespace numavp
