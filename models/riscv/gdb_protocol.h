/// GDB's remote serial protocol over a GdbTarget, from bytes to bytes and actions of the simulation. No network.
#pragma once

#include <string>
#include <string_view>

#include "models/riscv/gdb_commands.h"
#include "models/riscv/gdb_target.h"
#include "models/riscv/gdb_wire.h"

namespace numavp {

/// Framing, acknowledgements, and the state in which the debugger waits for a stop reply.
class GdbProtocol {
  public:
    /// `target` must outlive this object. The simulation stands at first, for the reason `attached`.
    explicit GdbProtocol(GdbTarget& target) : commands_(target) {}

    /// Takes `bytes` from the debugger and appends the answers to `out`. Returns at the first packet that asks for an
    /// action; bytes behind it are kept for the next call, which may bring no new ones (empty `bytes`).
    GdbAction receive(std::string_view bytes, std::string& out);

    /// Call it when the simulation stands: appends the stop reply if the debugger waits for one.
    void stopped(const GdbStop& stop, std::string& out);
    /// Call it when the simulation has ended with that exit status: appends the reply if the debugger waits for one.
    void ended(int status, std::string& out);
    /// Call it when the connection is gone: removes all points, and no core steps any more.
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
