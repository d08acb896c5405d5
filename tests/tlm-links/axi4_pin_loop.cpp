#include "tests/tlm-links/axi4_pin_loop.h"

#include <algorithm>

#include "base/values/error.h"
#include "rtl/blocks.h"

namespace numavp::test {

void PinLoop::run(unsigned count, std::uint64_t edges) {
    for (std::uint64_t i = 0; i < edges && done < count && monitor.breaches().empty() && !manager_objects; ++i) {
        while (begun_ < count && manager_.can_take()) begin();
        edge();
    }
    if (done == count) monitor.finish();
}

void PinLoop::begin() {
    ++begun_;
    auto access = std::make_unique<Access>();
    access->write = random_.chance(1, 2);
    access->bytes.resize(1 + random_.below(random_.chance(1, 4) ? 5'000 : 300));
    access->address = random_.below(rtl::Axi4RamBlock::kBytes - access->bytes.size() + 1);
    if (access->write) {
        for (auto& byte : access->bytes) byte = static_cast<unsigned char>(random_.next());
        reference_.write(access->address, access->bytes.data(), access->bytes.size());
    } else {
        access->expected.resize(access->bytes.size());
        reference_.read(access->address, access->expected.data(), access->expected.size());
    }
    manager_.take(*access);
    accesses_.push_back(std::move(access));
}

void PinLoop::edge() {
    AxiManagerPins m = manager_.pins();
    tamper.manager(tamper, m);
    memory_.settle(m);
    AxiSubordinatePins s = memory_.pins();
    tamper.subordinate(tamper, s);
    monitor.observe(m, s);
    observer(m, s);
    // Each side takes part in the handshakes that are on the pins, and in no other.
    AxiManagerPins to_memory = m;
    to_memory.aw.valid = m.aw.valid && s.awready;
    to_memory.w.valid = m.w.valid && s.wready;
    to_memory.ar.valid = m.ar.valid && s.arready;
    to_memory.bready = m.bready && s.b.valid;
    to_memory.rready = m.rready && s.r.valid;
    AxiSubordinatePins to_manager = s;
    to_manager.b.valid = s.b.valid && m.bready;
    to_manager.r.valid = s.r.valid && m.rready;
    memory_.settle(to_memory);
    try {
        manager_.edge(to_manager);
    } catch (const ModelError&) {
        manager_objects = true;
    }
    memory_.edge();
    tamper.before_m = m;
    tamper.before_s = s;
    while (auto* access = static_cast<Access*>(manager_.pop_finished())) finish(*access);
}

void PinLoop::finish(Access& access) {
    ++done;
    if (access.response != rtl::kAxiOkay || (!access.write && access.bytes != access.expected)) ++wrong;
    accesses_.erase(std::find_if(accesses_.begin(), accesses_.end(), [&](auto& a) { return a.get() == &access; }));
}

} // namespace numavp::test
