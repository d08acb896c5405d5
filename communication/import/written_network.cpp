#include "communication/import/written_network.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "communication/import/part_facts.h"

namespace numavp {
namespace {

/// The latency of PCIe takes 1000 cycles at most.
constexpr unsigned kMostKhz = 6'600'000;

/// What all wires ask of the routers.
struct RouterSpeed {
    double gbytes_per_s = 128; ///< of the common channel with the defaults
    unsigned flit_bytes = 32;
    double noc_khz = 4e6;
};

RouterSpeed speed_of(const std::vector<WrittenWire>& wires, const std::set<std::string>& sockets, ImportNotes& notes) {
    RouterSpeed speed;
    std::map<std::string, double> at;
    for (const WrittenWire& one : wires) {
        at[one.from] += one.gbytes_per_s;
        at[one.to] += one.gbytes_per_s;
        speed.gbytes_per_s = std::max(speed.gbytes_per_s, one.gbytes_per_s);
    }
    for (const std::string& socket : sockets) speed.gbytes_per_s = std::max(speed.gbytes_per_s, at[socket]);
    // As large as needed: packets are of 16 and 144 bytes, so that larger flits carry less of use.
    for (const unsigned larger : {48U, 72U, 144U})
        if (speed.gbytes_per_s * 1e6 > double{kMostKhz} * speed.flit_bytes) speed.flit_bytes = larger;
    speed.noc_khz = std::max(speed.noc_khz, std::ceil(speed.gbytes_per_s * 1e3 / speed.flit_bytes) * 1e3);
    if (speed.noc_khz > kMostKhz) {
        speed.noc_khz = kMostKhz;
        speed.gbytes_per_s = kMostKhz / 1e6 * speed.flit_bytes;
        add_note(notes, fmt::format("the port of a socket carries {:.0f} GB/s a direction: some have links for more",
                                    speed.gbytes_per_s));
    }
    return speed;
}

void keep_to(const RouterSpeed& speed, std::vector<WrittenWire>& wires, ImportNotes& notes) {
    const double most = speed.gbytes_per_s;
    const double least = speed.noc_khz / 1e6 * speed.flit_bytes / 999; // a flit takes 1000 cycles at most
    for (WrittenWire& one : wires) {
        if (one.kind.empty() || (one.gbytes_per_s >= least && one.gbytes_per_s <= most)) continue;
        add_note(notes,
                 fmt::format("{:g} GB/s of {} are beyond what a network of numavp has here, {:.3g} to {:.0f}: the "
                             "nearest is taken",
                             one.gbytes_per_s, one.kind, least, most));
        one.gbytes_per_s = std::clamp(one.gbytes_per_s, least, most);
    }
}

/// Kinds of links by name, made as wires ask for them: "pcie", and "pcie_2" of another bandwidth.
class LinkKinds {
  public:
    std::string name_of(const WrittenWire& one) {
        if (one.kind.empty()) return {};
        std::vector<double>& known = speeds_[one.kind];
        const auto found = std::find(known.begin(), known.end(), one.gbytes_per_s);
        const auto index = static_cast<std::size_t>(found - known.begin());
        std::string name = index == 0 ? one.kind : fmt::format("{}_{}", one.kind, index + 1);
        if (found != known.end()) return name;
        known.push_back(one.gbytes_per_s);
        ordered_json link{{"name", name}, {"gbytes_per_s", one.gbytes_per_s}};
        if (one.kind == "pcie") link["latency_ns"] = kPcieLatencyNs;
        links.push_back(std::move(link));
        return name;
    }

    ordered_json links = ordered_json::array();

  private:
    std::map<std::string, std::vector<double>> speeds_;
};

} // namespace

WrittenNetwork write_network(std::vector<WrittenWire> wires, const std::set<std::string>& sockets, ImportNotes& notes) {
    const RouterSpeed speed = speed_of(wires, sockets, notes);
    keep_to(speed, wires, notes);
    LinkKinds kinds;
    ordered_json list = ordered_json::array();
    for (const WrittenWire& one : wires) {
        ordered_json wire{{"from", one.from}, {"to", one.to}};
        if (const std::string kind = kinds.name_of(one); !kind.empty()) wire["link"] = kind;
        list.push_back(std::move(wire));
    }
    ordered_json network{{"topology", "wires"}};
    if (speed.noc_khz > 4e6) network["noc_khz"] = static_cast<unsigned>(speed.noc_khz);
    if (speed.flit_bytes != 32) network["flit_bytes"] = speed.flit_bytes;
    if (!kinds.links.empty()) network["links"] = std::move(kinds.links);
    network["wires"] = std::move(list);
    return {{{"lane_gbps", std::ceil(speed.gbytes_per_s / 8)}, {"latency_cycles", 1}, {"energy_pj_per_bit", 0}},
            std::move(network)};
}

} // namespace numavp
