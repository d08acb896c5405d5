#include "communication/import/machine_writer.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/config/config.h"
#include "base/values/error.h"
#include "common/system/load_system.h"
#include "common/system/system_config.h"
#include "communication/import/part_facts.h"
#include "communication/import/written_network.h"

namespace numavp {

namespace {

constexpr const char* kBase = "numa-aware-8";

class MachineWriter {
  public:
    MachineWriter(const FoundMachine& machine, const std::string& name) : m_(machine), name_(name) {}

    MachineText write() {
        number_parts();
        wire_packages();
        wire_pci();
        wire_nvlinks();
        ordered_json& s = text_.system;
        s["extends"] = kBase;
        s["name"] = name_;
        s["description"] = describe_machine();
        s["sockets"] = nullptr;
        s["parts"] = parts_json();
        add_gpus();
        add_cpus();
        add_network();
        say_limits();
        check();
        return std::move(text_);
    }

  private:
    void note(const std::string& sentence) { add_note(text_.notes, sentence); }

    // --- Parts -------------------------------------------------------------------------------------------------------

    /// A package is the socket of its only NUMA node, or a router among those of several.
    void number_parts() {
        gpus_ = m_.all(PartType::gpu);
        for (std::size_t i = 0; i < gpus_.size(); ++i) label_[gpus_[i]] = fmt::format("gpu[{}]", i);
        for (const FoundNode& node : m_.nodes) {
            // Without GPUs a node's cores are SMs, which have a memory each.
            const bool bare = node.has_no_memory() && (!gpus_.empty() || with_memory(node.part));
            if (node.gpu || bare || !sockets_.insert(node.part).second) continue;
            if (node.has_no_memory())
                note(
                    fmt::format("NUMA node {} has no memory: its CPUs get one of their own all the same, since each SM "
                                "of numavp is at one",
                                node.id));
            const bool cpus = m_.parts[node.part].type == PartType::package || !node.cpus.empty();
            auto& list = cpus ? cpus_ : memories_;
            label_[node.part] = fmt::format("{}[{}]", cpus ? "cpu" : "memory", list.size());
            list.push_back(&node);
        }
        for (const std::size_t package : m_.all(PartType::package))
            if (label_.count(package) == 0) add_router("package", package);
        number_nvswitches();
    }

    /// NVSwitches that join the same GPUs are one router: the traffic of each two GPUs is spread over all of them.
    void number_nvswitches() {
        std::map<std::size_t, std::set<std::size_t>> joined; // to each switch
        for (const FoundLink& link : m_.links)
            if (link.type == LinkType::nv && m_.parts[link.b].type == PartType::nv_switch)
                joined[link.b].insert(link.a);
        std::map<std::set<std::size_t>, std::string> known;
        for (const auto& [one, gpus] : joined) {
            const auto found = known.find(gpus);
            if (found == known.end()) {
                add_router("nvswitch", one);
                known[gpus] = label_[one];
                continue;
            }
            label_[one] = found->second;
            note("NVSwitches that join the same GPUs are taken as one: the traffic of each two GPUs uses all of them");
        }
    }

    bool with_memory(std::size_t part) const {
        return std::any_of(m_.nodes.begin(), m_.nodes.end(),
                           [part](const FoundNode& node) { return node.part == part && !node.has_no_memory(); });
    }

    void add_router(const std::string& name, std::size_t part) {
        label_[part] = fmt::format("{}[{}]", name, routers_[name]++);
    }

    ordered_json parts_json() const {
        ordered_json list = ordered_json::array();
        const auto add = [&](const std::string& name, std::size_t count, PartKind kind) {
            if (count != 0) list.push_back({{"name", name}, {"count", count}, {"kind", kPartKinds.name(kind)}});
        };
        add("gpu", gpus_.size(), PartKind::gpu);
        add("cpu", cpus_.size(), PartKind::cpu);
        add("memory", memories_.size(), PartKind::cube);
        for (const auto& [name, count] : routers_) add(name, count, PartKind::router);
        return list;
    }

