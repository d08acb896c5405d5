/// Monitors that say which rule of a protocol was broken: TLM-2.0 base protocol, pins of AXI4 and AXI4-Lite, flits.
#pragma once

#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/axi_lite/axi_lite_monitor.h"
#include "tlm-links/flits/flit_monitor.h"
#include "tlm-links/flits/flit_retry_monitor.h"
#include "tlm-links/protocol/monitor.h"
#include "tlm-links/protocol/protocol_checker.h"
