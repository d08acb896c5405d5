/// Instructions that the fast loop leaves: accesses to devices, traps, control and status registers, atomics.

#include <algorithm>
#include <cstring>

#include "base/values/error.h"
#include "models/riscv/code_page.h"
#include "models/riscv/rv64_arithmetic.h"

namespace numavp {

namespace {
using namespace rv64;

/// Bytes that a load, store or atomic touches; 0 for any other operation.
unsigned bytes_of(const Decoded& d) {
    switch (d.op()) {
    case RvOp::lb:
    case RvOp::lbu:
    case RvOp::sb: return 1;
    case RvOp::lh:
    case RvOp::lhu:
    case RvOp::sh: return 2;
    case RvOp::lw:
    case RvOp::lwu:
    case RvOp::sw: return 4;
    case RvOp::ld:
    case RvOp::sd: return 8;
    case RvOp::lr:
    case RvOp::sc:
    case RvOp::amo: return (d.raw() >> 12 & 1) ? 8 : 4;
    default: return 0;
    }
}
bool is_load(RvOp op) { return op >= RvOp::lb && op <= RvOp::lwu; }
bool is_store(RvOp op) { return op >= RvOp::sb && op <= RvOp::sd; }
bool is_atomic(RvOp op) { return op >= RvOp::lr; }

std::uint64_t low_bytes(std::uint64_t value, unsigned bytes) {
    return bytes == 8 ? value : value & ((std::uint64_t{1} << 8 * bytes) - 1);
}

/// A value as a load of this operation leaves it in its register.
std::uint64_t extended(RvOp op, std::uint64_t value) {
    switch (op) {
    case RvOp::lb: return as_unsigned(static_cast<std::int8_t>(value));
    case RvOp::lh: return as_unsigned(static_cast<std::int16_t>(value));
    case RvOp::lw: return word(value);
    case RvOp::lbu: return low_bytes(value, 1);
    case RvOp::lhu: return low_bytes(value, 2);
    case RvOp::lwu: return low_bytes(value, 4);
    default: return value;
    }
}

/// Value that an AMO stores. Words are sign-extended, which keeps the order of unsigned words too.
std::uint64_t combined(unsigned funct5, std::uint64_t memory, std::uint64_t operand) {
    switch (funct5) {
    case 0x00: return memory + operand;
    case 0x01: return operand;
    case 0x04: return memory ^ operand;
    case 0x08: return memory | operand;
    case 0x0c: return memory & operand;
    case 0x10: return as_unsigned(std::min(as_signed(memory), as_signed(operand)));
    case 0x14: return as_unsigned(std::max(as_signed(memory), as_signed(operand)));
    case 0x18: return std::min(memory, operand);
    default: return std::max(memory, operand);
    }
}
} // namespace

Rv64Core::Next Rv64Core::execute_slow() {
    const RvOp op = slow_.op();
    if (bytes_of(slow_) != 0) return is_atomic(op) ? atomic() : device_access();
    switch (op) {
    case RvOp::undecoded: return trapped(kFetchFault, pc_);
    case RvOp::half_fetched: return trapped(kFetchFault, pc_ + 2);
    case RvOp::ecall: return trapped(kMachineCall, 0);
    case RvOp::ebreak: return trapped(kBreakpoint, pc_);
    case RvOp::csr: return system_register();
    case RvOp::fence_i:
        flush_code();
        count(1, pc_ + 4);
        return Next::go_on;
    case RvOp::mret:
        reservation_.bytes = 0;
        count(1, csrs_.leave_trap());
        return Next::go_on;
    case RvOp::wfi:
        count(1, pc_ + 4);
        waiting_ = true;
        return Next::go_on;
    default: return trapped(kIllegalInstruction, slow_.raw());
    }
}

Rv64Core::Next Rv64Core::trapped(std::uint64_t cause, std::uint64_t value) {
    trap(cause, value);
    return Next::go_on;
}

Rv64Core::Next Rv64Core::stop_for(const BusAccess& access) {
    access_ = access;
    pending_ = true;
    return Next::stop;
}

Rv64Core::Next Rv64Core::device_access() {
    BusAccess access;
    access.write = is_store(slow_.op());
    access.bytes = bytes_of(slow_);
    access.address = x_[slow_.rs1] + as_unsigned(slow_.imm);
    if (access.address % access.bytes != 0)
        return trapped(access.write ? kStoreMisaligned : kLoadMisaligned, access.address);
    if (access.write) access.value = low_bytes(x_[slow_.rs2], access.bytes);
    return stop_for(access);
}

Rv64Core::Next Rv64Core::atomic() {
    BusAccess access;
    access.what = BusAccess::What::atomic;
    access.write = slow_.op() != RvOp::lr;
    access.bytes = bytes_of(slow_);
    access.address = x_[slow_.rs1];
    if (access.address % access.bytes != 0)
        return trapped(access.write ? kStoreMisaligned : kLoadMisaligned, access.address);
    if (access.address - ram_base_ >= ram_bytes_)
        return trapped(access.write ? kStoreFault : kLoadFault, access.address);
    if (access.write) access.value = low_bytes(x_[slow_.rs2], access.bytes);
    access_ = access;
    if (sync_atomics_) return stop_for(access);
    perform_atomic();
    return Next::go_on;
}

void Rv64Core::perform_atomic() {
    unsigned char* const place = ram_ + (access_.address - ram_base_);
    const unsigned bytes = access_.bytes;
    const auto extend = [&](std::uint64_t v) { return bytes == 4 ? word(v) : v; };
    std::uint64_t memory = 0;
    std::memcpy(&memory, place, bytes);
    memory = extend(memory);

    std::uint64_t result = memory, stored = memory;
    if (slow_.op() == RvOp::lr) {
        reservation_ = {access_.address, bytes};
    } else if (slow_.op() == RvOp::sc) {
        const bool succeeds = reservation_.bytes == bytes && reservation_.address == access_.address;
        reservation_.bytes = 0;
        result = succeeds ? 0 : 1;
        if (succeeds) stored = access_.value;
    } else {
        stored = combined(slow_.raw() >> 27, memory, extend(access_.value));
    }
    std::memcpy(place, &stored, bytes);
    x_[slow_.rd] = result;
    count(1, pc_ + 4);
}

Rv64Core::Next Rv64Core::system_register() {
    const std::uint32_t raw = slow_.raw();
    const unsigned number = raw >> 20, funct3 = raw >> 12 & 7;
    const bool writes = (funct3 & 3) == 1 || slow_.rs1 != 0; // CSRRS and CSRRC of x0 or 0 only read
    if (writes && number >> 10 == 3) return trapped(kIllegalInstruction, raw);
    if (number == kTime) {
        BusAccess access;
        access.address = kTime;
        access.bytes = 8;
        access.what = BusAccess::What::time;
        return stop_for(access);
    }
    std::uint64_t old = 0;
    if (!read_csr(number, old)) return trapped(kIllegalInstruction, raw);
    const std::uint64_t operand = funct3 & 4 ? slow_.rs1 : x_[slow_.rs1];
    if (writes) {
        const std::uint64_t value = (funct3 & 3) == 1 ? operand : (funct3 & 3) == 2 ? old | operand : old & ~operand;
        // The next instruction reads from a counter the value written here: this instruction's own step does not count.
        if (!write_counter(number, value, 1)) csrs_.write(number, value);
    }
    x_[slow_.rd] = old;
    count(1, pc_ + 4);
    return Next::go_on;
}

bool Rv64Core::read_csr(unsigned number, std::uint64_t& value) const {
    switch (number) {
    case kMcycle:
    case kCycle: value = cycles() + cycle_offset_; return true;
    case kMinstret:
    case kInstret: value = retired_ + instret_offset_; return true;
    default: return csrs_.read(number, value);
    }
}

bool Rv64Core::write_counter(unsigned number, std::uint64_t value, std::uint64_t steps_until_read) {
    if (number == kMcycle)
        cycle_offset_ = value - (cycles() + steps_until_read * cycles_per_step_);
    else if (number == kMinstret)
        instret_offset_ = value - (retired_ + steps_until_read);
    else
        return false;
    return true;
}

bool Rv64Core::write_csr(unsigned number, std::uint64_t value) {
    return number >> 10 != 3 && (write_counter(number, value, 0) || csrs_.write(number, value));
}

void Rv64Core::complete(std::uint64_t value) {
    if (!pending_) throw ModelError("a core's bus access was completed, but there was none");
    pending_ = false;
    if (access_.what == BusAccess::What::atomic) {
        perform_atomic();
    } else {
        if (!access_.write) x_[slow_.rd] = extended(slow_.op(), value);
        count(1, pc_ + slow_.bytes());
    }
    hit_unreported_ = hit_on_retire_;
    hit_on_retire_ = false;
}

void Rv64Core::fail() {
    if (!pending_) throw ModelError("a core's bus access failed, but there was none");
    pending_ = hit_on_retire_ = false;
    if (access_.what == BusAccess::What::time)
        trap(kIllegalInstruction, slow_.raw());
    else
        trap(access_.write ? kStoreFault : kLoadFault, access_.address);
}

bool Rv64Core::access_of_next(WatchHit& access) const {
    const std::uint64_t offset = pc_ - ram_base_;
    if (offset >= ram_bytes_) return false;
    const Decoded d = decode_at(offset);
    access.bytes = bytes_of(d);
    if (access.bytes == 0) return false;
    access.address = x_[d.rs1] + (is_atomic(d.op()) ? 0 : as_unsigned(d.imm));
    access.read = is_load(d.op()) || is_atomic(d.op());
    access.write = is_store(d.op()) || d.op() == RvOp::sc || d.op() == RvOp::amo;
    return true;
}

} // namespace numavp
