/// AXI4 and AXI4-Lite: pins as plain structs or SystemC signals, and bridges between them and TLM-2.0, both ways.
#pragma once

#include "rtl/axi4_lite_pins.h"
#include "rtl/axi4_pins.h"
#include "tlm-links/axi/axi4_manager.h"
#include "tlm-links/axi/axi4_signals.h"
#include "tlm-links/axi/axi4_subordinate.h"
#include "tlm-links/axi/axi4_to_tlm.h"
#include "tlm-links/axi/tlm_to_axi4.h"
#include "tlm-links/axi_lite/axi_lite_to_tlm.h"
#include "tlm-links/axi_lite/tlm_to_axi_lite.h"
