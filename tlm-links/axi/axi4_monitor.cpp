#include "tlm-links/axi/axi4_monitor.h"

#include <algorithm>

namespace numavp {

using rtl::AxiAddressPins;
using rtl::AxiManagerPins;
using rtl::AxiSubordinatePins;
using rtl::kAxiBytes;

namespace {
constexpr std::size_t kMostBreaches = 16;

bool same(const AxiAddressPins& a, const AxiAddressPins& b) {
    return b.valid && a.id == b.id && a.addr == b.addr && a.len == b.len && a.size == b.size && a.burst == b.burst;
}

/// Byte lanes that beat `beat` of a burst may write.
std::uint64_t lanes_of(const AxiAddressPins& a, unsigned beat) {
    if (a.size >= rtl::kAxiFullSize) return beat == 0 ? ~std::uint64_t{0} << (a.addr % kAxiBytes) : ~std::uint64_t{0};
    const std::uint64_t bytes = std::uint64_t{1} << a.size;
    const std::uint64_t start = a.addr / bytes * bytes + (a.burst == rtl::kAxiIncr ? beat * bytes : 0);
    std::uint64_t lanes = ((std::uint64_t{1} << bytes) - 1) << (start % kAxiBytes);
    if (beat == 0) lanes &= ~std::uint64_t{0} << (a.addr % kAxiBytes);
    return lanes;
}
} // namespace

void Axi4Monitor::require(bool holds, const char* rule) {
    if (!holds && breaches_.size() < kMostBreaches) breaches_.push_back(std::to_string(edge_) + ": " + rule);
}

void Axi4Monitor::observe(const AxiManagerPins& m, const AxiSubordinatePins& s) {
    check_stable(m, s);
    // Answers first: they belong to requests taken at earlier edges.
    take_read_data(m, s);
    take_write_response(m, s);
    take_addresses(m, s);
    take_write_data(m, s);
    check_patience(m, s);
    before_m_ = m;
    before_s_ = s;
    ++edge_;
}

void Axi4Monitor::check_stable(const AxiManagerPins& m, const AxiSubordinatePins& s) {
    const AxiManagerPins& bm = before_m_;
    const AxiSubordinatePins& bs = before_s_;
    if (bm.aw.valid && !bs.awready) require(same(bm.aw, m.aw), "manager: a write address changed before it was taken");
    if (bm.ar.valid && !bs.arready) require(same(bm.ar, m.ar), "manager: a read address changed before it was taken");
    if (bm.w.valid && !bs.wready)
        require(m.w.valid && bm.w.last == m.w.last && bm.w.strb == m.w.strb && bm.w.data == m.w.data,
                "manager: write data changed before it was taken");
    if (bs.b.valid && !bm.bready)
        require(s.b.valid && bs.b.id == s.b.id && bs.b.resp == s.b.resp,
                "subordinate: a write response changed before it was taken");
    if (bs.r.valid && !bm.rready)
        require(s.r.valid && bs.r.id == s.r.id && bs.r.resp == s.r.resp && bs.r.last == s.r.last &&
                    bs.r.data == s.r.data,
                "subordinate: read data changed before it was taken");
}

// --- manager

void Axi4Monitor::check_address(const AxiAddressPins& a) {
    require(a.size <= rtl::kAxiFullSize, "manager: a beat is wider than the data");
    require(a.burst <= 2, "manager: the burst type is reserved");
    require(a.len <= 255 && (a.burst == rtl::kAxiIncr || a.len <= 15), "manager: a burst is too long");
    const std::uint64_t bytes = std::uint64_t{1} << std::min(a.size, rtl::kAxiFullSize);
    const std::uint64_t last = a.addr / bytes * bytes + a.len * bytes;
    require(a.burst != rtl::kAxiIncr || a.addr >> 12U == last >> 12U, "manager: a burst crosses 4 KB");
}

void Axi4Monitor::take_addresses(const AxiManagerPins& m, const AxiSubordinatePins& s) {
    if (m.ar.valid && s.arready) {
        check_address(m.ar);
        reads_.push_back({m.ar});
    }
    if (m.aw.valid && s.awready) {
        check_address(m.aw);
        writes_.push_back({m.aw});
    }
}

void Axi4Monitor::take_write_data(const AxiManagerPins& m, const AxiSubordinatePins& s) {
    if (m.w.valid && s.wready) {
        early_strobes_.push_back(m.w.strb);
        early_last_.push_back(m.w.last);
    }
    match_write_data();
}

/// Beats meet their addresses, whichever came first.
void Axi4Monitor::match_write_data() {
    const auto open = [](const Burst& b) { return !b.data_done; };
    for (auto burst = std::find_if(writes_.begin(), writes_.end(), open);
         !early_last_.empty() && burst != writes_.end(); burst = std::find_if(burst, writes_.end(), open)) {
        require((early_strobes_.front() & ~lanes_of(burst->address, burst->beats)) == 0,
                "manager: a strobe is outside its burst");
        const bool last = burst->beats++ == burst->address.len;
        require(early_last_.front() == last, "manager: WLAST is not on the last beat");
        burst->data_done = last || early_last_.front();
        early_strobes_.pop_front();
        early_last_.pop_front();
    }
}

// --- subordinate

void Axi4Monitor::take_write_response(const AxiManagerPins& m, const AxiSubordinatePins& s) {
    if (!s.b.valid) return;
    const auto burst =
        std::find_if(writes_.begin(), writes_.end(), [&](const Burst& b) { return b.address.id == s.b.id; });
    require(burst != writes_.end(), "subordinate: a write response to an id that waits for none");
    require(s.b.resp == rtl::kAxiOkay || s.b.resp == rtl::kAxiSlverr || s.b.resp == rtl::kAxiDecerr,
            "subordinate: a write response that nothing asks for");
    if (burst == writes_.end()) return;
    require(burst->data_done, "subordinate: a write response before the last beat");
    if (m.bready) writes_.erase(burst);
}

void Axi4Monitor::take_read_data(const AxiManagerPins& m, const AxiSubordinatePins& s) {
    if (!s.r.valid) return;
    const auto burst =
        std::find_if(reads_.begin(), reads_.end(), [&](const Burst& b) { return b.address.id == s.r.id; });
    require(burst != reads_.end(), "subordinate: read data for an id that waits for none");
    require(s.r.resp != rtl::kAxiExokay && s.r.resp <= rtl::kAxiDecerr,
            "subordinate: a read response that nothing asks for");
    if (burst == reads_.end()) return;
    const bool last = burst->beats == burst->address.len;
    require(s.r.last == last, "subordinate: RLAST is not on the last beat");
    if (!m.rready) return;
    ++burst->beats;
    if (last || s.r.last) reads_.erase(burst);
}

// --- liveness

void Axi4Monitor::check_patience(const AxiManagerPins& m, const AxiSubordinatePins& s) {
    const bool answered = (s.b.valid && m.bready) || (s.r.valid && m.rready);
    const struct {
        bool waits;
        const char* rule;
    } rules[] = {
        {m.aw.valid && !s.awready, "subordinate: a write address is never taken"},
        {m.w.valid && !s.wready, "subordinate: write data is never taken"},
        {s.b.valid && !m.bready, "manager: a write response is never taken"},
        {m.ar.valid && !s.arready, "subordinate: a read address is never taken"},
        {s.r.valid && !m.rready, "manager: read data is never taken"},
        {(!reads_.empty() || !writes_.empty()) && !answered, "subordinate: nothing is answered any more"},
    };
    for (std::size_t i = 0; i < std::size(rules); ++i) {
        waited_[i] = rules[i].waits ? waited_[i] + 1 : 0;
        if (waited_[i] == patience_) require(false, rules[i].rule);
    }
}

void Axi4Monitor::finish() {
    require(reads_.empty(), "the end: a read was not answered");
    require(writes_.empty(), "the end: a write was not answered");
    require(early_last_.empty(), "the end: write data has no address");
}

} // namespace numavp
