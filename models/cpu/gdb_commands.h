/// What GDB's packets mean: each is answered from a GdbTarget. No frames, no sockets.
///
/// "Debugging with GDB", appendix E. All-stop, the cores are threads 1 to n; registers are described by XML
/// (org.gnu.gdb.riscv.cpu, org.gnu.gdb.riscv.csr). Not modelled: non-stop, extended mode, several processes, agent
/// expressions, tracepoints, files. What is not known is answered by an empty packet, what can't be done by an error
/// whose digits are the nearest errno in decimals.
///
/// The simulation moves as a whole: where GDB resumes some threads only (`scheduler-locking`), the others run too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/cpu/gdb_target.h"
#include "models/cpu/gdb_wire.h"

namespace numavp {

enum class GdbAction : std::uint8_t {
    none,      ///< the simulation stays as it is
    resume,    ///< it goes on; the target knows whether a core steps
    interrupt, ///< it shall stand between two instructions
    detach,    ///< it goes on, and nobody debugs any more
    kill,      ///< it shall end
};

/// What a packet leads to.
struct GdbReply {
    /// Payload of the answer; nothing if there is none, or none yet: the stop reply.
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
    /// Most points at a time: what a core looks at must not grow without bounds.
    static constexpr std::size_t kMostPoints = 256;

    /// The target outlives it.
    explicit GdbCommands(GdbTarget& target);

    /// Answers a packet while the simulation stands.
    GdbReply answer(std::string_view packet);
    /// The same while it runs: all but the end of the session is refused.
    GdbReply answer_running(std::string_view packet);

    /// From now on this is why the simulation stands; returns the stop reply.
    std::string stopped(const GdbStop& stop);
    /// The debugger is gone: all points are removed, no core steps.
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
