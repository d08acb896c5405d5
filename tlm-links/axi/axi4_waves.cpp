#include "tlm-links/axi/axi4_waves.h"

#include <utility>

namespace numavp {

using rtl::AxiAddressPins;

Axi4Waves::Axi4Waves(Waves& waves, const std::string& scope, WaveClock clock)
    : group_(waves, std::move(clock), "pins of " + scope) {
    add_manager(scope);
    add_subordinate(scope);
}

void Axi4Waves::add_manager(const std::string& scope) {
    const auto address = [&](const std::string& letters, const AxiAddressPins& pins, const bool& ready) {
        group_.add(scope, letters + "valid", 1, [&pins] { return pins.valid; });
        group_.add(scope, letters + "ready", 1, [&ready] { return ready; });
        group_.add(scope, letters + "id", 8, [&pins] { return pins.id; });
        group_.add(
            scope, letters + "addr", 64, [&pins] { return pins.addr; }, WaveRadix::hexadecimal);
        group_.add(scope, letters + "len", 8, [&pins] { return pins.len; });
        group_.add(scope, letters + "size", 3, [&pins] { return pins.size; });
        group_.add(scope, letters + "burst", 2, [&pins] { return pins.burst; });
    };
    address("aw", manager_.aw, subordinate_.awready);
    address("ar", manager_.ar, subordinate_.arready);
    const auto& w = manager_.w;
    group_.add(scope, "wvalid", 1, [&w] { return w.valid; });
    group_.add(scope, "wready", 1, [this] { return subordinate_.wready; });
    group_.add(scope, "wlast", 1, [&w] { return w.last; });
    group_.add(
        scope, "wstrb", 64, [&w] { return w.strb; }, WaveRadix::hexadecimal);
    group_.add_bytes(scope, "wdata", w.data.data(), rtl::kAxiBytes);
}

void Axi4Waves::add_subordinate(const std::string& scope) {
    const auto& b = subordinate_.b;
    const auto& r = subordinate_.r;
    group_.add(scope, "bvalid", 1, [&b] { return b.valid; });
    group_.add(scope, "bready", 1, [this] { return manager_.bready; });
    group_.add(scope, "bid", 8, [&b] { return b.id; });
    group_.add(scope, "bresp", 2, [&b] { return b.resp; });
    group_.add(scope, "rvalid", 1, [&r] { return r.valid; });
    group_.add(scope, "rready", 1, [this] { return manager_.rready; });
    group_.add(scope, "rid", 8, [&r] { return r.id; });
    group_.add(scope, "rresp", 2, [&r] { return r.resp; });
    group_.add(scope, "rlast", 1, [&r] { return r.last; });
    group_.add_bytes(scope, "rdata", r.data.data(), rtl::kAxiBytes);
}

void Axi4Waves::sample(const rtl::AxiManagerPins& manager, const rtl::AxiSubordinatePins& subordinate) {
    manager_ = manager;
    subordinate_ = subordinate;
    group_.sample();
}

} // namespace numavp
