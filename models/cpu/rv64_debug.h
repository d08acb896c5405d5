/// What a debugger sees of RV64 cores: their registers, points and steps, and the RAM that they share. Devices, memory
/// elsewhere, time and commands are the platform's, which derives from this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/cpu/gdb_target.h"
#include "models/cpu/rv64_core.h"

namespace numavp {

class Rv64Debug : public GdbTarget {
  public:
    /// RAM as in Rv64Core::Config, the same for all cores.
    struct Ram {
        std::uint64_t base = 0, bytes = 0;
        unsigned char* data = nullptr;
    };
    /// At least one core. They and the RAM outlive it.
    Rv64Debug(std::vector<Rv64Core*> cores, const Ram& ram);

    /// In place of Rv64Core::run: the same, but a core that the debugger steps stops with `stepped` (or `watchpoint`)
    /// behind one step. Its access to a device is completed in between, as always.
    CoreStop run(unsigned core, std::uint64_t budget);
    /// A stop of run() as the debugger is told of it; nothing if it does not concern it.
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
    /// Ticks that `time` would show.
    virtual std::uint64_t time(unsigned core) const = 0;
    /// As read_memory and write_memory, where it is not all RAM.
    virtual bool read_elsewhere(std::uint64_t address, unsigned char* to, std::size_t bytes) = 0;
    virtual bool write_elsewhere(std::uint64_t address, const unsigned char* from, std::size_t bytes) = 0;

    /// The place of a range in RAM, or null if not all of it is there.
    unsigned char* in_ram(std::uint64_t address, std::size_t bytes) const;

    std::vector<Rv64Core*> cores_;
    Ram ram_;
    std::optional<unsigned> step_;
    std::uint64_t step_done_ = 0; ///< steps() of that core when it has stepped
};

} // namespace numavp
