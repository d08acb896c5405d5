#include "communication/import/part_facts.h"

#include <array>

#include "communication/import/id_set.h"

namespace numavp {

namespace {

// PCIe and NVLink: Pearson, Heterogeneous System and Application Communication Modeling (2018), Table 2.1 and
// section 2.2; hwloc's topology-nvml.c has links and GB/s of all generations. A100 and H100: docs/use/PRESETS.md, after
// NVIDIA's papers.
constexpr std::array<GpuFacts, 7> kGpus{{
    {"P100", 1, 4, kPcie3, 56, 732, 16, "NVIDIA's data sheet of the P100, SXM2"},
    {"V100", 2, 6, kPcie3, 80, 900, 16, "NVIDIA's data sheet of the V100, SXM2"},
    {"A100", 3, 12, kPcie4, 108, 1555.2, 40, "docs/use/PRESETS.md"},
    {"A100-SXM4-80GB", 3, 12, kPcie4, 108, 2039, 80, "NVIDIA's data sheet of the A100, SXM4, 80 GB"},
    {"H100", 4, 18, kPcie5, 132, 3350, 80, "docs/use/PRESETS.md"},
    {"H200", 4, 18, kPcie5, 132, 4800, 141, "NVIDIA's data sheet of the H200, SXM5"},
    {"GH200", 4, 18, kPcie5, 132, 4000, 96, "docs/use/PRESETS.md"},
}};

// A link of QPI or UPI carries 2 B a transfer each way. Machines join packages by one to three of them; how many is in
// no file, so that one is taken.
constexpr std::array<CpuFacts, 10> kCpus{{
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
}};

template <class Row, std::size_t N> const Row* row_of(const std::array<Row, N>& rows, std::string_view name) {
    const Row* best = nullptr; // the longest: GH200 holds no H100, but names may hold each other
    for (const Row& row : rows)
        if (name.find(row.model) != std::string_view::npos && (!best || row.model.size() > best->model.size()))
            best = &row;
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
    if (!has("Xeon")) return nullptr;
    return found->model.back() != '@' || has("E5-") || has("E7-") ? found : nullptr;
}

unsigned gib_in_name(std::string_view model) {
    const std::size_t unit = model.find("GB");
    std::size_t first = unit;
    while (first != std::string_view::npos && first > 0 && model[first - 1] >= '0' && model[first - 1] <= '9') --first;
    return unit == std::string_view::npos ? 0 : small_number(model.substr(first, unit - first), 1024).value_or(0);
}

std::string known_gpus() { return names_of(kGpus); }

} // namespace numavp
