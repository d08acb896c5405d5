/// The RTL blocks of the platform: pins in a struct, a call a clock edge.
#pragma once

#include "rtl/blocks.h"
