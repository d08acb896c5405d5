#include "communication/import/join_sources.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include <fmt/format.h>

#include "base/config/file_kind.h"
#include "base/values/error.h"
#include "communication/import/hwloc_reader.h"
#include "communication/import/nccl_machine.h"
#include "communication/import/numa_groups.h"
#include "communication/import/part_facts.h"
#include "communication/import/rocm_machine.h"
#include "communication/import/topo_machine.h"

namespace numavp {

namespace {

constexpr std::size_t kMostFileBytes = 64U << 20;
constexpr const char* kFormats = "hwloc XML, NCCL's topology XML, what nvidia-smi topo -m, rocm-smi --showtopo or "
                                 "numactl -H prints, or a network file of BookSim's anynet is expected";

template <class T> std::vector<const T*> those_of(const std::vector<ImportSource>& sources) {
    std::vector<const T*> found;
    for (const ImportSource& source : sources)
        if (const T* one = std::get_if<T>(&source)) found.push_back(one);
    return found;
}

/// The first line in which two lists of edges differ.
std::string first_difference(const std::string& a, const std::string& b) {
    std::istringstream from(a), to(b);
    for (;;) {
        std::string left, right;
        const bool more = static_cast<bool>(std::getline(from, left)),
                   other = static_cast<bool>(std::getline(to, right));
        if (!more && !other) return {};
        if (left != right)
            return fmt::format("'{}' and '{}'", more ? left : "nothing more", other ? right : "nothing more");
    }
}

/// Distances of the nodes with CPUs, whose places in the table are `with_cpus`.
DistanceRows rows_of(const NumaTable& table, const std::vector<std::size_t>& with_cpus) {
    DistanceRows rows;
    for (const std::size_t a : with_cpus) {
        rows.emplace_back();
        for (const std::size_t b : with_cpus)
            rows.back().push_back(table.distances.empty() ? 0 : table.distances[a * table.nodes.size() + b]);
    }
    return rows;
}

FoundMachine machine_of(const NumaTable& table) {
    FoundMachine machine;
    machine.source = table.file;
    std::vector<std::size_t> with_cpus;
    for (std::size_t n = 0; n < table.nodes.size(); ++n)
        if (!table.nodes[n].cpus.empty()) with_cpus.push_back(n);
    if (with_cpus.empty()) throw ConfigError(table.file, "no node has CPUs; one at least is expected");
    const NodeGroups groups = groups_by_distance(rows_of(table, with_cpus));
    std::size_t place = 0; // in with_cpus
    for (const NumaTable::Node& one : table.nodes) {
        FoundNode node;
        node.id = one.id;
        node.cpus = one.cpus;
        node.memory_bytes = one.memory_bytes;
        node.knows_memory = one.has_size;
        if (!one.cpus.empty()) {
            const std::size_t group = groups.of_node[place++];
            if (group == machine.parts.size()) {
                FoundPart part;
                part.type = PartType::package;
                part.name = fmt::format("pkg{}", group);
                machine.add(std::move(part));
            }
            node.package = group;
            machine.parts[group].cpus.ids.insert(one.cpus.ids.begin(), one.cpus.ids.end());
        }
        machine.nodes.push_back(std::move(node));
    }
    add_note(machine.notes,
             groups.within == 0
                 ? fmt::format("{} names no packages: each NUMA node with CPUs counts as one", table.file)
                 : fmt::format("{} names no packages: NUMA nodes at distances up to {} count as parts of one",
                               table.file, groups.within));
    return machine;
}

void add_distances(FoundMachine& machine, const NumaTable& table) {
    IdSet unread;
    for (std::size_t i = 0; i < table.nodes.size() && !table.distances.empty(); ++i)
        for (std::size_t j = 0; j < table.nodes.size(); ++j) {
            const unsigned distance = table.distances[i * table.nodes.size() + j];
            machine.set_distance(table.nodes[i].id, table.nodes[j].id, distance);
            if (distance == 0) unread.ids.insert(table.nodes[i].id);
        }
    if (!unread.empty())
        add_note(machine.notes, fmt::format("{}: distances of node{} {} are 0, as numactl prints them where it can't "
                                            "read them: those of the other direction are taken",
                                            table.file, unread.ids.size() == 1 ? "" : "s", unread.text()));
}

/// A node with CPUs and no memory, which hwloc leaves out.
bool add_node_without_memory(FoundMachine& machine, const NumaTable::Node& one) {
    if (!one.has_size || one.memory_bytes != 0) return false;
    for (const std::size_t package : machine.all(PartType::package)) {
        if (!machine.parts[package].cpus.meets(one.cpus)) continue;
        FoundNode node;
        node.id = one.id;
        node.package = node.part = package;
        node.knows_memory = true;
        node.cpus = one.cpus;
        machine.nodes.push_back(std::move(node));
        return true;
    }
    return false;
}

void compare_nodes(FoundMachine& machine, const NumaTable& table) {
    const auto contradict = [&](const std::string& what) {
        throw ConfigError(table.file,
                          fmt::format("{} contradicts {}; files of one machine are expected", what, machine.source));
    };
    for (const NumaTable::Node& one : table.nodes) {
        const auto found = std::find_if(machine.nodes.begin(), machine.nodes.end(),
                                        [&](const FoundNode& node) { return node.id == one.id; });
        if (found == machine.nodes.end()) {
            if (one.cpus.empty()) continue; // a GPU's, where hwloc hides them
            if (!add_node_without_memory(machine, one))
                contradict(fmt::format("NUMA node {}, which is not there,", one.id));
        } else if (found->memory_bytes == 0) {
            found->memory_bytes = one.memory_bytes;
            found->knows_memory = found->knows_memory || one.has_size;
        } else if (one.has_size) {
            const auto a = static_cast<double>(found->memory_bytes), b = static_cast<double>(one.memory_bytes);
            if (a > 1.1 * b || b > 1.1 * a)
                contradict(fmt::format("a memory of {:.0f} MiB of NUMA node {}, with {:.0f} there,", b / (1 << 20),
                                       one.id, a / (1 << 20)));
        }
    }
    for (const FoundNode& node : machine.nodes) {
        const bool here =
            std::any_of(table.nodes.begin(), table.nodes.end(), [&](const auto& n) { return n.id == node.id; });
        if (!here && !node.gpu) contradict(fmt::format("that there is no NUMA node {}", node.id));
    }
    FoundMachine other;
    add_distances(other, table);
    for (const auto& [pair, value] : other.distances) {
        const auto known = machine.distances.find(pair);
        if (known != machine.distances.end() && known->second != value)
            contradict(fmt::format("a distance of {} from node {} to {}, with {} there,", value, pair.first,
                                   pair.second, known->second));
    }
    machine.distances.insert(other.distances.begin(), other.distances.end());
    for (const std::string& note : other.notes) add_note(machine.notes, note);
}

/// NUMA nodes that are GPUs' memories, as the column GPU NUMA ID has them.
void give_memories(FoundMachine& machine, const TopoMatrix& matrix) {
    const std::vector<std::size_t> gpus = machine.all(PartType::gpu);
    for (std::size_t i = 0; i < gpus.size(); ++i)
        for (FoundNode& node : machine.nodes)
            if (node.gpu && matrix.rows[i].own_node == node.id) {
                node.gpu = node.part = gpus[i];
                FoundPart& gpu = machine.parts[gpus[i]];
                if (gpu.memory_bytes == 0) gpu.memory_bytes = node.memory_bytes;
            }
}

/// Models where the files name none.
void set_models(FoundMachine& machine, const AssumedModels& models) {
    for (FoundPart& part : machine.parts) {
        if (part.type == PartType::gpu && part.model.empty()) part.model = models.gpu;
        if (part.type == PartType::package && part.model.empty()) part.model = models.cpu;
    }
}

void check_models(const AssumedModels& models) {
    if (!models.gpu.empty() && gpu_facts(models.gpu) == nullptr)
        throw ConfigError("--gpu",
                          fmt::format("'{}' is none of the GPUs that are known; a name with {} in it is allowed",
                                      quotable(models.gpu), known_gpus()));
    if (!models.cpu.empty() && cpu_facts(models.cpu) == nullptr)
        throw ConfigError("--cpu",
                          fmt::format("'{}' is none of the CPUs that are known; a name such as POWER8, POWER9 or "
                                      "'Intel Xeon CPU E5-2698 v4 @ 2.20GHz' is allowed",
                                      quotable(models.cpu)));
}

/// Joins GPUs that have NVLink-C2C to the Grace beside them, which NCCL's file alone shows.
void add_c2c(FoundMachine& machine) {
    for (const std::size_t gpu : machine.all(PartType::gpu)) {
        const GpuFacts* facts = gpu_facts(machine.parts[gpu].model);
        const auto root = machine.pci_root_of(gpu), package = machine.package_of(gpu);
        if (!facts || facts->c2c_gbytes_per_s == 0 || !root || !package) continue;
        if (machine.parts[*package].model.empty()) machine.parts[*package].model = "Grace";
        if (machine.link_between(LinkType::c2c, *root, gpu)) continue; // NCCL shows it
        machine.links.push_back({LinkType::c2c, *root, gpu, facts->c2c_gbytes_per_s, 1});
        add_note(machine.notes,
                 fmt::format("a {} is joined to its CPU by NVLink-C2C, which no file shows: {:g} GB/s a direction are "
                             "taken ({})",
                             facts->model, facts->c2c_gbytes_per_s, facts->source));
    }
}

/// Sets the links between packages, which no file has, for CPUs where they are known.
void set_socket_links(FoundMachine& machine) {
    for (FoundLink& link : machine.links) {
        if (link.type != LinkType::smp) continue;
        const CpuFacts* facts = cpu_facts(machine.parts[link.a].model);
        if (facts == nullptr || facts->link_gbytes_per_s == 0) continue;
        link.gbytes_per_s = facts->link_gbytes_per_s;
        add_note(machine.notes, fmt::format("between packages: {}, {:g} GB/s a direction, one link ({}: {})",
                                            facts->link, facts->link_gbytes_per_s, facts->model, facts->source));
    }
}

/// Parses the XML of hwloc or NCCL.
ImportSource read_xml_source(const std::string& text, const std::string& file) {
    const XmlElement root = read_xml(text, file);
    if (root.name == "system") return read_nccl(root, file);
    if (root.name == "graphs")
        throw ConfigError(
            fmt::format("{}: line {}", file, root.line),
            "these are the channels that NCCL chose (NCCL_GRAPH_DUMP_FILE), which tell no links; the file "
            "of NCCL_TOPO_DUMP_FILE is expected");
    if (root.name != "topology")
        throw ConfigError(fmt::format("{}: line {}", file, root.line),
                          fmt::format("the root element is <{}>; <topology> is expected, as lstopo writes it, or "
                                      "<system>, as NCCL does",
                                      quotable(root.name)));
    return read_hwloc(root, file);
}

/// Adds what a source has of GPUs, or checks it; the model of a part is the file's, else the user's.
void join_nccl(FoundMachine& machine, const NcclTopology& topology, const AssumedModels& models) {
    if (machine.all(PartType::gpu).empty() && !machine.has_devices)
        add_nccl_devices(machine, topology);
    else
        compare_nccl(machine, topology);
    set_models(machine, models);
    add_nccl_links(machine, topology);
}

void join_rocm(FoundMachine& machine, const RocmTable& table, const AssumedModels& models) {
    if (machine.all(PartType::gpu).empty() && !machine.has_devices)
        add_rocm_devices(machine, table);
    else
        compare_rocm(machine, table);
    set_models(machine, models);
    if (!machine.knows_xgmi) add_rocm_links(machine, table);
}

void say_of_nvlinks(FoundMachine& machine) {
    if (machine.knows_nvlinks) return;
    for (const std::size_t gpu : machine.all(PartType::gpu)) {
        const GpuFacts* facts = gpu_facts(machine.parts[gpu].model);
        if (facts && facts->nvlink != 0 && machine.parts[gpu].model.find("PCI") == std::string::npos)
            add_note(machine.notes,
                     fmt::format("a {} has NVLinks, and no file shows them: none are taken; what nvidia-smi "
                                 "topo -m prints has those between GPUs",
                                 facts->model));
    }
}

} // namespace

ImportSource read_source(const std::string& text, const std::string& file) {
    if (text.size() > kMostFileBytes)
        throw ConfigError(file, fmt::format("it has {} bytes; {} are allowed", text.size(), kMostFileBytes));
    const std::size_t bom = text.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0;
    const std::size_t first = text.find_first_not_of(" \t\r\n", bom);
    if (first == std::string::npos) throw ConfigError(file, std::string("it is empty; ") + kFormats);
    if (text[first] == '<') return read_xml_source(text.substr(first == bom ? 0 : first), file);
    if (text.find('\0') != std::string::npos) throw ConfigError(file, std::string("it is no text; ") + kFormats);
    if (looks_like_numactl(text)) return read_numactl(text, file);
    if (looks_like_rocm(text)) return read_rocm(text, file);
    if (looks_like_topo(text)) return read_topo(text, file);
    if (looks_like_any_network(text)) return read_any_network(text, file);
    throw ConfigError(file, std::string("its format is not known; ") + kFormats);
}

ImportSource read_source_file(const std::string& path) {
    refuse_odd_file(path, "a topology file");
    std::ifstream in(path, std::ios::binary | std::ios::ate);
    if (!in) throw ConfigError(path, "it can't be opened; a topology file is expected");
    const auto size = static_cast<std::size_t>(std::max<std::streamoff>(0, in.tellg()));
    if (size > kMostFileBytes)
        throw ConfigError(path, fmt::format("it has {} bytes; {} are allowed", size, kMostFileBytes));
    in.seekg(0);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (in.bad()) throw ConfigError(path, "it can't be read; a topology file is expected");
    return read_source(text, path);
}

FoundMachine join_sources(const std::vector<ImportSource>& sources, const AssumedModels& models) {
    check_models(models);
    if (const auto networks = those_of<AnyNetwork>(sources); !networks.empty())
        throw ConfigError(networks.front()->file, "it is a network by itself; files of one machine are expected");
    const auto machines = those_of<FoundMachine>(sources);
    const auto matrices = those_of<TopoMatrix>(sources);
    const auto tables = those_of<NumaTable>(sources);
    const auto nccl = those_of<NcclTopology>(sources);
    const auto rocm = those_of<RocmTable>(sources);
    FoundMachine machine;
    if (!machines.empty()) {
        machine = *machines.front();
        for (std::size_t i = 1; i < machines.size(); ++i)
            if (const std::string difference = first_difference(edge_list(machine), edge_list(*machines[i]));
                !difference.empty())
                throw ConfigError(machines[i]->source, fmt::format("it contradicts {} ({}); files of one machine are "
                                                                   "expected",
                                                                   machine.source, difference));
        for (const NumaTable* table : tables) compare_nodes(machine, *table);
    } else if (!tables.empty()) {
        machine = machine_of(*tables.front());
        for (const NumaTable* table : tables) compare_nodes(machine, *table);
        if (!matrices.empty()) { // which GPU has which NUMA node, before nodes get parts of their own
            for (const TopoMatrix::Row& row : matrices.front()->rows)
                for (FoundNode& node : machine.nodes) // give_memories() says which, when there are GPUs
                    if (row.own_node && node.id == *row.own_node && !node.package) node.gpu = 0;
        }
        add_distances(machine, *tables.front());
        drop_empty_nodes(machine);
        join_packages(machine);
    } else if (!nccl.empty()) {
        machine = packages_of_nccl(*nccl.front());
    } else if (!rocm.empty()) {
        machine = packages_of_rocm(*rocm.front());
    } else if (!matrices.empty()) {
        machine = packages_of_topo(*matrices.front());
        if (!models.cpu.empty()) // goes over what the numbers of CPUs look like
            for (FoundPart& part : machine.parts) part.model = models.cpu;
    } else {
        throw ConfigError("command line", std::string("no file is named; ") + kFormats);
    }
    for (const NcclTopology* topology : nccl) join_nccl(machine, *topology, models);
    for (const RocmTable* table : rocm) join_rocm(machine, *table, models);
    set_models(machine, models);
    const bool only_matrices = machines.empty() && tables.empty() && nccl.empty() && rocm.empty();
    for (const TopoMatrix* matrix : matrices) {
        if (machine.all(PartType::gpu).empty() && !machine.has_devices) {
            add_topo_devices(machine, *matrix, only_matrices && matrix == matrices.front());
            set_models(machine, models);
        } else {
            compare_topo(machine, *matrix);
        }
        if (!machine.knows_nvlinks) add_topo_nvlinks(machine, *matrix);
        give_memories(machine, *matrix);
    }
    add_c2c(machine);
    set_socket_links(machine);
    say_of_nvlinks(machine);
    return machine;
}

} // namespace numavp
