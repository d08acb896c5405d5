#include "platform/machine/fault_list.h"

#include <charconv>
#include <fstream>

#include <fmt/format.h>

#include "base/config/file_kind.h"
#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {
constexpr std::uint64_t kMostPs = 1'000'000'000'000'000;
constexpr const char* kListHeader = "ps,page,socket,write";

/// The four numbers of a line; false if it is no such line.
bool read_line(const std::string& line, std::uint64_t (&numbers)[4]) {
    const char* at = line.data();
    const char* const end = at + line.size();
    for (unsigned i = 0; i < 4; ++i) {
        if (i != 0 && (at == end || *at++ != ',')) return false;
        const auto [next, error] = std::from_chars(at, end, numbers[i]);
        if (error != std::errc()) return false;
        at = next;
    }
    return at == end;
}
} // namespace

std::vector<TimedFault> read_faults(const std::string& file, unsigned sockets) {
    refuse_odd_file(file, "a CSV file of page faults");
    std::ifstream in(file);
    if (!in) throw ConfigError(file, "it can't be read; a CSV file of page faults is expected");
    std::string line;
    std::getline(in, line);
    if (line != kListHeader)
        throw ConfigError(file + ":1",
                          fmt::format("it begins with '{}'; the header {} is expected", quotable(line), kListHeader));
    std::vector<TimedFault> faults;
    for (std::size_t number = 2; std::getline(in, line); ++number) {
        const std::string place = fmt::format("{}:{}", file, number);
        std::uint64_t v[4];
        if (!read_line(line, v) || v[3] > 1)
            throw ConfigError(place, fmt::format("'{}' is no fault; ps,page,socket,write in whole numbers is expected, "
                                                 "write 0 or 1",
                                                 quotable(line)));
        if (v[2] >= sockets)
            throw ConfigError(place, fmt::format("socket {} does not exist; 0 to {} are allowed", v[2], sockets - 1));
        if (v[0] > kMostPs)
            throw ConfigError(place, fmt::format("{} ps is too late; 1000 s of simulated time are allowed", v[0]));
        if (!faults.empty() && v[0] < faults.back().ps)
            throw ConfigError(place,
                              fmt::format("{} ps is before the fault above; ascending times are expected", v[0]));
        faults.push_back({v[0], {v[1], SocketId(v[2]), v[3] == 1}});
    }
    if (in.bad()) throw ConfigError(file, "reading it failed");
    if (faults.empty()) throw ConfigError(file, "it has no faults; at least one is expected");
    return faults;
}

std::string faults_csv(const std::vector<TimedFault>& faults) {
    std::string text = std::string(kListHeader) + "\n";
    for (const TimedFault& f : faults)
        text += fmt::format("{},{},{},{}\n", f.ps, f.fault.page, f.fault.socket.value, f.fault.write ? 1 : 0);
    return text;
}

} // namespace numavp
