/// Earliest times of the next commands of a DRAM channel, from those that were given.
///
/// For every bank, bank group and the channel: the first cycle at which an activate, a precharge or a column command
/// may go. Reads are direction 0, writes direction 1.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "base/values/types.h"
#include "models/memory/dram/timing/timing.h"

namespace numavp {

class CommandTimes {
  public:
    CommandTimes(const DramTiming& timing, unsigned groups, unsigned banks_of_group)
        : t_(timing), banks_(groups * banks_of_group), groups_(groups) {
        for (unsigned b = 0; b < banks_.size(); ++b) banks_[b].group = b / banks_of_group;
    }

    /// First cycle by the constraints of the whole channel, which activate() and column() include.
    Cycle channel_activate() const { return activate_; }
    Cycle channel_column(unsigned direction) const { return column_[direction]; }
    Cycle activate(unsigned bank) const {
        return std::max({activate_, banks_[bank].activate, groups_[banks_[bank].group].activate});
    }
    Cycle precharge(unsigned bank) const { return banks_[bank].precharge; }
    Cycle column(unsigned bank, unsigned direction) const {
        const Bank& b = banks_[bank];
        return std::max({column_[direction], b.column, groups_[b.group].column[direction]});
    }
    /// First cycle at which all banks, which must be closed, may be refreshed.
    Cycle refresh() const {
        Cycle at = 0;
        for (unsigned b = 0; b < banks_.size(); ++b) at = std::max(at, refresh(b));
        return at;
    }
    /// The same of one bank.
    Cycle refresh(unsigned bank) const { return banks_[bank].activate; }

    void activated(unsigned bank, Cycle now) {
        Bank& b = banks_[bank];
        b.activate = now + t_.rc;
        b.precharge = now + t_.ras;
        b.column = now + t_.rcd;
        groups_[b.group].activate = now + t_.rrd_l;
        activate_ = now + t_.rrd_s;
        window_[in_window_ % kWindow] = now;
        ++in_window_;
        if (in_window_ >= 4) activate_ = std::max(activate_, window_[(in_window_ - 4) % kWindow] + t_.faw);
    }
    void precharged(unsigned bank, Cycle now) {
        Bank& b = banks_[bank];
        b.activate = std::max(b.activate, now + t_.rp);
    }
    void read(unsigned bank, Cycle now) {
        Bank& b = banks_[bank];
        after_column(b, 0, now);
        column_[1] = std::max(column_[1], now + t_.rtw);
        b.precharge = std::max(b.precharge, now + t_.rtp);
    }
    void written(unsigned bank, Cycle now) {
        Bank& b = banks_[bank];
        after_column(b, 1, now);
        const Cycle end = now + t_.cwl + t_.burst;
        Cycle& within = groups_[b.group].column[0];
        column_[0] = std::max(column_[0], end + t_.wtr_s);
        within = std::max(within, end + t_.wtr_l);
        b.precharge = std::max(b.precharge, end + t_.wr);
    }
    void refreshed(Cycle now) {
        for (unsigned b = 0; b < banks_.size(); ++b) refreshed(b, now);
    }
    void refreshed(unsigned bank, Cycle now) { banks_[bank].activate = now + t_.rfc; }
    /// Cycle at which the data of a column command end.
    Cycle data_end(unsigned direction, Cycle now) const { return now + (direction ? t_.cwl : t_.cl) + t_.burst; }

  private:
    static constexpr unsigned kWindow = 8;
    struct Bank {
        Cycle activate = 0, precharge = 0, column = 0;
        unsigned group = 0;
    };
    struct Group {
        Cycle activate = 0;
        std::array<Cycle, 2> column{};
    };
    void after_column(const Bank& b, unsigned direction, Cycle now) {
        column_[direction] = now + t_.ccd_s;
        groups_[b.group].column[direction] = std::max(groups_[b.group].column[direction], now + t_.ccd_l);
    }

    DramTiming t_;
    std::vector<Bank> banks_;
    std::vector<Group> groups_;
    Cycle activate_ = 0;
    std::array<Cycle, 2> column_{};
    std::array<Cycle, kWindow> window_{};
    std::uint64_t in_window_ = 0;
};

} // namespace numavp
