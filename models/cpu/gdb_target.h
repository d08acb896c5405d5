/// What a debugger sees and changes of a simulation: RV64 harts as threads, memory, points at which to stop.
///
/// The interface between the GDB protocol and whoever has the cores. Nothing here takes simulated time, and nothing
/// but the debugger's own writes changes what the simulation will do.
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

/// A word of the debugger's `monitor`, which the target explains.
struct GdbCommand {
    std::string name;
    std::string doc; ///< one line
};

/// Contract: calls come while the simulation stands between two instructions of every core, in its own thread.
/// `core` is below cores(). Answers depend on the simulation's state alone.
class GdbTarget {
  public:
    virtual ~GdbTarget() = default;

    /// Cores, at least one; it stays the same, as do the CSRs.
    virtual unsigned cores() const = 0;
    virtual std::vector<GdbCsr> csrs() const = 0;

    /// Nothing, or false, if there is no such register; a write that the architecture ignores is true. Free of side
    /// effects: a read of `time` is no access to the clock's device.
    virtual std::optional<std::uint64_t> read_register(unsigned core, unsigned number) = 0;
    virtual bool write_register(unsigned core, unsigned number, std::uint64_t value) = 0;

    /// All of the bytes at the cores' physical address, or false and none of them. The range is not empty and does
    /// not wrap. A device that can't be read without a side effect refuses.
    virtual bool read_memory(std::uint64_t address, unsigned char* to, std::size_t bytes) = 0;
    virtual bool write_memory(std::uint64_t address, const unsigned char* from, std::size_t bytes) = 0;

    /// Points hold for all cores. A point that is there, or is not, may be inserted, or removed, again. False: it
    /// can't be watched.
    virtual bool insert(const GdbPoint& point) = 0;
    virtual void remove(const GdbPoint& point) = 0;

    virtual std::vector<GdbCommand> monitor_commands() const = 0;
    /// Text for the user of `monitor`; nothing if there is no such command. `words` is not empty.
    virtual std::optional<std::string> monitor(const std::vector<std::string>& words) = 0;

    /// The simulation is about to go on as it would have; `step` also stops after its next instruction.
    virtual void resume(std::optional<unsigned> step) = 0;
};

} // namespace numavp
