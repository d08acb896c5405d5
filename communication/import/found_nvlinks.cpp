#include "communication/import/found_nvlinks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "communication/import/part_facts.h"

namespace numavp {

void add_nvlinks(FoundMachine& machine, std::size_t a, std::size_t b, double there, double back) {
    if (machine.parts[a].type == PartType::package ||
        (machine.parts[a].type == PartType::nv_switch && machine.parts[b].type == PartType::gpu))
        std::swap(a, b);
    if (machine.parts[a].type != PartType::gpu) return; // an end of every NVLink is a GPU
    const double least = there > 0 && back > 0 ? std::min(there, back) : std::max(there, back);
    if (there != back)
        add_note(machine.notes,
                 fmt::format("{}: the NVLinks of {} and {} are {:g} GB/s one way and {:g} the other: {:g} "
                             "are taken",
                             machine.source, machine.parts[a].name, machine.parts[b].name, there, back, least));
    const GpuFacts* facts = gpu_facts(machine.parts[a].model);
    double link = facts && facts->nvlink != 0 ? nvlink_gbytes_per_s(facts->nvlink) : 0;
    if (link == 0 || std::fmod(least, link) > 1e-6) link = std::fmod(least, 25) < 1e-6 ? 25 : 20;
    const double lanes = std::max(1.0, std::round(least / link));
    if (machine.parts[b].type == PartType::package) std::swap(a, b); // as the thesis writes them
    machine.links.push_back({LinkType::nv, a, b, least, static_cast<unsigned>(std::min(lanes, 1000.0))});
}

void note_switches_apart(FoundMachine& machine) {
    std::map<std::size_t, std::set<std::size_t>> of_gpu;
    for (const FoundLink& link : machine.links)
        if (link.type == LinkType::nv && machine.parts[link.b].type == PartType::nv_switch)
            of_gpu[link.a].insert(link.b);
    for (const auto& [gpu, switches] : of_gpu)
        for (const auto& [other, others] : of_gpu)
            if (std::none_of(switches.begin(), switches.end(),
                             [&o = others](std::size_t s) { return o.count(s) != 0; }))
                return add_note(machine.notes,
                                fmt::format("{} and {} have no NVSwitch in common, and {} lists no links "
                                            "between NVSwitches: none are taken",
                                            machine.parts[gpu].name, machine.parts[other].name, machine.source));
}

} // namespace numavp
