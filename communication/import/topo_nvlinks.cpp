/// NVLinks in a matrix of `nvidia-smi topo -m`.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "communication/import/part_facts.h"
#include "communication/import/topo_machine.h"

namespace numavp {

namespace {

unsigned lanes_of_row(const TopoMatrix& m, std::size_t i) {
    unsigned sum = 0;
    for (std::size_t j = 0; j < m.rows.size(); ++j)
        if (m.rows[i].gpu && m.rows[j].gpu) sum += m.rows[i].cells[j].lanes;
    return sum;
}

unsigned most_lanes(const TopoMatrix& m, std::size_t i) {
    unsigned most = 0;
    for (const TopoCell& cell : m.rows[i].cells) most = std::max(most, cell.lanes);
    return most;
}

/// The oldest GPU that has so many NVLinks.
const char* model_with_links(unsigned links) {
    for (const char* model : {"P100", "V100", "A100"})
        if (gpu_facts(model)->nvlinks >= links) return model;
    return "H100";
}

/// Models of GPUs that no file names, from the links that they have.
void guess_models(FoundMachine& machine, const TopoMatrix& m, const std::vector<std::size_t>& gpus, bool switched) {
    unsigned links = 0;
    for (std::size_t i = 0; i < gpus.size(); ++i)
        links = std::max(links, switched ? most_lanes(m, i) : lanes_of_row(m, i));
    const bool power9 = machine.parts.front().model.find("POWER9") != std::string::npos;
    std::string model = model_with_links(links);
    if (power9 && model == "P100") model = "V100"; // no POWER9 came with a P100
    for (const std::size_t gpu : gpus) {
        if (!machine.parts[gpu].model.empty() || links == 0) continue;
        machine.parts[gpu].model = model;
        add_note(machine.notes,
                 fmt::format("no file names the GPUs: {} is taken, the oldest with NVLinks enough; --gpu "
                             "says what they are",
                             model));
    }
}

void add_link(FoundMachine& machine, std::size_t a, std::size_t b, unsigned lanes, std::size_t gpu) {
    const GpuFacts* facts = gpu_facts(machine.parts[gpu].model);
    if (!facts || facts->nvlink == 0)
        add_note(machine.notes,
                 fmt::format("the generation of NVLink of '{}' is not known: the first is taken, 20 GB/s a "
                             "link and direction; --gpu says otherwise ({})",
                             machine.parts[gpu].model, known_gpus()));
    machine.links.push_back({LinkType::nv, a, b, lanes * nvlink_gbytes_per_s(facts), lanes});
}

/// NVLinks of a POWER CPU's GPUs to it: those that no other GPU has.
void add_cpu_links(FoundMachine& machine, const TopoMatrix& m, const std::vector<std::size_t>& gpus) {
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const FoundPart& gpu = machine.parts[gpus[i]];
        const std::optional<std::size_t> package = machine.package_of(gpus[i]);
        const GpuFacts* facts = gpu_facts(gpu.model);
        if (!package || !facts || gpu.model.find("PCI") != std::string::npos) continue;
        const CpuFacts* cpu = cpu_facts(machine.parts[*package].model);
        const unsigned used = lanes_of_row(m, i);
        if (!cpu || !cpu->nvlink || used == 0 || used >= facts->nvlinks) continue;
        add_note(
            machine.notes,
            fmt::format("nvidia-smi does not show NVLinks of a {} to its GPUs: the links of a {} that other GPUs do "
                        "not have are taken for them, {} of {}; an hwloc XML with NVLinkBandwidth shows them",
                        cpu->model, facts->model, facts->nvlinks - used, facts->nvlinks));
        add_link(machine, *package, gpus[i], facts->nvlinks - used, gpus[i]);
    }
}

} // namespace

void add_topo_nvlinks(FoundMachine& machine, const TopoMatrix& m) {
    constexpr unsigned kMostLinks = 18; // of one GPU: an H100
    const std::vector<std::size_t> gpus = machine.all(PartType::gpu);
    bool switched = false;
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const GpuFacts* facts = gpu_facts(machine.parts[gpus[i]].model);
        switched = switched || lanes_of_row(m, i) > (facts && facts->nvlinks != 0 ? facts->nvlinks : kMostLinks);
    }
    guess_models(machine, m, gpus, switched);
    machine.knows_nvlinks = true;
    if (switched) {
        std::vector<std::size_t> switches = machine.all(PartType::nv_switch);
        if (switches.empty()) {
            FoundPart part;
            part.type = PartType::nv_switch;
            part.name = "nvswitch0";
            switches.push_back(machine.add(std::move(part)));
        }
        add_note(machine.notes,
                 fmt::format("{} gives a GPU more NVLinks than one has: they lead to NVSwitches, which are "
                             "taken as one",
                             m.file));
        for (std::size_t i = 0; i < gpus.size(); ++i)
            if (most_lanes(m, i) > 0) add_link(machine, gpus[i], switches.front(), most_lanes(m, i), gpus[i]);
        return;
    }
    add_cpu_links(machine, m, gpus);
    for (std::size_t i = 0; i < gpus.size(); ++i)
        for (std::size_t j = i + 1; j < gpus.size(); ++j)
            if (const unsigned lanes = m.rows[i].cells[j].lanes; lanes > 0)
                add_link(machine, gpus[i], gpus[j], lanes, gpus[i]);
}

} // namespace numavp
