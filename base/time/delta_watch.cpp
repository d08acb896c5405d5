#include "base/time/delta_watch.h"

#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <systemc>

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

#if IEEE_1666_SYSTEMC >= 202301L
using StageCallback = sc_core::sc_stage_callback_if;
#else
struct StageCallback {};
#endif

/// A trace file that writes nothing. SystemC tells trace files alone when an event was notified last.
// NOLINTNEXTLINE(cppcoreguidelines-special-member-functions): it is registered by its address
class DeltaWatch::Hook final : public sc_core::sc_trace_file, public StageCallback {
  public:
    explicit Hook(DeltaWatch& watch) : watch_(watch) {
#if IEEE_1666_SYSTEMC >= 202301L
        sc_core::sc_register_stage_callback(*this, sc_core::SC_POST_UPDATE);
#else
        sc_core::sc_get_curr_simcontext()->add_trace_file(this);
#endif
    }
    ~Hook() override {
#if IEEE_1666_SYSTEMC >= 202301L
        sc_core::sc_unregister_stage_callback(*this, sc_core::SC_POST_UPDATE);
#else
        sc_core::sc_get_curr_simcontext()->remove_trace_file(this);
#endif
    }
    Hook(const Hook&) = delete;
    Hook& operator=(const Hook&) = delete;

    std::uint64_t triggered_at(const sc_core::sc_event& event) const { return event_trigger_stamp(event); }

  private:
#if IEEE_1666_SYSTEMC >= 202301L
    void stage_callback(const sc_core::sc_stage& /*stage*/) override { watch_.after_delta_cycle(); }
    void cycle(bool /*delta_cycle*/) override {}
#else
    void cycle(bool delta_cycle) override {
        if (delta_cycle) watch_.after_delta_cycle();
    }
#endif

    using Name = const std::string&;
    void trace(const sc_core::sc_event& /*o*/, Name /*n*/) override {}
    void trace(const sc_core::sc_time& /*o*/, Name /*n*/) override {}
    void trace(const bool& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_bit& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_logic& /*o*/, Name /*n*/) override {}
    void trace(const unsigned char& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const unsigned short& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const unsigned int& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const unsigned long& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const char& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const short& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const int& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const long& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const sc_dt::int64& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const sc_dt::uint64& /*o*/, Name /*n*/, int /*width*/) override {}
    void trace(const float& /*o*/, Name /*n*/) override {}
    void trace(const double& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_int_base& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_uint_base& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_signed& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_unsigned& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_fxval& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_fxval_fast& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_fxnum& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_fxnum_fast& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_bv_base& /*o*/, Name /*n*/) override {}
    void trace(const sc_dt::sc_lv_base& /*o*/, Name /*n*/) override {}
    void trace(const unsigned int& /*o*/, Name /*n*/, const char** /*literals*/) override {}
    void write_comment(const std::string& /*comment*/) override {}
    void set_time_unit(double /*value*/, sc_core::sc_time_unit /*unit*/) override {}

    DeltaWatch& watch_;
};

DeltaWatch::DeltaWatch(std::uint64_t most) : most_(most), hook_(std::make_unique<Hook>(*this)) {}

DeltaWatch::~DeltaWatch() = default;

void DeltaWatch::after_delta_cycle() {
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
        const std::uint64_t stamp = hook_->triggered_at(event);
        if (stamp == 0 || stamp + kRecent < recent || ++count > kMostNamed) return;
        names += (names.empty() ? "" : ", ") + std::string(name);
    };
    for (const sc_core::sc_event* event : sc_core::sc_get_top_level_events()) take(*event, event->name());
    each_event(sc_core::sc_get_top_level_objects(), take);
    if (count > kMostNamed) names += fmt::format(" and {} more", count - kMostNamed);
    return names.empty() ? "events without a name" : names;
}

} // namespace numavp
