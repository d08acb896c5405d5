/// Files of a drawn machine other than hwloc's: NCCL's topology, the matrix of nvidia-smi, the table of numactl.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "tests/communication/import/drawn_machine.h"

namespace numavp::test {

namespace {

struct DeviceOfModel {
    const char *model, *vendor, *device;
};
constexpr DeviceOfModel kDevices[] = {
    {"P100", "0x10de", "0x15f9"}, {"V100", "0x10de", "0x1db1"},     {"A100", "0x10de", "0x20b0"},
    {"H100", "0x10de", "0x2330"}, {"B200", "0x10de", "0x2901"},     {"H800", "0x10de", "0x2324"},
    {"L40S", "0x10de", "0x26b9"}, {"RTX 4090", "0x10de", "0x2684"}, {"MI250X", "0x1002", "0x7408"}};

std::string nccl_gpu(const DrawnMachine& m, std::size_t g) {
    const auto* const device = std::find_if(std::begin(kDevices), std::end(kDevices), [&](const DeviceOfModel& row) {
        return std::string(row.model) == m.model;
    });
    const bool xgmi = m.fabric == DrawnFabric::xgmi, gen3 = m.gpus[g].gbytes_per_s < 16;
    std::string links;
    const auto add = [&](const std::string& target, unsigned count, const char* of) {
        if (count != 0)
            links += fmt::format("<{} target=\"{}\" count=\"{}\" tclass=\"{}\"/>\n", xgmi ? "xgmi" : "nvlink", target,
                                 count, of);
    };
    if (m.fabric == DrawnFabric::nvswitch) add("0000:c4:00.0", m.lanes[g][g], "0x068000");
    for (std::size_t other = 0; other < m.gpus.size() && m.fabric != DrawnFabric::nvswitch; ++other)
        add(fmt::format("{:04x}:01:00.0", other + 1), m.lanes[g][other], "0x030200");
    return fmt::format(
        R"(<pci busid="{0:04x}:01:00.0" class="0x030200" vendor="{1}" device="{2}" link_speed="{3} GT/s PCIe" link_width="{4}">
<gpu dev="{5}" sm="{6}"{7} rank="{5}" gdr="1">
{8}</gpu></pci>
)",
        g + 1, device->vendor, device->device,
        gen3                          ? "8.0"
        : m.gpus[g].gbytes_per_s < 32 ? "16.0"
                                      : "32.0",
        m.gpus[g].gbytes_per_s < 8 ? 8 : 16, g, xgmi ? "110" : "90", xgmi ? " gcn=\"gfx90a\"" : "", links);
}

} // namespace

std::string DrawnMachine::nccl() const {
    std::string text = fmt::format("<system version=\"{}\">\n", fabric == DrawnFabric::xgmi ? 2 : 1);
    for (std::size_t n = nodes.size(); n-- > 0;) { // in another order than that of their numbers
        std::string trees;
        for (std::size_t g = 0; g < gpus.size(); ++g) {
            const DrawnGpu& gpu = gpus[g];
            if (gpu.node != n || (gpu.pci_switch != 0 && g != gpu.pci_switch - 1)) continue;
            trees += fmt::format("<pci busid=\"{:04x}:00:00.0\" class=\"0x060400\" link_speed=\"8.0 GT/s\" "
                                 "link_width=\"8\">\n",
                                 g + 1);
            trees += nccl_gpu(*this, g) + (gpu.pci_switch != 0 ? nccl_gpu(*this, g + 1) : "") + "</pci>\n";
        }
        if (!trees.empty())
            text += fmt::format("<cpu host_hash=\"0x12\" numaid=\"{}\" affinity=\"{:08x}\" arch=\"arm64\">\n{}</cpu>\n",
                                nodes[n].id, ((1ULL << nodes[n].cpus) - 1) << nodes[n].first_cpu, trees);
    }
    return text + "</system>\n";
}

std::string DrawnMachine::topo() const {
    std::string text;
    for (std::size_t g = 0; g < gpus.size(); ++g) text += fmt::format("\tGPU{}", g);
    text += "\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n";
    for (std::size_t a = 0; a < gpus.size(); ++a) {
        text += fmt::format("GPU{}", a);
        for (std::size_t b = 0; b < gpus.size(); ++b) {
            const bool switched = fabric == DrawnFabric::nvswitch;
            const unsigned links = switched ? lanes[a][a] : lanes[a][b];
            if (a == b)
                text += "\t X ";
            else if (links != 0)
                text += fmt::format("\tNV{}", links);
            else if (gpus[a].pci_switch != 0 && gpus[a].pci_switch == gpus[b].pci_switch)
                text += "\tPIX";
            else
                text += gpus[a].node == gpus[b].node ? "\tNODE" : "\tSYS";
        }
        const DrawnNode& node = nodes[gpus[a].node];
        text += fmt::format("\t{}-{}\t{}\t\tN/A\n", node.first_cpu, node.first_cpu + node.cpus - 1, node.id);
    }
    return text + "\nLegend:\n\n  X    = Self\n";
}

std::string DrawnMachine::numactl(bool compressed) const {
    const std::size_t all = nodes.size() + empty.size();
    std::string text = fmt::format("available: {} nodes (0-{})\n", all, all - 1), rows = "node ";
    for (std::size_t n = 0; n < all; ++n) {
        const DrawnNode node = n < nodes.size() ? nodes[n] : DrawnNode{static_cast<unsigned>(n), 0, 0, 0, 0, 0};
        text += fmt::format("node {} cpus:", n);
        if (compressed && node.cpus > 1)
            text += fmt::format(" {}-{}", node.first_cpu, node.first_cpu + node.cpus - 1);
        else
            for (unsigned c = 0; c < node.cpus; ++c) text += fmt::format(" {}", node.first_cpu + c);
        if (compressed) text += fmt::format(" ({})", node.cpus);
        text += fmt::format("\nnode {0} size: {1} MB\nnode {0} free: {2} MB\n", n, node.mebibytes, node.mebibytes / 3);
        rows += fmt::format(" {:3}", n);
    }
    text += "node distances:\n" + rows + "\n";
    for (std::size_t a = 0; a < all; ++a) {
        text += fmt::format("{:3}:", a);
        for (std::size_t b = 0; b < all; ++b)
            text += fmt::format(" {:3}", a < nodes.size() && b < nodes.size() ? distance(a, b) : a == b ? 10U : 254U);
        text += "\n";
    }
    return text;
}

} // namespace numavp::test
