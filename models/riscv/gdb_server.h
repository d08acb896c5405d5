/// One GDB session over TCP on the loopback interface.
///
/// Results of the simulation are the same with and without a debugger, unless it writes to registers or memory: the
/// server has no process, event or time of the simulation. It runs only within calls by the code that runs the cores,
/// in that thread, and returns only whether the simulation shall go on, stand still or end. While it stands, wall time
/// passes and simulated time does not. A stop interrupts a call of a core between two instructions: the caller serves
/// the debugger and then runs the rest of the same quantum, so that the core synchronises at the same simulated time as
/// without the stop. Breakpoints are compared with the pc; no instruction in memory is replaced. Reads have no side
/// effects. At which instruction Ctrl-C takes effect depends on the wall clock; the simulated result does not.
///
///     GdbServer server(target, port);
///     say(server.invitation("driver.elf"));
///     if (server.wait_for_debugger() == GdbAction::kill) end();
///     ... a core has stopped:  if (server.stopped({GdbStop::Why::breakpoint, core}) == GdbAction::kill) end();
///     ... once a quantum:      if (server.poll() == GdbAction::interrupt) server.stopped({interrupted, core});
///     ... at the end:          server.ended(0);
///
/// Only programs on this machine can connect. The protocol has no password, so every user of the machine can.
#pragma once

#include <cstdint>
#include <string>

#include "models/riscv/gdb_protocol.h"

namespace numavp {

class GdbServer {
  public:
    /// Listens on 127.0.0.1; port 0 takes any free one. ConfigError if it can't. `target` must outlive the server.
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
    /// Tells the debugger that the simulation has ended with that exit status, and closes the connection.
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
