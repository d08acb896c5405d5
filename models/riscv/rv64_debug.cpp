#include "models/riscv/rv64_debug.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/values/error.h"
#include "models/riscv/machine_csrs.h"

namespace numavp {
namespace {

struct NamedCsr {
    const char* name;
    unsigned number;
};
constexpr NamedCsr kNamed[] = {{"mstatus", kMstatus},
                               {"misa", kMisa},
                               {"mie", kMie},
                               {"mtvec", kMtvec},
                               {"mcountinhibit", kMcountinhibit},
                               {"mscratch", kMscratch},
                               {"mepc", kMepc},
                               {"mcause", kMcause},
                               {"mtval", kMtval},
                               {"mip", kMip},
                               {"mcycle", kMcycle},
                               {"minstret", kMinstret},
                               {"cycle", kCycle},
                               {"time", kTime},
                               {"instret", kInstret},
                               {"mvendorid", kMvendorid},
                               {"marchid", kMarchid},
                               {"mimpid", kMimpid},
                               {"mhartid", kMhartid},
                               {"mconfigptr", kMconfigptr}};

Watchpoint watchpoint_of(const GdbPoint& point) {
    Watchpoint watch;
    watch.address = point.address;
    watch.bytes = point.bytes;
    switch (point.kind) {
    case GdbPoint::Kind::write: watch.kind = WatchKind::write; break;
    case GdbPoint::Kind::read: watch.kind = WatchKind::read; break;
    default: watch.kind = WatchKind::access; break;
    }
    return watch;
}

} // namespace

Rv64Debug::Rv64Debug(std::vector<Rv64Core*> cores, const Ram& ram) : cores_(std::move(cores)), ram_(ram) {
    if (cores_.empty()) throw ModelError("a debugger needs a core");
}

CoreStop Rv64Debug::run(unsigned core, std::uint64_t budget) {
    Rv64Core& runs = *cores_[core];
    if (step_ != core) return runs.run(budget);
    if (runs.steps() < step_done_) {
        if (budget == 0) return CoreStop::budget;
        const CoreStop stop = runs.step();
        // A device is asked first, or the core sleeps and has not begun. A watchpoint is told in place of the step.
        if (runs.steps() < step_done_ || stop == CoreStop::watchpoint) return stop;
    } else if (runs.run(0) == CoreStop::watchpoint) { // of the access that has been completed meanwhile
        return CoreStop::watchpoint;
    }
    step_.reset();
    return CoreStop::stepped;
}

std::optional<GdbStop> Rv64Debug::told(unsigned core, CoreStop stop) const {
    using Why = GdbStop::Why;
    if (stop == CoreStop::breakpoint) return GdbStop{Why::breakpoint, core, 0};
    if (stop == CoreStop::stepped) return GdbStop{Why::stepped, core, 0};
    if (stop != CoreStop::watchpoint) return std::nullopt;
    const WatchHit& hit = cores_[core]->watch_hit();
    // An address within the watched range, which GDB searches for; the access may begin before the range.
    const std::uint64_t address = std::max(hit.address, hit.watch.address);
    switch (hit.watch.kind) {
    case WatchKind::write: return GdbStop{Why::write_watch, core, address};
    case WatchKind::read: return GdbStop{Why::read_watch, core, address};
    default: return GdbStop{Why::access_watch, core, address};
    }
}

std::vector<GdbCsr> Rv64Debug::csrs() const {
    std::vector<GdbCsr> list;
    std::uint64_t ignored = 0;
    for (const NamedCsr& csr : kNamed)
        if (csr.number == kTime || cores_[0]->read_csr(csr.number, ignored)) list.push_back({csr.name, csr.number});
    return list;
}

std::optional<std::uint64_t> Rv64Debug::read_register(unsigned core, unsigned number) {
    const Rv64Core& of = *cores_[core];
    if (number < kGdbPc) return of.x(number);
    if (number == kGdbPc) return of.pc();
    if (number < kGdbFirstCsr) return std::nullopt;
    if (number == kGdbFirstCsr + kTime) return time(core);
    std::uint64_t value = 0;
    return of.read_csr(number - kGdbFirstCsr, value) ? std::optional(value) : std::nullopt;
}

bool Rv64Debug::write_register(unsigned core, unsigned number, std::uint64_t value) {
    Rv64Core& of = *cores_[core];
    if (number >= kGdbFirstCsr) return of.write_csr(number - kGdbFirstCsr, value);
    if (number > kGdbPc) return false;
    if (number < kGdbPc)
        of.set_x(number, value);
    else if (value != of.pc())
        of.set_pc(value); // the same again would end a WFI
    return true;
}

unsigned char* Rv64Debug::in_ram(std::uint64_t address, std::size_t bytes) const {
    const std::uint64_t offset = address - ram_.base;
    return offset < ram_.bytes && bytes <= ram_.bytes - offset ? ram_.data + offset : nullptr;
}

bool Rv64Debug::read_memory(std::uint64_t address, unsigned char* to, std::size_t bytes) {
    const unsigned char* const from = in_ram(address, bytes);
    if (from == nullptr) return read_elsewhere(address, to, bytes);
    std::memcpy(to, from, bytes);
    return true;
}

bool Rv64Debug::write_memory(std::uint64_t address, const unsigned char* from, std::size_t bytes) {
    unsigned char* const to = in_ram(address, bytes);
    if (to == nullptr) return write_elsewhere(address, from, bytes);
    std::memcpy(to, from, bytes);
    for (Rv64Core* core : cores_) core->ram_written(address, bytes);
    return true;
}

bool Rv64Debug::insert(const GdbPoint& point) {
    for (Rv64Core* core : cores_) {
        if (point.kind == GdbPoint::Kind::instruction)
            core->breakpoints().add(point.address);
        else
            core->breakpoints().add(watchpoint_of(point));
    }
    return true;
}

void Rv64Debug::remove(const GdbPoint& point) {
    for (Rv64Core* core : cores_) {
        if (point.kind == GdbPoint::Kind::instruction)
            core->breakpoints().remove(point.address);
        else
            core->breakpoints().remove(watchpoint_of(point));
    }
}

void Rv64Debug::resume(std::optional<unsigned> step) {
    step_ = step;
    if (step) step_done_ = cores_[*step]->steps() + 1;
}

} // namespace numavp
