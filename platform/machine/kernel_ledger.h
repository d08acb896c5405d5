/// Statistics by kernel: the growth of all counters while each kernel ran.
///
/// Counters are read only where launches begin and end, so models do not know of it. A kernel runs from its first block
/// to its last answer; its flush comes after that. Time in which one kernel alone runs, and no other flushes, belongs
/// to that kernel. Time in which several run, or one runs while another flushes, belongs to a row that names them. The
/// remaining time (launches, flushes, copies, late write-backs) belongs to the row `outside kernels`. So the rows tile
/// the time of the run, and their counters sum to the statistics exactly.
///
/// Not done: dividing counts among kernels that ran together. No model knows which kernel's line a cache holds.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/stats/stat_meter.h"
#include "models/dispatch/dispatcher.h"

namespace numavp {

class KernelLedger {
  public:
    /// Call it after the last statistic is registered. At most `rows` rows (8 or more) besides `outside kernels`: half
    /// of them for launches, a quarter for kernels that run together, a quarter for later launches, which are folded by
    /// name and stream; the last row of each kind takes launches for which no row is left.
    KernelLedger(const StatGroup& stats, std::size_t rows);

    void started(const LaunchRecord& record, Cycle now);
    void drained(const LaunchRecord& record, Cycle now);
    void flushed(const LaunchRecord& record, Cycle now);

    /// The member `kernels` of results.json (docs/use/RESULTS.md) if the run ended at `end`; does not change the
    /// ledger.
    nlohmann::ordered_json json(Cycle end) const;

  private:
    enum class Kind : std::uint8_t { kernel, folded, overlap, outside };
    struct Row {
        Kind kind = Kind::outside;
        std::string of;      ///< numbers of launches, with +
        std::string streams; ///< with +
        std::uint64_t launches = 0;
        LaunchRecord record; ///< of a kernel's row; of others its name
        bool closed = false; ///< of a kernel's row: `values` are there
        Cycle cycles = 0;
        StatShare share;
        std::vector<StatValue> values;
    };
    struct Active {
        LaunchRecord record;
        std::size_t row = 0;
        bool flushing = false;
    };
    using Actives = std::map<std::uint64_t, Active>; ///< by number

    std::size_t row_of_now();
    std::size_t overlap_row();
    std::size_t kernel_row(const LaunchRecord& record);
    std::size_t add_row(Kind kind, std::string name);
    void charge(Cycle now);
    void change(Cycle now);
    void close(Row& row, const LaunchRecord& record);
    std::vector<const Row*> in_order(const Row& now) const;
    static nlohmann::ordered_json said_of(const std::vector<const Row*>& rows);

    static constexpr std::size_t kMostNumbers = 50'000'000; ///< of all rows together: 400 MB
    static constexpr std::size_t kLeastRows = 8;
    StatMeter meter_;
    std::size_t limit_;    ///< rows
    std::deque<Row> rows_; ///< the first is that of time outside kernels
    std::map<std::pair<std::string, std::uint64_t>, std::size_t> folded_;
    std::map<std::string, std::size_t> overlaps_; ///< by their launches
    std::size_t kernels_ = 0;                     ///< rows of kernels
    Actives active_;
    std::size_t now_ = 0; ///< row of the time since `since_`
    Cycle since_ = 0;
};

} // namespace numavp
