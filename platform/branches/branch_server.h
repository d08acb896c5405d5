/// A process that forks branches when another process asks: both ends of the socket between them.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "common/files/descriptor.h"

namespace numavp {

/// A message, as a whole in one packet of the socket: both ends are the same program on one machine.
struct BranchMessage {
    enum class Kind : std::uint32_t {
        reached, ///< by the server: it is at the point from which branches begin
        start,   ///< to it: fork; with the descriptors of the branch's standard output and error
        kill,    ///< to it: end a branch
        ended    ///< by it: a branch has ended
    };
    Kind kind = Kind::reached;
    std::uint32_t branch = 0;
    std::int32_t status = 0;  ///< of `ended`: as of waitpid()
    std::int32_t no_fork = 0; ///< of `ended`: errno if there was no process for the branch
    double share = 0.0;       ///< of `reached`: of the whole run, 0 to 1
    double seconds = 0.0;     ///< of `reached`: wall time so far
};

/// Both ends of a new connection. ModelError if the system has no descriptor left.
struct BranchSocket {
    BranchSocket();
    Descriptor client, server;
};

/// In the process that forks.
class BranchServer {
  public:
    /// Takes the descriptor over.
    explicit BranchServer(int socket);

    /// Says that the point is reached, and then forks whenever it is asked to. Returns in each branch, with its number;
    /// throws BranchesEnded when the other end is closed, which ends branches that still run. ConfigError if the
    /// process has threads.
    std::size_t serve(double share, double seconds);

  private:
    struct Child {
        std::uint32_t branch = 0;
        pid_t pid = -1;
        Descriptor life; ///< closes when the branch ends
    };
    /// True in the branch.
    bool start(const BranchMessage& request, const std::vector<Descriptor>& outputs);
    void end_children();
    void tell(const BranchMessage& message) const;

    Descriptor socket_;
    std::vector<Child> children_;
    Descriptor life_; ///< in a branch: open until its end
};

/// In the process that asks. A server that has ended is `closed()`, and takes no request.
class BranchClient {
  public:
    explicit BranchClient(Descriptor socket) : socket_(std::move(socket)) {}

    int input() const { return socket_.value(); } ///< to be polled; negative if closed
    bool closed() const { return socket_.value() < 0; }
    /// ModelError if the system can't send it now, such as for lack of memory.
    void start(std::uint32_t branch, int output, int errors);
    void kill(std::uint32_t branch);
    /// The next message that is there.
    std::optional<BranchMessage> take();

  private:
    /// False if it can't be sent now; errno says why.
    bool ask(const BranchMessage& message, const std::vector<int>& descriptors);

    Descriptor socket_;
};

} // namespace numavp
