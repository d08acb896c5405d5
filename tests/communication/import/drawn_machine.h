/// A machine drawn from a seed, written in the forms of topology files, and the parts and links that each form tells.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace numavp::test {

struct DrawnNode {
    unsigned id = 0, package = 0;
    unsigned first_cpu = 0, cpus = 0;
    unsigned mebibytes = 0;
    unsigned mebibytes_per_s = 0; ///< of a memory attribute; 0: none
};

struct DrawnGpu {
    std::size_t node = 0;    ///< in DrawnMachine::nodes
    unsigned pci_switch = 0; ///< GPUs with the same number, other than 0, are behind one switch
    double gbytes_per_s = 0; ///< of PCIe
};

enum class DrawnFabric : unsigned char { none, nvlinks, nvswitch, xgmi };

struct DrawnMachine {
    explicit DrawnMachine(std::uint64_t seed);

    unsigned packages = 1, nodes_each = 1;
    bool ring = false;            ///< of 4 packages; else all are joined
    std::vector<DrawnNode> nodes; ///< with CPUs first, then fast memories without
    std::vector<unsigned> empty;  ///< ids of nodes with neither
    std::vector<DrawnGpu> gpus;   ///< in the order of packages
    const char* model = "";       ///< of the GPUs, in the table of part_facts.h
    DrawnFabric fabric = DrawnFabric::none;
    std::vector<std::vector<unsigned>> lanes; ///< between GPUs; with nvswitch that of each GPU to it, on the diagonal
    unsigned within = 12, across = 21;        ///< distances

    /// Whether a file names packages of fast memory: with numactl -H alone it stands beside its package, not in it.
    bool told_packages = true;

    unsigned distance(std::size_t a, std::size_t b) const; ///< of nodes by their places
    unsigned nodes_with_memory(unsigned package) const;

    std::string hwloc(const std::string& version, bool with_nvlinks = true) const;
    /// Version 1: NUMA nodes are a level of the tree, and there are no links of GPUs. Nodes without CPUs lie beside the
    /// packages, so that `told_packages` holds for one package alone.
    std::string hwloc1() const;
    /// NCCL's topology, RCCL's where the GPUs have xGMI; it has the NUMA nodes with GPUs alone.
    std::string nccl() const;
    std::string topo() const;
    std::string numactl(bool compressed) const;

    /// Links as edges of `edge_list`, without PCIe; those of memories and packages, those of GPUs.
    std::set<std::string> edges_of_nodes() const, edges_of_gpus() const;
    /// The PCIe edges of the hwloc file.
    std::set<std::string> edges_of_pci() const;
    /// The part of a node: "pkg0", or "numa3" where its package has several memories.
    std::string place_of(std::size_t node) const;
};

} // namespace numavp::test
