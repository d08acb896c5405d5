/// A tiny machine around one core, as the platform is a large one: RAM, a device that hands out faults, simulated time.
/// It runs with a debugger or without, and says what came out.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/riscv/gdb_server.h"
#include "models/riscv/rv64_core.h"
#include "models/riscv/rv64_debug.h"

namespace numavp::test {

/// What a run amounts to; the same with and without a debugger.
struct Outcome {
    std::uint64_t retired = 0, traps = 0, time_ns = 0, accesses = 0, ram_hash = 0;
    std::uint64_t end = 0;                                      ///< what the program wrote last
    std::vector<std::pair<std::uint64_t, std::uint64_t>> homes; ///< time of the write, socket
    bool killed = false;
    bool operator==(const Outcome& o) const {
        return retired == o.retired && traps == o.traps && time_ns == o.time_ns && accesses == o.accesses &&
               ram_hash == o.ram_hash && end == o.end && homes == o.homes && killed == o.killed;
    }
};

class Machine {
  public:
    static constexpr std::uint64_t kRamBase = 0x80000000, kRamBytes = 0x10000;
    static constexpr std::uint64_t kDevice = 0x10000000; ///< 64-bit registers: waiting, head, home, end

    /// `image` lies at the start of the RAM, where the core begins.
    explicit Machine(const std::string& image);

    /// Runs until the program writes `end`, or `most` quanta. A server waits for its debugger first.
    Outcome run(GdbServer* server = nullptr, std::uint64_t most = 100000);
    GdbTarget& debug() { return debug_; }
    Rv64Core& core() { return core_; }
    /// Called once a quantum, before the debugger is heard.
    std::function<void()> each_quantum;

  private:
    class Debug final : public Rv64Debug {
      public:
        explicit Debug(Machine& machine);
        std::vector<GdbCommand> monitor_commands() const override;
        std::optional<std::string> monitor(const std::vector<std::string>& words) override;

      private:
        std::uint64_t time(unsigned) const override { return machine_.now(); }
        bool read_elsewhere(std::uint64_t address, unsigned char* to, std::size_t bytes) override;
        bool write_elsewhere(std::uint64_t, const unsigned char*, std::size_t) override { return false; }
        Machine& machine_;
    };

    void run_quantum(GdbServer* server);
    void serve(GdbServer& server, const GdbStop& stop);
    void access();
    void write(std::uint64_t offset, std::uint64_t value);
    void sleep();
    std::uint64_t now() const;
    std::uint64_t waiting() const;
    void raise_interrupt() { core_.set_external_interrupt(waiting() != 0); }
    Outcome outcome() const;

    std::vector<unsigned char> ram_;
    Rv64Core core_;
    Debug debug_;
    std::uint64_t slept_ns_ = 0, accesses_ = 0, taken_ = 0, end_ = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> homes_;
    bool ended_ = false, killed_ = false;
};

} // namespace numavp::test
