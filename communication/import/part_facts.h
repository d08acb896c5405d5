/// Facts on parts that topology files leave out: numbers by model, each with its source, and assumed values for unknown
/// models.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace numavp {

struct GpuFacts {
    std::string_view model;   ///< a part of the name that the driver gives it
    unsigned nvlink;          ///< generation; 0: it has none
    unsigned nvlinks;         ///< at most
    double link_gbytes_per_s; ///< of one NVLink, or of one xGMI link of AMD's, one way; 0: it has neither
    double pcie_gbytes_per_s; ///< of its slot, one way
    double c2c_gbytes_per_s;  ///< of NVLink-C2C to the Grace beside it, one way; 0: it has none
    unsigned sms;             ///< or CUs
    double memory_gbytes_per_s;
    unsigned memory_gib;
    std::string_view source;
};

struct CpuFacts {
    std::string_view model;     ///< a part of its name
    std::string_view link;      ///< what joins the packages
    double link_gbytes_per_s;   ///< one way, of what stands between two packages; 0: not known
    bool nvlink;                ///< its GPUs have NVLinks to it
    double memory_gbytes_per_s; ///< 0: machines with it have several
    std::string_view source;
};

/// Bandwidth of PCIe with 16 lanes, one way: transfers per second and lane, coding, 8 bits a byte.
constexpr double pcie_x16(double gigatransfers, double coding) { return gigatransfers * coding * 16 / 8; }
inline constexpr double kPcie3 = pcie_x16(8, 128.0 / 130), kPcie4 = pcie_x16(16, 128.0 / 130),
                        kPcie5 = pcie_x16(32, 128.0 / 130), kPcie6 = pcie_x16(64, 242.0 / 256);

/// Bandwidth in GB/s of one NVLink of a generation, one way, and of one of a GPU: of the first generation if its model
/// is not known or has none.
double nvlink_gbytes_per_s(unsigned generation);
double nvlink_gbytes_per_s(const GpuFacts* facts);

/// The row whose model occurs in the name; null if there is none.
const GpuFacts* gpu_facts(std::string_view name);
const CpuFacts* cpu_facts(std::string_view name);
/// 32 of "Tesla V100-SXM3-32GB"; 0 if the name does not say, or says the size of the CPU's memory ("GH200 480GB").
unsigned gib_in_name(std::string_view model);
/// Models in the table of GPUs, as text for messages.
std::string known_gpus();

/// Assumed values for a GPU and a CPU of unknown model.
inline constexpr unsigned kAssumedSms = 64, kAssumedGpuGib = 16;
inline constexpr double kAssumedGpuMemory = 768;   ///< GB/s; NUMA-aware GPUs, Table 1
inline constexpr double kAssumedCpuMemory = 76.8;  ///< GB/s; four channels of DDR4-2400, as a system's host has
inline constexpr double kAssumedSocketLink = 19.2; ///< GB/s; a QPI link of 9.6 GT/s and 2 B
inline constexpr double kAssumedXgmi = 50;         ///< GB/s; a link of an MI210
inline constexpr double kPcieLatencyNs = 150;      ///< as configs/systems/topologies/gpu-8-cpu-2.json has it

} // namespace numavp
