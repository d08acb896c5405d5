/// What may stand in a channel between two routers in the place of its wires: takes whole packets and gives them out
/// later, those of a message class in their order.
#pragma once

#include <cstdint>
#include <string>

namespace numavp {

class PacketRelay {
  public:
    virtual ~PacketRelay() = default;
    /// Takes a packet, of which the last flit has come; `tag` is the one it was offered with.
    virtual void take(unsigned message_class, std::uint64_t tag) = 0;
    /// Simulates an edge of the network's clock.
    virtual void edge() = 0;
    /// True if the first packet of a class that has not come out comes out in this edge; each is reported once.
    virtual bool pop(unsigned message_class) = 0;
    /// True if it holds no packet and needs no more edges.
    virtual bool at_rest() const = 0;
    /// The first breach of a rule, at the end of a simulation; empty if there is none.
    virtual std::string disagreement() = 0;
};

} // namespace numavp
