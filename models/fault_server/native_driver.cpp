#include "models/fault_server/native_driver.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace numavp {

namespace {
constexpr std::size_t kStackBytes = 512 * 1024; // sanitizers need more than the default
}

NativeDriver::NativeDriver(sc_core::sc_module_name name, const NativeDriverConfig& config, const Resources& r)
    : sc_module(name), Arbiter(r.domain, r.rank), config_(config), bus_(r.bus), own_(r.own),
      arena_(std::calloc(config.arena_bytes, 1), &std::free) { // pages of it are touched as the driver needs them
    if (!arena_) throw std::bad_alloc();
    hal_.owner = this;
    hal_.read64 = [](Hal* hal, std::uint64_t address) {
        return static_cast<PlatformHal*>(hal)->owner->access({address, kRegisterBytes, false, 0});
    };
    hal_.write64 = [](Hal* hal, std::uint64_t address, std::uint64_t value) {
        static_cast<PlatformHal*>(hal)->owner->access({address, kRegisterBytes, true, value});
    };
    hal_.wait = [](Hal* hal) { static_cast<PlatformHal*>(hal)->owner->wait_for_interrupt(); };
    start_.handler = this;
    SC_THREAD(run);
    set_stack_size(kStackBytes);
}

NativeDriver::~NativeDriver() = default;

void NativeDriver::run() {
    const char* const wrong = driver_init(&driver_, &hal_, own_, arena_.get(), config_.arena_bytes);
    if (wrong) return domain_.clockwork().fail(fmt::format("the driver can't start: {}", wrong));
    started_ = true;
    if (awaits_start_) set_policy(*awaits_start_);
    for (;;) {
        wait_for_interrupt();
        driver_interrupt(&driver_);
    }
}

void NativeDriver::change(std::uint32_t policy, unsigned lab_percent) {
    const Change change = {policy, lab_percent};
    if (started_)
        set_policy(change);
    else
        awaits_start_ = change;
}

void NativeDriver::set_policy(const Change& change) {
    const char* const wrong = driver_set_policy(&driver_, change.policy, change.lab_percent);
    if (wrong) domain_.clockwork().fail(fmt::format("the driver can't take another policy: {}", wrong));
}

void NativeDriver::interrupt(bool level) {
    level_ = level;
    if (level) interrupted_.notify();
}

void NativeDriver::wait_for_interrupt() {
    while (!level_) sc_core::wait(interrupted_);
}

std::uint64_t NativeDriver::access(const BusRequest& request) {
    request_ = request;
    on_bus_ = true;
    ++accesses_;
    const Cycle charged = Cycle{config_.native_instructions} * config_.cycles_per_instruction;
    domain_.at_from_outside(domain_.now() + charged, start_);
    sc_core::wait(answered_);
    if (reply_.error) {
        domain_.clockwork().fail(
            fmt::format("the driver's {} of {:#x} got a bus error", request.write ? "write" : "read", request.address));
        sc_core::wait(interrupted_ & answered_); // for good: nothing is on the bus any more
    }
    return reply_.value;
}

void NativeDriver::bus_done(const BusReply& reply) {
    reply_ = reply;
    on_bus_ = false;
    answered_.notify();
}

std::string NativeDriver::waiting_for() const {
    if (on_bus_) return fmt::format("the bus to answer for {:#x}", request_.address);
    return level_ ? "its thread to run" : "an interrupt";
}

} // namespace numavp
