/// A host whose faults nobody serves yet: its page-fault unit, bus and memory, random faults of sockets that know
/// nothing, and the TLM port at which a foreign driver comes to the bus.
#pragma once

#include <memory>
#include <vector>

#include "base/values/rng.h"
#include "models/fault_server/bus_port.h"
#include "models/fault_server/host.h"

namespace numavp::test {

class FaultHost final : private Arbiter {
  public:
    static constexpr unsigned kSockets = 4;
    static constexpr unsigned kSocketShift = 34;
    static constexpr unsigned kPageShift = 16;
    static constexpr std::uint64_t kFirstPage = 512;
    static constexpr unsigned kFaults = 300; ///< of as many pages, all of which have one leaf table

    explicit FaultHost(Clockwork& clockwork);
    ~FaultHost() override;

    /// Until all faults are served or `ns` are over; false if some are not.
    bool run(unsigned ns = 3'000'000);
    PhysicalAddress leaf_table() const { return table_.slot(kFirstPage); }
    /// The memory and frame of each page in the order of the pages; 0 if it has none.
    std::vector<std::uint64_t> homes() const;

  private:
    class Socket;
    void arbitrate() override;
    HostConfig config() const;

    Rng random_{7};
    TxnPool pool_;
    AddressMap map_;
    TableMemory memory_;
    RadixTable table_;
    std::vector<std::unique_ptr<Socket>> sockets_;
    std::vector<std::uint64_t> pages_; ///< in the order of their faults
    std::size_t next_ = 0;
    bool full_ = false;

  public:
    std::unique_ptr<Host> host;
    std::unique_ptr<BusPort> port;
};

} // namespace numavp::test
