#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/files/sql.h"
#include "common/words/text.h"
#include "platform/accesses/access_output.h"
#include "platform/accesses/access_rows.h"

namespace numavp {

namespace {

enum Column : unsigned {
    kAccess = 0,
    kFrom = 6,
    kLatency = 7,
    kHop = 8,
    kHopFrom = 10,
    kWait = 11,
    kTime = 12,
    kFor = 13
};

/// The hops of the log so far, an access at a time.
class HopSums {
  public:
    explicit HopSums(std::string path) : path_(std::move(path)) {}
    struct Hop {
        std::uint64_t access, from_ps, latency_ps, hop, hop_from_ps, wait_ps, time_ps;
        std::string_view waited_for;
    };
    void add(const Hop& hop, std::uint64_t row) {
        const std::string place = fmt::format("{}: row {}", path_, row);
        if (hops_ == 0 || hop.access != access_) {
            end();
            access_ = hop.access;
            latency_ps_ = hop.latency_ps;
            from_ps_ = hop.from_ps;
            sum_ps_ = 0;
            next_ = 1;
            ++accesses_;
        }
        ++hops_;
        if (hop.hop != next_++ || hop.hop_from_ps != from_ps_ + sum_ps_)
            throw ConfigError(place, fmt::format("hop {} of access {} does not follow the hop before; a hop begins "
                                                 "where the last one ended",
                                                 hop.hop, hop.access));
        if (hop.wait_ps > hop.time_ps)
            throw ConfigError(place, "it waited for longer than it was there; a wait is a part of its hop");
        if (!kWaitedNames.find(hop.waited_for))
            throw ConfigError(place, unknown_name(kWaitedNames.what(), hop.waited_for, kWaitedNames.names()));
        sum_ps_ += hop.time_ps;
    }
    std::string said() {
        end();
        return fmt::format("log of {} followed accesses, {} hops, which sum to their latencies", grouped(accesses_),
                           grouped(hops_));
    }

  private:
    void end() const {
        if (hops_ != 0 && sum_ps_ != latency_ps_)
            throw ConfigError(path_, fmt::format("the hops of access {} sum to {} ps; its latency of {} ps is expected",
                                                 access_, sum_ps_, latency_ps_));
    }
    std::string path_;
    std::uint64_t accesses_ = 0, hops_ = 0, access_ = 0, next_ = 1, sum_ps_ = 0, latency_ps_ = 0, from_ps_ = 0;
};

std::uint64_t whole(std::string_view cell, const std::string& path, std::uint64_t row) {
    std::uint64_t value = 0;
    const auto end = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (cell.empty() || end.ec != std::errc{} || end.ptr != cell.data() + cell.size())
        throw ConfigError(fmt::format("{}: row {}", path, row),
                          fmt::format("'{}' is not a whole number", quotable(cell)));
    return value;
}

std::string check_csv(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string line;
    if (!std::getline(in, line) || line != kAccessLogHeader) return "";
    HopSums sums(path);
    for (std::uint64_t row = 2; std::getline(in, line); ++row) {
        std::array<std::string_view, kAccessLogColumns> cells;
        std::string_view rest = line;
        std::size_t count = 0;
        for (std::size_t comma = 0; comma != std::string_view::npos; ++count) {
            comma = rest.find(',');
            if (count < cells.size()) cells[count] = rest.substr(0, comma);
            if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
        }
        if (count != cells.size())
            throw ConfigError(fmt::format("{}: row {}", path, row),
                              fmt::format("it has {} cells; {} are expected", count, cells.size()));
        const auto number = [&](Column c) { return whole(cells[c], path, row); };
        sums.add({number(kAccess), number(kFrom), number(kLatency), number(kHop), number(kHopFrom), number(kWait),
                  number(kTime), cells[kFor]},
                 row);
    }
    return sums.said();
}

std::string check_sqlite(const std::string& path) {
    const SqlDatabase database(path, false, kReadAccessLog);
    SqlStatement tables(database, "SELECT count(*) FROM sqlite_master WHERE name IN ('accesses', 'hops')");
    if (!tables.step() || tables.integer(0) != 2) return "";
    HopSums sums(path);
    SqlStatement rows(database, "SELECT access, from_ps, latency_ps, hop, hop_from_ps, wait_ps, time_ps, waited_for "
                                "FROM hops JOIN accesses USING (access) ORDER BY access, hop");
    for (std::uint64_t row = 1; rows.step(); ++row) {
        const auto number = [&](int column) { return static_cast<std::uint64_t>(rows.integer(column)); };
        const std::string waited_for = rows.text(7);
        sums.add({number(0), number(1), number(2), number(3), number(4), number(5), number(6), waited_for}, row);
    }
    return sums.said();
}

} // namespace

std::string check_access_log(const std::string& path) {
    const std::string kind = std::filesystem::path(path).extension().string();
    if (kind == ".csv") return check_csv(path);
    return kind == ".sqlite" ? check_sqlite(path) : "";
}

} // namespace numavp