    std::string describe_machine() const {
        std::string what = gpus_.empty() ? "" : fmt::format("{} GPU{}", gpus_.size(), gpus_.size() == 1 ? "" : "s");
        if (!gpus_.empty() && !m_.parts[gpus_.front()].model.empty())
            what += " (" + m_.parts[gpus_.front()].model + ")";
        const std::size_t packages = m_.all(PartType::package).size();
        what += fmt::format("{}{} CPU{}", what.empty() ? "" : ", ", packages, packages == 1 ? "" : "s");
        if (const std::string& cpu = m_.parts[m_.all(PartType::package).front()].model; !cpu.empty())
            what += " (" + cpu + ")";
        return what + "; made by numavp import, which says what was assumed.";
    }

    // --- Wires -------------------------------------------------------------------------------------------------------

    void wire(std::size_t a, std::size_t b, const std::string& kind, double gbytes_per_s) {
        wires_.push_back({label_.at(a), label_.at(b), kind, gbytes_per_s});
    }

    void wire_packages() {
        for (const FoundLink& link : m_.links) {
            if (link.type == LinkType::mem) {
                wire(link.a, link.b, "", 0);
                note("memories of one package are joined by channels that do not limit them: no file says what joins "
                     "them");
            }
            if (link.type != LinkType::smp) continue;
            const std::string& model = m_.parts[link.a].model;
            const CpuFacts* facts = cpu_facts(model);
            if (facts && facts->link_gbytes_per_s == 0) facts = nullptr;
            if (!facts)
                note(fmt::format(
                    "what joins packages of '{}' is not known: {:g} GB/s a direction are taken, a QPI link of "
                    "9.6 GT/s; --cpu says otherwise",
                    model.empty() ? "unknown model" : model, kAssumedSocketLink));
            wire(link.a, link.b, facts ? plain_kind(facts->link) : "socket_link",
                 facts ? facts->link_gbytes_per_s : kAssumedSocketLink);
        }
    }

    static std::string plain_kind(std::string_view text) {
        std::string kind = plain_name(std::string(text));
        std::replace(kind.begin(), kind.end(), '-', '_');
        return kind;
    }

    /// Bridges that lead to one GPU alone are part of the way; those where ways part are routers.
    void wire_pci() {
        std::map<std::size_t, std::vector<const FoundLink*>> below;
        for (const FoundLink& link : m_.links)
            if (link.type == LinkType::pci) below[link.a].push_back(&link);
        std::vector<std::size_t> roots = m_.all(PartType::package);
        for (const std::size_t memory : m_.all(PartType::memory)) roots.push_back(memory);
        for (const std::size_t root : roots)
            for (const FoundLink* link : below[root]) go_down(root, link, 0, below, 0);
        for (const std::size_t gpu : gpus_)
            if (!m_.package_of(gpu)) { // a tree without a root, as of an unknown package
                wire(m_.all(PartType::package).front(), gpu, "pcie", pcie_speed(0, gpu));
                note(fmt::format("no file says where {} is: it is joined with the first CPU", m_.parts[gpu].name));
            }
    }

    /// NVLink-C2C is what a GPU has in the place of PCIe, as which it shows itself.
    bool has_c2c(std::size_t gpu) const {
        return std::any_of(m_.links.begin(), m_.links.end(),
                           [gpu](const FoundLink& link) { return link.type == LinkType::c2c && link.b == gpu; });
    }

    std::size_t gpus_below(std::size_t part, std::map<std::size_t, std::vector<const FoundLink*>>& below,
                           unsigned depth) const {
        if (m_.parts[part].type == PartType::gpu) return has_c2c(part) ? 0 : 1;
        std::size_t count = 0;
        if (depth < kDeepest)
            for (const FoundLink* link : below[part]) count += gpus_below(link->b, below, depth + 1);
        return count;
    }

