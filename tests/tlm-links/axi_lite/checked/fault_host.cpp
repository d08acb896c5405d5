#include "tests/tlm-links/axi_lite/checked/fault_host.h"

#include <algorithm>
#include <numeric>

#include "tlm-links/protocol/ranks.h"

namespace numavp::test {

/// Hears that there is room again, and has no caches from which a page could go.
class FaultHost::Socket final : public FaultClient {
  public:
    explicit Socket(FaultHost& owner) : owner_(owner) {}
    void resolved(std::uint64_t) override {}
    void room() override {
        owner_.full_ = false;
        owner_.wake();
    }
    void invalidate(const PageInvalidation&) override {}

  private:
    FaultHost& owner_;
};

HostConfig FaultHost::config() const {
    HostConfig c;
    c.driver.execution = DriverExecution::none;
    c.alone = true;
    c.number = SocketId(kSockets);
    c.driver.register_cycles = 20;
    c.driver.faults.queue_entries = 8;
    c.driver.faults.message_cycles = 16;
    c.driver.faults.socket_shift = kSocketShift;
    c.driver.faults.page_bytes = std::uint64_t{1} << kPageShift;
    c.driver.faults.frames = 1000;
    c.copies.socket_bytes = c.copies.host_bytes = std::uint64_t{1} << kSocketShift;
    c.copies.alone = true;
    return c;
}

FaultHost::FaultHost(Clockwork& clockwork)
    : Arbiter(clockwork.domain(1'000'000), {kSystemRank, kRankEdge, 0}),
      table_(RadixLayout(48, kPageShift), TableRegion{MemoryId(kSockets), 1, kSocketShift, 0, 64}, memory_),
      pages_(kFaults) {
    map_.memories = kSockets;
    map_.socket_shift = kSocketShift;
    const auto bind = [](tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string&) {
        from.bind(to);
    };
    host = std::make_unique<Host>("host", config(),
                                  Host::Resources{domain_, domain_, pool_, map_, table_, nullptr, nullptr, bind});
    port = std::make_unique<BusPort>("port", domain_, *host->bus);
    std::vector<FaultClient*> clients;
    for (unsigned s = 0; s < kSockets; ++s) {
        sockets_.push_back(std::make_unique<Socket>(*this));
        clients.push_back(sockets_.back().get());
    }
    host->faults().set_clients(clients);
    std::iota(pages_.begin(), pages_.end(), kFirstPage);
    for (std::size_t i = pages_.size(); i > 1; --i) std::swap(pages_[i - 1], pages_[random_.below(i)]);
    for (const std::uint64_t page : pages_) table_.write_leaf(page, {}); // tables stand, entries do not
    wake_at_start();
}

FaultHost::~FaultHost() = default;

/// Bursts of faults, so that at times the queue is full and at times empty.
void FaultHost::arbitrate() {
    while (!full_ && next_ < pages_.size()) {
        full_ = !host->faults().fault(
            {pages_[next_], SocketId(static_cast<unsigned>(next_ % kSockets)), random_.chance(1, 2)});
        if (full_) return;
        ++next_;
        if (random_.chance(1, 12)) return wake_at(domain_.now() + 1 + random_.below(8'000));
    }
}

bool FaultHost::run(unsigned ns) {
    try {
        sc_core::sc_start(sc_core::sc_time(ns, sc_core::SC_NS));
    } catch (const sc_core::sc_report&) { // checkers complain of what was under way when the unit refused the driver
        if (domain_.clockwork().failure().empty()) throw;
    }
    return next_ == pages_.size() && host->faults().drained() && host->faults().ledger().counts.done == kFaults &&
           domain_.clockwork().failure().empty();
}

std::vector<std::uint64_t> FaultHost::homes() const {
    std::vector<std::uint64_t> homes;
    for (std::uint64_t page = kFirstPage; page < kFirstPage + kFaults; ++page) homes.push_back(table_.leaf(page).bits);
    return homes;
}

} // namespace numavp::test
