#include "models/memory/replay/cube.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include "models/memory/cube/cube_crossbar.h"

namespace numavp {

namespace {
class CubeReplay final : private CubeVaults {
  public:
    CubeReplay(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
               const std::vector<CommandObserver*>& observers, const ArrivalTimes& arrivals);
    ReplayResult run();

  private:
    bool room(const CubePacket& packet) const override { return vaults_[packet.address.vault]->room(packet.write); }
    void take(std::uint32_t packet) override;
    bool finished() const { return at_ == stream_.size() && outstanding_[0] + outstanding_[1] == 0; }
    unsigned direction() const { return static_cast<unsigned>(stream_[at_] >> 63); }
    Cycle arrival() const { return arrivals_.empty() ? 0 : arrivals_[at_]; }
    bool may_offer() const {
        return at_ != stream_.size() && arrival() <= now_ && outstanding_[direction()] < windows_[direction()];
    }
    void dram_edge();
    void offer();
    void serve(std::size_t vault);
    void collect();
    void await(unsigned link);
    void logic_edge();
    Cycle next_dram_edge() const;
    /// The first edge of the one clock at or after an edge of the other.
    Cycle logic_at(Cycle dram) const { return (dram * dram_period_ + logic_period_ - 1) / logic_period_; }
    Cycle dram_at(Cycle logic) const { return (logic * logic_period_ + dram_period_ - 1) / dram_period_; }

    const MemoryStream& stream_;
    const ArrivalTimes& arrivals_;
    AddressDecoder decoder_;
    std::array<unsigned, 2> windows_, outstanding_{};
    unsigned links_;
    Cycle dram_period_, logic_period_; ///< in a common unit
    std::vector<CubePacket> packets_;
    std::vector<std::uint32_t> free_;
    CubeCrossbar crossbar_;
    std::vector<std::unique_ptr<MemoryController>> vaults_;
    std::vector<Cycle> due_;      ///< of each vault: the next command or end of data
    std::vector<Cycle> delivery_; ///< of each link: when the next response is seen
    std::size_t at_ = 0;
    unsigned next_link_ = 0;
    Cycle now_ = 0;        ///< DRAM clock
    Cycle logic_now_ = 0;  ///< the edge of the logic clock at or after it
    Cycle logic_ = kNever; ///< the next edge of the logic clock at which something may move
    Cycle last_ = 0;
    ReplayResult result_;
};

CubeReplay::CubeReplay(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                       const std::vector<CommandObserver*>& observers, const ArrivalTimes& arrivals)
    : stream_(stream), arrivals_(arrivals), decoder_(device.decoder()), windows_{windows.reads, windows.writes},
      links_(device.cube.links),
      dram_period_(device.cube.logic_khz / std::gcd(device.cube.logic_khz, device.clock_khz)),
      logic_period_(device.clock_khz / std::gcd(device.cube.logic_khz, device.clock_khz)),
      crossbar_(device.cube, device.access_bytes, packets_, *this), due_(decoder_.vaults(), 0),
      delivery_(links_, kNever) {
    for (unsigned v = 0; v < decoder_.vaults(); ++v) {
        vaults_.push_back(std::make_unique<MemoryController>(device, v, decoder_.vaults()));
        if (!observers.empty()) vaults_.back()->set_observer(observers[v]);
    }
}

void CubeReplay::take(std::uint32_t packet) {
    const CubePacket& p = packets_[packet];
    MemoryController& vault = *vaults_[p.address.vault];
    vault.accept(p.address, p.write, packet, logic_ * logic_period_ / dram_period_);
    due_[p.address.vault] = std::min(due_[p.address.vault], vault.next());
}

void CubeReplay::offer() {
    for (unsigned k = 0; k < links_ && may_offer(); ++k) {
        const unsigned link = next_link_;
        next_link_ = link + 1 < links_ ? link + 1 : 0;
        if (!crossbar_.room(link)) continue;
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(packets_.size()));
            packets_.emplace_back();
        }
        const std::uint32_t packet = free_.back();
        free_.pop_back();
        const unsigned d = direction();
        packets_[packet] = {decoder_.decode(stream_[at_] & ~kStreamWrite), d != 0, link, 0, now_, 0};
        crossbar_.request(packet, logic_now_);
        logic_ = std::min(logic_, logic_now_ + 1);
        ++outstanding_[d];
        ++(d == 0 ? result_.reads : result_.writes);
        ++at_;
    }
}

