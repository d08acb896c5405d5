#include "tlm-links/axi/axi4_manager.h"

#include <algorithm>

#include "models/base/error.h"
#include "models/base/mutant.h"
#include "tlm-links/axi/axi4_faults.h"

namespace numavp {

using rtl::kAxiBytes;

namespace {
constexpr std::uint64_t kBoundary = 4096; // that no burst crosses
}

Axi4Manager::Axi4Manager(const Axi4ManagerConfig& config) : config_(config), bursts_(config.ids) {
    if (config.ids == 0 || config.waiting == 0 || config.finished == 0)
        throw ModelError("an AXI4 manager needs an id and places for accesses");
    if (config.most_beats < 1 || config.most_beats > 256) throw ModelError("an AXI4 burst has 1 to 256 beats");
    pins_.bready = pins_.rready = true;
}

Axi4Access* Axi4Manager::pop(Queue& queue) {
    if (queue.empty()) return nullptr;
    Axi4Access* access = queue.front();
    queue.pop_front();
    return access;
}

void Axi4Manager::edge(const rtl::AxiSubordinatePins& s) {
    receive(s);
    send_data(s);
    end_address(pins_.aw, s.awready);
    end_address(pins_.ar, s.arready);
    issue();
    if (!pins_.w.valid) send_data({}); // of what was issued now
    pins_.bready = pins_.rready = finished_.size() < config_.finished;
}

template <class F> void Axi4Manager::each_byte(const Burst& burst, F f) const {
    const std::uint64_t address = burst.access->address + burst.first;
    const std::uint64_t beat = address / kAxiBytes + burst.beat; // its number in memory
    const std::uint64_t from = std::max(address, beat * kAxiBytes);
    const std::uint64_t to = std::min(address + burst.bytes, (beat + 1) * kAxiBytes);
    for (std::uint64_t at = from; at < to; ++at) f(at - burst.access->address, at % kAxiBytes);
}

// --- answers

Axi4Manager::Burst& Axi4Manager::answered(unsigned id, bool write) {
    if (id >= bursts_.size() || !bursts_[id].access || bursts_[id].access->write != write)
        throw ModelError("an AXI4 subordinate answers an id that waits for nothing");
    return bursts_[id];
}

void Axi4Manager::receive(const rtl::AxiSubordinatePins& s) {
    if (s.r.valid && (pins_.rready || mutant(kTakesReadDataUnready))) {
        Burst& burst = answered(s.r.id, false);
        each_byte(burst, [&](std::uint64_t byte, std::uint64_t lane) { burst.access->bytes[byte] = s.r.data[lane]; });
        burst.access->response = std::max(burst.access->response, s.r.resp);
        if (++burst.beat == burst.beats) end_burst(burst, s.r.resp);
    }
    if (s.b.valid && pins_.bready) {
        Burst& burst = answered(s.b.id, true);
        if (burst.beat != burst.beats) throw ModelError("an AXI4 subordinate answers a write before its last beat");
        end_burst(burst, s.b.resp);
    }
}

void Axi4Manager::end_burst(Burst& burst, unsigned response) {
    Axi4Access& access = *burst.access;
    if (!mutant(kLosesWriteErrors)) access.response = std::max(access.response, response);
    burst = {};
    if (--access.bursts_out != 0 || access.issued != access.bytes.size()) return;
    active_.erase(std::find(active_.begin(), active_.end(), &access));
    finished_.push_back(&access);
}

// --- write data

/// Ends the beat on the pins if it is taken, then shows the next one.
void Axi4Manager::send_data(const rtl::AxiSubordinatePins& s) {
    auto& w = pins_.w;
    if (w.valid && !s.wready && !mutant(kShowsNextBeatUntaken)) return;
    if (w.valid && w.last) to_send_.pop_front();
    w.valid = false;
    if (to_send_.empty()) return;
    Burst& burst = bursts_[to_send_.front()];
    const Axi4Access& access = *burst.access;
    w.valid = true;
    w.strb = 0;
    w.data = {};
    each_byte(burst, [&](std::uint64_t byte, std::uint64_t lane) {
        w.data[lane] = access.bytes[byte];
        if (access.enabled.empty() || access.enabled[byte]) w.strb |= std::uint64_t{1} << lane;
    });
    if (mutant(kShiftsStrobes)) w.strb <<= 1U;
    w.last = ++burst.beat == burst.beats || (mutant(kWriteLastEarly) && burst.beat + 1 == burst.beats);
}

// --- addresses

void Axi4Manager::end_address(rtl::AxiAddressPins& channel, bool ready) {
    if (!channel.valid || !ready) return;
    channel.valid = false;
    // It was of the first that waits: the next one is issued only when all its addresses were taken.
    if (waiting_.front()->issued == waiting_.front()->bytes.size()) requested_.push_back(pop(waiting_));
}

bool Axi4Manager::must_wait(const Axi4Access& access) const {
    return !mutant(kIgnoresHazards) && std::any_of(active_.begin(), active_.end(), [&](const Axi4Access* other) {
        if (other == &access || (!other->write && !access.write)) return false;
        return other->address < access.address + access.bytes.size() &&
               access.address < other->address + other->bytes.size();
    });
}

/// The next burst of the oldest access that waits, if an id and the channel are free.
void Axi4Manager::issue() {
    if (waiting_.empty()) return;
    Axi4Access& access = *waiting_.front();
    rtl::AxiAddressPins& channel = access.write ? pins_.aw : pins_.ar;
    if (channel.valid || access.issued == access.bytes.size() || must_wait(access)) return;
    const auto free = std::find_if(bursts_.begin(), bursts_.end(), [](const Burst& b) { return !b.access; });
    if (free == bursts_.end()) return;
    if (access.issued == 0) active_.push_back(&access);

    const std::uint64_t address = access.address + access.issued;
    const std::uint64_t beat = address / kAxiBytes * kAxiBytes;
    const std::uint64_t boundary = (address / kBoundary + 1) * kBoundary + (mutant(kSplitsAfter4k) ? kAxiBytes : 0);
    const std::uint64_t end = std::min(
        {access.address + access.bytes.size(), boundary, beat + std::uint64_t{config_.most_beats} * kAxiBytes});
    const auto beats = static_cast<unsigned>((end - beat + kAxiBytes - 1) / kAxiBytes);
    *free = {&access, access.issued, end - address, beats, 0};
    access.issued += end - address;
    ++access.bursts_out;
    const auto id = static_cast<unsigned>(free - bursts_.begin());
    channel = {true, id, address, beats - 1, rtl::kAxiFullSize, rtl::kAxiIncr};
    if (access.write) to_send_.push_back(id);
}

} // namespace numavp
