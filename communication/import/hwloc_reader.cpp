#include "communication/import/hwloc_reader.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "communication/import/found_nvlinks.h"
#include "communication/import/hwloc_distances.h"
#include "communication/import/hwloc_memattrs.h"
#include "communication/import/hwloc_objects.h"
#include "communication/import/os_devices.h"
#include "communication/import/xml_tree.h"

namespace numavp {

namespace {

constexpr std::size_t kMostPackages = 512, kMostNodes = 2048, kMostDevices = 4096;

/// Reads one file: packages and NUMA nodes first, then the parts attached to them.
class HwlocReader {
  public:
    HwlocReader(const XmlElement& root, const std::string& file) : root_(root), file_(file), objects_(root, file) {}

    FoundMachine read() {
        m_.source = file_;
        if (objects_.all.empty())
            throw ConfigError(objects_.place(root_),
                              "the topology has no objects; a Machine with its parts is expected");
        read_names();
        read_packages();
        read_nodes();
        read_distances();
        read_gpus();
        leave_empty_nodes();
        join_packages(m_);
        read_pci();
        add_os_devices(m_, objects_, root_.value("version").compare(0, 1, "3") == 0, part_of_object_);
        read_links();
        note_switches_apart(m_);
        return std::move(m_);
    }

  private:
    using Index = std::size_t;

    void read_names() {
        for (const HwlocObject& object : objects_.all) {
            if (object.type != "Machine" && object.type != "System") continue;
            for (const char* key : {"PlatformModel", "DMIProductName"})
                if (m_.name.empty()) m_.name = object.info(key);
        }
        for (const XmlElement& child : root_.children) // v3 has them beside the Machine
            if (child.name == "info")
                for (const char* key : {"PlatformModel", "DMIProductName"})
                    if (m_.name.empty() && child.value("name") == key) m_.name = child.value("value");
    }

    void read_packages() {
        for (Index o = 0; o < objects_.all.size(); ++o)
            if (objects_.all[o].type == "Package") add_package(o);
        if (m_.parts.empty()) packages_of_nodes();
        if (m_.parts.empty()) {
            add_package(0);
            add_note(m_.notes, file_ + " has no packages: the whole machine counts as one");
        }
        if (m_.parts.size() > kMostPackages)
            throw ConfigError(file_,
                              fmt::format("there are {} packages; {} are allowed", m_.parts.size(), kMostPackages));
    }

    void packages_of_nodes() {
        std::vector<Index> nodes;
        for (Index o = 0; o < objects_.all.size(); ++o)
            if (objects_.all[o].type == "NUMANode" && !objects_.cpus_of(o).empty()) nodes.push_back(o);
        if (nodes.size() < 2) return;
        for (const Index o : nodes) add_package(o);
        add_note(m_.notes, file_ + " has no packages: each NUMA node with CPUs counts as one");
    }

    void add_package(Index o) {
        FoundPart part;
        part.type = PartType::package;
        part.name = fmt::format("pkg{}", m_.parts.size());
        part.model = trimmed(objects_.info_here_or_above(o, "CPUModel"));
        part.cpus = objects_.cpus_of(o);
        part.cores = objects_.count_under(o, "Core");
        if (part.cores == 0) part.cores = objects_.count_under(o, "PU");
        package_of_object_[o] = m_.add(std::move(part));
    }

    /// The package in which an object lies, around it or, in version 1, below it; none if several share it.
    std::optional<std::size_t> package_near(Index o) const {
        for (std::optional<Index> at = o; at; at = objects_.all[*at].parent)
            if (const auto found = package_of_object_.find(*at); found != package_of_object_.end())
                return found->second;
        if (package_of_object_.size() == 1) return package_of_object_.begin()->second;
        std::vector<std::size_t> found;
        const IdSet cpus = objects_.cpus_of(o);
        for (const auto& [object, package] : package_of_object_)
            if (m_.parts[package].cpus.meets(cpus)) found.push_back(package);
        if (found.size() > 1) return std::nullopt;
        if (found.size() == 1) return found.front();
        for (std::optional<Index> at = o; at; at = objects_.all[*at].parent) { // what a group has beside its package
            for (const auto& [object, package] : package_of_object_)
                if (objects_.is_under(object, *at)) found.push_back(package);
            if (!found.empty()) break;
        }
        return found.size() == 1 ? std::optional<std::size_t>(found.front()) : std::nullopt;
    }

