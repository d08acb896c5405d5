/// Number of the random stream of a part, which follows from the part's name: other parts do not change it.
#pragma once

#include <string>

#include "base/values/digest.h"

namespace numavp {

/// Number of the stream of `name`, or of its port `port`; an argument of `Rng::fork()`.
inline std::uint64_t draw_stream(const std::string& name, unsigned port = 0) {
    Digest digest;
    for (const char c : name) digest.add(static_cast<unsigned char>(c));
    digest.add(port);
    return digest.value();
}

} // namespace numavp
