/// Interface between the GDB protocol and the platform that has the cores: RV64 harts as threads, memory, stop points.
///
/// Lets a debugger read and change the simulation. No call takes simulated time, and only writes by the debugger change
/// what the simulation will do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace numavp {

/// Numbers of registers as GDB has them: x0 to x31, the program counter, then the CSRs by their own numbers.
inline constexpr unsigned kGdbPc = 32;
inline constexpr unsigned kGdbFirstCsr = 65;
inline constexpr unsigned kGdbCsrs = 4096;

/// Why the simulation stands.
struct GdbStop {
    enum class Why : std::uint8_t {
        attached,    ///< nothing has run yet
        interrupted, ///< the debugger asked for it (Ctrl-C)
        breakpoint,  ///< before the instruction at the program counter
        stepped,     ///< the one instruction of a step has retired, or its trap was taken
        write_watch, ///< after the access; `address` is of the data
        read_watch,
        access_watch,
    };
    Why why = Why::attached;
    unsigned core = 0;
    std::uint64_t address = 0;
};

/// A place at which a core stops: an instruction, or an access to any of `bytes` bytes.
struct GdbPoint {
    enum class Kind : std::uint8_t { instruction, write, read, access };
    Kind kind = Kind::instruction;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0; ///< at least 1, and the range does not wrap; of no meaning for an instruction
    bool operator==(const GdbPoint& o) const { return kind == o.kind && address == o.address && bytes == o.bytes; }
};

/// A CSR that the cores have.
struct GdbCsr {
    std::string name; ///< as in the privileged specification: "mcause"
    unsigned number = 0;
};

/// A subcommand of GDB's `monitor` that the target offers.
struct GdbCommand {
    std::string name;
    std::string doc; ///< one line
};

/// Contract: calls come while the simulation stands between two instructions of every core, in the simulation's thread.
/// `core` is below cores(). Answers depend on nothing but the simulation's state.
class GdbTarget {
  public:
    virtual ~GdbTarget() = default;

    /// Number of cores, at least one. It does not change, and neither do the CSRs.
    virtual unsigned cores() const = 0;
    virtual std::vector<GdbCsr> csrs() const = 0;

    /// No value, or false, if there is no such register. A write that the architecture ignores returns true. No side
    /// effects: a read of `time` does not access the timer device.
    virtual std::optional<std::uint64_t> read_register(unsigned core, unsigned number) = 0;
    virtual bool write_register(unsigned core, unsigned number, std::uint64_t value) = 0;

    /// Transfers all bytes at a physical address of the cores, or returns false and transfers none. The range is not
    /// empty and does not wrap. Must return false for a device that can't be read without side effects.
    virtual bool read_memory(std::uint64_t address, unsigned char* to, std::size_t bytes) = 0;
    virtual bool write_memory(std::uint64_t address, const unsigned char* from, std::size_t bytes) = 0;

    /// Points hold for all cores. It is no error to insert a point that exists, or to remove one that does not. False:
    /// the target can't stop at this point.
    virtual bool insert(const GdbPoint& point) = 0;
    virtual void remove(const GdbPoint& point) = 0;

    virtual std::vector<GdbCommand> monitor_commands() const = 0;
    /// Executes a `monitor` command (`words`, not empty); returns its output, or none if the command is unknown.
    virtual std::optional<std::string> monitor(const std::vector<std::string>& words) = 0;

    /// Called before the simulation resumes. The core `step`, if given, also stops after its next instruction.
    virtual void resume(std::optional<unsigned> step) = 0;
};

} // namespace numavp
