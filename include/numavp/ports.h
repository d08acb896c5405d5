/// Foreign TLM-2.0 initiators and targets at the platform's ports: clocks and adapters.
#pragma once

#include "base/time/clockwork.h"
#include "tlm-links/edge/edge_initiator_adapter.h"
#include "tlm-links/edge/edge_target_adapter.h"
#include "tlm-links/protocol/ports.h"
