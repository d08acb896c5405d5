/// AXI4: pins as plain structs, the bridge from TLM-2.0 to them, the core of a manager.
#pragma once

#include "rtl/axi4_pins.h"
#include "tlm-links/axi/axi4_manager.h"
#include "tlm-links/axi/tlm_to_axi4.h"
