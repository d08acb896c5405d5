#include "tests/communication/import/drawn_machine.h"

#include <algorithm>

#include <fmt/format.h>

#include "communication/import/part_facts.h"
#include "tests/support/draws.h"

namespace numavp::test {

namespace {

void draw_nodes(DrawnMachine& m, Draws& draws) {
    m.packages = draws.one_of<unsigned>({1, 2, 2, 4});
    m.nodes_each = draws.one_of<unsigned>({1, 1, 2, m.packages == 4 ? 2U : 4U});
    m.ring = m.packages == 4 && draws.once_in(2);
    m.within = draws.from(11, 13);
    m.across = draws.one_of<unsigned>({21, 28, 32});
    unsigned cpu = 0;
    for (unsigned p = 0; p < m.packages; ++p)
        for (unsigned n = 0; n < m.nodes_each; ++n) {
            DrawnNode node{p * m.nodes_each + n, p, cpu, draws.from(1, 4), draws.from(1'000, 500'000), 0};
            if (draws.once_in(3)) node.mebibytes_per_s = draws.from(50'000, 600'000);
            if (m.nodes_each == 2 && n == 1 && draws.once_in(5)) node.mebibytes = node.mebibytes_per_s = 0;
            cpu += node.cpus;
            m.nodes.push_back(node);
        }
}

void draw_gpus(DrawnMachine& m, Draws& draws) {
    const unsigned count = draws.below(3) == 0 ? 0 : draws.from(1, 8);
    for (unsigned g = 0; g < count; ++g) {
        DrawnGpu gpu;
        gpu.node = g * m.nodes.size() / count;
        gpu.gbytes_per_s = draws.one_of<double>({7.876923, 15.753846, 31.507692, 63.015385});
        m.gpus.push_back(gpu);
    }
    for (unsigned g = 1; g < count; ++g) // pairs behind a switch
        if (m.gpus[g].node == m.gpus[g - 1].node && m.gpus[g - 1].pci_switch == 0 && draws.once_in(2))
            m.gpus[g].pci_switch = m.gpus[g - 1].pci_switch = g;
}

void draw_fabric(DrawnMachine& m, Draws& draws) {
    const std::size_t count = m.gpus.size();
    m.model = draws.one_of<const char*>({"P100", "V100", "A100", "H100", "B200", "H800", "L40S", "RTX 4090", "MI250X"});
    m.lanes.assign(count, std::vector<unsigned>(count, 0));
    const unsigned most = gpu_facts(m.model)->nvlinks;
    const auto used = [&](std::size_t g) {
        unsigned sum = 0;
        for (const unsigned lanes : m.lanes[g]) sum += lanes;
        return sum;
    };
    if (std::string(m.model) == "MI250X") m.fabric = DrawnFabric::xgmi;
    if (most != 0 && draws.below(4) != 0) m.fabric = DrawnFabric::nvlinks;
    if (most != 0 && count >= 3 && draws.once_in(3)) m.fabric = DrawnFabric::nvswitch;
    for (std::size_t a = 0; a < count && m.fabric != DrawnFabric::none; ++a) {
        if (m.fabric == DrawnFabric::nvswitch) m.lanes[a][a] = most;
        for (std::size_t b = 0; b < a && m.fabric != DrawnFabric::nvswitch; ++b) {
            const unsigned left = m.fabric == DrawnFabric::xgmi ? 4 : most - std::max(used(a), used(b));
            m.lanes[a][b] = m.lanes[b][a] = draws.once_in(2) ? std::min(left, draws.from(1, 4)) : 0;
        }
    }
}

unsigned gp_of_gpu(std::size_t g) { return 1000 + 10 * static_cast<unsigned>(g); }

std::string mask_of(unsigned first, unsigned count) { return fmt::format("{:#x}", ((1ULL << count) - 1) << first); }

std::string object_of_node(const DrawnNode& node, unsigned first, unsigned count) {
    const std::string bytes =
        node.mebibytes == 0 ? "" : fmt::format(" local_memory=\"{}\"", std::uint64_t{node.mebibytes} << 20);
    return fmt::format("<object type=\"NUMANode\" os_index=\"{}\" cpuset=\"{}\" gp_index=\"{}\"{}/>\n", node.id,
                       mask_of(first, count), 500 + node.id, bytes);
}

std::string cores_of(const DrawnNode& node) {
    std::string text;
    for (unsigned c = 0; c < node.cpus; ++c)
        text +=
            fmt::format("<object type=\"Core\" os_index=\"{0}\" cpuset=\"{1}\"><object type=\"PU\" os_index=\"{0}\" "
                        "cpuset=\"{1}\"/></object>\n",
                        node.first_cpu + c, mask_of(node.first_cpu + c, 1));
    return text;
}

/// A GPU as a PCI device; AMD's have ROCm's OS device, others NVML's.
std::string object_of_gpu(const DrawnMachine& m, std::size_t g) {
    const bool amd = m.fabric == DrawnFabric::xgmi;
    return fmt::format(
        R"(<object type="PCIDev" gp_index="{0}" pci_busid="{1:04x}:01:{2:02x}.0" pci_type="0302 [{3}:2330] [0000:0000] a1" pci_link_speed="{4:.6f}">
<object type="OSDev" gp_index="{5}" name="{6}{7}" osdev_type="5"><info name="GPUModel" value="{8}"/></object></object>
)",
        gp_of_gpu(g), g + 1, 0, amd ? "1002" : "10de", m.gpus[g].gbytes_per_s, gp_of_gpu(g) + 1, amd ? "rsmi" : "nvml",
        g, m.model);
}

std::string bridge(const std::string& type, std::size_t domain, const std::string& more) {
    return fmt::format("<object type=\"Bridge\" bridge_type=\"{}\" bridge_pci=\"{:04x}:[00-09]\"{}>\n", type, domain,
                       more);
}

/// The PCIe trees of a node: one for each GPU, or for the GPUs of a switch.
std::string trees_of(const DrawnMachine& m, std::size_t node) {
    std::string text;
    for (std::size_t g = 0; g < m.gpus.size(); ++g) {
        const DrawnGpu& gpu = m.gpus[g];
        if (gpu.node != node || (gpu.pci_switch != 0 && g != gpu.pci_switch - 1)) continue;
        text += bridge("0-1", g + 1, "") +
                bridge("1-1", g + 1, fmt::format(" pci_busid=\"{:04x}:00:00.0\" pci_link_speed=\"7.876923\"", g + 1));
        text += object_of_gpu(m, g);
        if (gpu.pci_switch != 0) text += object_of_gpu(m, g + 1);
        text += "</object></object>\n";
    }
    return text;
}

std::string words_of(const std::vector<std::vector<double>>& rows) {
    std::string text;
    for (const auto& row : rows)
        for (const double value : row) text += fmt::format("{:.0f} ", value);
    return text;
}

std::string matrices_of(const DrawnMachine& m, bool with_nvlinks) {
    std::vector<std::vector<double>> distances(m.nodes.size(), std::vector<double>(m.nodes.size()));
    std::string ids, text;
    std::vector<std::size_t> listed; // hwloc leaves nodes without memory out
    for (std::size_t n = 0; n < m.nodes.size(); ++n)
        if (m.nodes[n].mebibytes != 0) listed.push_back(n);
    std::vector<std::vector<double>> rows;
    for (const std::size_t a : listed) {
        ids += fmt::format("{} ", m.nodes[a].id);
        rows.emplace_back();
        for (const std::size_t b : listed) rows.back().push_back(m.distance(a, b));
    }
    text += fmt::format("<distances2 type=\"NUMANode\" nbobjs=\"{}\" kind=\"5\" name=\"NUMALatency\" indexing=\"os\">"
                        "<indexes>{}</indexes><u64values>{}</u64values></distances2>\n",
                        listed.size(), ids, words_of(rows));
    text += "<memattr name=\"Bandwidth\" flags=\"5\">\n";
    for (const DrawnNode& node : m.nodes)
        if (node.mebibytes_per_s != 0)
            text += fmt::format("<memattr_value target_obj_type=\"NUMANode\" target_obj_gp_index=\"{}\" value=\"{}\" "
                                "initiator_cpuset=\"0x1\"/>\n",
                                500 + node.id, node.mebibytes_per_s);
    text += "</memattr>\n";
    if (m.fabric == DrawnFabric::none || !with_nvlinks || m.gpus.empty()) return text;
    const bool xgmi = m.fabric == DrawnFabric::xgmi, switched = m.fabric == DrawnFabric::nvswitch;
    const double each = xgmi ? 50'000 : 1000 * gpu_facts(m.model)->link_gbytes_per_s;
    std::vector<std::vector<double>> links(m.gpus.size() + switched, std::vector<double>(m.gpus.size() + switched, 0));
    ids.clear();
    for (std::size_t a = 0; a < m.gpus.size(); ++a) {
        ids += fmt::format("{}{} ", switched ? "OSDev:" : "", gp_of_gpu(a) + 1);
        for (std::size_t b = 0; b < m.gpus.size(); ++b) links[a][b] = a == b ? 1'000'000 : each * m.lanes[a][b];
        if (switched) links[a].back() = links.back()[a] = each * m.lanes[a][a];
    }
    return text + fmt::format("<distances2{0} nbobjs=\"{1}\" kind=\"9\" name=\"{2}\" {3}><indexes>{4}</indexes>"
                              "<u64values>{5}</u64values></distances2{0}>\n",
                              switched ? "hetero" : "", links.size(), xgmi ? "XGMIBandwidth" : "NVLinkBandwidth",
                              switched ? "" : "type=\"OSDev\" indexing=\"gp\"", ids + (switched ? "PCIDev:900" : ""),
                              words_of(links));
}

} // namespace

