/// Removes pages from all TLBs and caches, one at a time: from every socket but the page's home, then from the home.
///
/// The home comes last because the other sockets write dirty lines back through its caches. Of a page with replicas
/// only the sockets are asked that give up their frame, in one round if the home keeps its own.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "base/time/messenger.h"
#include "models/mmu/fault_port.h"

namespace numavp {

class InvalidationRounds {
  public:
    InvalidationRounds(Messenger& messenger, Cycle message_cycles) : messenger_(messenger), cycles_(message_cycles) {}
    void set_clients(std::vector<FaultClient*> clients) { clients_ = std::move(clients); }
    /// Begins an invalidation. `home` is a client's number, or any other if the page was in no socket's memory.
    void start(const PageInvalidation& page, unsigned home, std::function<void()> done) {
        start(page, home, {}, std::move(done));
    }
    /// The same for a page that has a frame for each client in place of `page.frame`; one with kNever is not asked.
    void start(const PageInvalidation& page, unsigned home, std::vector<PhysicalAddress> frames,
               std::function<void()> done);
    /// A client has answered.
    void answered(SocketId socket, std::uint64_t page);
    bool idle() const { return queue_.empty(); }
    std::uint64_t page() const { return queue_.front().what.page; }

  private:
    struct Job {
        PageInvalidation what;
        unsigned home;
        std::vector<PhysicalAddress> frames;
        std::function<void()> done;
    };
    void first_round();
    void ask(unsigned client);
    void arrived();

    Messenger& messenger_;
    Cycle cycles_;
    std::vector<FaultClient*> clients_;
    std::deque<Job> queue_; ///< the first is under way
    unsigned open_ = 0;     ///< answers that the round waits for
    bool last_round_ = false;
};

} // namespace numavp
