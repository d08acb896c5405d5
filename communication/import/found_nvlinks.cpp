#include "communication/import/found_nvlinks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "communication/import/part_facts.h"

namespace numavp {

namespace {

const char* plural_of(LinkType type) {
    return type == LinkType::nv ? "NVLinks" : type == LinkType::xgmi ? "xGMI links" : "Xe Links";
}

/// Puts a GPU first; false if neither end is one.
bool gpu_first(const FoundMachine& machine, GpuLinks& links) {
    if (machine.parts[links.a].type == PartType::package ||
        (machine.parts[links.a].type == PartType::nv_switch && machine.parts[links.b].type == PartType::gpu)) {
        std::swap(links.a, links.b);
        std::swap(links.there, links.back);
    }
    return machine.parts[links.a].type == PartType::gpu;
}

double least_of(FoundMachine& machine, LinkType type, const GpuLinks& links, const char* unit) {
    const double least =
        links.there > 0 && links.back > 0 ? std::min(links.there, links.back) : std::max(links.there, links.back);
    if (links.there != links.back)
        add_note(machine.notes,
                 fmt::format("{}: the {} of {} and {} are {:g}{} one way and {:g} the other: {:g} are taken",
                             machine.source, plural_of(type), machine.parts[links.a].name, machine.parts[links.b].name,
                             links.there, unit, links.back, least));
    return least;
}

void push_link(FoundMachine& machine, LinkType type, GpuLinks links, double gbytes_per_s, unsigned lanes) {
    if (machine.parts[links.b].type == PartType::package) std::swap(links.a, links.b); // as the thesis writes them
    machine.links.push_back({type, links.a, links.b, gbytes_per_s, lanes});
}

/// GB/s of one NVLink of a GPU; of the first generation if the model is not known.
double nvlink_of(const FoundPart& gpu) { return nvlink_gbytes_per_s(gpu_facts(gpu.model)); }

} // namespace

void add_gpu_links(FoundMachine& machine, LinkType type, GpuLinks links) {
    if (!gpu_first(machine, links)) return;
    const double least = least_of(machine, type, links, " GB/s");
    if (type != LinkType::nv) return push_link(machine, type, links, least, 1);
    const GpuFacts* facts = gpu_facts(machine.parts[links.a].model);
    double link = facts && facts->nvlink != 0 ? facts->link_gbytes_per_s : 0;
    if (link == 0 || std::fmod(least, link) > 1e-6) link = std::fmod(least, 25) < 1e-6 ? 25 : 20;
    const double lanes = std::max(1.0, std::round(least / link));
    push_link(machine, type, links, least, static_cast<unsigned>(std::min(lanes, 1000.0)));
}

void add_counted_nvlinks(FoundMachine& machine, const std::vector<GpuLinks>& all) {
    std::vector<GpuLinks> counts;
    for (GpuLinks links : all)
        if (gpu_first(machine, links)) counts.push_back(links);
    std::map<std::size_t, double> used; // of each GPU
    for (const GpuLinks& links : counts)
        for (const std::size_t end : {links.a, links.b})
            if (machine.parts[end].type == PartType::gpu) used[end] += std::max(links.there, links.back);
    double each = 0;
    for (const auto& [gpu, count] : used)
        if (const GpuFacts* facts = gpu_facts(machine.parts[gpu].model); facts && facts->nvlinks != 0) {
            const double one = std::max(1.0, std::floor(facts->nvlinks / count));
            each = each == 0 ? one : std::min(each, one);
        }
    each = std::max(1.0, each);
    for (const GpuLinks& links : counts) {
        const double lanes = each * least_of(machine, LinkType::nv, links, "");
        push_link(machine, LinkType::nv, links, lanes * nvlink_of(machine.parts[links.a]),
                  static_cast<unsigned>(lanes));
    }
    if (!counts.empty())
        add_note(machine.notes,
                 fmt::format("{}: the matrix NVLinkBandwidth counts links, each number a multiple of the least: {:g} "
                             "NVLink{} of {:g} GB/s stand{} for 1, so that a GPU uses as many as it has",
                             machine.source, each, each == 1 ? "" : "s", nvlink_of(machine.parts[counts.front().a]),
                             each == 1 ? "s" : ""));
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
