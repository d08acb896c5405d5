#include "base/time/delta_watch.h"

#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/time/sim_time.h"

namespace numavp {
namespace {

/// The event of a signal's changes; null of everything else.
const sc_core::sc_event* change_of(const sc_core::sc_object& object) {
    const std::string_view kind = object.kind();
    if (kind != "sc_signal" && kind != "sc_buffer" && kind != "sc_signal_resolved" && kind != "sc_clock")
        return nullptr;
    const auto* const signal = dynamic_cast<const sc_core::sc_interface*>(&object);
    return signal == nullptr ? nullptr : &signal->default_event();
}

using Take = std::function<void(const sc_core::sc_event&, const char*)>;
void each_event(const std::vector<sc_core::sc_object*>& objects, const Take& take) {
    for (const sc_core::sc_object* object : objects) {
        for (const sc_core::sc_event* event : object->get_child_events()) take(*event, event->name());
        if (const sc_core::sc_event* change = change_of(*object)) take(*change, object->name());
        each_event(object->get_child_objects(), take);
    }
}

} // namespace

DeltaWatch::DeltaWatch(std::uint64_t most) : most_(most) { sc_core::sc_get_curr_simcontext()->add_trace_file(this); }

DeltaWatch::~DeltaWatch() { sc_core::sc_get_curr_simcontext()->remove_trace_file(this); }

void DeltaWatch::cycle(bool delta_cycle) {
    if (!delta_cycle) return;
    const std::uint64_t now = sc_now_ps();
    deltas_ = now == at_ps_ ? deltas_ + 1 : 0;
    at_ps_ = now;
    if (deltas_ < most_ || !failure_.empty()) return;
    failure_ = fmt::format("simulated time stands still at {} ps: processes have woken each other for {} delta cycles; "
                           "the last were woken by {}",
                           now, deltas_, woken_by());
    sc_core::sc_stop();
}

std::string DeltaWatch::woken_by() const {
    constexpr unsigned kMostNamed = 5;
    constexpr std::uint64_t kRecent = 64; // delta cycles: a circle through several processes is seen as a whole
    const std::uint64_t recent = sc_core::sc_get_curr_simcontext()->change_stamp();
    std::string names;
    unsigned count = 0;
    const Take take = [&](const sc_core::sc_event& event, const char* name) {
        const std::uint64_t stamp = event_trigger_stamp(event);
        if (stamp == 0 || stamp + kRecent < recent || ++count > kMostNamed) return;
        names += (names.empty() ? "" : ", ") + std::string(name);
    };
    for (const sc_core::sc_event* event : sc_core::sc_get_top_level_events()) take(*event, event->name());
    each_event(sc_core::sc_get_top_level_objects(), take);
    if (count > kMostNamed) names += fmt::format(" and {} more", count - kMostNamed);
    return names.empty() ? "events without a name" : names;
}

} // namespace numavp
