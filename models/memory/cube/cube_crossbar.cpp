#include "models/memory/cube/cube_crossbar.h"

#include <algorithm>

namespace numavp {

CubeCrossbar::CubeCrossbar(const CubeConfig& config, unsigned access_bytes, std::vector<CubePacket>& packets,
                           CubeVaults& vaults)
    : depth_(config.queue_depth), data_flits_((access_bytes + config.flit_bytes - 1) / config.flit_bytes),
      packets_(packets), vaults_(vaults), requests_(config.links), quadrants_(config.quadrants),
      responses_(config.quadrants), link_free_(config.links), delivered_(config.links) {}

void CubeCrossbar::announce(unsigned link) {
    if (!requests_[link].empty())
        quadrants_[packets_[requests_[link].front()].quadrant].links |= std::uint64_t{1} << link;
}

void CubeCrossbar::request(std::uint32_t packet, Cycle now) {
    CubePacket& p = packets_[packet];
    p.quadrant = p.address.vault % static_cast<unsigned>(quadrants_.size());
    p.ready = now + flits(p.write);
    requests_[p.link].push(packet);
    if (requests_[p.link].size() == 1) announce(p.link);
}

void CubeCrossbar::response(std::uint32_t packet, Cycle now) {
    packets_[packet].ready = now + 1;
    responses_[packets_[packet].quadrant].push(packet);
}

bool CubeCrossbar::edge(Cycle now) {
    bool moved = to_vaults(now);
    moved |= to_quadrants(now);
    moved |= to_links(now);
    return moved;
}

bool CubeCrossbar::to_vaults(Cycle now) {
    bool moved = false;
    for (std::size_t q = 0; q < quadrants_.size(); ++q) {
        Ring<std::uint32_t>& queue = quadrants_[q].queue;
        if (queue.empty() || responses_[q].size() >= depth_) continue;
        const CubePacket& head = packets_[queue.front()];
        if (head.ready > now || !vaults_.room(head)) continue;
        vaults_.take(queue.pop());
        moved = true;
    }
    return moved;
}

bool CubeCrossbar::to_quadrants(Cycle now) {
    bool moved = false;
    for (Port& port : quadrants_) {
        if (port.links == 0 || port.free > now || port.queue.size() >= depth_) continue;
        unsigned best = 0;
        Cycle since = now + 1;
        for (std::uint64_t set = port.links; set != 0; set &= set - 1) {
            const auto link = static_cast<unsigned>(__builtin_ctzll(set));
            const Cycle ready = packets_[requests_[link].front()].ready;
            if (ready >= since) continue;
            since = ready;
            best = link;
        }
        if (since > now) continue;
        const std::uint32_t packet = requests_[best].pop();
        port.links &= ~(std::uint64_t{1} << best);
        if (!requests_[best].empty()) { // it waits from now on
            Cycle& ready = packets_[requests_[best].front()].ready;
            ready = std::max(ready, now + 1);
            announce(best);
        }
        port.free = packets_[packet].ready = now + flits(packets_[packet].write);
        port.queue.push(packet);
        moved = true;
    }
    return moved;
}

bool CubeCrossbar::to_links(Cycle now) {
    bool moved = false;
    const auto quadrants = static_cast<unsigned>(responses_.size());
    for (unsigned k = 0; k < quadrants; ++k) {
        Ring<std::uint32_t>& queue = responses_[turn_ + k < quadrants ? turn_ + k : turn_ + k - quadrants];
        if (queue.empty()) continue;
        CubePacket& head = packets_[queue.front()];
        if (head.ready > now || link_free_[head.link] > now) continue;
        link_free_[head.link] = head.ready = now + flits(!head.write);
        delivered_[head.link].push(queue.pop());
        moved = true;
    }
    turn_ = turn_ + 1 < quadrants ? turn_ + 1 : 0;
    return moved;
}

Cycle CubeCrossbar::next(Cycle now) const {
    Cycle next = kNever;
    const auto at = [&](Cycle ready) {
        if (ready > now) next = std::min(next, ready);
    };
    for (const Ring<std::uint32_t>& queue : requests_) {
        if (queue.empty()) continue;
        const CubePacket& head = packets_[queue.front()];
        at(std::max(head.ready, quadrants_[head.quadrant].free));
    }
    for (const Port& port : quadrants_)
        if (!port.queue.empty()) at(packets_[port.queue.front()].ready);
    for (const Ring<std::uint32_t>& queue : responses_) {
        if (queue.empty()) continue;
        const CubePacket& head = packets_[queue.front()];
        at(std::max(head.ready, link_free_[head.link]));
    }
    return next;
}

} // namespace numavp