    void read_nodes() {
        for (Index o = 0; o < objects_.all.size(); ++o) {
            const HwlocObject& object = objects_.all[o];
            if (object.type != "NUMANode") continue;
            FoundNode node;
            node.id = object.os_index.value_or(static_cast<unsigned>(m_.nodes.size()));
            for (const FoundNode& other : m_.nodes)
                if (other.id == node.id)
                    throw ConfigError(objects_.place(*object.element),
                                      fmt::format("NUMA node {} is there twice; numbers must differ", node.id));
            node.package = package_near(o);
            node.memory_bytes = objects_.bytes(o, "local_memory");
            node.cpus = objects_.cpus_of(o);
            for (const FoundNode& other : m_.nodes) // version 2 gives a node without CPUs those of the nearest
                if (!other.cpus.empty() && other.cpus.holds(node.cpus) && node.cpus.holds(other.cpus)) node.cpus = {};
            gpu_memory_[node.id] = object.subtype() == "GPUMemory";
            gpu_of_memory_[node.id] = object.info("PCIBusID");
            m_.nodes.push_back(std::move(node));
            node_objects_.push_back(o);
        }
        if (m_.nodes.size() > kMostNodes)
            throw ConfigError(file_,
                              fmt::format("there are {} NUMA nodes; {} are allowed", m_.nodes.size(), kMostNodes));
        if (!m_.nodes.empty()) return read_memories();
        FoundNode node; // a machine without NUMA, in version 1
        for (Index o = 0; o < objects_.all.size() && node.memory_bytes == 0; ++o)
            if (objects_.all[o].type == "Machine") node.memory_bytes = objects_.bytes(o, "local_memory");
        for (const FoundPart& part : m_.parts) node.cpus.ids.insert(part.cpus.ids.begin(), part.cpus.ids.end());
        if (package_of_object_.size() == 1) node.package = package_of_object_.begin()->second;
        node.knows_memory = node.memory_bytes != 0;
        m_.nodes.push_back(std::move(node));
        node_objects_.push_back(0);
    }

    /// hwloc leaves the attribute out for a node of 0 bytes; of version 2 on it keeps such nodes only where they have
    /// no CPUs.
    void read_memories() {
        const bool first_version = root_.attribute("version") == nullptr;
        const bool told =
            std::any_of(m_.nodes.begin(), m_.nodes.end(), [](const FoundNode& node) { return node.memory_bytes != 0; });
        const std::map<Index, double> bandwidths = memory_bandwidths(root_, objects_);
        for (std::size_t n = 0; n < m_.nodes.size(); ++n) {
            const XmlElement& element = *objects_.all[node_objects_[n]].element;
            m_.nodes[n].knows_memory =
                element.attribute("local_memory") != nullptr || (told && (first_version || m_.nodes[n].cpus.empty()));
            if (const auto found = bandwidths.find(node_objects_[n]); found != bandwidths.end())
                m_.nodes[n].memory_gbytes_per_s = found->second;
        }
    }

    void leave_empty_nodes() {
        const std::vector<bool> empty = empty_nodes(m_);
        std::vector<FoundNode> nodes;
        std::vector<Index> objects;
        for (std::size_t n = 0; n < empty.size(); ++n) {
            if (empty[n]) continue;
            nodes.push_back(std::move(m_.nodes[n]));
            objects.push_back(node_objects_[n]);
        }
        m_.nodes = std::move(nodes);
        node_objects_ = std::move(objects);
    }

    void read_distances() {
        for (const NumaDistances& table : numa_distances(root_, objects_))
            for (std::size_t i = 0; i < table.ids.size(); ++i)
                for (std::size_t j = 0; j < table.ids.size(); ++j)
                    m_.set_distance(table.ids[i], table.ids[j], table.values[i * table.ids.size() + j]);
    }

