/// Conversion between the responses of AXI4 or AXI4-Lite and those of TLM.
#pragma once

#include <tlm>

#include "rtl/axi4_pins.h"

namespace numavp {

inline tlm::tlm_response_status status_of_axi(unsigned response) {
    if (response <= rtl::kAxiExokay) return tlm::TLM_OK_RESPONSE;
    return response == rtl::kAxiDecerr ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

inline unsigned axi_response_of(tlm::tlm_response_status status) {
    if (status == tlm::TLM_OK_RESPONSE) return rtl::kAxiOkay;
    return status == tlm::TLM_ADDRESS_ERROR_RESPONSE ? rtl::kAxiDecerr : rtl::kAxiSlverr;
}

} // namespace numavp
