/// Errors of a link or a channel as data: one struct, one field list (base/config/config.h).
#pragma once

#include <cstdint>

namespace numavp {

struct LinkErrors {
    double bit_error_rate = 0.0;
    std::uint64_t seed = 1;
    unsigned buffer_bytes = 0; ///< 0: what a round trip needs
    unsigned retire_errors = 0;
    double retire_window_us = 10.0, retrain_us = 1.0;

    bool given() const { return bit_error_rate > 0.0; }
};

template <class V> void describe(V& v, LinkErrors& c) {
    v.real(
        "bit_error_rate", c.bit_error_rate, 0.0, 0.01, "",
        "Probability that a bit arrives wrong, after forward error correction if the link has it; 0: never. PCIe up to "
        "generation 5 allows 1e-12 (docs/use/FAULTS.md).");
    v.integer("seed", c.seed, 0, ~std::uint64_t{0}, "",
              "Seed of the errors; each direction of each link or channel draws its own, by its name.");
    v.integer("buffer_bytes", c.buffer_bytes, 0, 16777216, "B",
              "Size of the retry buffer of each direction, the largest packet at least; a full one stalls the sender. "
              "0: what "
              "all lanes carry until the acknowledgement comes, and two of the largest packets.");
    v.integer("retire_errors", c.retire_errors, 0, 1000000, "errors",
              "Errors of a direction within retire_window_us at which one of its lanes is retired; 0: none is.");
    v.real("retire_window_us", c.retire_window_us, 0.001, 1e6, "us",
           "Time in which errors that retire a lane are counted.");
    v.real("retrain_us", c.retrain_us, 0.0, 1e6, "us",
           "Time for which a direction carries nothing while it goes over to fewer lanes. A choice: a link's recovery "
           "takes "
           "microseconds.");
}

} // namespace numavp