DrawnMachine::DrawnMachine(std::uint64_t seed) {
    Draws draws(seed);
    draw_nodes(*this, draws);
    draw_gpus(*this, draws);
    draw_fabric(*this, draws);
    if (gpus.empty() && nodes_each == 1 &&
        draws.once_in(3)) // fast memory; with GPUs it would be taken for theirs where they are as many
        for (unsigned p = 0; p < packages; ++p)
            nodes.push_back({static_cast<unsigned>(nodes.size()), p, 0, 0, draws.from(1'000, 64'000), 0});
    for (unsigned left = draws.below(4); left > 0; --left)
        empty.push_back(static_cast<unsigned>(nodes.size() + empty.size()));
}

unsigned DrawnMachine::distance(std::size_t a, std::size_t b) const {
    if (a == b) return 10;
    const unsigned fast = (nodes[a].cpus == 0 || nodes[b].cpus == 0) ? 2 : 0; // beyond the node of its package
    if (nodes[a].package == nodes[b].package) return within + fast;
    const unsigned apart = (nodes[a].package + packages - nodes[b].package) % packages;
    return across + fast + (ring && apart == 2 ? 10 : 0);
}

unsigned DrawnMachine::nodes_with_memory(unsigned package) const {
    return static_cast<unsigned>(std::count_if(nodes.begin(), nodes.end(), [this, package](const DrawnNode& node) {
        return node.package == package && node.mebibytes != 0 && (told_packages || node.cpus != 0);
    }));
}