    /// Objects that are GPUs: PCI devices, or OS devices alone where PCI was left out.
    void read_gpus() {
        struct Candidate {
            Index object;
            unsigned nvml, cuda, other;
            std::string bus;
        };
        constexpr unsigned kNone = ~0U;
        std::vector<Candidate> found;
        bool nvml_alone = false;
        for (const HwlocObject& o : objects_.all)
            if (o.type == "OSDev" && o.name_number("nvml") && !objects_.around(o, "PCIDev")) nvml_alone = true;
        for (Index o = 0; o < objects_.all.size(); ++o) {
            const HwlocObject& object = objects_.all[o];
            if (object.type == "PCIDev" || object.type == "OSDev") m_.has_devices = true;
            const bool alone = object.type == "OSDev" && !objects_.around(object, "PCIDev") &&
                               (object.name_number("nvml") || (object.name_number("cuda") && !nvml_alone));
            if (!alone && !(object.type == "PCIDev" && objects_.is_gpu(o))) continue;
            Candidate one{o, kNone, kNone, kNone, object.element->value("pci_busid")};
            for (const Index d : objects_.devices_of(o)) {
                const HwlocObject& device = objects_.all[d];
                if (const auto n = device.name_number("nvml")) one.nvml = *n;
                if (const auto n = device.name_number("cuda")) one.cuda = *n;
                for (const char* prefix : {"rsmi", "ze"})
                    if (const auto n = device.name_number(prefix)) one.other = std::min(one.other, *n);
            }
            found.push_back(std::move(one));
        }
        std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
            return std::tie(a.nvml, a.cuda, a.other, a.bus) < std::tie(b.nvml, b.cuda, b.other, b.bus);
        });
        for (const Candidate& one : found) {
            FoundPart part;
            part.type = PartType::gpu;
            part.name = fmt::format("gpu{}", gpus_++);
            part.bus = one.bus;
            if (one.cuda != kNone) part.cuda = one.cuda;
            for (const Index d : objects_.devices_of(one.object)) fill_gpu(part, d);
            const std::size_t index = m_.add(std::move(part));
            part_of_object_[one.object] = index;
            if (objects_.all[one.object].type == "OSDev") gpus_without_pci_.push_back(one.object);
        }
        give_memories_to_gpus();
    }

    void fill_gpu(FoundPart& part, Index d) const {
        const HwlocObject& device = objects_.all[d];
        if (part.model.empty()) part.model = trimmed(device.info("GPUModel"));
        for (const char* key : {"CUDAGlobalMemorySize", "RSMIVRAMSize"})
            if (part.memory_bytes == 0) part.memory_bytes = objects_.kibibytes(d, key);
        if (const std::string sms = device.info("CUDAMultiProcessors"); part.sms == 0 && !sms.empty()) {
            const auto number = small_number(sms, 1024);
            if (!number)
                throw ConfigError(objects_.place(*device.element),
                                  fmt::format("CUDAMultiProcessors '{}' is no number of SMs; a whole number up to 1024 "
                                              "is expected",
                                              quotable(sms)));
            part.sms = *number;
        }
    }

    /// NUMA nodes that are GPUs' memories (POWER9): by their PCI address, else as many as GPUs and without CPUs, the
    /// highest number the first GPU's.
    void give_memories_to_gpus() {
        const std::vector<std::size_t> gpus = m_.all(PartType::gpu);
        std::vector<FoundNode*> bare;
        for (FoundNode& node : m_.nodes) {
            const std::string& bus = gpu_of_memory_[node.id];
            if (!bus.empty())
                for (const std::size_t gpu : gpus)
                    if (same_bus(bus, m_.parts[gpu].bus)) node.gpu = gpu;
            if (!node.gpu && !node.has_no_memory() && (gpu_memory_[node.id] || node.cpus.empty()))
                bare.push_back(&node);
        }
        if (!gpus.empty() && bare.size() == gpus.size()) {
            std::sort(bare.begin(), bare.end(), [](const FoundNode* a, const FoundNode* b) { return a->id > b->id; });
            for (std::size_t i = 0; i < gpus.size(); ++i) bare[i]->gpu = gpus[i];
            add_note(m_.notes,
                     fmt::format("NUMA nodes without CPUs are as many as GPUs: node {} is taken for the memory "
                                 "of gpu0, lower ones for those of the next",
                                 bare.front()->id));
        }
        for (FoundNode& node : m_.nodes)
            if (node.gpu && m_.parts[*node.gpu].memory_bytes == 0) m_.parts[*node.gpu].memory_bytes = node.memory_bytes;
    }

