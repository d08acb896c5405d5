#include "communication/import/part_facts.h"

#include <array>

#include "communication/import/id_set.h"

namespace numavp {

namespace {

// PCIe and NVLink: Pearson, Heterogeneous System and Application Communication Modeling (2018), Table 2.1 and
// section 2.2; hwloc's topology-nvml.c has links and GB/s of all generations. A100 and H100: docs/use/PRESETS.md, after
// NVIDIA's papers.
// PCIe 6 has flits, of which 242 of 256 bytes carry packets.
// SMs of B200 and B300: of parts that were measured (Chips and Cheese 2025; QuickRunCUDA's notebook 2026); of GB200 and
// GB300: the device properties that programs on them print. Grace's link of 900 GB/s both ways serves both GPUs of a
// GB200. Rows that say "not looked up" were written from memory of the vendor's public figures: check them before a
// conclusion rests on them.
constexpr std::array<GpuFacts, 38> kGpus{{
    {"P100", 1, 4, kPcie3, 0, 56, 732, 16, "NVIDIA's data sheet of the P100, SXM2"},
    {"V100", 2, 6, kPcie3, 0, 80, 900, 16, "NVIDIA's data sheet of the V100, SXM2"},
    {"A100", 3, 12, kPcie4, 0, 108, 1555.2, 40, "docs/use/PRESETS.md"},
    {"A100-SXM4-80GB", 3, 12, kPcie4, 0, 108, 2039, 80, "NVIDIA's data sheet of the A100, SXM4, 80 GB"},
    {"H100", 4, 18, kPcie5, 0, 132, 3350, 80, "docs/use/PRESETS.md"},
    {"H200", 4, 18, kPcie5, 0, 132, 4800, 141, "NVIDIA's data sheet of the H200, SXM5"},
    {"GH200", 4, 18, kPcie5, 450, 132, 4000, 96, "docs/use/PRESETS.md"},
    {"GH200 144G", 4, 18, kPcie5, 450, 132, 4900, 144, "NVIDIA\'s public figures, not looked up"},
    {"B200", 5, 18, kPcie5, 0, 148, 8000, 180, "NVIDIA's data sheet of the DGX B200; 1.8 TB/s of NVLink both ways"},
    {"GB200", 5, 18, kPcie5, 225, 152, 8000, 186, "NVIDIA\'s public figures, not looked up"},
    {"B300", 5, 18, kPcie6, 0, 148, 8000, 288, "NVIDIA, Inside Blackwell Ultra; data sheet of the DGX B300"},
    {"GB300", 5, 18, kPcie6, 225, 152, 8000, 288, "NVIDIA\'s public figures, not looked up"},
    {"H20", 4, 18, kPcie5, 0, 78, 4000, 96, "NVIDIA\'s public figures, not looked up"},
    {"H800", 4, 8, kPcie5, 0, 132, 3350, 80, "NVIDIA\'s public figures, not looked up"},
    {"A800", 3, 8, kPcie4, 0, 108, 2039, 80, "NVIDIA\'s public figures, not looked up"},
    {"H100 NVL", 4, 12, kPcie5, 0, 132, 3938, 94, "NVIDIA\'s public figures, not looked up"},
    {"H100 PCIe", 4, 12, kPcie5, 0, 114, 2039, 80, "NVIDIA\'s public figures, not looked up"},
    {"A30", 3, 4, kPcie4, 0, 56, 933, 24, "NVIDIA\'s public figures, not looked up"},
    {"A40", 3, 4, kPcie4, 0, 84, 696, 48, "NVIDIA\'s public figures, not looked up"},
    {"A10", 0, 0, kPcie4, 0, 72, 600, 24, "NVIDIA\'s public figures, not looked up"},
    {"L40", 0, 0, kPcie4, 0, 142, 864, 48, "NVIDIA\'s public figures, not looked up"},
    {"L40S", 0, 0, kPcie4, 0, 142, 864, 48, "NVIDIA\'s public figures, not looked up"},
    {"L4", 0, 0, kPcie4, 0, 58, 300, 24, "NVIDIA\'s public figures, not looked up"},
    {"T4", 0, 0, kPcie3, 0, 40, 320, 16, "NVIDIA\'s public figures, not looked up"},
    {"RTX A6000", 3, 4, kPcie4, 0, 84, 768, 48, "NVIDIA\'s public figures, not looked up"},
    {"RTX 6000 Ada", 0, 0, kPcie4, 0, 142, 960, 48, "NVIDIA\'s public figures, not looked up"},
    {"RTX PRO 6000", 0, 0, kPcie5, 0, 188, 1792, 96, "NVIDIA\'s public figures, not looked up"},
    {"RTX 3090", 3, 4, kPcie4, 0, 82, 936.2, 24, "NVIDIA\'s public figures, not looked up"},
    {"RTX 4080", 0, 0, kPcie4, 0, 76, 716.8, 16, "NVIDIA\'s public figures, not looked up"},
    {"RTX 4090", 0, 0, kPcie4, 0, 128, 1008, 24, "NVIDIA\'s public figures, not looked up"},
    {"RTX 5080", 0, 0, kPcie5, 0, 84, 960, 16, "NVIDIA\'s public figures, not looked up"},
    {"RTX 5090", 0, 0, kPcie5, 0, 170, 1792, 32, "NVIDIA\'s public figures, not looked up"},
    {"MI210", 0, 0, kPcie4, 0, 104, 1638.4, 64, "AMD\'s public figures, not looked up"},
    {"MI250X", 0, 0, kPcie4, 0, 110, 1638.4, 64, "AMD\'s public figures, not looked up, one of its two dies"},
    {"MI300X", 0, 0, kPcie5, 0, 304, 5300, 192, "docs/use/PRESETS.md"},
    {"MI325X", 0, 0, kPcie5, 0, 304, 6000, 256, "AMD's data sheet of the MI325X"},
    {"MI350X", 0, 0, kPcie5, 0, 256, 8000, 288, "AMD\'s public figures, not looked up"},
    {"MI355X", 0, 0, kPcie5, 0, 256, 8000, 288, "AMD's data sheet of the MI355X"},
}};

// A link of QPI or UPI carries 2 B a transfer each way. Machines join packages by one to three of them; how many is in
// no file, so that one is taken.
constexpr std::array<CpuFacts, 11> kCpus{{
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

double nvlink_gbytes_per_s(unsigned generation) {
    if (generation <= 1) return 20;   // [T] Table 2.1
    return generation <= 4 ? 25 : 50; // [H]; the fifth: NVIDIA, 1.8 TB/s both ways over 18 links
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