std::string DrawnMachine::place_of(std::size_t node) const {
    const DrawnNode& n = nodes[node];
    return n.mebibytes == 0 || (nodes_with_memory(n.package) == 1 && n.cpus != 0) ? fmt::format("pkg{}", n.package)
                                                                                  : fmt::format("numa{}", n.id);
}

std::string DrawnMachine::hwloc(const std::string& version, bool with_nvlinks) const {
    std::string text = "<?xml version=\"1.0\"?>\n<topology version=\"" + version +
                       "\">\n<object type=\"Machine\" cpuset=\"0xffffffff\">\n";
    for (unsigned p = 0; p < packages; ++p) {
        unsigned first = ~0U, count = 0;
        for (const DrawnNode& node : nodes)
            if (node.package == p && node.cpus != 0) {
                first = std::min(first, node.first_cpu);
                count += node.cpus;
            }
        text += fmt::format("<object type=\"Package\" os_index=\"{}\" cpuset=\"{}\">\n", p, mask_of(first, count));
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const DrawnNode& node = nodes[n];
            if (node.package != p) continue;
            if (node.cpus == 0) { // hwloc gives it the CPUs of the nearest
                text += object_of_node(node, first, count);
                continue;
            }
            text += fmt::format("<object type=\"Group\" cpuset=\"{}\">\n", mask_of(node.first_cpu, node.cpus));
            if (node.mebibytes != 0) text += object_of_node(node, node.first_cpu, node.cpus);
            text += cores_of(node) + trees_of(*this, n) + "</object>\n";
        }
        if (p == 0 && fabric == DrawnFabric::nvswitch)
            text += "<object type=\"PCIDev\" gp_index=\"900\" pci_busid=\"0000:c4:00.0\" pci_type=\"0680 [10de:22a3] "
                    "[0000:0000] a1\"/>\n";
        text += "</object>\n";
    }
    for (const unsigned id : empty)
        text += fmt::format("<object type=\"NUMANode\" os_index=\"{}\" cpuset=\"0x0\"/>\n", id);
    return text + "</object>\n" + matrices_of(*this, with_nvlinks) + "</topology>\n";
}

