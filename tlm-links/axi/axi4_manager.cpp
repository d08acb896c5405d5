#include "tlm-links/axi/axi4_manager.h"

#include <algorithm>
#include <cstring>

#include "base/values/error.h"

namespace numavp {

using rtl::kAxiBoundary;
using rtl::kAxiBytes;

Axi4Manager::Axi4Manager(const Axi4ManagerConfig& config) : config_(config), bursts_(config.ids) {
    if (config.ids == 0 || config.waiting == 0 || config.finished == 0)
        throw ModelError("an AXI4 manager needs an id and places for accesses");
    if (config.most_beats < 1 || config.most_beats > 256) throw ModelError("an AXI4 burst has 1 to 256 beats");
    pins_.bready = pins_.rready = true;
    for (unsigned id = config.ids; id-- != 0;) free_ids_.push_back(id);
}

void Axi4Manager::edge(const rtl::AxiSubordinatePins& s) {
    receive(s);
    send_data(s);
    if (s.awready) pins_.aw.valid = false;
    if (s.arready) pins_.ar.valid = false;
    issue();
    if (!pins_.w.valid) send_data({}); // of what was issued now
    pins_.bready = pins_.rready = finished_.size() < config_.finished;
}

Axi4Manager::BeatPlace Axi4Manager::place_of(const Burst& burst) {
    const std::uint64_t address = burst.access->address + burst.first;
    const std::uint64_t beat = (address / kAxiBytes + burst.beat) * kAxiBytes;
    const std::uint64_t from = std::max(address, beat);
    const std::uint64_t to = std::min(address + burst.bytes, beat + kAxiBytes);
    return {from - burst.access->address, from - beat, to - from};
}

// --- answers

Axi4Manager::Burst& Axi4Manager::answered(unsigned id, bool write) {
    if (id >= bursts_.size() || !bursts_[id].access || bursts_[id].access->write != write)
        throw ModelError("an AXI4 subordinate answers an id that waits for nothing");
    return bursts_[id];
}

void Axi4Manager::receive(const rtl::AxiSubordinatePins& s) {
    if (s.r.valid && pins_.rready) {
        Burst& burst = answered(s.r.id, false);
        const BeatPlace place = place_of(burst);
        std::memcpy(&burst.access->bytes[place.byte], &s.r.data[place.lane], place.count);
        burst.access->response = std::max(burst.access->response, s.r.resp);
        if (++burst.beat == burst.beats) end_burst(s.r.id, s.r.resp);
    }
    if (s.b.valid && pins_.bready) {
        const Burst& burst = answered(s.b.id, true);
        if (burst.beat != burst.beats) throw ModelError("an AXI4 subordinate answers a write before its last beat");
        end_burst(s.b.id, s.b.resp);
    }
}

void Axi4Manager::end_burst(unsigned id, unsigned response) {
    Axi4Access& access = *bursts_[id].access;
    access.response = std::max(access.response, response);
    bursts_[id] = {};
    free_ids_.push_back(id);
    if (--access.bursts_out != 0 || access.issued != access.bytes.size()) return;
    out_.remove(access);
    finished_.push(&access);
}

// --- write data

/// Ends the beat on the pins if it is taken, then shows the next one.
void Axi4Manager::send_data(const rtl::AxiSubordinatePins& s) {
    auto& w = pins_.w;
    if (w.valid && !s.wready) return;
    if (w.valid && w.last) to_send_.pop();
    w.valid = !to_send_.empty();
    if (w.valid) show(bursts_[to_send_.front()]);
}

void Axi4Manager::show(Burst& burst) {
    auto& w = pins_.w;
    const BeatPlace place = place_of(burst);
    const Axi4Access& access = *burst.access;
    if (place.count != kAxiBytes) w.data = {};
    std::memcpy(&w.data[place.lane], &access.bytes[place.byte], place.count);
    w.strb = ~std::uint64_t{0} >> (kAxiBytes - place.count) << place.lane;
    if (!access.enabled.empty())
        for (std::uint64_t i = 0; i < place.count; ++i)
            if (!access.enabled[place.byte + i]) w.strb &= ~(std::uint64_t{1} << (place.lane + i));
    w.last = ++burst.beat == burst.beats;
}

// --- addresses

/// The next burst of the oldest access that waits, if an id and the channel are free.
void Axi4Manager::issue() {
    if (waiting_.empty() || free_ids_.empty()) return;
    Axi4Access& access = *waiting_.front();
    rtl::AxiAddressPins& channel = access.write ? pins_.aw : pins_.ar;
    if (channel.valid) return;
    const std::uint64_t access_end = access.address + access.bytes.size();
    if (access.issued == 0) {
        if (out_.must_wait(access)) return;
        out_.add(access);
    }

    const std::uint64_t address = access.address + access.issued;
    const std::uint64_t beat = address / kAxiBytes * kAxiBytes;
    const std::uint64_t boundary = (address / kAxiBoundary + 1) * kAxiBoundary;
    const std::uint64_t end = std::min({access_end, boundary, beat + std::uint64_t{config_.most_beats} * kAxiBytes});
    const auto beats = static_cast<unsigned>((end - beat + kAxiBytes - 1) / kAxiBytes);
    const unsigned id = free_ids_.back();
    free_ids_.pop_back();
    bursts_[id] = {&access, access.issued, end - address, beats, 0};
    access.issued += end - address;
    ++access.bursts_out;
    channel = {true, id, address, beats - 1, rtl::kAxiFullSize, rtl::kAxiIncr};
    if (access.write) to_send_.push(id);
    if (end == access_end) waiting_.pop();
}

} // namespace numavp
