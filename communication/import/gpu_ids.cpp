#include "communication/import/gpu_ids.h"

#include <algorithm>
#include <array>

namespace numavp {

namespace {

/// PCI devices, after pci.ids (2026). Models as part_facts.cpp has them.
struct PciGpu {
    unsigned vendor, device;
    std::string_view model;
};
constexpr unsigned kVendorNvidia = 0x10de, kVendorAmd = 0x1002;
constexpr std::array<PciGpu, 65> kPciGpus{{
    {kVendorNvidia, 0x15f9, "P100"},
    {kVendorNvidia, 0x15fa, "P100"},
    {kVendorNvidia, 0x15fc, "P100"},
    {kVendorNvidia, 0x1db0, "V100"},
    {kVendorNvidia, 0x1db1, "V100"},
    {kVendorNvidia, 0x1db2, "V100"},
    {kVendorNvidia, 0x1db5, "V100"},
    {kVendorNvidia, 0x1db7, "V100"},
    {kVendorNvidia, 0x1db8, "V100"},
    {kVendorNvidia, 0x1df5, "V100"},
    {kVendorNvidia, 0x1eb8, "T4"},
    {kVendorNvidia, 0x20b0, "A100"},
    {kVendorNvidia, 0x20b1, "A100"},
    {kVendorNvidia, 0x20f1, "A100"},
    {kVendorNvidia, 0x20b2, "A100-SXM4-80GB"},
    {kVendorNvidia, 0x20b5, "A100 80GB PCIe"},
    {kVendorNvidia, 0x20b7, "A30"},
    {kVendorNvidia, 0x20f3, "A800"},
    {kVendorNvidia, 0x20f5, "A800 80GB PCIe"},
    {kVendorNvidia, 0x20f6, "A800 40GB"},
    {kVendorNvidia, 0x20bd, "A800-SXM4-40GB"},
    {kVendorNvidia, 0x2204, "RTX 3090"},
    {kVendorNvidia, 0x2230, "RTX A6000"},
    {kVendorNvidia, 0x2235, "A40"},
    {kVendorNvidia, 0x2236, "A10"},
    {kVendorNvidia, 0x2321, "H100 NVL"},
    {kVendorNvidia, 0x2322, "H800 PCIe"},
    {kVendorNvidia, 0x2324, "H800"},
    {kVendorNvidia, 0x2329, "H20"},
    {kVendorNvidia, 0x232c, "H20-3e"},
    {kVendorNvidia, 0x2330, "H100"},
    {kVendorNvidia, 0x2331, "H100 PCIe"},
    {kVendorNvidia, 0x2335, "H200"},
    {kVendorNvidia, 0x233b, "H200"},
    {kVendorNvidia, 0x2342, "GH200"},
    {kVendorNvidia, 0x2348, "GH200 144G"},
    {kVendorNvidia, 0x2684, "RTX 4090"},
    {kVendorNvidia, 0x26b1, "RTX 6000 Ada"},
    {kVendorNvidia, 0x26b5, "L40"},
    {kVendorNvidia, 0x26b9, "L40S"},
    {kVendorNvidia, 0x2704, "RTX 4080"},
    {kVendorNvidia, 0x27b8, "L4"},
    {kVendorNvidia, 0x2901, "B200"},
    {kVendorNvidia, 0x2941, "GB200"},
    {kVendorNvidia, 0x2b85, "RTX 5090"},
    {kVendorNvidia, 0x2bb1, "RTX PRO 6000"},
    {kVendorNvidia, 0x2bb4, "RTX PRO 6000"},
    {kVendorNvidia, 0x2bb5, "RTX PRO 6000 Blackwell Server"},
    {kVendorNvidia, 0x2c02, "RTX 5080"},
    {kVendorNvidia, 0x3182, "B300"},
    {kVendorNvidia, 0x31c2, "GB300"},
    {kVendorNvidia, 0x31c3, "GB300"},
    {kVendorAmd, 0x738c, "MI100"},
    {kVendorAmd, 0x738e, "MI100"},
    {kVendorAmd, 0x7408, "MI250X"},
    {kVendorAmd, 0x740c, "MI250X"},
    {kVendorAmd, 0x740f, "MI210"},
    {kVendorAmd, 0x74a1, "MI300X"},
    {kVendorAmd, 0x74a9, "MI300X"},
    {kVendorAmd, 0x74b5, "MI300X"},
    {kVendorAmd, 0x74bd, "MI300X"},
    {kVendorAmd, 0x74a5, "MI325X"},
    {kVendorAmd, 0x74b9, "MI325X"},
    {kVendorAmd, 0x75a0, "MI350X"},
    {kVendorAmd, 0x75a3, "MI355X"},
}};

/// The GPU of a server by architecture: cards share theirs with several.
struct GpuOfArchitecture {
    std::string_view name, model;
};
constexpr std::array<GpuOfArchitecture, 13> kGpuArchitectures{{{"60", "P100"},
                                                               {"70", "V100"},
                                                               {"75", "T4"},
                                                               {"80", "A100"},
                                                               {"86", "A40"},
                                                               {"89", "L40S"},
                                                               {"90", "H100"},
                                                               {"100", "B200"},
                                                               {"103", "B300"},
                                                               {"gfx908", "MI100"},
                                                               {"gfx90a", "MI250X"},
                                                               {"gfx942", "MI300X"},
                                                               {"gfx950", "MI355X"}}};

} // namespace

const GpuFacts* gpu_of_pci(unsigned vendor, unsigned device) {
    const auto* const found = std::find_if(kPciGpus.begin(), kPciGpus.end(), [&](const PciGpu& row) {
        return row.vendor == vendor && row.device == device;
    });
    return found == kPciGpus.end() ? nullptr : gpu_facts(found->model);
}

const GpuFacts* gpu_of_architecture(std::string_view name) {
    const auto* const found = std::find_if(kGpuArchitectures.begin(), kGpuArchitectures.end(),
                                           [&](const GpuOfArchitecture& row) { return row.name == name; });
    return found == kGpuArchitectures.end() ? nullptr : gpu_facts(found->model);
}

} // namespace numavp
