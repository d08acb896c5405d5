#include "models/fault_server/riscv_driver.h"

#include <cstdlib>
#include <new>

#include <fmt/format.h>

#include "base/values/error.h"
#include "models/riscv/elf_image.h"
#include "models/riscv/rv64_core.h"

namespace numavp {

namespace {
constexpr std::uint64_t kPsPerNs = 1000;
constexpr std::uint64_t kTrapsInARow = 16; ///< a handler that traps this often will do nothing else
} // namespace

RiscvDriver::RiscvDriver(const RiscvDriverConfig& config, const Resources& r, const ElfImage& image)
    : Arbiter(r.domain, r.rank), config_(config), bus_(r.bus),
      ram_(static_cast<unsigned char*>(std::calloc(config.ram_bytes(), 1)), &std::free), image_(image) {
    if (!ram_) throw std::bad_alloc();
    core_ = std::make_unique<Rv64Core>(Rv64Core::Config{kRamBase, config.ram_bytes(), ram_.get(), 0, image.entry(),
                                                        true, config.cycles_per_instruction});
    image.load(kRamBase, config.ram_bytes(), ram_.get());
    wake_at_start();
}

RiscvDriver::~RiscvDriver() = default;

std::uint64_t RiscvDriver::instructions() const { return core_->retired(); }

void RiscvDriver::interrupt(bool level) {
    core_->set_external_interrupt(level);
    if (level) wake();
}

void RiscvDriver::timer_interrupt(bool level) {
    core_->set_timer_interrupt(level);
    if (level) wake();
}

void RiscvDriver::arbitrate() {
    if (on_bus_ || halted_) return;
    if (domain_.now() < free_at_) return wake_at(free_at_);
    if (access_due_) return access();
    if (!core_->waits()) run();
}

/// A quantum, or the instructions that are left until the timer's interrupt.
std::uint64_t RiscvDriver::budget() const {
    const std::uint64_t ps = ps_to_timer ? ps_to_timer() : kNever;
    if (ps == kNever) return config_.quantum;
    const unsigned __int128 cycles = (static_cast<unsigned __int128>(ps) * domain_.khz() + 999'999'999) / 1'000'000'000;
    const unsigned __int128 steps = cycles / config_.cycles_per_instruction + 1;
    return steps < config_.quantum ? static_cast<std::uint64_t>(steps) : config_.quantum;
}

void RiscvDriver::run() {
    const std::uint64_t before = core_->cycles();
    const CoreStop stop = debugger ? debugger(budget()) : core_->run(budget());
    free_at_ = domain_.now() + (core_->cycles() - before);
    if (core_->traps_in_a_row() >= kTrapsInARow)
        return domain_.clockwork().fail(
            fmt::format("the driver's firmware traps in its trap handler: {}", waiting_for()));
    access_due_ = stop == CoreStop::bus;
    if (access_due_ && free_at_ == domain_.now()) return access();
    if (stop != CoreStop::wait || free_at_ != domain_.now() || !core_->waits()) wake_at(free_at_);
}

void RiscvDriver::access() {
    access_due_ = false;
    const BusAccess& a = core_->access();
    const std::uint64_t before = core_->cycles();
    switch (a.what) {
    case BusAccess::What::time: core_->complete(domain_.clockwork().now_ps() / kPsPerNs); break;
    case BusAccess::What::atomic: core_->complete(0); break;
    case BusAccess::What::data:
        on_bus_ = true;
        bus_.start({a.address, a.bytes, a.write, a.value}, *this);
        return;
    }
    free_at_ = domain_.now() + (core_->cycles() - before);
    wake_at(free_at_);
}

void RiscvDriver::bus_done(const BusReply& reply) {
    on_bus_ = false;
    const std::uint64_t before = core_->cycles();
    if (reply.error)
        core_->fail();
    else
        core_->complete(reply.value);
    free_at_ = domain_.now() + (core_->cycles() - before);
    wake_at(free_at_);
}

std::string RiscvDriver::waiting_for() const {
    if (on_bus_)
        return fmt::format("the bus to answer for {:#x}, at {}", core_->access().address, image_.where(core_->pc()));
    return fmt::format("itself: {}, at {}", core_->in_words(), image_.where(core_->pc()));
}

} // namespace numavp