    /// `narrowest` is of the way since `from`; a host bridge belongs to its package, whose root ports are each by
    /// themselves.
    void go_down(std::size_t from, const FoundLink* link, double narrowest,
                 std::map<std::size_t, std::vector<const FoundLink*>>& below, unsigned depth) {
        const std::size_t part = link->b;
        if (depth > kDeepest || gpus_below(part, below, 0) == 0) return;
        if (link->gbytes_per_s > 0)
            narrowest = narrowest > 0 ? std::min(narrowest, link->gbytes_per_s) : link->gbytes_per_s;
        if (m_.parts[part].type == PartType::gpu) {
            const double speed = pcie_speed(narrowest, part);
            if (joined_otherwise(from, part)) { // one kind of link between two parts: a router in between
                const std::string router = fmt::format("pcie[{}]", routers_["pcie"]++);
                wires_.push_back({label_.at(from), router, "pcie", speed});
                wires_.push_back({router, label_.at(part), "pcie", speed});
            } else {
                wire(from, part, "pcie", speed);
            }
            return;
        }
        unsigned ways = 0;
        for (const FoundLink* next : below[part]) ways += gpus_below(next->b, below, 0) > 0 ? 1 : 0;
        std::size_t above = from;
        if (ways > 1 && m_.parts[part].type != PartType::host_bridge) {
            add_router("pcie", part);
            wire(from, part, "pcie", pcie_speed(narrowest, first_gpu_below(part, below)));
            above = part;
            narrowest = 0;
        }
        for (const FoundLink* next : below[part]) go_down(above, next, narrowest, below, depth + 1);
    }

    bool joined_otherwise(std::size_t a, std::size_t b) const {
        return std::any_of(m_.links.begin(), m_.links.end(), [a, b](const FoundLink& link) {
            return is_of_gpus(link.type) && ((link.a == a && link.b == b) || (link.a == b && link.b == a));
        });
    }

    std::size_t first_gpu_below(std::size_t part, std::map<std::size_t, std::vector<const FoundLink*>>& below) const {
        for (unsigned depth = 0; depth < kDeepest && m_.parts[part].type != PartType::gpu; ++depth)
            for (const FoundLink* link : below[part])
                if (gpus_below(link->b, below, 0) > 0) {
                    part = link->b;
                    break;
                }
        return part;
    }

    double pcie_speed(double told, std::size_t gpu) {
        if (told > 0) return told;
        const GpuFacts* facts = gpu_facts(m_.parts[gpu].model);
        const double speed = facts ? facts->pcie_gbytes_per_s : kPcie3;
        note(fmt::format("the bandwidth of PCIe is not in the files: {:.2f} GB/s a direction are taken, {}", speed,
                         facts ? fmt::format("16 lanes of what a {} has", facts->model)
                               : std::string("16 lanes of PCIe 3.0")));
        return speed;
    }

    void wire_nvlinks() {
        const auto of_gpus = [this](std::size_t part) {
            return m_.parts[part].type == PartType::gpu || m_.parts[part].type == PartType::nv_switch;
        };
        for (const FoundLink& link : m_.links) {
            if (!is_of_gpus(link.type)) continue;
            std::string kind = link.type == LinkType::c2c ? "nvlink_c2c" : std::string(kLinkTypes.name(link.type));
            if (link.type == LinkType::nv) // by the names of the shipped machines: calibrations have formats for them
                kind = of_gpus(link.a) && of_gpus(link.b) ? "nvlink" : "nvlink_cpu";
            const std::string &a = label_.at(link.a), &b = label_.at(link.b);
            const auto same = std::find_if(wires_.begin(), wires_.end(), [&](const WrittenWire& one) {
                return one.from == a && one.to == b && one.kind == kind; // to another of the same NVSwitches
            });
            if (same != wires_.end())
                same->gbytes_per_s += link.gbytes_per_s;
            else
                wire(link.a, link.b, kind, link.gbytes_per_s);
        }
    }

    // --- What the parts are ------------------------------------------------------------------------------------------

