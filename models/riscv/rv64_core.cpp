#include "models/riscv/rv64_core.h"

#include <cstring>

#include <fmt/format.h>

#include "base/values/error.h"
#include "models/riscv/code_page.h"

namespace numavp {

namespace {
constexpr std::uint64_t kPageBytes = 4096;

const char* cause_in_words(std::uint64_t cause) {
    switch (cause) {
    case kFetchFault: return "instruction access fault";
    case kIllegalInstruction: return "illegal instruction";
    case kBreakpoint: return "ebreak";
    case kLoadMisaligned: return "misaligned load";
    case kLoadFault: return "load access fault";
    case kStoreMisaligned: return "misaligned store";
    case kStoreFault: return "store access fault";
    case kMachineCall: return "ecall";
    case kTimerInterrupt: return "timer interrupt";
    case kExternalInterrupt: return "external interrupt";
    default: return "written by software";
    }
}
} // namespace

Rv64Core::Rv64Core(const Config& config)
    : ram_(config.ram), ram_base_(config.ram_base), ram_bytes_(config.ram_bytes),
      reset_pc_(config.reset_pc & ~std::uint64_t{1}), cycles_per_step_(config.cycles_per_step),
      pages_(std::make_unique<std::unique_ptr<CodePage>[]>(config.ram_bytes / kPageBytes)),
      sync_atomics_(config.sync_atomics) {
    if (ram_ == nullptr || ram_bytes_ == 0 || ram_base_ % kPageBytes != 0 || ram_bytes_ % kPageBytes != 0 ||
        ram_base_ + (ram_bytes_ - 1) < ram_base_)
        throw ModelError("a core's RAM must be whole pages of 4 KiB");
    csrs_.hart = config.hart;
    reset();
}

Rv64Core::~Rv64Core() = default;

void Rv64Core::reset() {
    std::memset(x_, 0, sizeof x_);
    MachineCsrs fresh;
    fresh.hart = csrs_.hart;
    fresh.pending = csrs_.pending;
    csrs_ = fresh;
    pc_ = reset_pc_;
    retired_ = traps_ = traps_in_a_row_ = 0;
    cycle_offset_ = instret_offset_ = 0;
    waiting_ = pending_ = false;
    reservation_ = Reservation{};
    hit_on_retire_ = hit_unreported_ = at_breakpoint_ = false;
    flush_code();
}

void Rv64Core::set_external_interrupt(bool level) {
    csrs_.pending = level ? csrs_.pending | MachineCsrs::kExternalBit : csrs_.pending & ~MachineCsrs::kExternalBit;
}

void Rv64Core::set_timer_interrupt(bool level) {
    csrs_.pending = level ? csrs_.pending | MachineCsrs::kTimerBit : csrs_.pending & ~MachineCsrs::kTimerBit;
}

CoreStop Rv64Core::run(std::uint64_t budget) {
    if (pending_) throw ModelError("a core was run before its bus access was completed");
    if (hit_unreported_ || !breakpoints_.empty()) return run_watched(budget);
    at_breakpoint_ = false;
    return run_free(budget);
}

CoreStop Rv64Core::run_free(std::uint64_t budget) {
    const std::uint64_t begun = steps();
    for (;;) {
        if (waiting_) {
            if (!csrs_.wakes()) return CoreStop::wait;
            waiting_ = false;
        }
        const std::uint64_t used = steps() - begun;
        if (used >= budget) return CoreStop::budget;
        if (csrs_.interrupts())
            trap(csrs_.interrupt(), 0);
        else if (!execute(budget - used) && execute_slow() == Next::stop)
            return CoreStop::bus;
    }
}

CoreStop Rv64Core::run_watched(std::uint64_t budget) {
    for (const std::uint64_t begun = steps();;) {
        if (hit_unreported_) break;
        if (steps() - begun >= budget) return run_free(0);
        const bool executes = !waits() && !csrs_.interrupts();
        if (executes && !at_breakpoint_ && breakpoints_.at(pc_)) {
            at_breakpoint_ = true;
            return CoreStop::breakpoint;
        }
        const CoreStop stop = step_watched();
        if (stop != CoreStop::budget) return stop;
    }
    hit_unreported_ = false;
    return CoreStop::watchpoint;
}

CoreStop Rv64Core::step_watched() {
    at_breakpoint_ = false;
    const std::uint64_t retired_before = retired_;
    hit_on_retire_ = breakpoints_.watches() && !waits() && !csrs_.interrupts() && access_of_next(watch_hit_) &&
                     breakpoints_.touches(watch_hit_);
    const CoreStop stop = run_free(1);
    if (stop == CoreStop::bus) return stop; // hit when it completes
    hit_unreported_ = hit_on_retire_ && retired_ != retired_before;
    hit_on_retire_ = false;
    return stop;
}

CoreStop Rv64Core::step() {
    if (pending_) throw ModelError("a core was stepped before its bus access was completed");
    if (!hit_unreported_) {
        const CoreStop stop = step_watched();
        if (!hit_unreported_) return stop == CoreStop::budget ? CoreStop::stepped : stop;
    }
    hit_unreported_ = false;
    return CoreStop::watchpoint;
}

void Rv64Core::count(std::uint64_t instructions, std::uint64_t pc) {
    pc_ = pc;
    retired_ += instructions;
    if (instructions != 0) traps_in_a_row_ = 0;
}

void Rv64Core::trap(std::uint64_t cause, std::uint64_t value) {
    pc_ = csrs_.enter_trap(cause, pc_, value);
    reservation_.bytes = 0;
    ++traps_;
    ++traps_in_a_row_;
}

Rv64Core::CodePage* Rv64Core::new_page(std::uint64_t number) {
    pages_[number] = std::make_unique<CodePage>();
    return pages_[number].get();
}

Decoded Rv64Core::decode_at(std::uint64_t offset) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, ram_ + offset, 2);
    if (is_long_encoding(bits)) {
        if (offset + 4 > ram_bytes_) {
            Decoded d;
            d.set(RvOp::half_fetched, 4);
            return d;
        }
        std::memcpy(&bits, ram_ + offset, 4);
    }
    return decode(bits);
}

