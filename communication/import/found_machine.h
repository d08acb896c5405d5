/// A machine as topology files describe it, in any of their formats: parts, and links between them.
///
/// It is not simulated: `make_machine_file` (machine_writer.h) makes a system's file of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/values/name_table.h"
#include "communication/import/id_set.h"

namespace numavp {

enum class PartType : unsigned char { package, memory, host_bridge, bridge, gpu, nv_switch, device, block, network };
inline constexpr NameTable<PartType> kPartTypes{
    "type of part",
    {{PartType::package, "package", "A CPU."},
     {PartType::memory, "memory", "The memory of a NUMA node where a package has several, or none of its own."},
     {PartType::host_bridge, "host_bridge", "Where a PCIe tree begins."},
     {PartType::bridge, "bridge", "A PCIe root port, or a port of a PCIe switch, or a switch as a whole."},
     {PartType::gpu, "gpu", "A GPU."},
     {PartType::nv_switch, "nvswitch", "An NVSwitch."},
     {PartType::device, "device", "Another PCI device: an adapter, a disk's controller."},
     {PartType::block, "block", "A block device of Linux."},
     {PartType::network, "network", "A network interface of Linux."}}};

enum class LinkType : unsigned char { smp, mem, pci, nv, xgmi, xelink, c2c, sata, os };
inline constexpr NameTable<LinkType> kLinkTypes{"type of link",
                                                {{LinkType::smp, "smp", "Between packages."},
                                                 {LinkType::mem, "mem", "From a package to one of its memories."},
                                                 {LinkType::pci, "pci", "PCIe."},
                                                 {LinkType::nv, "nv", "NVLink."},
                                                 {LinkType::xgmi, "xgmi", "xGMI, between GPUs of AMD."},
                                                 {LinkType::xelink, "xelink", "Xe Link, between GPUs of Intel."},
                                                 {LinkType::c2c, "c2c", "NVLink-C2C, from a Grace to its GPUs."},
                                                 {LinkType::sata, "sata", "SATA, from a controller to a disk."},
                                                 {LinkType::os, "os", "From a PCI device to what Linux calls it."}}};

/// A link that GPUs have besides PCIe.
constexpr bool is_of_gpus(LinkType type) {
    return type == LinkType::nv || type == LinkType::xgmi || type == LinkType::xelink || type == LinkType::c2c;
}

struct FoundPart {
    PartType type = PartType::device;
    std::string name;               ///< unique: "pkg0", "gpu2", "br0002:00:00.0", "eth0@05:00.0"
    std::string bus;                ///< PCI address, or empty
    std::string model;              ///< of a CPU or GPU; empty: not known
    std::optional<unsigned> cuda;   ///< number of the CUDA device
    std::uint64_t memory_bytes = 0; ///< of a GPU; 0: not known
    unsigned cores = 0, sms = 0;    ///< 0: not known
    IdSet cpus;                     ///< of a package

    /// Name of a PCIe device, "gpu0@06:00.0"; "gpu0" without an address.
    std::string pci_name() const;
};

struct FoundLink {
    LinkType type = LinkType::pci;
    std::size_t a = 0, b = 0; ///< parts; of pci the first is nearer to the CPU
    double gbytes_per_s = 0;  ///< one way, all lanes; 0: not reported
    unsigned lanes = 1;       ///< of nv
};

/// A NUMA node: a part of host memory as the operating system numbers it.
struct FoundNode {
    unsigned id = 0; ///< of the operating system
    std::optional<std::size_t> package;
    std::optional<std::size_t> gpu; ///< whose memory it is (POWER9)
    std::size_t part = 0;           ///< its package, its memory if that is a part, or its GPU; set by `name_memories`
    std::uint64_t memory_bytes = 0;
    bool knows_memory = false;      ///< a source tells its size, which may be 0
    double memory_gbytes_per_s = 0; ///< as its nearest CPUs reach it; 0: not reported
    IdSet cpus;

    bool has_no_memory() const { return knows_memory && memory_bytes == 0; }
};

/// The same PCI address, whose domain may have four digits or eight.
bool same_bus(const std::string& a, const std::string& b);

/// Sentences for the user: assumptions, and where they are explained.
using ImportNotes = std::vector<std::string>;
void add_note(ImportNotes& notes, const std::string& sentence); ///< unless it is there

struct FoundMachine {
    std::string name;   ///< as the firmware calls it; empty: not known
    std::string source; ///< files, for sentences
    std::vector<FoundPart> parts;
    std::vector<FoundLink> links;
    std::vector<FoundNode> nodes;
    std::map<std::pair<unsigned, unsigned>, unsigned> distances; ///< of NUMA nodes by their ids
    bool has_devices = false;                                    ///< a source has listed PCI devices, GPUs or not
    bool knows_nvlinks = false, knows_xgmi = false;              ///< a source has listed such links, some or none
    ImportNotes notes;

    std::size_t add(FoundPart part);
    std::vector<std::size_t> all(PartType type) const; ///< in order
    /// The link of that type between two parts, in either direction; null if there is none.
    const FoundLink* link_between(LinkType type, std::size_t a, std::size_t b) const;
    /// The next part towards the CPU in the PCIe tree; none for a package, and for a part that is not attached.
    std::optional<std::size_t> pci_parent(std::size_t part) const;
    /// The package at the root of the part's PCIe tree.
    std::optional<std::size_t> package_of(std::size_t part) const;
    /// The package or memory at which the part's PCIe tree begins.
    std::optional<std::size_t> pci_root_of(std::size_t part) const;
    /// Sets a distance of two NUMA nodes; a 0, which tools write where they can't read one, is left out.
    void set_distance(unsigned from, unsigned to, unsigned distance);
};

/// NUMA nodes that have neither memory nor CPUs, such as the places that a GH200 keeps for partitions of its GPU: a
/// flag for each node. Adds a note that names them; they are no parts of a machine, and the caller removes them.
std::vector<bool> empty_nodes(FoundMachine& machine);
void drop_empty_nodes(FoundMachine& machine);

/// Joins packages by smp links. Adds memory parts for NUMA nodes where a package has several nodes with memory or a
/// node no package. Call it once, when packages, nodes and distances are known.
void join_packages(FoundMachine& machine);

/// One line for each link, such as "nv gpu0 gpu1 x2" or "pci hb0:00-12 br00:02.0 15.753846".
std::string edge_list(const FoundMachine& machine);

} // namespace numavp
