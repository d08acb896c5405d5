/// Credited flits with the signals of AMBA CXS: pins as plain structs, bridges between them and TLM-2.0, both ways.
#pragma once

#include "rtl/cxs_pins.h"
#include "tlm-links/flits/flit_channel.h"
#include "tlm-links/flits/flit_clock.h"
#include "tlm-links/flits/flits_to_tlm.h"
#include "tlm-links/flits/lossy_relay.h"
#include "tlm-links/flits/tlm_to_flits.h"
