#include "tlm-links/axi/axi4_subordinate.h"

#include <algorithm>
#include <cstring>

#include "base/values/error.h"

namespace numavp {

using rtl::AxiAddressPins;
using rtl::AxiManagerPins;
using rtl::kAxiBoundary;
using rtl::kAxiBytes;

namespace {
constexpr unsigned kMostBeats = kAxiBoundary / kAxiBytes;

void expand(std::uint64_t strobes, unsigned char* bytes) {
    for (unsigned i = 0; i < kAxiBytes; ++i) bytes[i] = (strobes >> i & 1U) != 0 ? 0xff : 0;
}
} // namespace

// --- places

void Axi4Subordinate::Queue::push(Axi4Burst& burst) {
    (first_ ? last_->next : first_) = &burst;
    last_ = &burst;
    burst.next = nullptr;
}

Axi4Burst* Axi4Subordinate::Queue::pop() {
    Axi4Burst* const burst = first_;
    if (burst) first_ = burst->next;
    return burst;
}

Axi4Subordinate::Axi4Subordinate(const Axi4SubordinateConfig& config)
    : size_(config.size), bytes_(std::size_t{2} * kAxiBoundary * (config.reads + config.writes)),
      bursts_(config.reads + config.writes) {
    if (config.reads == 0 || config.writes == 0)
        throw ModelError("an AXI4 subordinate needs places for reads and for writes");
    for (unsigned i = 0; i < bursts_.size(); ++i) {
        Axi4Burst& burst = bursts_[i];
        burst.index = i;
        burst.write = i >= config.reads;
        burst.lanes = &bytes_[std::size_t{2} * kAxiBoundary * i];
        burst.strobes = burst.lanes + kAxiBoundary;
        free_places(burst.write).push_back(&burst);
    }
    out_.reserve(bursts_.size());
    pins_.arready = pins_.awready = true;
}

void Axi4Subordinate::free_if_done(Axi4Burst& burst) {
    if (!burst.unanswered && !burst.held) free_places(burst.write).push_back(&burst);
}

void Axi4Subordinate::edge(const AxiManagerPins& m) {
    end_answers(m);
    take_data(m);
    if (m.aw.valid && pins_.awready) data_due_.push(take_address(m.aw, true));
    if (m.ar.valid && pins_.arready) taken(take_address(m.ar, false));
    show_write_response();
    show_read_beat();
    pins_.awready = !free_writes_.empty();
    pins_.wready = !data_due_.empty();
    pins_.arready = !free_reads_.empty();
}

// --- requests

/// The response to a burst that is not handed on, or kAxiOkay.
unsigned Axi4Subordinate::refusal(const AxiAddressPins& a) const {
    const std::uint64_t first_beat = a.addr % kAxiBoundary / kAxiBytes;
    if (a.burst != rtl::kAxiIncr || a.size != rtl::kAxiFullSize || first_beat + a.len >= kMostBeats)
        return rtl::kAxiSlverr;
    const std::uint64_t last_byte = (a.addr / kAxiBytes + a.len) * kAxiBytes + kAxiBytes - 1;
    return last_byte < size_ ? rtl::kAxiOkay : rtl::kAxiDecerr;
}

Axi4Burst& Axi4Subordinate::take_address(const AxiAddressPins& a, bool write) {
    Axi4Burst& burst = *free_places(write).back();
    free_places(write).pop_back();
    burst.id = a.id;
    burst.address = a.addr;
    burst.beats = a.len + 1;
    burst.bytes = burst.beats * kAxiBytes - static_cast<unsigned>(a.addr % kAxiBytes);
    burst.beat = 0;
    burst.partial = false;
    burst.response = refusal(a);
    burst.finished = false;
    burst.follower = nullptr;
    queue_behind_its_id(burst);
    burst.unanswered = true;
    ++unanswered_;
    return burst;
}

void Axi4Subordinate::queue_behind_its_id(Axi4Burst& burst) {
    const auto youngest = std::find_if(bursts_.begin(), bursts_.end(), [&](const Axi4Burst& b) {
        return b.unanswered && b.id == burst.id && b.write == burst.write && !b.follower;
    });
    burst.behind = youngest != bursts_.end();
    if (burst.behind) youngest->follower = &burst;
}

void Axi4Subordinate::take_data(const AxiManagerPins& m) {
    if (!m.w.valid || !pins_.wready) return;
    Axi4Burst& burst = *data_due_.front();
    const bool last = burst.beat + 1 == burst.beats;
    if (m.w.last != last) burst.response = rtl::kAxiSlverr;
    if (burst.response == rtl::kAxiOkay) store(burst, m.w.strb, m.w.data);
    ++burst.beat;
    if (!last && !m.w.last) return;
    data_due_.pop();
    taken(burst);
}

/// Enables are written from the first beat on that lacks some.
void Axi4Subordinate::store(Axi4Burst& burst, std::uint64_t strobes, const rtl::AxiData& data) {
    const std::size_t at = std::size_t{burst.beat} * kAxiBytes;
    std::memcpy(burst.lanes + at, data.data(), kAxiBytes);
    const std::uint64_t all = ~0ULL << (burst.beat == 0 ? burst.address % kAxiBytes : 0);
    const bool full = (strobes & all) == all;
    if (full && !burst.partial) return;
    if (!burst.partial) std::memset(burst.strobes, 0xff, at);
    burst.partial = true;
    expand(strobes, burst.strobes + at);
}

/// All of its request was taken.
void Axi4Subordinate::taken(Axi4Burst& burst) {
    burst.beat = 0;
    if (burst.response == rtl::kAxiOkay)
        waiting_.push(burst);
    else
        finished(burst);
}

bool Axi4Subordinate::must_wait(const Axi4Burst& burst) const {
    return std::any_of(out_.begin(), out_.end(), [&](const Axi4Burst* other) {
        return (other->write || burst.write) && other->address < burst.address + burst.bytes &&
               burst.address < other->address + other->bytes;
    });
}

Axi4Burst* Axi4Subordinate::next_request() {
    if (waiting_.empty() || must_wait(*waiting_.front())) return nullptr;
    Axi4Burst* const burst = waiting_.pop();
    burst->held = true;
    out_.push_back(burst);
    return burst;
}

// --- answers

void Axi4Subordinate::finish(Axi4Burst& burst, unsigned response) {
    *std::find(out_.begin(), out_.end(), &burst) = out_.back();
    out_.pop_back();
    burst.response = response;
    finished(burst);
}

void Axi4Subordinate::release(Axi4Burst& burst) {
    burst.held = false;
    free_if_done(burst);
}

/// Its answer may be shown if that of its id's burst before it was.
void Axi4Subordinate::finished(Axi4Burst& burst) {
    burst.finished = true;
    if (!burst.behind) (burst.write ? write_answers_ : read_answers_).push(burst);
}

/// The last of its answer is on the pins.
void Axi4Subordinate::answered(Axi4Burst& burst) {
    burst.unanswered = false;
    --unanswered_;
    if (Axi4Burst* const follower = burst.follower) {
        follower->behind = false;
        if (follower->finished) finished(*follower);
    }
    free_if_done(burst);
}

void Axi4Subordinate::end_answers(const AxiManagerPins& m) {
    if (m.bready) pins_.b.valid = false;
    if (m.rready) pins_.r.valid = false;
}

void Axi4Subordinate::show_write_response() {
    if (pins_.b.valid || write_answers_.empty()) return;
    Axi4Burst& burst = *write_answers_.pop();
    pins_.b = {true, burst.id, burst.response};
    answered(burst);
}

void Axi4Subordinate::show_read_beat() {
    auto& r = pins_.r;
    if (r.valid) return;
    if (!reading_) reading_ = read_answers_.pop();
    if (!reading_) return;
    Axi4Burst& burst = *reading_;
    r.valid = true;
    r.id = burst.id;
    r.resp = burst.response;
    if (r.resp == rtl::kAxiOkay)
        std::memcpy(r.data.data(), burst.lanes + std::size_t{burst.beat} * kAxiBytes, kAxiBytes);
    else
        r.data = {};
    const bool last = ++burst.beat == burst.beats;
    r.last = last;
    if (!last) return;
    reading_ = nullptr;
    answered(burst);
}

} // namespace numavp
