/// GDB's remote serial protocol over a GdbTarget: bytes in, bytes out and what the simulation shall do. No sockets.
#pragma once

#include <string>
#include <string_view>

#include "models/cpu/gdb_commands.h"
#include "models/cpu/gdb_target.h"
#include "models/cpu/gdb_wire.h"

namespace numavp {

/// Frames, acknowledgements, and whether the debugger waits for the simulation to stop.
class GdbProtocol {
  public:
    /// The target outlives it. The simulation stands, for the reason `attached`.
    explicit GdbProtocol(GdbTarget& target) : commands_(target) {}

    /// Takes bytes from the debugger and appends what it shall be sent. Ends behind the packet that asks for an
    /// action; the bytes behind that wait for the next call, which may bring no new ones.
    GdbAction receive(std::string_view bytes, std::string& out);

    /// The simulation stands: appends the stop reply if the debugger waits for one.
    void stopped(const GdbStop& stop, std::string& out);
    /// It has ended with that exit status; appends the news if the debugger waits for any.
    void ended(int status, std::string& out);
    /// The debugger is gone: all points are removed, no core steps.
    void leave();

  private:
    GdbAction take(gdb::FrameEvent event, std::string& out);
    GdbAction answer(std::string& out);
    void send(std::string_view payload, std::string& out);

    GdbCommands commands_;
    gdb::Framer framer_{GdbCommands::kPacketBytes};
    std::string waiting_;   ///< bytes behind the last action
    std::string last_sent_; ///< for a debugger that asks for it again
    bool acknowledges_ = true;
    bool running_ = false;
};

} // namespace numavp
