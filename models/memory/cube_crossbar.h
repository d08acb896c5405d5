/// Links and crossbar of a memory cube's logic layer.
///
/// Requests enter a link's queue when their flits have come. In each logic clock each quadrant takes the request of the
/// link that has waited longest for it, if its port and its queue have room, and offers the head of its queue to its
/// vault; a head that its vault has no room for blocks what is behind it. Responses go from the quadrant's queue to the
/// link that brought the request. A packet is a flit of header and, with data, the flits of these; the ports of
/// quadrants (requests) and links (responses) carry one flit a logic clock. Vault v belongs to quadrant v modulo the
/// quadrants. Not modelled: routers between cubes, link retries, atomics.
#pragma once

#include <cstdint>
#include <vector>

#include "models/base/ring.h"
#include "models/base/types.h"
#include "models/memory/address_decoder.h"
#include "models/memory/device.h"

namespace numavp {

/// On its way through the cube.
struct CubePacket {
    DramAddress address;
    bool write = false;
    unsigned link = 0;
    unsigned quadrant = 0;
    Cycle accepted = 0; ///< DRAM clock
    Cycle ready = 0;    ///< logic clock at which the next stage may take it
};

/// Where requests leave the crossbar.
class CubeVaults {
  public:
    virtual ~CubeVaults() = default;
    virtual bool room(const CubePacket& packet) const = 0;
    virtual void take(std::uint32_t packet) = 0;
};

/// Packets are named by their index in the owner's table. Times are edges of the logic clock.
class CubeCrossbar {
  public:
    CubeCrossbar(const CubeConfig& config, unsigned access_bytes, std::vector<CubePacket>& packets, CubeVaults& vaults);

    bool room(unsigned link) const { return requests_[link].size() < depth_; }
    void request(std::uint32_t packet, Cycle now);
    void response(std::uint32_t packet, Cycle now);
    /// One edge of the logic clock; true if a packet moved.
    bool edge(Cycle now);
    /// After an edge at which nothing moved: the next at which something may, unless somebody brings a packet or makes
    /// room before; kNever if it takes that.
    Cycle next(Cycle now) const;
    /// Responses at the links, in the order of their `ready`; the owner takes them out.
    Ring<std::uint32_t>& delivered(unsigned link) { return delivered_[link]; }
    const Ring<std::uint32_t>& delivered(unsigned link) const { return delivered_[link]; }

  private:
    struct Port {
        Ring<std::uint32_t> queue;
        std::uint64_t links = 0; ///< whose heads are for this quadrant
        Cycle free = 0;          ///< the first edge at which it takes another packet
    };
    /// The head of a link's queue changed: the set of its quadrant knows.
    void announce(unsigned link);
    unsigned flits(bool with_data) const { return with_data ? 1 + data_flits_ : 1; }
    bool to_vaults(Cycle now);
    bool to_quadrants(Cycle now);
    bool to_links(Cycle now);

    std::size_t depth_;
    unsigned data_flits_;
    std::vector<CubePacket>& packets_;
    CubeVaults& vaults_;
    std::vector<Ring<std::uint32_t>> requests_;  ///< of each link
    std::vector<Port> quadrants_;                ///< requests
    std::vector<Ring<std::uint32_t>> responses_; ///< of each quadrant
    std::vector<Cycle> link_free_;
    std::vector<Ring<std::uint32_t>> delivered_;
    unsigned turn_ = 0; ///< the quadrant that is first among responses
};

} // namespace numavp
