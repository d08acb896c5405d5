/// A debugger session on the driver's RISC-V core, with access to the platform around it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "models/fault_server/host.h"

namespace numavp {

/// Texts about the platform for GDB's `monitor`.
struct GdbViews {
    std::function<std::string()> faults;
    /// All mapped pages, or the state of one page.
    std::function<std::string(const std::string& page)> page_table;
};

/// Waits on loopback before the simulation starts, then runs between the core and its clockwork. Results are the same
/// with and without it, unless the debugger writes.
class GdbSession {
  public:
    /// ConfigError if the system has no RISC-V core, or the port is taken. All arguments must outlive the session.
    GdbSession(Host& host, Clockwork& clockwork, const std::string& firmware, std::uint16_t port, GdbViews views);
    ~GdbSession();
    /// Tells the user how to connect (`say`), then waits until the debugger lets the simulation run.
    void wait(const std::function<void(const std::string&)>& say);
    /// Polls for Ctrl-C of the debugger while the core sleeps; between instructions, not in a pass of the clockwork.
    void poll();
    /// Tells the debugger the exit status of the simulation.
    void ended(int status);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace numavp