    ordered_json gpu_json(const FoundPart& gpu) {
        const GpuFacts* facts = gpu_facts(gpu.model);
        const unsigned sms = gpu.sms != 0 ? gpu.sms : facts ? facts->sms : kAssumedSms;
        const double bandwidth = facts ? facts->memory_gbytes_per_s : kAssumedGpuMemory;
        if (!facts)
            note(fmt::format(
                "the GPU '{}' is not known: {}{:g} GB/s of memory are taken, as in Table 1 of the NUMA-aware "
                "GPUs; --gpu says otherwise ({})",
                gpu.model.empty() ? "unknown model" : gpu.model, gpu.sms != 0 ? "" : fmt::format("{} SMs and ", sms),
                bandwidth, known_gpus()));
        else
            note(fmt::format("of a {}: {:g} GB/s of memory{} ({})", facts->model, bandwidth,
                             gpu.sms != 0 ? "" : fmt::format(" and {} SMs", sms), facts->source));
        return {{"sms", sms}, {"memory", {{"bandwidth_gbps", bandwidth}, {"capacity_gib", capacity()}}}};
    }

    /// Of each memory: numavp has one size for all.
    unsigned capacity() {
        if (capacity_ != 0) return capacity_;
        std::map<std::uint64_t, unsigned> sizes; // GiB, of GPUs
        const auto gib = [](std::uint64_t bytes) { return (bytes + (std::uint64_t{1} << 29)) >> 30; };
        for (const std::size_t gpu : gpus_) {
            const GpuFacts* facts = gpu_facts(m_.parts[gpu].model);
            std::uint64_t size = gib(m_.parts[gpu].memory_bytes);
            if (size == 0) size = gib_in_name(m_.parts[gpu].model);
            if (size == 0) size = facts ? facts->memory_gib : kAssumedGpuGib;
            ++sizes[size];
        }
        if (gpus_.empty())
            for (const FoundNode* node : cpus_) ++sizes[std::max<std::uint64_t>(1, gib(node->memory_bytes))];
        const auto most = std::max_element(sizes.begin(), sizes.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        capacity_ = static_cast<unsigned>(std::min<std::uint64_t>(1024, most == sizes.end() ? 16 : most->first));
        note(fmt::format("all memories of a system have one size: {} GiB are taken, {}", capacity_,
                         gpus_.empty() ? "of a NUMA node" : "of a GPU"));
        return capacity_;
    }

    void add_gpus() {
        ordered_json& s = text_.system;
        if (gpus_.empty()) return;
        const ordered_json first = gpu_json(m_.parts[gpus_.front()]);
        s["gpu"] = first;
        for (std::size_t i = 1; i < gpus_.size(); ++i)
            if (const ordered_json own = gpu_json(m_.parts[gpus_[i]]); own != first) s[fmt::format("gpu[{}]", i)] = own;
        note(fmt::format("what a GPU has besides (clock, L1, L2, latencies) is that of {}", kBase));
    }

    /// Of a CPU; a machine's packages are alike.
    double cpu_memory() {
        const std::vector<std::size_t> packages = m_.all(PartType::package);
        const CpuFacts* facts = packages.empty() ? nullptr : cpu_facts(m_.parts[packages.front()].model);
        if (facts && facts->memory_gbytes_per_s > 0) {
            note(fmt::format("of a {}: {:g} GB/s of memory ({})", facts->model, facts->memory_gbytes_per_s,
                             facts->source));
            return facts->memory_gbytes_per_s;
        }
        note(fmt::format("the bandwidth of the memory of a NUMA node is not in the files: {:g} GB/s are taken, four "
                         "channels of DDR4-2400",
                         kAssumedCpuMemory));
        return kAssumedCpuMemory;
    }

    ordered_json memory_json(const FoundNode& node, double unless_told) {
        const double told = node.memory_gbytes_per_s;
        if (told > 0)
            note("bandwidths of NUMA nodes' memories are those of the file's memory attributes, from the nearest CPUs");
        return {{"sms", 0},
                {"l2", {{"size_kib", 0}, {"organisation", "memory_side"}, {"slices", 4}, {"ways", 1}}},
                {"memory",
                 {{"channels", 4}, {"bandwidth_gbps", told > 0 ? told : unless_told}, {"capacity_gib", capacity()}}}};
    }

    /// A section for all sockets of a name, and one for each that differs from the first.
    void add_sockets(const std::string& name, const std::vector<const FoundNode*>& nodes, double unless_told) {
        ordered_json& s = text_.system;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            ordered_json own = memory_json(*nodes[i], unless_told);
            if (gpus_.empty() && name == "cpu") {
                const unsigned cores = m_.parts[nodes[i]->part].cores;
                own["sms"] = std::clamp<std::size_t>(cores != 0 ? cores : nodes[i]->cpus.ids.size(), 1, 1024);
            }
            if (i == 0)
                s[name] = own;
            else if (s[name] != own)
                s[fmt::format("{}[{}]", name, i)] = own;
        }
    }

