#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/import/topo_machine.h"

namespace numavp {

namespace {

[[noreturn]] void contradict(const FoundMachine& machine, const TopoMatrix& m, const TopoMatrix::Row& row,
                             const std::string& what) {
    throw ConfigError(fmt::format("{}: line {}", m.file, row.line),
                      fmt::format("{} contradicts {}; files of one machine are expected", what, machine.source));
}

void compare_links(const FoundMachine& machine, const TopoMatrix& m, const std::vector<std::size_t>& gpus) {
    const auto switched = [&](std::size_t gpu) {
        return std::any_of(machine.links.begin(), machine.links.end(), [&](const FoundLink& l) {
            return l.type == LinkType::nv && l.a == gpu && machine.parts[l.b].type == PartType::nv_switch;
        });
    };
    for (std::size_t i = 0; i < gpus.size(); ++i)
        for (std::size_t j = i + 1; j < gpus.size(); ++j) {
            const FoundLink* link = machine.link_between(LinkType::nv, gpus[i], gpus[j]);
            const bool through = switched(gpus[i]) && switched(gpus[j]);
            const unsigned lanes = m.rows[i].cells[j].lanes, there = link ? link->lanes : 0;
            if (through ? lanes == 0 : lanes != there)
                contradict(machine, m, m.rows[i],
                           fmt::format("{} and {} have {} NVLinks here, which, with {} there,", m.rows[i].label,
                                       m.rows[j].label, lanes,
                                       through ? std::string("an NVSwitch") : std::to_string(there)));
        }
}

} // namespace

void compare_topo(const FoundMachine& machine, const TopoMatrix& m) {
    const std::vector<std::size_t> gpus = machine.all(PartType::gpu);
    if (gpus.size() != m.gpus())
        throw ConfigError(m.file,
                          fmt::format("its {} GPUs contradict {}, which has {}; files of one machine are expected",
                                      m.gpus(), machine.source, gpus.size()));
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const std::optional<std::size_t> there = machine.package_of(gpus[i]),
                                         here = package_by_affinity(machine, m.rows[i]);
        // A GPU may be near several NUMA nodes, or have a list that says nothing.
        if (there && here && *there != *here && !(m.rows[i].cpus && m.rows[i].cpus->meets(machine.parts[*there].cpus)))
            contradict(machine, m, m.rows[i],
                       fmt::format("{} is at {} here, which, with {} there,", m.rows[i].label,
                                   machine.parts[*here].name, machine.parts[*there].name));
        for (std::size_t j = 0; j < i; ++j) {
            const std::optional<std::size_t> other = machine.package_of(gpus[j]);
            const TopoWord word = m.rows[i].cells[j].word;
            const bool near = word == TopoWord::pix || word == TopoWord::pxb || word == TopoWord::phb;
            if (near && there && other && *there != *other)
                contradict(machine, m, m.rows[i],
                           fmt::format("{} and {} are {} here, which, with different packages there,", m.rows[j].label,
                                       m.rows[i].label, topo_text(m, m.rows[i].cells[j])));
            if (word == TopoWord::sys && machine.pci_parent(gpus[i]) &&
                machine.pci_parent(gpus[i]) == machine.pci_parent(gpus[j]) &&
                machine.parts[*machine.pci_parent(gpus[i])].type != PartType::package)
                contradict(machine, m, m.rows[i],
                           fmt::format("{} and {} are {} here, which, with one PCIe bridge of both there,",
                                       m.rows[j].label, m.rows[i].label, topo_text(m, m.rows[i].cells[j])));
        }
    }
    if (machine.knows_nvlinks) compare_links(machine, m, gpus);
}

} // namespace numavp