void Rv64Core::fill(CodePage& page, std::uint64_t page_offset, unsigned index) const {
    Decoded d = decode_at(page_offset + 2 * std::uint64_t{index});
    const bool is_branch = d.op() >= RvOp::beq && d.op() <= RvOp::bgeu;
    if (is_branch || d.op() == RvOp::jal) {
        const std::int32_t half_words = d.imm / 2;
        const std::int32_t target = static_cast<std::int32_t>(index) + half_words;
        if (target >= 0 && target < static_cast<std::int32_t>(CodePage::kHalfWords)) {
            d.imm = half_words;
        } else if (is_branch) {
            d.rd = static_cast<std::uint8_t>(d.op());
            d.set(RvOp::branch_far, d.bytes());
        } else {
            d.set(RvOp::jal_far, d.bytes());
        }
    }
    page.at[index] = d;
}

void Rv64Core::flush_code() {
    for (std::uint64_t i = 0; i < ram_bytes_ / kPageBytes; ++i)
        if (pages_[i]) pages_[i]->forget();
}

void Rv64Core::ram_written(std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0) return;
    const std::uint64_t begin = address - ram_base_;
    if (begin >= ram_bytes_ || bytes > ram_bytes_ - begin) throw ModelError("a write to RAM was reported outside it");
    // The encoding before the first byte may reach into it.
    for (std::uint64_t i = (begin - (begin >= 2 ? 2 : 0)) / kPageBytes; i <= (begin + bytes - 1) / kPageBytes; ++i)
        if (pages_[i]) pages_[i]->forget();
    if (reservation_.address - address < bytes || address - reservation_.address < reservation_.bytes)
        reservation_.bytes = 0;
}

void Rv64Core::set_x(unsigned i, std::uint64_t value) {
    if (i != 0) x_[i] = value;
}

void Rv64Core::set_pc(std::uint64_t pc) {
    if (pending_) throw ModelError("a core was given another pc before its bus access was completed");
    pc_ = pc & ~std::uint64_t{1};
    waiting_ = at_breakpoint_ = false;
}

std::string Rv64Core::in_words() const {
    std::string text = fmt::format("pc {:#x}", pc_);
    if (pending_ && access_.what == BusAccess::What::time)
        text += ", reads time";
    else if (pending_)
        text += fmt::format(", in a {} of {} bytes at {:#x}", access_.write ? "store" : "load", access_.bytes,
                            access_.address);
    else if (waits())
        text += fmt::format(", waits for an interrupt (mie {:#x}, mip {:#x})", csrs_.enabled, csrs_.pending);
    if (traps_ != 0)
        text += fmt::format("; {} traps, the last: {} at {:#x}, mtval {:#x}", traps_, cause_in_words(csrs_.cause),
                            csrs_.epc, csrs_.tval);
    if (traps_in_a_row_ > 1) text += fmt::format("; {} of them in a row", traps_in_a_row_);
    return text;
}

} // namespace numavp
