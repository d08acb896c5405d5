/// GdbTarget of RV64 cores: their registers, points and steps, and the RAM that they share. The platform derives from
/// it and adds devices, other memories, time and commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/riscv/gdb_target.h"
#include "models/riscv/rv64_core.h"

namespace numavp {

class Rv64Debug : public GdbTarget {
  public:
    /// The RAM as in Rv64Core::Config, common to all cores.
    struct Ram {
        std::uint64_t base = 0, bytes = 0;
        unsigned char* data = nullptr;
    };
    /// `cores`, at least one, and the RAM must outlive this object.
    Rv64Debug(std::vector<Rv64Core*> cores, const Ram& ram);

    /// Replaces Rv64Core::run(): the same, except that a core which the debugger steps stops with `stepped` (or
    /// `watchpoint`) after one step. A device access of that step is completed in between, as always.
    CoreStop run(unsigned core, std::uint64_t budget);
    /// Converts a stop of run() to the debugger's form; none if the stop does not concern the debugger.
    std::optional<GdbStop> told(unsigned core, CoreStop stop) const;

    unsigned cores() const override { return static_cast<unsigned>(cores_.size()); }
    std::vector<GdbCsr> csrs() const override;
    std::optional<std::uint64_t> read_register(unsigned core, unsigned number) override;
    bool write_register(unsigned core, unsigned number, std::uint64_t value) override;
    bool read_memory(std::uint64_t address, unsigned char* to, std::size_t bytes) override;
    bool write_memory(std::uint64_t address, const unsigned char* from, std::size_t bytes) override;
    bool insert(const GdbPoint& point) override;
    void remove(const GdbPoint& point) override;
    void resume(std::optional<unsigned> step) override;

  private:
    /// Value of the register `time`, in ticks.
    virtual std::uint64_t time(unsigned core) const = 0;
    /// As read_memory() and write_memory(), for a range that is not wholly in RAM.
    virtual bool read_elsewhere(std::uint64_t address, unsigned char* to, std::size_t bytes) = 0;
    virtual bool write_elsewhere(std::uint64_t address, const unsigned char* from, std::size_t bytes) = 0;

    /// Pointer to a range in RAM; null if it is not wholly in RAM.
    unsigned char* in_ram(std::uint64_t address, std::size_t bytes) const;

    std::vector<Rv64Core*> cores_;
    Ram ram_;
    std::optional<unsigned> step_;
    std::uint64_t step_done_ = 0; ///< steps() of that core when it has stepped
};

} // namespace numavp
