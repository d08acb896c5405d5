/// The RTL blocks of the platform: pins in a struct, one call per clock edge.
#pragma once

#include "rtl/axi4_channel_block.h"
#include "rtl/axi4_lite_blocks.h"
#include "rtl/axi4_master_block.h"
#include "rtl/blocks.h"
#include "rtl/flit_blocks.h"
#include "rtl/flit_retry_blocks.h"
