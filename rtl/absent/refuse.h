/// The error of RTL blocks in a build without Verilator.
#pragma once

#include <string>

#include "base/values/error.h"
#include "rtl/blocks.h"

namespace numavp::rtl {

[[noreturn]] inline void refuse(const char* block) {
    throw ConfigError("rtl/" + std::string(block), "an RTL block is asked for, and " + std::string(missing()));
}

} // namespace numavp::rtl
