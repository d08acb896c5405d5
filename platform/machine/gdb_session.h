/// A debugger on the driver's RISC-V core, with the platform around it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "models/host/host.h"

namespace numavp {

/// What `monitor` shows of the platform.
struct GdbViews {
    std::function<std::string()> faults;
    /// The pages that are mapped, or how one page is.
    std::function<std::string(const std::string& page)> page_table;
};

/// Waits on loopback before the simulation starts, then stands between the core and its clockwork. Results are the same
/// with and without it, unless the debugger writes something.
class GdbSession {
  public:
    /// ConfigError if the system has no RISC-V core, or the port can't be had. All outlive the session.
    GdbSession(Host& host, Clockwork& clockwork, const std::string& firmware, std::uint16_t port, GdbViews views);
    ~GdbSession();
    /// Says how to connect, then waits until the debugger lets the simulation run.
    void wait(const std::function<void(const std::string&)>& say);
    /// Hears Ctrl-C of a debugger while the core sleeps. Between instructions, and not within a pass of the clockwork.
    void poll();
    /// Tells the debugger how the simulation has ended.
    void ended(int status);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace numavp
