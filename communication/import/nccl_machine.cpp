#include "communication/import/nccl_machine.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "communication/import/found_nvlinks.h"
#include "communication/import/gpu_ids.h"
#include "communication/import/numa_groups.h"

namespace numavp {

namespace {

/// The machine's GPU of each of the topology's devices: by PCI address, else by their order; none for other devices.
std::vector<std::optional<std::size_t>> gpus_of_nccl(const FoundMachine& machine, const NcclTopology& topology) {
    std::vector<std::optional<std::size_t>> found(topology.devices.size());
    const std::vector<std::size_t> here = topology.gpus(), there = machine.all(PartType::gpu);
    const bool addresses =
        std::any_of(there.begin(), there.end(), [&](std::size_t gpu) { return !machine.parts[gpu].bus.empty(); });
    for (std::size_t i = 0; i < here.size(); ++i) {
        if (!addresses && here.size() == there.size()) found[here[i]] = there[i];
        for (const std::size_t gpu : there)
            if (same_bus(machine.parts[gpu].bus, topology.devices[here[i]].bus)) found[here[i]] = gpu;
    }
    return found;
}

const FoundNode* node_of_nccl(const FoundMachine& machine, const NcclCpu& cpu) {
    for (const FoundNode& node : machine.nodes)
        if (cpu.node == node.id) return &node;
    return nullptr;
}

/// Sets models of CPUs, of the package of each node.
void set_cpu_models(FoundMachine& machine, const NcclTopology& topology) {
    unsigned links_of_p100 = 0;
    for (const std::size_t gpu : topology.gpus())
        links_of_p100 += topology.devices[gpu].gpu->architecture == "60" ? 1 : 0;
    for (const NcclCpu& cpu : topology.cpus) {
        const FoundNode* const node = node_of_nccl(machine, cpu);
        const std::size_t package = node && node->package ? *node->package : machine.all(PartType::package).front();
        if (!machine.parts[package].model.empty()) continue;
        machine.parts[package].model = !cpu.power ? cpu.model : links_of_p100 > 0 ? "POWER8" : "POWER9";
    }
}

FoundPart part_of_device(const NcclDevice& device) {
    FoundPart part;
    part.bus = device.bus;
    const std::string shown = device.bus.compare(0, 5, "0000:") == 0 ? device.bus.substr(5) : device.bus;
    if (device.pci_class.compare(0, 6, "0x0680") == 0) {
        part.type = PartType::nv_switch;
        part.name = "nvswitch@" + shown;
    } else if (device.pci_class.compare(0, 4, "0x02") == 0) {
        part.type = PartType::device;
        part.name = (device.pci_class.compare(0, 6, "0x0207") == 0 ? "ib@" : "nic@") + shown;
    } else if (device.pci_class.compare(0, 4, "0x06") == 0 || device.pci_class.empty()) {
        part.type = PartType::bridge;
        part.name = "br" + shown;
    } else {
        part.type = PartType::device;
        part.name = "dev@" + shown;
    }
    return part;
}

/// What a CPU's PCIe tree is attached to: the memory of its NUMA node where the package has several, else the package.
std::size_t tree_root_of(FoundMachine& machine, const NcclTopology& topology, const NcclCpu& cpu) {
    const FoundNode* const node = node_of_nccl(machine, cpu);
    if (node && machine.parts[node->part].type != PartType::gpu) return node->part;
    const std::size_t first = machine.all(PartType::package).front();
    if (machine.all(PartType::package).size() > 1)
        add_note(machine.notes, fmt::format("{}: line {}: the NUMA node of PCIe devices is not known: {} is taken",
                                            topology.file, cpu.line, machine.parts[first].name));
    return first;
}

/// The NVSwitch with that address, made if there is none; those that are not visible are one.
std::size_t switch_at(FoundMachine& machine, const std::string& bus) {
    const std::vector<std::size_t> all = machine.all(PartType::nv_switch);
    for (const std::size_t one : all)
        if (machine.parts[one].bus == bus || same_bus(machine.parts[one].bus, bus)) return one;
    FoundPart part;
    part.type = PartType::nv_switch;
    part.name = fmt::format("nvswitch{}", all.size());
    part.bus = bus;
    return machine.add(std::move(part));
}

/// Links of a kind, summed by their ends: counts from the first to the second, and back.
struct CountedLinks {
    LinkType type;
    std::size_t a, b;
    unsigned there = 0, back = 0;
};

class LinksOfNccl {
  public:
    LinksOfNccl(FoundMachine& machine, const NcclTopology& topology) : machine_(machine) {
        const std::vector<std::optional<std::size_t>> gpus = gpus_of_nccl(machine, topology);
        for (const std::size_t d : topology.gpus())
            if (gpus[d])
                for (const NcclLinks& links : topology.devices[d].gpu->links) count(*gpus[d], links);
        if (lost_ != 0)
            add_note(machine.notes, fmt::format("{}: links to {} devices that are no GPUs of the file are left out",
                                                topology.file, lost_));
    }
    const std::vector<CountedLinks>& all() const { return all_; }

