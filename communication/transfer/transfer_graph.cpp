#include "communication/transfer/transfer_graph.h"

#include <algorithm>
#include <utility>

namespace numavp {

unsigned TransferGraph::add_part(TransferPart part) {
    ways_.reset();
    parts_.push_back(std::move(part));
    return static_cast<unsigned>(parts_.size() - 1);
}

void TransferGraph::join(unsigned a, unsigned b, const TransferLink& there, double back_gbytes_per_s) {
    ways_.reset();
    links_.push_back(there);
    links_.back().from = a;
    links_.back().to = b;
    links_.push_back(links_.back());
    std::swap(links_.back().from, links_.back().to);
    links_.back().gbytes_per_s = back_gbytes_per_s;
}

bool TransferGraph::scale(const std::string& kind, double factor) {
    ways_.reset();
    bool found = false;
    for (TransferLink& link : links_) {
        if (link.kind != kind) continue;
        link.gbytes_per_s *= factor;
        found = true;
    }
    return found;
}

bool TransferGraph::replace(const std::string& kind, const TransferLink& other, double back_factor) {
    ways_.reset();
    bool found = false;
    for (std::size_t l = 0; l < links_.size(); ++l) {
        TransferLink& link = links_[l];
        if (link.kind != kind) continue;
        link.kind = other.kind;
        link.latency_ns = other.latency_ns;
        link.format = other.format;
        link.gbytes_per_s *= l % 2 == 0 ? other.gbytes_per_s : back_factor;
        found = true;
    }
    return found;
}

const BestWays& TransferGraph::ways() const {
    if (ways_) return *ways_;
    std::vector<Transit> transit;
    for (const TransferPart& part : parts_) transit.push_back(part.transit);
    std::vector<WayLink> links;
    for (const TransferLink& link : links_) links.push_back({link.from, link.to, link.gbytes_per_s});
    ways_.emplace(std::move(transit), links);
    return *ways_;
}

std::vector<unsigned> TransferGraph::way(unsigned from, unsigned to) const {
    const std::vector<WayCost> costs = ways().to(to);
    std::vector<unsigned> links;
    if (!costs[from].exists()) return links;
    for (unsigned part = from; part != to; part = links_[links.back()].to) {
        std::vector<bool> leads(parts_.size(), false);
        for (const BestWays::Next& next : ways().next(part))
            leads[next.part] = ways().begins(costs[part], next, costs[next.part], to);
        unsigned link = 0;
        while (links_[link].from != part || !leads[links_[link].to]) ++link;
        links.push_back(link);
    }
    return links;
}

bool TransferGraph::joined_without_cpu(unsigned from, unsigned to) const {
    const std::vector<unsigned> links = way(from, to);
    return !links.empty() && !ways().to(to)[from].is_forced() &&
           std::none_of(links.begin(), links.end() - 1,
                        [this](unsigned link) { return parts_[links_[link].to].kind == TransferPartKind::cpu; });
}

std::vector<FluidNetwork::Use> TransferGraph::uses(const std::vector<unsigned>& way, BulkOperation operation) const {
    std::vector<FluidNetwork::Use> all;
    for (const unsigned link : way) {
        const LinkFormat& format = links_[link].format;
        all.push_back({link, format.data_weight(operation)});
        if (const double requests = format.request_weight(operation); requests > 0)
            all.push_back({reverse(link), requests});
    }
    return all;
}

double TransferGraph::latency_ns(const std::vector<unsigned>& way) const {
    double sum = 0;
    for (const unsigned link : way) sum += links_[link].latency_ns;
    return sum;
}

double TransferGraph::narrowest_gbytes_per_s(const std::vector<unsigned>& way) const {
    if (way.empty()) return 0;
    double least = links_[way.front()].gbytes_per_s;
    for (const unsigned link : way) least = std::min(least, links_[link].gbytes_per_s);
    return least;
}

double TransferGraph::alone_gbytes_per_s(const std::vector<FluidNetwork::Use>& uses) const {
    std::vector<double> weight(links_.size(), 0.0);
    for (const FluidNetwork::Use& use : uses) weight[use.resource] += use.weight;
    double least = 0;
    for (std::size_t l = 0; l < links_.size(); ++l)
        if (weight[l] > 0) {
            const double rate = links_[l].gbytes_per_s / weight[l];
            least = least > 0 ? std::min(least, rate) : rate;
        }
    return least;
}

FluidNetwork TransferGraph::network() const {
    FluidNetwork made;
    for (const TransferLink& link : links_) made.add_resource(link.gbytes_per_s);
    return made;
}

std::vector<FluidNetwork::Use> joined_uses(std::vector<FluidNetwork::Use> first,
                                           const std::vector<FluidNetwork::Use>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace numavp
