/// Monitors that say which rule of a protocol was broken: TLM-2.0 base protocol, AXI4 pins.
#pragma once

#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/monitor.h"
#include "tlm-links/protocol_checker.h"