std::string DrawnMachine::hwloc1() const {
    std::string text = "<?xml version=\"1.0\"?>\n<topology>\n<object type=\"Machine\" os_index=\"0\" "
                       "cpuset=\"0xffffffff\">\n";
    const std::size_t all = nodes.size() + empty.size();
    text += fmt::format("<distances nbobjs=\"{}\" relative_depth=\"{}\" latency_base=\"10.000000\">\n", all,
                        nodes_each == 1 ? 1 : 2);
    for (std::size_t a = 0; a < all; ++a)
        for (std::size_t b = 0; b < all; ++b)
            text += fmt::format("<latency value=\"{:.6f}\"/>\n", (a < nodes.size() && b < nodes.size() ? distance(a, b)
                                                                  : a == b                             ? 10U
                                                                                                       : 254U) /
                                                                     10.0);
    text += "</distances>\n";
    const auto node_begins = [](const DrawnNode& node) {
        std::string object = object_of_node(node, node.first_cpu, node.cpus);
        object.erase(object.find("/>"), 1);
        return object;
    };
    for (unsigned p = 0; p < packages; ++p) {
        unsigned first = ~0U, count = 0;
        for (const DrawnNode& node : nodes)
            if (node.package == p && node.cpus != 0) {
                first = std::min(first, node.first_cpu);
                count += node.cpus;
            }
        const std::string socket =
            fmt::format("<object type=\"Socket\" os_index=\"{}\" cpuset=\"{}\">\n", p, mask_of(first, count));
        const std::string nvswitch =
            p == 0 && fabric == DrawnFabric::nvswitch
                ? "<object type=\"PCIDev\" os_index=\"1\" pci_busid=\"0000:c4:00.0\" pci_type=\"0680 [10de:22a3] "
                  "[0000:0000] a1\"/>\n"
                : "";
        if (nodes_each != 1) text += socket;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const DrawnNode& node = nodes[n];
            if (node.package != p || node.cpus == 0) continue;
            text += node_begins(node);
            if (nodes_each == 1) text += socket;
            text += cores_of(node);
            if (nodes_each == 1) text.append(nvswitch).append("</object>\n");
            text.append(trees_of(*this, n)).append("</object>\n");
        }
        if (nodes_each != 1) text += nvswitch + "</object>\n";
    }
    for (const DrawnNode& node : nodes)
        if (node.cpus == 0)
            text += fmt::format("<object type=\"NUMANode\" os_index=\"{}\" cpuset=\"0x0\" local_memory=\"{}\"/>\n",
                                node.id, std::uint64_t{node.mebibytes} << 20);
    for (const unsigned id : empty)
        text += fmt::format("<object type=\"NUMANode\" os_index=\"{}\" cpuset=\"0x0\"/>\n", id);
    return text + "</object>\n</topology>\n";
}

std::set<std::string> DrawnMachine::edges_of_nodes() const {
    std::set<std::string> edges;
    for (unsigned a = 0; a < packages; ++a)
        for (unsigned b = a + 1; b < packages; ++b)
            if (!ring || b - a != 2) edges.insert(fmt::format("smp pkg{} pkg{}", a, b));
    for (std::size_t n = 0; n < nodes.size(); ++n)
        if (nodes[n].mebibytes != 0 && (nodes[n].cpus == 0 || nodes_with_memory(nodes[n].package) > 1))
            edges.insert(fmt::format("mem pkg{} numa{}", nodes[n].package, nodes[n].id));
    return edges;
}

std::set<std::string> DrawnMachine::edges_of_gpus() const {
    std::set<std::string> edges;
    const auto several = [](unsigned count) { return count > 1 ? fmt::format(" x{}", count) : std::string(); };
    for (std::size_t a = 0; a < gpus.size(); ++a) {
        if (fabric == DrawnFabric::nvswitch) edges.insert(fmt::format("nv gpu{} nvswitch0{}", a, several(lanes[a][a])));
        for (std::size_t b = a + 1; b < gpus.size(); ++b)
            if (lanes[a][b] != 0 && fabric == DrawnFabric::xgmi)
                edges.insert(fmt::format("xgmi gpu{} gpu{}", a, b));
            else if (lanes[a][b] != 0)
                edges.insert(fmt::format("nv gpu{} gpu{}{}", a, b, several(lanes[a][b])));
    }
    return edges;
}

std::set<std::string> DrawnMachine::edges_of_pci() const {
    std::set<std::string> edges;
    for (std::size_t g = 0; g < gpus.size(); ++g) {
        const std::size_t domain = gpus[g].pci_switch != 0 ? gpus[g].pci_switch : g + 1;
        edges.insert(fmt::format("pci {} hb{:04x}:00-09 0", place_of(gpus[g].node), domain));
        edges.insert(fmt::format("pci hb{0:04x}:00-09 br{0:04x}:00:00.0 7.876923", domain));
        edges.insert(
            fmt::format("pci br{:04x}:00:00.0 gpu{}@{:04x}:01:00.0 {:.6f}", domain, g, g + 1, gpus[g].gbytes_per_s));
    }
    if (fabric == DrawnFabric::nvswitch) edges.insert("pci pkg0 nvswitch0@c4:00.0 0");
    return edges;
}

} // namespace numavp::test
