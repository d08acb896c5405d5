#include "tests/tlm-links/random_manager.h"

#include <algorithm>

namespace numavp::test {

using rtl::kAxiBytes;

struct RandomManager::Burst {
    bool write = false;
    rtl::AxiAddressPins address;
    unsigned beat = 0;      ///< of a write, next to be shown; of a read, next to come
    bool addressed = false; ///< its address was taken
    unsigned response = rtl::kAxiOkay;
    std::vector<unsigned char> lanes; ///< written, or expected
    std::vector<std::uint64_t> strobes;

    unsigned beats() const { return address.len + 1; }
    std::uint64_t begin() const { return address.addr / kAxiBytes * kAxiBytes; }
    std::uint64_t end() const { return begin() + std::uint64_t{beats()} * kAxiBytes; }
};

RandomManager::RandomManager(const ManagerStyle& style, unsigned count, std::uint64_t seed)
    : style_(style), count_(count), rng_(seed) {}

RandomManager::~RandomManager() = default;

void RandomManager::edge() {
    receive();
    begin();
    show_data();
    show_address(pins_.aw, writes_, other_.awready);
    show_address(pins_.ar, reads_, other_.arready);
    pins_.bready = open();
    pins_.rready = open();
}

// --- answers

RandomManager::Burst* RandomManager::oldest(bool write, unsigned id) {
    const auto found = std::find_if(out_.begin(), out_.end(),
                                    [&](const Burst* b) { return b->write == write && b->address.id == id; });
    if (found != out_.end() && (*found)->addressed) return *found;
    ++wrong_;
    return nullptr;
}

void RandomManager::receive() {
    const auto& r = other_.r;
    if (Burst* burst = r.valid && pins_.rready ? oldest(false, r.id) : nullptr) {
        const auto* expected = &burst->lanes[std::size_t{burst->beat} * kAxiBytes];
        const std::size_t skipped = burst->beat == 0 ? burst->address.addr % kAxiBytes : 0;
        if (r.resp != burst->response) ++wrong_;
        if (r.resp == rtl::kAxiOkay && !std::equal(expected + skipped, expected + kAxiBytes, &r.data[skipped]))
            ++wrong_;
        if (++burst->beat == burst->beats()) end(*burst);
    }
    const auto& b = other_.b;
    if (Burst* burst = b.valid && pins_.bready ? oldest(true, b.id) : nullptr) {
        if (b.resp != burst->response) ++wrong_;
        end(*burst);
    }
}

void RandomManager::end(Burst& burst) {
    ++answered_;
    out_.erase(std::find(out_.begin(), out_.end(), &burst));
    spare_.push_back(&burst);
}

// --- requests

/// AXI keeps the order of overlapping writes of one id; all other overlaps are the manager's to avoid.
bool RandomManager::must_wait(const Burst& burst) const {
    return std::any_of(out_.begin(), out_.end(), [&](const Burst* other) {
        if (!other->write && !burst.write) return false;
        if (other->write && burst.write && other->address.id == burst.address.id) return false;
        return other->begin() < burst.end() && burst.begin() < other->end();
    });
}

void RandomManager::begin() {
    if (begun_ == count_ || out_.size() == style_.outstanding || !open()) return;
    if (!next_) {
        if (spare_.empty()) {
            bursts_.push_back(std::make_unique<Burst>());
            spare_.push_back(bursts_.back().get());
        }
        next_ = spare_.back();
        spare_.pop_back();
        choose(*next_);
    }
    if (must_wait(*next_)) return;
    ++begun_;
    expect(*next_);
    out_.push_back(next_);
    (next_->write ? writes_ : reads_).push_back(next_);
    if (next_->write) data_.push_back(next_);
    next_ = nullptr;
}

void RandomManager::choose(Burst& burst) {
    burst.write = rng_.chance(1, 2);
    burst.beat = 0;
    burst.addressed = false;
    burst.response = rtl::kAxiOkay;
    auto& a = burst.address;
    a = {};
    a.id = static_cast<unsigned>(rng_.below(style_.ids));
    a.addr = rng_.below(kBytes / kAxiBytes) * kAxiBytes;
    const std::uint64_t in_page = (4096 - a.addr % 4096) / kAxiBytes;
    a.len = static_cast<unsigned>(rng_.below(std::min<std::uint64_t>(style_.most_beats, in_page)));
    if (style_.odd) a.addr += rng_.below(kAxiBytes);
    spoil(burst);
    burst.lanes.resize(std::size_t{burst.beats()} * kAxiBytes);
    burst.strobes.assign(burst.beats(), ~0ULL);
    burst.strobes[0] <<= a.addr % kAxiBytes;
}

void RandomManager::spoil(Burst& burst) {
    auto& a = burst.address;
    if (rng_.chance(style_.wrong_percent, 100)) {
        a.addr += kBytes;
        burst.response = rtl::kAxiDecerr;
    } else if (rng_.chance(style_.illegal_percent, 100)) {
        burst.response = rtl::kAxiSlverr;
        const std::uint64_t fault = rng_.below(3);
        if (fault == 0) a.burst = 0;
        if (fault == 1) a.size = 3;
        if (fault == 2) a.len = 64 + static_cast<unsigned>(rng_.below(192));
    }
}

/// What the memory holds after it, or what it must yield; in the order of the requests.
void RandomManager::expect(Burst& burst) {
    const bool served = burst.response == rtl::kAxiOkay;
    if (!burst.write) {
        if (served) reference.read(burst.begin(), burst.lanes.data(), burst.lanes.size());
        return;
    }
    for (unsigned beat = 0; beat < burst.beats(); ++beat) {
        std::uint64_t& strobes = burst.strobes[beat];
        if (style_.odd && rng_.chance(1, 3)) strobes &= rng_.next();
        for (unsigned lane = 0; lane < kAxiBytes; ++lane) {
            unsigned char& byte = burst.lanes[std::size_t{beat} * kAxiBytes + lane];
            byte = static_cast<unsigned char>(rng_.next());
            if (served && (strobes >> lane & 1U) != 0)
                reference.write(burst.begin() + std::uint64_t{beat} * kAxiBytes + lane, &byte, std::size_t{1});
        }
    }
}

void RandomManager::show_address(rtl::AxiAddressPins& channel, Queue& queue, bool ready) {
    if (channel.valid && ready) {
        queue.front()->addressed = true;
        queue.pop_front();
        channel.valid = false;
    }
    if (!channel.valid && !queue.empty() && open()) {
        channel = queue.front()->address;
        channel.valid = true;
    }
}

void RandomManager::show_data() {
    auto& w = pins_.w;
    if (w.valid && other_.wready) {
        if (w.last) data_.pop_front();
        w.valid = false;
    }
    if (w.valid || data_.empty() || !open()) return;
    Burst& burst = *data_.front();
    w.valid = true;
    w.strb = burst.strobes[burst.beat];
    std::copy_n(&burst.lanes[std::size_t{burst.beat} * kAxiBytes], kAxiBytes, w.data.begin());
    w.last = ++burst.beat == burst.beats();
}

} // namespace numavp::test
