/// Records over flits in one direction: a record's content travels, and the record itself is found by its id at the
/// end.
///
/// A packet carries kind and address, and the whole line with its mask in writes, atomics and answers to reads and
/// atomics. In functional runs the record's address, mask and data become those that came in the flits; its routing
/// stays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tlm-links/flits/flit_channel.h"
#include "tlm-links/flits/flit_monitor.h"
#include "tlm-links/protocol/txn.h"

namespace numavp {

class RecordWay {
  public:
    /// Requests, or responses. `monitored`: monitors look at all pins, and a breach is a ModelError.
    RecordWay(const FlitChannelConfig& config, rtl::CxsRelay* relay, bool requests, bool monitored)
        : channel_(config, relay), requests_(requests), monitors_(monitored ? 2 : 0) {}

    bool can_take() const { return channel_.sender.can_take(); }
    void send(Txn& txn);
    /// Simulates a rising edge of the pins' clock.
    void edge();
    /// True if a record has come out; `receive` takes it.
    bool any() const { return channel_.receiver.any(); }
    Txn& receive(bool functional);
    /// True if it holds nothing and needs no more edges.
    bool idle() const { return channel_.idle(); }

    /// Number of records inside, and one of them; null if none is.
    unsigned inside() const { return static_cast<unsigned>(by_id_.size() - free_ids_.size()); }
    const Txn* sample() const;
    std::uint64_t received() const { return received_; }
    /// The first breach of the pins' rules, at the end of a simulation; empty if there is none, or nobody looks.
    std::string breach();

  private:
    FlitChannel channel_;
    const bool requests_;
    std::vector<Txn*> by_id_; ///< null: the id is free
    std::vector<std::uint16_t> free_ids_;
    std::uint64_t received_ = 0;
    std::vector<FlitMonitor> monitors_; ///< above the relay and below
};

} // namespace numavp
