#include "tlm-links/axi_lite/axi_lite_manager.h"

namespace numavp {

void AxiLiteManagerCore::start(const AxiLiteAccess& access) {
    if (access.write) {
        pins_.aw = {true, access.address};
        pins_.w = {true, access.strobes, access.data};
        pins_.bready = true;
    } else {
        pins_.ar = {true, access.address};
        pins_.rready = true;
    }
}

void AxiLiteManagerCore::edge(const rtl::AxiLiteSubordinatePins& s) {
    if (s.awready) pins_.aw.valid = false;
    if (s.wready) pins_.w.valid = false;
    if (s.arready) pins_.ar.valid = false;
    if (s.r.valid && pins_.rready) {
        data_ = s.r.data;
        response_ = s.r.resp;
        pins_.rready = false;
    }
    if (s.b.valid && pins_.bready) {
        response_ = s.b.resp;
        pins_.bready = false;
    }
}

} // namespace numavp