    void add_cpus() {
        const auto told = [](const FoundNode* node) { return node->memory_gbytes_per_s > 0; };
        const bool all_told =
            std::all_of(cpus_.begin(), cpus_.end(), told) && std::all_of(memories_.begin(), memories_.end(), told);
        const double unless_told = all_told ? 0 : cpu_memory();
        add_sockets("cpu", cpus_, unless_told);
        add_sockets("memory", memories_, unless_told);
        note(gpus_.empty()
                 ? "no GPU was found: an SM stands for each core, so that something accesses memory; its times "
                   "say nothing of a CPU"
                 : "a CPU is a memory with its controllers: its cores and caches are not modelled");
    }

    // --- The network -------------------------------------------------------------------------------------------------

    bool is_socket(std::size_t part) const { return m_.parts[part].type == PartType::gpu || sockets_.count(part) != 0; }

    void add_network() {
        if (wires_.empty()) return; // one socket
        std::set<std::string> sockets;
        for (const auto& [part, label] : label_)
            if (is_socket(part)) sockets.insert(label);
        WrittenNetwork written = write_network(wires_, sockets, text_.notes);
        text_.system["link"] = std::move(written.link);
        text_.system["network"] = std::move(written.network);
    }

    void say_limits() {
        const auto wired = [this](const char* kind) {
            return std::any_of(wires_.begin(), wires_.end(), [kind](const WrittenWire& w) { return w.kind == kind; });
        };
        if (wired("pcie"))
            note(fmt::format("latencies are in no file: {:g} ns are taken for each PCIe link, {:g} ns for others",
                             kPcieLatencyNs, NetworkLink().latency_ns));
        if (m_.all(PartType::device).empty()) return;
        note("network adapters, disks and other devices are left out: --graph shows them");
    }

    /// The file must load: what the reader refuses is the writer's to say.
    void check() {
        ConfigDocument document = load_document(system_path(kBase), system_file);
        json own = json::parse(text_.system.dump());
        own.erase("extends");
        document.value.merge_patch(own);
        try {
            read_config<SystemConfig>({"the machine file", document.value, {}});
        } catch (const ConfigError& refused) {
            throw ConfigError(m_.source,
                              fmt::format("what was found does not make a system of numavp ({}); --graph prints "
                                          "what was found",
                                          refused.what()));
        }
    }

    static constexpr unsigned kDeepest = 256;

    const FoundMachine& m_;
    std::string name_;
    MachineText text_;
    std::vector<std::size_t> gpus_;
    std::vector<const FoundNode*> cpus_, memories_;
    std::set<std::size_t> sockets_; ///< parts of cpus_ and memories_
    std::map<std::string, std::size_t> routers_;
    std::map<std::size_t, std::string> label_;
    std::vector<WrittenWire> wires_;
    unsigned capacity_ = 0;
};

} // namespace

MachineText make_machine_file(const FoundMachine& machine, const std::string& name) {
    std::string plain = plain_name(name.empty() ? machine.name : name);
    if (plain.empty()) plain = "found-machine";
    return MachineWriter(machine, plain).write();
}

} // namespace numavp
