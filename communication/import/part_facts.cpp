#include "communication/import/part_facts.h"

#include <array>

#include "communication/import/id_set.h"

namespace numavp {

namespace {

// PCIe and NVLink: Pearson, Heterogeneous System and Application Communication Modeling (2018), Table 2.1 and
// section 2.2; hwloc's topology-nvml.c has links and GB/s of all generations. A100 and H100: docs/use/PRESETS.md, after
// NVIDIA's papers. PCIe 6 has flits, of which 242 of 256 bytes carry packets.
// TechPowerUp's GPU database (a copy of 2025, RightNow-GPU-Database) has SMs, memory and PCIe; its bandwidths have
// three digits, those here are the data sheets' or clock times width. It gives a B200 one of its two dies, an MI250X
// both. SMs of B200 and B300: of parts that were measured (Chips and Cheese 2025; QuickRunCUDA's notebook 2026); of
// GB200, GB300 and H20: the device properties that programs on them print. Grace's link of 900 GB/s both ways serves
// both GPUs of a GB200. xGMI: AMD, MI100 and MI250 microarchitecture (ROCm documentation): 23 and 25 GT/s of 2 B; AMD,
// MI300X RCCL and xGMI (ROCm blogs 2025): 64 GB/s; MI350: 153.6 GB/s both ways (TechPowerUp on Hot Chips 2025).
constexpr double kLink1 = 20, kLink2 = 25, kLink5 = 50; // NVLinks of the first, second to fourth, fifth generation
// NVIDIA Ampere GA102 GPU Architecture: four links of 14.0625 GB/s each way.
constexpr double kLinkOfGa102 = 14.0625;
constexpr double kXgmi100 = 46, kXgmi200 = 50, kXgmi300 = 64, kXgmi350 = 76.8;

constexpr std::array<GpuFacts, 47> kGpus{{
    {"P100", 1, 4, kLink1, kPcie3, 0, 56, 732, 16, "NVIDIA's data sheet of the P100, SXM2"},
    {"V100", 2, 6, kLink2, kPcie3, 0, 80, 900, 16, "NVIDIA's data sheet of the V100, SXM2"},
    {"A100", 3, 12, kLink2, kPcie4, 0, 108, 1555.2, 40, "docs/use/PRESETS.md"},
    {"A100-SXM4-80GB", 3, 12, kLink2, kPcie4, 0, 108, 2039, 80, "NVIDIA's data sheet of the A100, SXM4, 80 GB"},
    {"A100 80GB PCIe", 3, 12, kLink2, kPcie4, 0, 108, 1935, 80,
     "TechPowerUp's GPU database; NVLink: as the A100, by bridges"},
    {"A800", 3, 8, kLink2, kPcie4, 0, 108, 2039, 80,
     "TechPowerUp's GPU database, SXM4; NVLink: Naddod, GPU Server Topology: 8 of 12"},
    {"A800 80GB PCIe", 3, 8, kLink2, kPcie4, 0, 108, 1935, 80, "TechPowerUp's GPU database; NVLink: as the A800, SXM4"},
    {"A800 40GB", 3, 8, kLink2, kPcie4, 0, 108, 1555.2, 40,
     "TechPowerUp's GPU database, PCIe; NVLink: as the A800, SXM4"},
    {"A800-SXM4-40GB", 3, 8, kLink2, kPcie4, 0, 108, 1555.2, 40, "as the A100, SXM4, 40 GB; NVLink: as the A800"},
    {"H100", 4, 18, kLink2, kPcie5, 0, 132, 3350, 80, "docs/use/PRESETS.md"},
    {"H100 PCIe", 4, 12, kLink2, kPcie5, 0, 114, 2039, 80,
     "TechPowerUp's GPU database; AnandTech, H100 NVL (2023); NVLink by bridges"},
    {"H100 NVL", 4, 12, kLink2, kPcie5, 0, 132, 3938, 94,
     "TechPowerUp's GPU database; NVLink: AI Mining Co., H100 NVL: 600 GB/s both ways"},
    {"H800", 4, 8, kLink2, kPcie5, 0, 132, 3350, 80,
     "TechPowerUp's GPU database, SXM5; NVLink: Philisun, H800 vs H100: 400 GB/s both ways"},
    {"H800 PCIe", 4, 8, kLink2, kPcie5, 0, 114, 2039, 80, "TechPowerUp's GPU database; NVLink: as the H800, SXM5"},
    {"H20", 4, 18, kLink2, kPcie5, 0, 78, 4000, 96, "Will It Run AI, H20 96 GB; PCIe: as the H100"},
    {"H20-3e", 4, 18, kLink2, kPcie5, 0, 78, 4800, 141,
     "the H20 with the memory of an H200, 141 GiB as programs print"},
    {"H200", 4, 18, kLink2, kPcie5, 0, 132, 4800, 141, "NVIDIA's data sheet of the H200, SXM5"},
    {"GH200", 4, 18, kLink2, kPcie5, 450, 132, 4000, 96, "docs/use/PRESETS.md"},
    {"GH200 144G", 4, 18, kLink2, kPcie5, 450, 132, 4900, 144, "size: pci.ids; GB/s: NVIDIA's figure, not looked up"},
    {"B200", 5, 18, kLink5, kPcie5, 0, 148, 8000, 180, "NVIDIA's data sheet of the DGX B200; 1.8 TB/s both ways"},
    {"GB200", 5, 18, kLink5, kPcie5, 225, 152, 8000, 186, "AI Wiki, GB200 NVL72: a 72nd of 13.4 TB; GB/s: as the B200"},
    {"B300", 5, 18, kLink5, kPcie6, 0, 148, 8000, 288, "NVIDIA, Inside Blackwell Ultra; data sheet of the DGX B300"},
    {"GB300", 5, 18, kLink5, kPcie6, 225, 152, 8000, 288, "NVIDIA, Inside Blackwell Ultra; Verda, GB300 NVL72"},
    {"A30", 3, 4, kLink2, kPcie4, 0, 56, 933, 24,
     "TechPowerUp's GPU database; NVLinks: NVIDIA's figure, 200 GB/s both ways, not looked up"},
    {"A40", 3, 4, kLinkOfGa102, kPcie4, 0, 84, 696, 48,
     "TechPowerUp's GPU database; NVIDIA A40 Product Brief: 112.5 GB/s both ways"},
    {"A10", 0, 0, 0, kPcie4, 0, 72, 600, 24, "TechPowerUp's GPU database"},
    {"L40", 0, 0, 0, kPcie4, 0, 142, 864, 48, "TechPowerUp's GPU database"},
    {"L40S", 0, 0, 0, kPcie4, 0, 142, 864, 48, "TechPowerUp's GPU database"},
    {"L4", 0, 0, 0, kPcie4, 0, 58, 300, 24, "TechPowerUp's GPU database; SMs: its 7,424 shaders"},
    {"T4", 0, 0, 0, kPcie3, 0, 40, 320, 16, "TechPowerUp's GPU database"},
    {"RTX A6000", 3, 4, kLinkOfGa102, kPcie4, 0, 84, 768, 48,
     "TechPowerUp's GPU database; NVIDIA Ampere GA102 GPU Architecture"},
    {"RTX 6000 Ada", 0, 0, 0, kPcie4, 0, 142, 960, 48, "TechPowerUp's GPU database"},
    {"RTX PRO 6000", 0, 0, 0, kPcie5, 0, 188, 1792, 96, "TechPowerUp's GPU database, Workstation Edition"},
    {"RTX PRO 6000 Blackwell Server", 0, 0, 0, kPcie5, 0, 188, 1597, 96,
     "TechPowerUp's GPU database; AWS on G7e: 1597 GB/s"},
    {"RTX 3090", 3, 4, kLinkOfGa102, kPcie4, 0, 82, 936.2, 24,
     "TechPowerUp's GPU database; NVIDIA Ampere GA102 GPU Architecture"},
    {"RTX 4080", 0, 0, 0, kPcie4, 0, 76, 716.8, 16, "TechPowerUp's GPU database"},
    {"RTX 4090", 0, 0, 0, kPcie4, 0, 128, 1008, 24, "TechPowerUp's GPU database"},
    {"RTX 5080", 0, 0, 0, kPcie5, 0, 84, 960, 16, "TechPowerUp's GPU database"},
    {"RTX 5090", 0, 0, 0, kPcie5, 0, 170, 1792, 32, "TechPowerUp's GPU database"},
    {"MI100", 0, 0, kXgmi100, kPcie4, 0, 120, 1228.8, 32, "TechPowerUp's GPU database"},
    {"MI210", 0, 0, kXgmi200, kPcie4, 0, 104, 1638.4, 64, "TechPowerUp's GPU database; AnandTech, MI210 (2022)"},
    {"MI250X", 0, 0, kXgmi200, kPcie4, 0, 110, 1638.4, 64, "TechPowerUp's GPU database, one of its two dies"},
    {"MI250", 0, 0, kXgmi200, kPcie4, 0, 104, 1638.4, 64, "TechPowerUp's GPU database, one of its two dies"},
    {"MI300X", 0, 0, kXgmi300, kPcie5, 0, 304, 5300, 192, "docs/use/PRESETS.md"},
    {"MI325X", 0, 0, kXgmi300, kPcie5, 0, 304, 6000, 256, "AMD's data sheet of the MI325X"},
    {"MI350X", 0, 0, kXgmi350, kPcie5, 0, 256, 8000, 288, "TechPowerUp's GPU database; WCCFTech on Hot Chips 2025"},
    {"MI355X", 0, 0, kXgmi350, kPcie5, 0, 256, 8000, 288, "AMD's data sheet of the MI355X"},
}};

// A link of QPI or UPI carries 2 B a transfer each way. Machines join packages by one to three of them; how many is in
// no file, so that one is taken.
constexpr std::array<CpuFacts, 17> kCpus{{
    {"POWER8", "X bus", 38.4, true, 115.2, "Pearson 2018, section 2.9.2; memory: 4 buffers of 28.8 GB/s"},
    {"POWER9", "X bus", 64, true, 170.6, "Pearson 2018, section 2.9.3; memory: 8 channels of DDR4-2666"},
    {"v4 @", "QPI", 19.2, false, 0, "9.6 GT/s and 2 B"},
    {"v3 @", "QPI", 19.2, false, 0, "9.6 GT/s and 2 B"},
    {"Platinum 81", "UPI", 20.8, false, 0, "10.4 GT/s and 2 B"},
    {"Platinum 82", "UPI", 20.8, false, 0, "10.4 GT/s and 2 B"},
    {"Gold 61", "UPI", 20.8, false, 0, "10.4 GT/s and 2 B"},
    {"Gold 62", "UPI", 20.8, false, 0, "10.4 GT/s and 2 B"},
    {"Platinum 83", "UPI", 22.4, false, 0, "11.2 GT/s and 2 B"},
    {"Platinum 84", "UPI", 32, false, 0, "16 GT/s and 2 B"},
    {"Haswell", "QPI", 19.2, false, 0, "9.6 GT/s and 2 B"},
    {"Broadwell", "QPI", 19.2, false, 0, "9.6 GT/s and 2 B"},
    {"Skylake", "UPI", 20.8, false, 0, "10.4 GT/s and 2 B"},
    {"Ice Lake", "UPI", 22.4, false, 0, "11.2 GT/s and 2 B"},
    {"Sapphire Rapids", "UPI", 32, false, 0, "16 GT/s and 2 B"},
    {"Emerald Rapids", "UPI", 40, false, 0, "20 GT/s and 2 B"},
    {"Grace", "", 0, false, 512, "docs/use/PRESETS.md, gh200"},
}};

/// The name holds the model, and not as the beginning of another number: an H200 is no H20.
bool holds_model(std::string_view name, std::string_view model) {
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    for (std::size_t at = name.find(model); at != std::string_view::npos; at = name.find(model, at + 1)) {
        const std::size_t end = at + model.size();
        if (end == name.size() || !digit(model.back()) || !digit(name[end])) return true;
    }
    return false;
}

template <class Row, std::size_t N> const Row* row_of(const std::array<Row, N>& rows, std::string_view name) {
    const Row* best = nullptr; // the longest: a GB200 is no B200
    for (const Row& row : rows)
        if ((!best || row.model.size() > best->model.size()) && holds_model(name, row.model)) best = &row;
    return best;
}

template <class Row, std::size_t N> std::string names_of(const std::array<Row, N>& rows) {
    std::string text;
    for (const Row& row : rows) text += (text.empty() ? "" : ", ") + std::string(row.model);
    return text;
}

} // namespace

double nvlink_gbytes_per_s(unsigned generation) { return generation <= 1 ? kLink1 : generation <= 4 ? kLink2 : kLink5; }
double nvlink_gbytes_per_s(const GpuFacts* facts) {
    return facts != nullptr && facts->nvlink != 0 ? facts->link_gbytes_per_s : kLink1;
}

const GpuFacts* gpu_facts(std::string_view name) { return row_of(kGpus, name); }

const CpuFacts* cpu_facts(std::string_view name) {
    const CpuFacts* found = row_of(kCpus, name);
    const auto has = [name](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (found == nullptr || found->nvlink) return found;
    if (found->model == "Grace") return found;
    if (!has("Xeon")) return nullptr;
    return found->model.back() != '@' || has("E5-") || has("E7-") ? found : nullptr;
}

unsigned gib_in_name(std::string_view model) {
    if (const GpuFacts* facts = gpu_facts(model); facts && facts->c2c_gbytes_per_s > 0) return 0;
    const std::size_t unit = model.find("GB");
    std::size_t first = unit;
    while (first != std::string_view::npos && first > 0 && model[first - 1] >= '0' && model[first - 1] <= '9') --first;
    return unit == std::string_view::npos ? 0 : small_number(model.substr(first, unit - first), 1024).value_or(0);
}

std::string known_gpus() { return names_of(kGpus); }

} // namespace numavp
