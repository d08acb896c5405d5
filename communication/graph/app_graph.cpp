#include "communication/graph/app_graph.h"

#include <algorithm>
#include <functional>
#include <map>
#include <queue>

namespace numavp {

bool parse_place(const std::string& text, AppPlace& place) {
    constexpr std::size_t kKind = 3, kMostDigits = 4;
    const std::string kind = text.substr(0, kKind), digits = text.size() > kKind ? text.substr(kKind) : "";
    const bool number = !digits.empty() && digits.size() <= kMostDigits &&
                        digits.find_first_not_of("0123456789") == std::string::npos &&
                        (digits.size() == 1 || digits[0] != '0');
    if (!number || (kind != "cpu" && kind != "gpu")) return false;
    place = {kind == "gpu", static_cast<unsigned>(std::stoul(digits))};
    return true;
}

std::vector<unsigned> AppGraph::writers() const {
    std::vector<unsigned> all(values.size(), kNone);
    for (unsigned s = 0; s < steps.size(); ++s)
        for (const unsigned value : steps[s].writes) all[value] = s;
    return all;
}

std::vector<unsigned> AppGraph::before_in_stream() const {
    std::vector<unsigned> all(steps.size(), kNone);
    std::map<std::string, unsigned> last;
    for (unsigned s = 0; s < steps.size(); ++s) {
        if (steps[s].stream.empty()) continue;
        if (const auto found = last.find(steps[s].stream); found != last.end()) all[s] = found->second;
        last[steps[s].stream] = s;
    }
    return all;
}

std::vector<std::vector<unsigned>> AppGraph::waits_for() const {
    const std::vector<unsigned> writer = writers(), before = before_in_stream();
    std::vector<std::vector<unsigned>> all(steps.size());
    for (unsigned s = 0; s < steps.size(); ++s) {
        const auto add = [&found = all[s]](unsigned step) {
            if (step != kNone && std::find(found.begin(), found.end(), step) == found.end()) found.push_back(step);
        };
        for (const unsigned value : steps[s].reads) add(writer[value]);
        add(before[s]);
        for (const unsigned step : steps[s].after) add(step);
    }
    return all;
}

std::vector<unsigned> AppGraph::order() const {
    const std::vector<std::vector<unsigned>> waits = waits_for();
    std::vector<std::vector<unsigned>> wakes(steps.size());
    std::vector<std::size_t> left(steps.size());
    std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
    for (unsigned s = 0; s < steps.size(); ++s) {
        left[s] = waits[s].size();
        for (const unsigned before : waits[s]) wakes[before].push_back(s);
        if (left[s] == 0) ready.push(s);
    }
    std::vector<unsigned> all;
    while (!ready.empty()) {
        const unsigned step = ready.top();
        ready.pop();
        all.push_back(step);
        for (const unsigned next : wakes[step])
            if (--left[next] == 0) ready.push(next);
    }
    return all;
}

std::uint64_t AppGraph::bytes_touched(unsigned step) const {
    std::uint64_t sum = 0;
    for (const unsigned value : steps[step].reads) sum += values[value].bytes;
    for (const unsigned value : steps[step].writes) sum += values[value].bytes;
    return sum;
}

AppTime AppGraph::time_at(unsigned step, AppPlace at) const {
    AppTime time = steps[step].time;
    for (const AppTimeOn& own : steps[step].time_on)
        if (own.place == at) time = own.time;
    return time;
}

AppTimeSource AppGraph::time_source(unsigned step, AppPlace at) const {
    const AppTime time = time_at(step, at);
    return time.simulated      ? AppTimeSource::simulated
           : time.time_us >= 0 ? AppTimeSource::measured
                               : AppTimeSource::scaled;
}

double AppGraph::compute_ns(unsigned step, AppPlace at) const {
    constexpr double kPerMicrosecond = 1000;
    const AppTime time = time_at(step, at);
    if (time.time_us >= 0) return time.time_us * kPerMicrosecond;
    return time.gbytes_per_s > 0 ? static_cast<double>(bytes_touched(step)) / time.gbytes_per_s : -1;
}

} // namespace numavp
