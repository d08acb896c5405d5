/// What targets do with an input that is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/values/error.h"

namespace numavp::test {

/// Hands the input to `read`. A ConfigError must be one sentence, on one line. Returns what an entry of libFuzzer does.
template <class Read> int read_or_one_sentence(const std::uint8_t* data, std::size_t size, Read read) {
    try {
        read(std::string(reinterpret_cast<const char*>(data), size)); // NOLINT(*reinterpret-cast)
    } catch (const ConfigError& error) {
        if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
    }
    return 0;
}

} // namespace numavp::test
