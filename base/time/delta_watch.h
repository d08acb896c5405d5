/// Detects processes that wake each other in endless delta cycles while simulated time stands still.
///
/// SystemC calls trace files once a delta cycle, which costs less than a process and keeps no process awake: this trace
/// file writes nothing and counts.
#pragma once

#include <cstdint>
#include <string>

#include <systemc>

namespace numavp {

// NOLINTNEXTLINE(cppcoreguidelines-special-member-functions): it is registered by its address
class DeltaWatch final : public sc_core::sc_trace_file {
  public:
    /// Delta cycles at one time after which simulation is stopped. Signals settle in tens of them, in the deepest
    /// designs in thousands; a million passes within a second or so.
    static constexpr std::uint64_t kMost = 1'000'000;

    explicit DeltaWatch(std::uint64_t most = kMost);
    ~DeltaWatch() override;
    DeltaWatch(const DeltaWatch&) = delete;
    DeltaWatch& operator=(const DeltaWatch&) = delete;

    /// After simulation was stopped: the time, and the events and signals that woke processes last. Empty until then.
    const std::string& failure() const { return failure_; }

  private:
    void cycle(bool delta_cycle) override;
    std::string woken_by() const;

    // What a trace file is asked to write.
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

    std::uint64_t most_, at_ps_ = 0, deltas_ = 0;
    std::string failure_;
};

} // namespace numavp