    /// Where the PCI tree of an object outside of it begins: a memory's part if it lies with one NUMA node, else a
    /// package.
    std::size_t attach_point(Index o, const std::string& what) {
        std::optional<Index> above = objects_.all[o].parent;
        while (above && is_io(*above)) above = objects_.all[*above].parent;
        for (std::optional<Index> at = above; at && !is_whole(*at); at = objects_.all[*at].parent) {
            const std::vector<std::size_t> near = nodes_near(*at);
            if (near.size() != 1) continue;
            const FoundNode& node = m_.nodes[near.front()];
            if (node.package && m_.parts[node.part].type == PartType::memory) return node.part;
        }
        if (above && objects_.all[*above].type != "Machine" && objects_.all[*above].type != "System")
            if (const auto package = package_near(*above)) return *package;
        const std::vector<std::size_t> packages = m_.all(PartType::package);
        if (packages.size() > 1)
            add_note(m_.notes, fmt::format("{} does not say at which package {} is: {} is taken", file_, what,
                                           m_.parts[packages.front()].name));
        return packages.front();
    }

    bool is_io(Index o) const {
        const std::string& type = objects_.all[o].type;
        return type == "Bridge" || type == "PCIDev" || type == "OSDev";
    }
    bool is_whole(Index o) const {
        const std::string& type = objects_.all[o].type;
        return type == "Package" || type == "Machine" || type == "System";
    }

    /// NUMA nodes with CPUs that lie around an object, or below it, or are it, as in version 1.
    std::vector<std::size_t> nodes_near(Index o) const {
        std::vector<std::size_t> near;
        for (std::size_t n = 0; n < m_.nodes.size(); ++n)
            if (!m_.nodes[n].gpu && !m_.nodes[n].cpus.empty() &&
                (o == node_objects_[n] || objects_.is_under(o, node_objects_[n]) ||
                 objects_.is_under(node_objects_[n], o)))
                near.push_back(n);
        return near;
    }

    void read_pci() {
        for (const Index o : gpus_without_pci_) {
            const std::size_t part = part_of_object_[o];
            m_.links.push_back({LinkType::pci, attach_point(o, m_.parts[part].name), part, 0, 1});
        }
        std::vector<bool> kept(objects_.all.size(), false); // leads to a device
        std::size_t devices = 0;
        for (Index o = 0; o < objects_.all.size(); ++o) {
            if (objects_.all[o].type != "PCIDev") continue;
            if (++devices > kMostDevices)
                throw ConfigError(
                    file_, fmt::format("there are more than {} PCI devices; that many are allowed", kMostDevices));
            for (std::optional<Index> at = o; at && !kept[*at]; at = objects_.all[*at].parent) kept[*at] = true;
        }
        std::vector<Index> order;
        for (Index o = 0; o < objects_.all.size(); ++o)
            if (kept[o] && (objects_.all[o].type == "Bridge" || objects_.all[o].type == "PCIDev")) order.push_back(o);
        unsigned host_bridges = 0, switches = 0;
        for (const Index o : order) {
            const HwlocObject& object = objects_.all[o];
            if (part_of_object_.count(o) == 0) part_of_object_[o] = m_.add(pci_part(object, host_bridges, switches));
            const std::size_t part = part_of_object_[o];
            std::optional<std::size_t> parent;
            for (std::optional<Index> at = object.parent; at && !parent; at = objects_.all[*at].parent)
                if (const auto found = part_of_object_.find(*at); found != part_of_object_.end())
                    parent = found->second;
            const std::size_t from = parent ? *parent : attach_point(o, m_.parts[part].name);
            m_.links.push_back({LinkType::pci, from, part, objects_.link_speed(o), 1});
        }
    }

