/// State behind the C entry points: a system, the ports that the caller drives and the memories that it answers for.
///
/// Errors of the caller are ConfigErrors. The system is built when time begins.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/values/address_layout.h"
#include "capi/access_port.h"
#include "capi/memory_port.h"
#include "common/inputs/named_workload.h"
#include "platform/machine/system.h"

namespace numavp {

class Session {
  public:
    /// `settings`: assignments with ';' between them; workload.seed and workload.scale apply to the workload.
    Session(const std::string& system, const std::string& workload, const std::string& settings);

    unsigned open_port(int socket);
    unsigned open_memory(int socket, int channel);
    AccessPort& port(int number);
    MemoryPort& memory(int number);
    std::uint64_t address(int socket, std::uint64_t offset) const;

    void advance(std::uint64_t ps);
    bool ended();
    /// Throws if the platform has ended or time can't advance any more.
    void must_run() const;
    /// Posts an access and advances time until it is answered; the answer is in `access`. False: the port has no room.
    bool access_now(int number, AccessPort::Access& access);
    unsigned peek(int number, std::uint64_t address, unsigned bytes, unsigned char* data);
    void end(bool drain);

    ordered_json results();
    /// A number of the results by its path; ConfigError if there is none.
    double number(const std::string& path);

  private:
    struct Port {
        unsigned socket;
        std::unique_ptr<AccessPort> port;
    };
    struct Memory {
        unsigned socket, channel;
        std::unique_ptr<MemoryPort> port;
    };

    System& built();
    void build();
    System& running();
    void before_time(const char* what) const;
    template <class Action> void guarded(const Action& action);
    std::string unanswered() const;

    SystemConfig config_;
    NamedWorkload workload_;
    std::vector<SocketId> homes_; ///< of each memory, of all its parts
    AddressLayout layout_;
    std::vector<Port> ports_;
    std::vector<Memory> memories_;
    std::unique_ptr<System> system_; ///< null until time begins
    std::string broken_;             ///< why time goes on no more
    bool over_ = false;              ///< end() has succeeded
    ordered_json results_;           ///< of the end
};

} // namespace numavp
