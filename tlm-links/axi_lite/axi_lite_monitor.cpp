#include "tlm-links/axi_lite/axi_lite_monitor.h"

#include <cstring>

namespace numavp {

using namespace rtl;

namespace {
constexpr unsigned kWordSize = 3; // of 8 bytes

AxiAddressPins widened(const AxiLiteAddressPins& a) { return {a.valid, 0, a.addr, 0, kWordSize, kAxiIncr}; }

AxiManagerPins widened(const AxiLiteManagerPins& m) {
    AxiManagerPins wide;
    wide.aw = widened(m.aw);
    wide.w.valid = m.w.valid;
    wide.w.last = true;
    // Any strobes are legal here. They go along as a ninth byte, which like the data may not change.
    std::memcpy(wide.w.data.data(), &m.w.data, kAxiLiteBytes);
    wide.w.data[kAxiLiteBytes] = static_cast<unsigned char>(m.w.strb);
    wide.bready = m.bready;
    wide.ar = widened(m.ar);
    wide.rready = m.rready;
    return wide;
}

AxiSubordinatePins widened(const AxiLiteSubordinatePins& s) {
    AxiSubordinatePins wide;
    wide.awready = s.awready;
    wide.wready = s.wready;
    wide.b = {s.b.valid, 0, s.b.resp};
    wide.arready = s.arready;
    wide.r.valid = s.r.valid;
    wide.r.last = true;
    wide.r.resp = s.r.resp;
    std::memcpy(wide.r.data.data(), &s.r.data, kAxiLiteBytes);
    return wide;
}
} // namespace

void AxiLiteMonitor::observe(const AxiLiteManagerPins& m, const AxiLiteSubordinatePins& s) {
    monitor_.observe(widened(m), widened(s));
}

} // namespace numavp
