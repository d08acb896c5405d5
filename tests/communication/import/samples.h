/// Small topology files written for the tests, in the formats of the tools.
#pragma once

#include <string>
#include <vector>

#include "communication/import/join_sources.h"

namespace numavp::test {

/// One GPU of an hwloc file: a host bridge, a root port, the device with its OS devices.
struct SampleGpu {
    std::string domain = "0002"; ///< of PCI
    unsigned number = 0;         ///< of CUDA and NVML
    std::string model = "Tesla P100-SXM2-16GB";
};
/// Objects with gp_index 100 * number + 1 to 5; the NVML OS device has the last.
std::string hwloc_gpu(const SampleGpu& gpu, bool version3 = false);
/// A package with its NUMA node, a core with two PUs, and what else is inside; numbers and masks follow from `number`.
std::string hwloc_package(unsigned number, const std::string& inside, const std::string& model = "POWER8NVL");
/// The whole file, of version "2.0", "3.0" or "" for 1.
std::string hwloc_file(const std::string& version, const std::string& objects, const std::string& behind = "");
/// Two POWER packages with a GPU each, NVLinks from each to its CPU, version 2.
std::string power_file(const std::string& version = "2.0");
/// What power_file() has besides objects.
std::string power_matrices();

/// Of 4 GPUs and two adapters on two packages, in new words.
std::string topo_file();
/// Of two NUMA nodes with 8 CPUs each.
std::string numactl_file();

/// A NUMA node of numactl -H.
struct SampleNode {
    unsigned id = 0;
    std::string cpus; ///< "0 1"
    unsigned megabytes = 0;
};
/// What numactl -H prints: the nodes, and rows of distances ("0: 10 21"), none if empty.
std::string numactl_text(const std::vector<SampleNode>& nodes, const std::string& distances = {});

/// A machine of these texts, called a, b, c in sentences.
FoundMachine machine_of_texts(const std::vector<std::string>& texts, const AssumedModels& models = {});
/// Its edges, a line each.
std::string edges_of(const std::vector<std::string>& texts);
/// The sentence with which they are refused; empty if they are not.
std::string refusal_of(const std::vector<std::string>& texts);

} // namespace numavp::test