void CubeReplay::serve(std::size_t vault) {
    MemoryController& v = *vaults_[vault];
    const unsigned queued = v.queued();
    v.tick(now_);
    bool changed = v.queued() != queued; // there is room for what may wait at the vault
    Cycle due = v.next();
    for (const bool write : {false, true}) {
        Ring<MemoryCompletion>& done = v.completions(write);
        for (; !done.empty() && done.front().cycle <= now_; changed = true)
            crossbar_.response(done.pop().tag, logic_now_);
        if (!done.empty()) due = std::min(due, done.front().cycle);
    }
    due_[vault] = due;
    if (changed) logic_ = std::min(logic_, logic_now_);
}

void CubeReplay::await(unsigned link) {
    const Ring<std::uint32_t>& done = crossbar_.delivered(link);
    delivery_[link] = done.empty() ? kNever : dram_at(packets_[done.front()].ready);
}

void CubeReplay::collect() {
    for (unsigned link = 0; link < links_; ++link) {
        Ring<std::uint32_t>& done = crossbar_.delivered(link);
        for (; delivery_[link] <= now_; await(link)) {
            const std::uint32_t packet = done.pop();
            const CubePacket& p = packets_[packet];
            --outstanding_[p.write];
            last_ = now_;
            if (!p.write) result_.read_latency.add(now_ - p.accepted);
            free_.push_back(packet);
        }
    }
}

void CubeReplay::dram_edge() {
    logic_now_ = logic_at(now_);
    offer();
    collect();
    for (std::size_t v = 0; v < due_.size(); ++v)
        if (due_[v] <= now_) serve(v);
}

Cycle CubeReplay::next_dram_edge() const {
    if (may_offer())
        for (unsigned link = 0; link < links_; ++link)
            if (crossbar_.room(link)) return now_ + 1;
    Cycle next = kNever;
    for (const Cycle due : due_) next = std::min(next, due);
    for (const Cycle due : delivery_) next = std::min(next, due);
    if (at_ != stream_.size() && arrival() > now_) next = std::min(next, arrival());
    return std::max(next, now_ + 1);
}

void CubeReplay::logic_edge() {
    if (!crossbar_.edge(logic_)) {
        logic_ = crossbar_.next(logic_);
        return;
    }
    ++logic_;
    for (unsigned link = 0; link < links_; ++link)
        if (delivery_[link] == kNever) await(link);
}

ReplayResult CubeReplay::run() {
    for (dram_edge(); !finished();) {
        const Cycle dram = next_dram_edge();
        // of edges at the same time the DRAM's is first
        if (logic_ != kNever && logic_ * logic_period_ < dram * dram_period_) {
            logic_edge();
        } else {
            now_ = dram;
            dram_edge();
        }
    }
    for (const auto& vault : vaults_) {
        const MemoryCounts& c = vault->counts();
        result_.counts.reads += c.reads;
        result_.counts.writes += c.writes;
        result_.counts.activates += c.activates;
        result_.counts.precharges += c.precharges;
        result_.counts.refreshes += c.refreshes;
    }
    result_.time_ns = static_cast<double>(last_);
    return std::move(result_);
}
} // namespace

ReplayResult replay_cube(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                         const std::vector<CommandObserver*>& observers, const ArrivalTimes& arrivals) {
    ReplayResult result = CubeReplay(device, stream, windows, observers, arrivals).run();
    result.bytes = stream.size() * device.access_bytes;
    result.unit_ns = 1e6 / static_cast<double>(device.clock_khz);
    result.time_ns *= result.unit_ns;
    return result;
}

} // namespace numavp
