#include "tlm-links/axi_lite/axi_lite_manager.h"

#include "models/base/mutant.h"
#include "tlm-links/axi_lite/axi_lite_faults.h"

namespace numavp {

void AxiLiteManagerCore::start(const AxiLiteAccess& access) {
    const std::uint64_t address = access.address + (mutant(kLiteShiftsAddress) ? rtl::kAxiLiteBytes : 0);
    if (access.write) {
        pins_.aw = {true, address};
        pins_.w = {true, mutant(kLiteWritesWholeWords) ? rtl::kAxiLiteStrobes : access.strobes, access.data};
        pins_.bready = true;
    } else {
        pins_.ar = {true, address};
        pins_.rready = true;
    }
}

void AxiLiteManagerCore::edge(const rtl::AxiLiteSubordinatePins& s) {
    if (s.awready || mutant(kLiteWithdrawsAddress)) pins_.aw.valid = false;
    if (s.wready) pins_.w.valid = false;
    if (mutant(kLiteChangesDataUntaken)) pins_.w.data ^= 1U;
    if (s.arready) pins_.ar.valid = false;
    if (s.r.valid && pins_.rready) {
        data_ = s.r.data;
        response_ = s.r.resp;
        pins_.rready = false;
    }
    if ((s.b.valid || mutant(kLiteTakesAnswerUnready)) && pins_.bready) {
        response_ = s.b.resp;
        pins_.bready = false;
    }
    if (mutant(kLiteIgnoresResponse)) response_ = rtl::kAxiOkay;
}

} // namespace numavp
