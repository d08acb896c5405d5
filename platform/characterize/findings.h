/// What the thesis concludes from its measurements, asked of a machine: does it matter which CPU and GPU, which
/// direction, which of several like links (Tables 4.1 to 4.4 and 5.1 to 5.5 of Pearson 2018).
#pragma once

#include <string>
#include <vector>

#include "platform/characterize/benchmark.h"

namespace numavp {

struct Finding {
    std::string table, row;
    std::string verdict;   ///< "yes", "small", "no", "none": the machine has no such transfers; of 5.5 microseconds
    double difference = 0; ///< the largest of times at one size of 1 MiB and more, or microseconds
    std::string between;   ///< which transfers were compared
};

/// From 5 % on a difference is "yes", from 2.5 % on "small". Choices: the thesis reads figures by eye.
std::vector<Finding> find_findings(const HostMachine& machine);

} // namespace numavp
