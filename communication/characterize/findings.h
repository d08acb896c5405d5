/// The conclusions of the thesis, tested on a machine: whether the choice of CPU and GPU, of the direction, and of one
/// of several like links matters (Tables 4.1 to 4.4 and 5.1 to 5.5 of Pearson 2018).
#pragma once

#include <string>
#include <vector>

#include "communication/characterize/benchmark.h"

namespace numavp {

struct Finding {
    std::string table, row;
    std::string verdict;   ///< "yes", "small", "no", "none": the machine has no such transfers; of 5.5 microseconds
    double difference = 0; ///< the largest of times at one size of 1 MiB and more, or microseconds
    std::string between;   ///< which transfers were compared
};

/// A difference from 5 % on is "yes", from 2.5 % on "small". These limits are choices: the thesis reads figures by eye.
std::vector<Finding> find_findings(const HostMachine& machine);

} // namespace numavp
