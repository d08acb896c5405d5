#include "platform/import/part_facts.h"

#include <array>

namespace numavp {

namespace {

// Sources. [T]: Pearson, Heterogeneous System and Application Communication Modeling (2018), Tables 2.1, 2.4 and
// sections 2.2, 2.9. [H]: hwloc, topology-nvml.c (links and GB/s by generation). [P]: docs/PRESETS.md, which names
// NVIDIA's white papers. [D]: NVIDIA's data sheets of the Tesla P100 (SXM2, 16 GB) and V100 (SXM2, 16 GB).
constexpr std::array<GpuFacts, 6> kGpus{{
    {"P100", 1, 4, kPcie3, 56, 732, 16, "[T] 2.2, [D]"},
    {"V100", 2, 6, kPcie3, 80, 900, 16, "[T] 2.2, [D]"},
    {"A100", 3, 12, kPcie4, 108, 1555.2, 40, "[H], [P]"},
    {"A800", 3, 8, kPcie4, 108, 1555.2, 40, "an A100 with fewer links"},
    {"H100", 4, 18, kPcie5, 132, 3350, 80, "[H], [P]"},
    {"GH200", 4, 18, kPcie5, 132, 4000, 96, "[H], [P]"},
}};

// QPI of 9.6 GT/s and 2 B: the E5 v3 and v4 have up to two such links; how many a machine has joined is not told, so
// one.
constexpr std::array<CpuFacts, 4> kCpus{{
    {"POWER8", "X bus", 38.4, true, "[T] 2.9.2"},
    {"POWER9", "X bus", 64, true, "[T] 2.9.3"},
    {"v4 @", "QPI", 19.2, false, "9.6 GT/s and 2 B a link"},
    {"v3 @", "QPI", 19.2, false, "9.6 GT/s and 2 B a link"},
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
    const bool xeon = name.find("Xeon") != std::string_view::npos;
    return found != nullptr && (found->nvlink || (xeon && name.find("E5-") != std::string_view::npos)) ? found
                                                                                                       : nullptr;
}

std::string known_gpus() { return names_of(kGpus); }
std::string known_cpus() { return "POWER8, POWER9, Xeon E5 v3, Xeon E5 v4"; }

} // namespace numavp
