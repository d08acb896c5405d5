/// Links and crossbar of a memory cube's logic layer.
///
/// A request enters its link's queue when all its flits have come. Each logic clock, each quadrant takes the request
/// that has waited longest at the head of a link, if the quadrant's port and queue have room, and offers the head of
/// its own queue to that request's vault. If the vault has no room the head blocks the requests behind it. Responses go
/// from the quadrant's queue to the link that brought the request. A packet is one header flit and, with data, the
/// flits of these; the ports of quadrants (requests) and links (responses) carry one flit a logic clock. Vault v
/// belongs to quadrant v modulo the number of quadrants. Not modelled: routers between cubes, link retries, atomics.
#pragma once

#include <cstdint>
#include <vector>

#include "base/values/ring.h"
#include "base/values/types.h"
#include "models/memory/dram/address_decoder.h"
#include "models/memory/dram/device.h"

namespace numavp {

/// A request or response on its way through the cube.
struct CubePacket {
    DramAddress address;
    bool write = false;
    unsigned link = 0;
    unsigned quadrant = 0;
    Cycle accepted = 0; ///< DRAM clock
    Cycle ready = 0;    ///< logic clock at which the next stage may take it
};

/// Vaults behind the crossbar, which take its requests.
class CubeVaults {
  public:
    virtual ~CubeVaults() = default;
    virtual bool room(const CubePacket& packet) const = 0;
    virtual void take(std::uint32_t packet) = 0;
};

/// A packet is identified by its index in the owner's table. Times are edges of the logic clock.
class CubeCrossbar {
  public:
    CubeCrossbar(const CubeConfig& config, unsigned access_bytes, std::vector<CubePacket>& packets, CubeVaults& vaults);

    bool room(unsigned link) const { return requests_[link].size() < depth_; }
    void request(std::uint32_t packet, Cycle now);
    void response(std::uint32_t packet, Cycle now);
    /// One edge of the logic clock; true if a packet moved.
    bool edge(Cycle now);
    /// After an edge at which nothing moved: the next edge at which a packet can move, if none is added and no room is
    /// made before; kNever if none can without that.
    Cycle next(Cycle now) const;
    /// Responses at a link, in the order of their `ready`; the caller removes them.
    Ring<std::uint32_t>& delivered(unsigned link) { return delivered_[link]; }
    const Ring<std::uint32_t>& delivered(unsigned link) const { return delivered_[link]; }

  private:
    struct Port {
        Ring<std::uint32_t> queue;
        std::uint64_t links = 0; ///< whose heads are for this quadrant
        Cycle free = 0;          ///< the first edge at which it takes another packet
    };
    /// Updates the quadrants' sets of waiting links, after the head of a link's queue has changed.
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
