#include "models/riscv/machine_csrs.h"

namespace numavp {

namespace {
constexpr std::uint64_t kMachineMode = std::uint64_t{3} << 11; // mstatus.MPP: the only mode there is
constexpr std::uint64_t kWritableStatus = MachineCsrs::kMieBit | MachineCsrs::kMpieBit;
constexpr std::uint64_t kWritableEnable = MachineCsrs::kTimerBit | MachineCsrs::kExternalBit;

/// Counters and their events that must exist and may be zero: mhpmcounter3 to 31, mhpmevent3 to 31, mcountinhibit.
bool reads_zero(unsigned number) {
    return (number >= 0xb03 && number <= 0xb1f) || (number >= 0x323 && number <= 0x33f) || number == kMcountinhibit;
}
} // namespace

bool MachineCsrs::read(unsigned number, std::uint64_t& value) const {
    switch (number) {
    case kMstatus: value = status | kMachineMode; return true;
    case kMisa: value = kMisaValue; return true;
    case kMie: value = enabled; return true;
    case kMip: value = pending; return true;
    case kMtvec: value = vector; return true;
    case kMscratch: value = scratch; return true;
    case kMepc: value = epc; return true;
    case kMcause: value = cause; return true;
    case kMtval: value = tval; return true;
    case kMhartid: value = hart; return true;
    case kMvendorid: // zero: not a commercial implementation, not registered, no configuration structure
    case kMarchid:
    case kMimpid:
    case kMconfigptr: value = 0; return true;
    default: value = 0; return reads_zero(number);
    }
}

bool MachineCsrs::write(unsigned number, std::uint64_t value) {
    switch (number) {
    case kMstatus: status = value & kWritableStatus; return true;
    case kMie: enabled = value & kWritableEnable; return true;
    case kMtvec: vector = value & ~std::uint64_t{2}; return true; // modes 2 and 3 are reserved
    case kMscratch: scratch = value; return true;
    case kMepc: epc = value & ~std::uint64_t{1}; return true;
    case kMcause: cause = value; return true;
    case kMtval: tval = value; return true;
    case kMisa: // extensions do not switch
    case kMip:  // both bits are wires
        return true;
    default: return reads_zero(number);
    }
}

std::uint64_t MachineCsrs::enter_trap(std::uint64_t cause_of, std::uint64_t pc, std::uint64_t value) {
    epc = pc;
    cause = cause_of;
    tval = value;
    status = status & kMieBit ? kMpieBit : 0;
    const std::uint64_t base = vector & ~std::uint64_t{3};
    const bool is_interrupt = cause_of >> 63 != 0;
    return is_interrupt && (vector & 1) ? base + 4 * (cause_of & 0xff) : base;
}

std::uint64_t MachineCsrs::leave_trap() {
    status = kMpieBit | (status & kMpieBit ? kMieBit : 0);
    return epc;
}

} // namespace numavp
