#include "platform/machine/slot_series.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "models/socket/gpu_socket.h"

namespace numavp {

SlotSeries::SlotSeries(const std::vector<GpuSocket*>& sockets, const ClockDomain& core, Cycle interval_cycles)
    : core_(core), sockets_(sockets.size()), series_(interval_cycles) {
    for (std::size_t s = 0; s < sockets.size(); ++s) {
        Socket& socket = sockets_[s];
        socket.parts = sockets[s];
        socket.schedulers = std::uint64_t{socket.parts->config().sms} * socket.parts->config().sm.schedulers;
        SeriesGroup columns(series_, "socket" + std::to_string(s) + ".");
        for (const auto& cause : kSlotCauses)
            columns.increase("slots." + std::string(cause.name), socket.total[cause.value], "slots",
                             std::string(cause.doc));
        columns.increase("warp_cycles", socket.total.warp_cycles, "warp-cycles", "Resident warps, summed over cycles.");
    }
}

void SlotSeries::sample(Cycle now) {
    for (Socket& socket : sockets_) {
        socket.total = {};
        const ClockDomain& clock = socket.parts->sm_clock();
        const bool own = clock.khz() != core_.khz();
        socket.cycles = own ? clock.now() : now; // the last edge of its own, at `now` or before
        for (const auto& sm : socket.parts->sms) {
            sm->account(socket.cycles);
            const SlotCounts counts = sm->slots();
            for (unsigned cause = 0; cause < kSlotCauseCount; ++cause) socket.total.slots[cause] += counts.slots[cause];
            socket.total.warp_cycles += counts.warp_cycles;
            socket.total.last_warp = std::max(socket.total.last_warp, counts.last_warp);
        }
        if (own) socket.total.last_warp = socket.total.last_warp * core_.khz() / clock.khz();
    }
    series_.sample(now);
}

nlohmann::ordered_json SlotSeries::json() const {
    nlohmann::ordered_json causes = nlohmann::ordered_json::object(), sockets = nlohmann::ordered_json::array();
    for (const auto& cause : kSlotCauses) causes[std::string(cause.name)] = cause.doc;
    for (const Socket& socket : sockets_) {
        nlohmann::ordered_json out = {{"schedulers", socket.schedulers}, {"cycles", socket.cycles}};
        for (const auto& cause : kSlotCauses) out[std::string(cause.name)] = socket.total[cause.value];
        out["warp_cycles"] = socket.total.warp_cycles;
        out["last_warp_cycle"] = socket.total.last_warp;
        sockets.push_back(std::move(out));
    }
    nlohmann::ordered_json series = series_.json();
    series.erase("marks");
    return {{"causes", std::move(causes)}, {"sockets", std::move(sockets)}, {"series", std::move(series)}};
}

} // namespace numavp
