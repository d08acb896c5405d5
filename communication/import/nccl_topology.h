/// NCCL's topology XML, which NCCL_TOPO_DUMP_FILE names, and RCCL's: NUMA nodes with the PCIe trees below them, GPUs
/// and their links. Both write only GPUs of the program's communicator, and PCIe switches without their ports.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "communication/import/found_machine.h"
#include "communication/import/xml_tree.h"

namespace numavp {

/// Links from a GPU to another device, all of one kind.
struct NcclLinks {
    LinkType type = LinkType::nv; ///< nv or xgmi
    std::string target;           ///< PCI address; of several NVSwitches that are not visible the same one
    unsigned count = 1;
    enum class End : unsigned char { gpu, cpu, nv_switch } end = End::nv_switch; ///< by the class of the target
    std::size_t line = 0;
};

struct NcclGpu {
    std::optional<unsigned> number; ///< the device's, from 0
    std::string architecture;       ///< "90", "gfx942"; empty: not known
    unsigned sms = 0;               ///< CUs, of RCCL; 0: not known
    std::vector<NcclLinks> links;
    double c2c_gbytes_per_s = 0; ///< one way, all links; 0: none
};

/// A PCI device or a PCIe switch.
struct NcclDevice {
    std::string bus; ///< "0000:1a:00.0"
    std::string pci_class;
    unsigned vendor = 0, device = 0;  ///< 0: not known
    double gbytes_per_s = 0;          ///< of the link to what is above it; 0: not known
    std::optional<std::size_t> above; ///< in NcclTopology::devices; none: the CPU
    std::size_t cpu = 0;              ///< in NcclTopology::cpus
    std::optional<NcclGpu> gpu;
    std::size_t line = 0;
};

struct NcclCpu {
    std::optional<unsigned> node; ///< NUMA node; none where the system did not tell it
    IdSet cpus;
    std::string model; ///< such as "Intel Xeon, Sapphire Rapids"; empty: not known
    bool power = false;
    std::size_t line = 0;
};

struct NcclTopology {
    std::string file, name;
    std::vector<NcclCpu> cpus;
    std::vector<NcclDevice> devices; ///< what is above stands before
    bool switch_links = false;       ///< it has links between PCIe switches

    /// Places in `devices` of GPUs, by their numbers.
    std::vector<std::size_t> gpus() const;
};

/// Reads the tree under <system>. ConfigError with file and line.
NcclTopology read_nccl(const XmlElement& root, const std::string& file);

} // namespace numavp