    FoundPart pci_part(const HwlocObject& object, unsigned& host_bridges, unsigned& switches) const {
        FoundPart part;
        const auto shown = [](const std::string& bus) { return bus.compare(0, 5, "0000:") == 0 ? bus.substr(5) : bus; };
        if (object.type == "Bridge" && object.element->value("bridge_type").compare(0, 1, "0") == 0) {
            part.type = PartType::host_bridge; // "0002:[00-01]"
            std::string buses = object.element->value("bridge_pci");
            buses.erase(std::remove_if(buses.begin(), buses.end(), [](char c) { return c == '[' || c == ']'; }),
                        buses.end());
            part.name = buses.compare(0, 5, "0000:") == 0 ? fmt::format("hb{}:{}", host_bridges, buses.substr(5))
                                                          : "hb" + buses;
            ++host_bridges;
        } else if (object.type == "Bridge") {
            part.type = PartType::bridge;
            part.bus = object.element->value("pci_busid");
            part.name = "br" + shown(part.bus);
        } else if (object.is_nv_switch()) {
            part.type = PartType::nv_switch;
            part.bus = object.element->value("pci_busid");
            part.name = fmt::format("nvswitch{}", switches++);
        } else {
            part.type = PartType::device;
            part.bus = object.element->value("pci_busid");
            part.name = object.device_word() + "@" + shown(part.bus);
        }
        return part;
    }

    void read_links() {
        for (const LinkTable& table : link_tables(root_, objects_, m_.notes)) {
            if (table.type == LinkType::nv) m_.knows_nvlinks = true;
            if (table.type == LinkType::xgmi) m_.knows_xgmi = true;
            std::vector<std::optional<std::size_t>> parts;
            for (const Index o : table.objects) parts.push_back(link_end(o, table.name));
            const std::size_t n = parts.size();
            const double unit = table.counts ? 1 : 1000; // MB/s to GB/s; counts stay counts
            std::vector<GpuLinks> pairs; // several places of a GPU, such as Intel's tiles, may have links
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = i + 1; j < n; ++j) {
                    const double there = table.megabytes_per_s[i * n + j], back = table.megabytes_per_s[j * n + i];
                    if ((there > 0 || back > 0) && parts[i] && parts[j] && *parts[i] != *parts[j])
                        add_pair(pairs, {*parts[i], *parts[j], there / unit, back / unit});
                }
            if (table.counts)
                add_counted_nvlinks(m_, pairs);
            else
                for (const GpuLinks& pair : pairs) add_gpu_links(m_, table.type, pair);
        }
    }

    static void add_pair(std::vector<GpuLinks>& pairs, GpuLinks one) {
        for (GpuLinks& known : pairs) {
            if (known.a == one.b && known.b == one.a) {
                std::swap(one.a, one.b);
                std::swap(one.there, one.back);
            }
            if (known.a != one.a || known.b != one.b) continue;
            known.there += one.there;
            known.back += one.back;
            return;
        }
        pairs.push_back(one);
    }

    std::optional<std::size_t> link_end(Index o, const std::string& matrix) {
        for (std::optional<Index> at = o; at; at = objects_.all[*at].parent) {
            if (const auto found = part_of_object_.find(*at); found != part_of_object_.end()) return found->second;
            if (is_io(*at)) continue;
            if (const auto package = package_near(*at)) return package;
            break;
        }
        add_note(m_.notes,
                 fmt::format("{}: {} of an object of type {} are left out: it is no GPU, NVSwitch or package", file_,
                             matrix == "NVLinkBandwidth" ? "NVLinks" : "links in " + matrix, objects_.all[o].type));
        return std::nullopt;
    }

    const XmlElement& root_;
    const std::string& file_;
    HwlocObjects objects_;
    FoundMachine m_;
    std::map<Index, std::size_t> package_of_object_, part_of_object_;
    std::vector<Index> node_objects_; ///< of m_.nodes
    std::map<unsigned, bool> gpu_memory_;
    std::map<unsigned, std::string> gpu_of_memory_;
    std::vector<Index> gpus_without_pci_;
    unsigned gpus_ = 0;
};

} // namespace

FoundMachine read_hwloc(const XmlElement& root, const std::string& file) {
    if (root.name != "topology")
        throw ConfigError(
            fmt::format("{}: line {}", file, root.line),
            fmt::format("the root element is <{}>; <topology> is expected, as lstopo writes it", quotable(root.name)));
    const std::string version = root.value("version");
    if (!version.empty() && (version[0] < '1' || version[0] > '3' || version[1] != '.'))
        throw ConfigError(fmt::format("{}: line {}", file, root.line),
                          fmt::format("the topology has version '{}'; 1, 2 and 3 are read", quotable(version)));
    return HwlocReader(root, file).read();
}

FoundMachine read_hwloc(const std::string& text, const std::string& file) {
    return read_hwloc(read_xml(text, file), file);
}

} // namespace numavp
