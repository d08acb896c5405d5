/// One GDB session over TCP on the loopback interface.
///
/// The simulated result is the same with and without a debugger, unless it writes to registers or memory: the server
/// owns no process, event or time of the simulation. It runs within calls from whoever runs the cores, in their
/// thread, and gives back nothing but "go on", "stand still" or "end"; while the simulation stands, wall time passes
/// and simulated time does not. A stop cuts a call of a core short between two instructions: the caller serves the
/// debugger and then runs what was left of the same quantum, so that the core meets its next synchronisation at the
/// same simulated time. Breakpoints are addresses that the core compares; no instruction in memory is replaced. Reads
/// have no side effects. When Ctrl-C is heard depends on the wall clock, what the simulation then does, does not.
///
///     GdbServer server(target, port);
///     say(server.invitation("driver.elf"));
///     if (server.wait_for_debugger() == GdbAction::kill) end();
///     ... a core has stopped:  if (server.stopped({GdbStop::Why::breakpoint, core}) == GdbAction::kill) end();
///     ... once a quantum:      if (server.poll() == GdbAction::interrupt) server.stopped({interrupted, core});
///     ... at the end:          server.ended(0);
///
/// Only programs of this machine can connect; the protocol knows no password, so any of its users can.
#pragma once

#include <cstdint>
#include <string>

#include "models/cpu/gdb_protocol.h"

namespace numavp {

class GdbServer {
  public:
    /// Listens on 127.0.0.1; port 0 is any that is free. ConfigError if it can't. The target outlives the server.
    GdbServer(GdbTarget& target, std::uint16_t port);
    ~GdbServer();
    GdbServer(const GdbServer&) = delete;
    GdbServer& operator=(const GdbServer&) = delete;

    std::uint16_t port() const { return port_; }
    /// A sentence that says how to connect; `program` is the file with the symbols.
    std::string invitation(const std::string& program) const;

    /// Waits until a debugger has connected and wants the simulation to run: resume, detach or kill.
    GdbAction wait_for_debugger();
    bool attached() const { return connection_ >= 0; }

    /// Looks, without waiting, at what the debugger has sent while the simulation runs: none, interrupt (the caller
    /// then tells stopped()), detach or kill. Call it between instructions only.
    GdbAction poll();
    /// Tells that the simulation stands and serves the debugger: resume, detach or kill. Detach at once if none is
    /// attached. A connection that is lost is a detach.
    GdbAction stopped(const GdbStop& stop);
    /// Tells the debugger that the simulation has ended with that exit status, and closes.
    void ended(int status);

  private:
    GdbAction serve(std::string bytes);
    GdbAction take(const std::string& bytes);
    bool send(const std::string& bytes);
    bool receive(std::string& bytes, bool wait);
    GdbAction lose();
    void hang_up();

    GdbProtocol protocol_;
    int listener_ = -1;
    int connection_ = -1;
    std::uint16_t port_ = 0;
};

} // namespace numavp
