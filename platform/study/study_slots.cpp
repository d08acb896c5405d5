#include "platform/study/study_slots.h"

#include <cstdint>

#include <fmt/format.h>

#include "models/sm/slot_account.h"
#include "platform/study/study_store.h"

namespace numavp {

std::vector<std::pair<std::string, ordered_json>> slot_metrics(const ordered_json& results) {
    std::vector<std::pair<std::string, ordered_json>> metrics;
    if (const auto slots = results.find("slots"); slots != results.end()) {
        const ordered_json& sockets = slots->at("sockets");
        for (std::size_t s = 0; s < sockets.size(); ++s) {
            const std::string path = fmt::format("slots.socket{}", s);
            flatten(sockets[s], path, metrics);
            std::uint64_t all = 0;
            for (const auto& cause : kSlotCauses) all += sockets[s].value(std::string(cause.name), std::uint64_t{0});
            metrics.emplace_back(path + ".slots", all);
        }
    }
    if (const auto latency = results.find("access_latency"); latency != results.end())
        flatten(*latency, "access_latency", metrics); // lists, such as buckets, are left out
    return metrics;
}

} // namespace numavp
