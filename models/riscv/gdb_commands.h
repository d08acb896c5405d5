/// Executes the packets of GDB's remote protocol on a GdbTarget and forms the replies. No framing, no network.
///
/// "Debugging with GDB", appendix E. All-stop; the cores are threads 1 to n; registers are described by XML
/// (org.gnu.gdb.riscv.cpu, org.gnu.gdb.riscv.csr). Not supported: non-stop, extended mode, several processes, agent
/// expressions, tracepoints, files. An unknown packet is answered by an empty one; a command that fails is answered by
/// an error whose digits are the nearest errno in decimal.
///
/// All cores run or stand together: where GDB resumes some threads only (`scheduler-locking`), the others run too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/riscv/gdb_target.h"
#include "models/riscv/gdb_wire.h"

namespace numavp {

enum class GdbAction : std::uint8_t {
    none,      ///< the simulation stays as it is
    resume,    ///< it goes on; the target knows whether a core steps
    interrupt, ///< it shall stand between two instructions
    detach,    ///< it goes on, without a debugger
    kill,      ///< it shall end
};

/// Reply to a packet, and what the simulation must do.
struct GdbReply {
    /// Payload of the answer; none if the packet has no answer, or gets it later (the stop reply).
    std::optional<std::string> text;
    GdbAction action = GdbAction::none;
    std::vector<std::string> console; ///< payloads that go before it
    bool without_acks = false;        ///< behind this answer nothing is acknowledged any more
    GdbReply() = default;
    GdbReply(std::string payload) : text(std::move(payload)) {}
    GdbReply(const char* payload) : text(payload) {}
};

namespace gdb {
inline constexpr char kOk[] = "OK";
inline constexpr char kFault[] = "E14";     ///< no such memory, or it refuses
inline constexpr char kBusy[] = "E16";      ///< the simulation runs
inline constexpr char kMalformed[] = "E22"; ///< or a register, a thread, a range that can't be
inline constexpr char kFull[] = "E28";      ///< too many points
} // namespace gdb

class GdbCommands {
  public:
    /// Longest payload in either direction.
    static constexpr std::size_t kPacketBytes = 0x4000;
    /// Most breakpoints and watchpoints at a time; bounds the work of a core that compares addresses with them.
    static constexpr std::size_t kMostPoints = 256;

    /// `target` must outlive this object.
    explicit GdbCommands(GdbTarget& target);

    /// Answers a packet while the simulation stands.
    GdbReply answer(std::string_view packet);
    /// Answers a packet while the simulation runs: all commands but those that end the session are refused.
    GdbReply answer_running(std::string_view packet);

    /// Records why the simulation stands now; returns the stop reply.
    std::string stopped(const GdbStop& stop);
    /// Ends the session: removes all points, and no core steps any more.
    void leave();

  private:
    GdbReply detach();
    GdbReply resume(std::optional<unsigned> step);
    GdbReply resume_one(std::string_view packet);
    GdbReply resume_threads(std::string_view actions);
    GdbReply multi_letter(std::string_view packet);
    GdbReply query(std::string_view packet);
    GdbReply monitor(std::string_view digits);
    std::string monitor_text(const std::string& line);
    std::string registers();
    std::string set_registers(std::string_view digits);
    std::string one_register(gdb::Fields fields);
    std::string set_one_register(gdb::Fields fields);
    std::string memory(gdb::Fields fields);
    std::string set_memory(gdb::Fields fields, bool binary);
    std::string change_point(gdb::Fields fields, bool insert);
    std::string insert_point(const GdbPoint& point);
    std::string select_thread(gdb::Fields fields);
    std::string thread_list() const;
    std::string description_part(gdb::Fields fields) const;
    std::string stop_reply() const;
    std::optional<unsigned> core_of(std::string_view thread) const;

    GdbTarget& target_;
    std::string description_;
    std::vector<GdbPoint> points_;
    GdbStop stop_;
    unsigned core_ = 0;      ///< of packets for registers
    unsigned step_core_ = 0; ///< of the packets c and s
};

/// The cores' registers in GDB's XML.
std::string gdb_description(const std::vector<GdbCsr>& csrs);

} // namespace numavp