  private:
    void count(std::size_t gpu, const NcclLinks& links) {
        std::optional<std::size_t> other;
        for (const std::size_t part : machine_.all(PartType::gpu)) // whatever its class is called
            if (!links.target.empty() && same_bus(machine_.parts[part].bus, links.target)) other = part;
        if (!other && links.end == NcclLinks::End::gpu) {
            ++lost_;
            return;
        }
        if (!other)
            other = links.end == NcclLinks::End::cpu ? machine_.package_of(gpu) : switch_at(machine_, links.target);
        if (!other || *other == gpu) return;
        for (CountedLinks& known : all_) {
            if (known.type != links.type) continue;
            if (known.a == gpu && known.b == *other) known.there += links.count;
            if (known.a == *other && known.b == gpu) known.back += links.count;
            if ((known.a == gpu && known.b == *other) || (known.a == *other && known.b == gpu)) return;
        }
        all_.push_back({links.type, gpu, *other, links.count, 0});
    }

    FoundMachine& machine_;
    std::vector<CountedLinks> all_;
    std::size_t lost_ = 0;
};

void set_gpu_models(FoundMachine& machine, const NcclTopology& topology) {
    const std::vector<std::optional<std::size_t>> gpus = gpus_of_nccl(machine, topology);
    for (const std::size_t d : topology.gpus()) {
        if (!gpus[d]) continue;
        FoundPart& part = machine.parts[*gpus[d]];
        const NcclDevice& device = topology.devices[d];
        if (part.sms == 0) part.sms = device.gpu->sms;
        if (!part.model.empty()) continue;
        const GpuFacts* facts = gpu_of_architecture(device.gpu->architecture);
        if (facts == nullptr) continue;
        part.model = facts->model;
        add_note(
            machine.notes,
            fmt::format("{} has no PCI device of its GPUs that is known: {} is taken, a GPU of {}{}; --gpu says what "
                        "they are",
                        topology.file, facts->model, device.gpu->sms == 0 ? "compute capability " : "",
                        device.gpu->architecture));
    }
}

double xgmi_of(FoundMachine& machine, const FoundPart& gpu) {
    const GpuFacts* facts = gpu_facts(gpu.model);
    if (facts && facts->nvlink == 0 && facts->link_gbytes_per_s > 0) return facts->link_gbytes_per_s;
    add_note(machine.notes, fmt::format("the bandwidth of an xGMI link of '{}' is not known: {:g} GB/s a direction are "
                                        "taken, those of an MI210; --gpu says otherwise",
                                        gpu.model, kAssumedXgmi));
    return kAssumedXgmi;
}

[[noreturn]] void contradict_nccl(const FoundMachine& machine, const NcclTopology& topology, std::size_t line,
                                  const std::string& what) {
    throw ConfigError(fmt::format("{}: line {}", topology.file, line),
                      fmt::format("{} contradicts {}; files of one machine are expected", what, machine.source));
}

void compare_nccl_nodes(const FoundMachine& machine, const NcclTopology& topology) {
    for (const NcclCpu& cpu : topology.cpus) {
        if (!cpu.node) continue;
        const FoundNode* const node = node_of_nccl(machine, cpu);
        if (!node)
            contradict_nccl(machine, topology, cpu.line, fmt::format("NUMA node {}, which is not there,", *cpu.node));
        if (!cpu.cpus.empty() && !node->cpus.empty() && !node->cpus.meets(cpu.cpus))
            contradict_nccl(machine, topology, cpu.line,
                            fmt::format("the CPUs {} of NUMA node {}, with {} there,", cpu.cpus.text(), *cpu.node,
                                        node->cpus.text()));
    }
}

/// NVLinks of the machine between two GPUs of the topology, or of one to NVSwitches, that the topology does not have.
/// `known`: those to NVSwitches by GPU, of the machine; `to_switches`: of the topology.
void find_lost_links(const FoundMachine& machine, const NcclTopology& topology, const LinksOfNccl& found,
                     const std::map<std::size_t, unsigned>& known, const std::map<std::size_t, unsigned>& to_switches,
                     std::size_t line) {
    const std::vector<std::optional<std::size_t>> gpus = gpus_of_nccl(machine, topology);
    const auto has = [&gpus](std::size_t part) { return std::find(gpus.begin(), gpus.end(), part) != gpus.end(); };
    const auto told = [&found](const FoundLink& link) {
        return std::any_of(found.all().begin(), found.all().end(), [&link](const CountedLinks& links) {
            return links.type == LinkType::nv &&
                   ((links.a == link.a && links.b == link.b) || (links.a == link.b && links.b == link.a));
        });
    };
    for (const auto& [gpu, lanes] : known)
        if (has(gpu) && to_switches.count(gpu) == 0)
            contradict_nccl(machine, topology, line,
                            fmt::format("{} has 0 NVLinks to NVSwitches here, which, with {} there,",
                                        machine.parts[gpu].name, lanes));
    for (const FoundLink& link : machine.links)
        if (link.type == LinkType::nv && has(link.a) && has(link.b) && !told(link))
            contradict_nccl(machine, topology, line,
                            fmt::format("{} and {} have 0 NVLinks here, which, with {} there,",
                                        machine.parts[link.a].name, machine.parts[link.b].name, link.lanes));
}

void compare_nccl_links(const FoundMachine& machine, const NcclTopology& topology) {
    FoundMachine other = machine; // NVSwitches are added
    std::map<std::size_t, unsigned> to_switches, known;
    for (const FoundLink& link : machine.links)
        if (link.type == LinkType::nv && machine.parts[link.b].type == PartType::nv_switch) known[link.a] += link.lanes;
    const std::size_t line = topology.devices[topology.gpus().front()].line;
    const LinksOfNccl found(other, topology);
    for (const CountedLinks& links : found.all()) {
        if (links.type != LinkType::nv) continue;
        if (other.parts[links.b].type == PartType::nv_switch) to_switches[links.a] += links.there;
        if (other.parts[links.b].type != PartType::gpu) continue;
        const FoundLink* const link = machine.link_between(LinkType::nv, links.a, links.b);
        const unsigned here = std::max(links.there, links.back), there = link ? link->lanes : 0;
        if (here != there && known.empty())
            contradict_nccl(machine, topology, line,
                            fmt::format("{} and {} have {} NVLinks here, which, with {} there,",
                                        other.parts[links.a].name, other.parts[links.b].name, here, there));
    }
    for (const auto& [gpu, lanes] : to_switches)
        if (known.count(gpu) == 0 || known[gpu] != lanes)
            contradict_nccl(machine, topology, line,
                            fmt::format("{} has {} NVLinks to NVSwitches here, which, with {} there,",
                                        machine.parts[gpu].name, lanes, known.count(gpu) == 0 ? 0 : known[gpu]));
    find_lost_links(machine, topology, found, known, to_switches, line);
}

} // namespace

FoundMachine packages_of_nccl(const NcclTopology& topology) {
    FoundMachine machine;
    machine.source = topology.file;
    machine.name = topology.name;
    std::vector<const NcclCpu*> cpus;
    for (const NcclCpu& cpu : topology.cpus)
        if (cpu.node || topology.cpus.size() == 1) cpus.push_back(&cpu);
    std::sort(cpus.begin(), cpus.end(), [](const NcclCpu* a, const NcclCpu* b) { return a->node < b->node; });
    std::vector<NodeCpus> nodes;
    for (const NcclCpu* cpu : cpus) nodes.push_back({cpu->node, cpu->cpus});
    const std::optional<std::vector<std::size_t>> halves = halves_of_nodes(nodes);
    std::map<std::size_t, std::size_t> part_of; // of a package's number
    for (std::size_t n = 0; n < cpus.size(); ++n) {
        const std::size_t number = halves ? (*halves)[n] : n;
        if (part_of.count(number) == 0) {
            FoundPart part;
            part.type = PartType::package;
            part.name = fmt::format("pkg{}", machine.parts.size());
            part_of[number] = machine.add(std::move(part));
        }
        FoundNode node;
        node.id = cpus[n]->node.value_or(0);
        node.cpus = cpus[n]->cpus;
        node.package = part_of[number];
        machine.parts[*node.package].cpus.ids.insert(node.cpus.ids.begin(), node.cpus.ids.end());
        machine.nodes.push_back(std::move(node));
    }
    add_note(machine.notes,
             halves ? fmt::format("{} names no packages: its NUMA nodes are of 8 or more, which are taken for parts of "
                                  "two; numactl -H has their distances",
                                  topology.file)
                    : fmt::format("{} names no packages: each of its NUMA nodes counts as one", topology.file));
    join_packages(machine);
    return machine;
}

void add_nccl_devices(FoundMachine& machine, const NcclTopology& topology) {
    compare_nccl_nodes(machine, topology);
    std::vector<std::size_t> parts(topology.devices.size());
    unsigned gpus = 0;
    for (const std::size_t d : topology.gpus()) { // first, in their order
        const NcclDevice& device = topology.devices[d];
        FoundPart part;
        part.type = PartType::gpu;
        part.name = fmt::format("gpu{}", gpus++);
        part.bus = device.bus;
        part.sms = device.gpu->sms;
        if (const GpuFacts* facts = gpu_of_pci(device.vendor, device.device)) part.model = facts->model;
        parts[d] = machine.add(std::move(part));
    }
    for (std::size_t d = 0; d < topology.devices.size(); ++d) {
        const NcclDevice& device = topology.devices[d];
        if (!device.gpu) parts[d] = machine.add(part_of_device(device));
        const std::size_t above =
            device.above ? parts[*device.above] : tree_root_of(machine, topology, topology.cpus[device.cpu]);
        machine.links.push_back({LinkType::pci, above, parts[d], device.gbytes_per_s, 1});
    }
    if (topology.switch_links)
        add_note(machine.notes, fmt::format("{}: links between PCIe switches (pcilink) are left out", topology.file));
    set_cpu_models(machine, topology);
    machine.has_devices = true;
}

void add_nccl_links(FoundMachine& machine, const NcclTopology& topology) {
    set_gpu_models(machine, topology);
    const bool nv = !machine.knows_nvlinks, xgmi = !machine.knows_xgmi;
    if (nv || xgmi) {
        const LinksOfNccl found(machine, topology);
        for (const CountedLinks& links : found.all()) {
            if (links.type == LinkType::nv ? !nv : !xgmi) continue;
            const FoundPart& gpu = machine.parts[links.a];
            const double each =
                links.type == LinkType::nv ? nvlink_gbytes_per_s(gpu_facts(gpu.model)) : xgmi_of(machine, gpu);
            const bool once = links.back == 0; // told at one end alone
            add_gpu_links(machine, links.type,
                          {links.a, links.b, each * links.there, each * (once ? links.there : links.back)});
        }
    }
    machine.knows_nvlinks = machine.knows_xgmi = true;
    const std::vector<std::optional<std::size_t>> gpus = gpus_of_nccl(machine, topology);
    for (const std::size_t d : topology.gpus()) {
        const double c2c = topology.devices[d].gpu->c2c_gbytes_per_s;
        const auto root = gpus[d] ? machine.pci_root_of(*gpus[d]) : std::nullopt;
        if (c2c > 0 && root && !machine.link_between(LinkType::c2c, *root, *gpus[d]))
            machine.links.push_back({LinkType::c2c, *root, *gpus[d], c2c, 1});
    }
}

void compare_nccl(const FoundMachine& machine, const NcclTopology& topology) {
    compare_nccl_nodes(machine, topology);
    const std::vector<std::optional<std::size_t>> gpus = gpus_of_nccl(machine, topology);
    for (const std::size_t d : topology.gpus()) {
        const NcclDevice& device = topology.devices[d];
        if (!gpus[d])
            contradict_nccl(machine, topology, device.line,
                            fmt::format("the GPU at {}, which is not there,", device.bus));
        const FoundNode* const node = node_of_nccl(machine, topology.cpus[device.cpu]);
        const std::optional<std::size_t> there = machine.package_of(*gpus[d]);
        if (node && node->package && there && *there != *node->package)
            contradict_nccl(machine, topology, device.line,
                            fmt::format("{} is at {} here, which, with {} there,", machine.parts[*gpus[d]].name,
                                        machine.parts[*node->package].name, machine.parts[*there].name));
    }
    if (machine.knows_nvlinks && !topology.gpus().empty()) compare_nccl_links(machine, topology);
}

} // namespace numavp
