#include "models/fault_server/ideal_driver.h"

#include <cstdlib>
#include <new>

#include <fmt/format.h>

namespace numavp {

std::uint64_t TableCleaner::peek_register(std::size_t index) const {
    switch (static_cast<CopyEngineRegister>(index)) {
    case CopyEngineRegister::status: return std::uint64_t{refused_} << 1;
    case CopyEngineRegister::done_count: return done_;
    default: return 0;
    }
}

void TableCleaner::write_register(std::size_t index, std::uint64_t value) {
    switch (static_cast<CopyEngineRegister>(index)) {
    case CopyEngineRegister::target: target_ = value; break;
    case CopyEngineRegister::bytes: bytes_ = value; break;
    case CopyEngineRegister::command:
        refused_ = value != 2 || bytes_ == 0 || !tables_.contains(target_) || !tables_.contains(target_ + bytes_ - 1);
        if (refused_) return;
        for (std::uint64_t i = 0; i < bytes_; i += sizeof(TableWord)) tables_.memory().write(target_ + i, {0});
        ++done_;
        break;
    default: break;
    }
}

IdealDriver::IdealDriver(std::uint64_t arena_bytes, const Resources& r)
    : Arbiter(r.domain, r.rank), devices_(r.devices), tables_(r.tables), own_(r.own),
      arena_(std::calloc(arena_bytes, 1), &std::free), arena_bytes_(arena_bytes) {
    if (!arena_) throw std::bad_alloc();
    hal_.owner = this;
    hal_.read64 = [](Hal* hal, std::uint64_t address) {
        return static_cast<DirectHal*>(hal)->owner->access({address, kRegisterBytes, false, 0});
    };
    hal_.write64 = [](Hal* hal, std::uint64_t address, std::uint64_t value) {
        static_cast<DirectHal*>(hal)->owner->access({address, kRegisterBytes, true, value});
    };
    hal_.wait = [](Hal*) {}; // the devices of this execution are never busy
    wake_at_start();
}

void IdealDriver::arbitrate() {
    if (!started_) {
        started_ = true;
        const char* const wrong = driver_init(&driver_, &hal_, own_, arena_.get(), arena_bytes_);
        if (wrong) return domain_.clockwork().fail(fmt::format("the driver can't start: {}", wrong));
    }
    driver_interrupt(&driver_);
}

void IdealDriver::change(std::uint32_t policy, unsigned lab_percent) {
    if (!started_) return;
    const char* const wrong = driver_set_policy(&driver_, policy, lab_percent);
    if (wrong) domain_.clockwork().fail(fmt::format("the driver can't take another policy: {}", wrong));
}

std::uint64_t IdealDriver::access(const BusRequest& request) {
    const std::uint64_t physical = request.address - kPlatformBase;
    if (request.address >= kPlatformBase && tables_.contains(physical)) {
        if (!request.write) return tables_.memory().read(physical).bits;
        devices_.record(request);
        tables_.memory().write(physical, {request.value});
        return 0;
    }
    const BusReply reply = devices_.access(request);
    if (reply.error)
        domain_.clockwork().fail(
            fmt::format("the driver's {} of {:#x} got a bus error", request.write ? "write" : "read", request.address));
    return reply.value;
}

} // namespace numavp
