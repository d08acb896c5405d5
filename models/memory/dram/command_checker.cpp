#include "models/memory/dram/command_checker.h"

#include <algorithm>

#include <fmt/format.h>

namespace numavp {

namespace {
constexpr const char* kCommandNames[] = {
    "activate",        "precharge", "precharge all",      "read", "write", "read precharge",
    "write precharge", "refresh",   "refresh of one bank"};
constexpr unsigned kPostponed = 9; ///< intervals without a refresh that JEDEC allows
} // namespace

CommandChecker::CommandChecker(const MemoryDeviceConfig& device)
    : t_(device.timing), split_(device.split_commands), refreshed_(device.refresh != RefreshKind::none),
      banks_of_group_(device.decoder().banks_of_group()), banks_(device.decoder().banks()) {
    const Cycle written = Cycle{t_.cwl} + t_.burst;
    rules_ = {{"rcd", kActivate, kRead, Scope::bank, t_.rcd},
              {"rcd", kActivate, kWrite, Scope::bank, t_.rcd},
              {"ras", kActivate, kPrecharge, Scope::bank, t_.ras},
              {"rc", kActivate, kActivate, Scope::bank, t_.rc},
              {"rrd_l", kActivate, kActivate, Scope::group, t_.rrd_l},
              {"rrd_s", kActivate, kActivate, Scope::channel, t_.rrd_s},
              {"rp", kPrecharge, kActivate, Scope::bank, t_.rp},
              {"rp", kPrecharge, kRefresh, Scope::channel, t_.rp},
              {"rtp", kRead, kPrecharge, Scope::bank, t_.rtp},
              {"wr", kWrite, kPrecharge, Scope::bank, written + t_.wr},
              {"ccd_l", kRead, kRead, Scope::group, t_.ccd_l},
              {"ccd_s", kRead, kRead, Scope::channel, t_.ccd_s},
              {"ccd_l", kWrite, kWrite, Scope::group, t_.ccd_l},
              {"ccd_s", kWrite, kWrite, Scope::channel, t_.ccd_s},
              {"rtw", kRead, kWrite, Scope::channel, t_.rtw},
              {"wtr_l", kWrite, kRead, Scope::group, written + t_.wtr_l},
              {"wtr_s", kWrite, kRead, Scope::channel, written + t_.wtr_s},
              {"rfc", kRefresh, kActivate, Scope::channel, t_.rfc},
              {"rfc", kRefresh, kRefresh, Scope::channel, t_.rfc},
              {"rp", kPrecharge, kRefreshBank, Scope::bank, t_.rp},
              {"rfc", kRefreshBank, kActivate, Scope::bank, t_.rfc},
              {"rfc", kRefreshBank, kRefreshBank, Scope::bank, t_.rfc}};
}

void CommandChecker::breach(const IssuedCommand& c, const std::string& what) {
    if (breaches_.size() < kMostBreaches)
        breaches_.push_back(fmt::format("cycle {}: {} of bank {}: {}", c.cycle,
                                        kCommandNames[static_cast<unsigned>(c.command)], c.bank, what));
}

bool CommandChecker::in_scope(Scope scope, unsigned a, unsigned b) const {
    if (scope == Scope::bank) return a == b;
    return scope == Scope::channel || a / banks_of_group_ == b / banks_of_group_;
}

void CommandChecker::observe(const IssuedCommand& c) {
    ++commands_;
    if (c.bank >= banks_.size()) return breach(c, "there is no such bank");
    Kind kind = kRefresh;
    switch (c.command) {
    case DramCommand::activate: kind = kActivate; break;
    case DramCommand::precharge:
    case DramCommand::precharge_all: kind = kPrecharge; break;
    case DramCommand::read:
    case DramCommand::read_precharge: kind = kRead; break;
    case DramCommand::write:
    case DramCommand::write_precharge: kind = kWrite; break;
    case DramCommand::refresh: break;
    case DramCommand::refresh_bank: kind = kRefreshBank; break;
    }
    const bool column = kind == kRead || kind == kWrite;
    check_buses(c, column);
    check_state(c, kind);
    for (unsigned b = 0; b < banks_.size(); ++b)
        if (c.command == DramCommand::precharge_all ? banks_[b].open : b == c.bank) check_rules(c, kind, b);
    if (column) check_data(c, kind == kWrite);
    if (kind == kActivate) check_window(c);
    if (refreshed_ && c.cycle > banks_[c.bank].refreshed + Cycle{kPostponed} * t_.refi)
        breach(c, "the refresh is overdue");
    note(c, kind);
}

void CommandChecker::check_buses(const IssuedCommand& c, bool column) {
    if (c.cycle + 1 < std::max(bus_[0], bus_[1])) breach(c, "it is before the one above");
    const Cycle used = split_ ? bus_[column] : std::max(bus_[0], bus_[1]);
    if (used == c.cycle + 1) breach(c, "the command bus is taken in this cycle");
    bus_[column] = c.cycle + 1;
}

void CommandChecker::check_state(const IssuedCommand& c, Kind kind) {
    const Bank& b = banks_[c.bank];
    if ((kind == kActivate || kind == kRefreshBank) && b.open) breach(c, "it is open");
    if ((kind == kRead || kind == kWrite) && !b.open) breach(c, "it is closed");
    if ((kind == kRead || kind == kWrite) && b.open && b.row != c.row)
        breach(c, fmt::format("row {} is open, not {}", b.row, c.row));
    if (kind == kRefresh && std::any_of(banks_.begin(), banks_.end(), [](const Bank& x) { return x.open; }))
        breach(c, "a bank is open");
}

void CommandChecker::check_rules(const IssuedCommand& c, Kind kind, unsigned bank) {
    for (const Rule& rule : rules_) {
        if (rule.after != kind) continue;
        Cycle last = 0;
        for (unsigned b = 0; b < banks_.size(); ++b)
            if (in_scope(rule.scope, b, bank)) last = std::max(last, banks_[b].last[rule.before]);
        if (last != 0 && c.cycle + 1 < last + rule.distance)
            breach(c, fmt::format("{} asks for {} cycles, {} passed", rule.name, rule.distance,
                                  static_cast<std::int64_t>(c.cycle + 1 - last)));
    }
}

void CommandChecker::check_data(const IssuedCommand& c, bool write) {
    const Cycle begin = c.cycle + (write ? t_.cwl : t_.cl);
    if (begin < data_end_) breach(c, "the data pins are taken");
    data_end_ = begin + t_.burst;
}

void CommandChecker::check_window(const IssuedCommand& c) {
    if (activates_.size() == 4) {
        if (c.cycle < activates_.front() + t_.faw) breach(c, "faw: the fifth activate in the window");
        activates_.pop_front();
    }
    activates_.push_back(c.cycle);
}

void CommandChecker::note(const IssuedCommand& c, Kind kind) {
    if (c.command == DramCommand::precharge_all || kind == kRefresh) {
        for (Bank& b : banks_) {
            if (kind == kRefresh || b.open) b.last[kind] = c.cycle + 1;
            b.open = false;
            if (kind == kRefresh) b.refreshed = c.cycle;
        }
        return;
    }
    Bank& b = banks_[c.bank];
    b.last[kind] = c.cycle + 1;
    if (kind == kActivate) {
        b.open = true;
        b.row = c.row;
    }
    if (kind == kPrecharge) b.open = false;
    if (kind == kRefreshBank) b.refreshed = c.cycle;
    if (c.command != DramCommand::read_precharge && c.command != DramCommand::write_precharge) return;
    const Cycle recovered = kind == kRead ? c.cycle + t_.rtp : c.cycle + t_.cwl + t_.burst + t_.wr;
    b.last[kPrecharge] = 1 + std::max(recovered, b.last[kActivate] - 1 + t_.ras);
    b.open = false;
}

} // namespace numavp
