/// Instruction-set simulator of one hart: RV64IMAC + Zicsr + Zifencei, machine mode only, as a state machine.
///
/// `run()` executes until its budget is used or until the platform has to act; it never calls out. RAM is read and
/// written directly. Every other address belongs to a device: the core stops before the access, the platform
/// synchronises, performs it and completes it. Interrupt lines, which change only while the core is stopped, are
/// sampled between any two instructions, so that results and counts do not depend on the budget.
///
/// Choices where the manual leaves freedom: accesses to RAM may be misaligned; a misaligned access not wholly in RAM
/// traps (causes 4 and 6), and so do misaligned LR, SC and AMO; atomics outside RAM are access faults. mtval holds the
/// address or the encoding. SC succeeds if address and width are those of the last LR and no trap, MRET or
/// `ram_written` came between. Decoded code is cached: FENCE.I or `flush_code` makes changes visible. Not modelled:
/// other modes, translation, protection, floating point, different costs of instructions. Needs a little-endian host
/// machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/riscv/breakpoints.h"
#include "models/riscv/machine_csrs.h"
#include "models/riscv/rv64_decode.h"

namespace numavp {

enum class CoreStop : std::uint8_t {
    budget,     ///< the budget is used
    bus,        ///< before an access: `access()` says which; then `complete()` or `fail()`
    wait,       ///< behind a WFI; nothing happens until an interrupt that is enabled in mie is pending
    breakpoint, ///< before the instruction at a breakpoint; the next call executes it
    watchpoint, ///< after the instruction that touched a watched range: `watch_hit()`
    stepped,    ///< `step()` is done
};

struct BusAccess {
    enum class What : std::uint8_t {
        data,   ///< a load or a store to a device, aligned to its 1, 2, 4 or 8 bytes
        time,   ///< the CSR `time` is read
        atomic, ///< synchronisation only: on `complete()` the core performs LR, SC or AMO on RAM itself
    };
    std::uint64_t address = 0;
    unsigned bytes = 0;
    bool write = false;
    std::uint64_t value = 0; ///< of a store, zero-extended
    What what = What::data;
};

class Rv64Core {
  public:
    struct Config {
        std::uint64_t ram_base = 0, ram_bytes = 0; ///< multiples of 4 KiB
        unsigned char* ram = nullptr;              ///< its owner outlives the core
        std::uint64_t hart = 0;
        std::uint64_t reset_pc = 0;
        bool sync_atomics = true; ///< stop before LR, SC and AMO
        std::uint64_t cycles_per_step = 1;
    };
    explicit Rv64Core(const Config& config);
    ~Rv64Core();
    /// Resets registers, CSRs and counters to their initial values; RAM, interrupt lines and stop points are kept.
    void reset();

    /// Executes at most `budget` steps. A step is an instruction that retires or a trap that is entered.
    CoreStop run(std::uint64_t budget);
    /// Executes one step even if a breakpoint is at the pc. Returns `stepped`, `bus`, `wait` or `watchpoint`.
    CoreStop step();
    const BusAccess& access() const { return access_; } ///< after `bus`: its instruction has not retired
    bool access_pending() const { return pending_; }
    void complete(std::uint64_t value); ///< it retires; `value` of a load may have any upper bits
    void fail();                        ///< it traps: an access fault (`time`: an illegal instruction)

    void set_external_interrupt(bool level);
    void set_timer_interrupt(bool level);
    bool waits() const { return waiting_ && !csrs_.wakes(); } ///< in a WFI, with nothing to wake it

    std::uint64_t retired() const { return retired_; }
    std::uint64_t traps() const { return traps_; }                      ///< exceptions and interrupts
    std::uint64_t steps() const { return retired_ + traps_; }           ///< the unit of budgets
    std::uint64_t cycles() const { return steps() * cycles_per_step_; } ///< mcycle, unless software has set it
    /// Traps since the last instruction retired. If it grows beyond 1, the trap handler itself traps.
    std::uint64_t traps_in_a_row() const { return traps_in_a_row_; }

    // State, for debuggers and tests.
    std::uint64_t x(unsigned i) const { return x_[i]; }
    void set_x(unsigned i, std::uint64_t value);
    std::uint64_t pc() const { return pc_; }
    void set_pc(std::uint64_t pc);
    /// False if the core lacks the register (`time` is the platform's). Writes to read-only ones are ignored.
    bool read_csr(unsigned number, std::uint64_t& value) const;
    bool write_csr(unsigned number, std::uint64_t value);
    std::string in_words() const; ///< pc, what the core waits for, its last trap

    /// Breakpoints and watchpoints; without any, `run()` does not look for them.
    Breakpoints& breakpoints() { return breakpoints_; }
    const Breakpoints& breakpoints() const { return breakpoints_; }
    const WatchHit& watch_hit() const { return watch_hit_; } ///< after `watchpoint`

    /// Call it after another agent wrote to RAM: decoded code and a reservation in that range are dropped.
    void ram_written(std::uint64_t address, std::uint64_t bytes);
    void flush_code(); ///< all code is decoded anew

  private:
    struct CodePage;
    struct Reservation {
        std::uint64_t address = 0;
        unsigned bytes = 0; ///< 0: none
    };
    enum class Next : std::uint8_t { go_on, stop }; ///< after an instruction that the fast loop does not execute

    CoreStop run_free(std::uint64_t budget);
    CoreStop run_watched(std::uint64_t budget);
    CoreStop step_watched();
    bool access_of_next(WatchHit& access) const;

    bool execute(std::uint64_t steps);
    CodePage* page_at(std::uint64_t offset);
    CodePage* new_page(std::uint64_t number);
    Decoded decode_at(std::uint64_t offset) const;
    void fill(CodePage& page, std::uint64_t page_offset, unsigned index) const;
    void count(std::uint64_t instructions, std::uint64_t pc);

    Next execute_slow();
    Next device_access();
    Next atomic();
    Next system_register();
    Next stop_for(const BusAccess& access);
    Next trapped(std::uint64_t cause, std::uint64_t value);
    void perform_atomic();
    void trap(std::uint64_t cause, std::uint64_t value);
    bool write_counter(unsigned number, std::uint64_t value, std::uint64_t steps_until_read);

    std::uint64_t x_[kSinkRegister + 1] = {};
    std::uint64_t pc_ = 0;
    std::uint64_t retired_ = 0, traps_ = 0, traps_in_a_row_ = 0;
    unsigned char* const ram_;
    const std::uint64_t ram_base_, ram_bytes_, reset_pc_, cycles_per_step_;
    std::unique_ptr<std::unique_ptr<CodePage>[]> pages_;
    const bool sync_atomics_;
    bool waiting_ = false, pending_ = false;
    Decoded slow_; ///< the instruction that the fast loop left, at pc_
    MachineCsrs csrs_;
    std::uint64_t cycle_offset_ = 0, instret_offset_ = 0; ///< offsets by writes of software
    Reservation reservation_;
    BusAccess access_;
    Breakpoints breakpoints_;
    WatchHit watch_hit_;
    bool hit_on_retire_ = false, hit_unreported_ = false, at_breakpoint_ = false;
};

} // namespace numavp
