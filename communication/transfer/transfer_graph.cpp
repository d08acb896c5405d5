#include "communication/transfer/transfer_graph.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <utility>

namespace numavp {

unsigned TransferGraph::add_part(TransferPart part) {
    parts_.push_back(std::move(part));
    return static_cast<unsigned>(parts_.size() - 1);
}

void TransferGraph::join(unsigned a, unsigned b, const TransferLink& there, double back_gbytes_per_s) {
    links_.push_back(there);
    links_.back().from = a;
    links_.back().to = b;
    links_.push_back(links_.back());
    std::swap(links_.back().from, links_.back().to);
    links_.back().gbytes_per_s = back_gbytes_per_s;
}

bool TransferGraph::scale(const std::string& kind, double factor) {
    bool found = false;
    for (TransferLink& link : links_) {
        if (link.kind != kind) continue;
        link.gbytes_per_s *= factor;
        found = true;
    }
    return found;
}

bool TransferGraph::replace(const std::string& kind, const TransferLink& other, double back_factor) {
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

std::vector<unsigned> TransferGraph::way(unsigned from, unsigned to) const {
    constexpr unsigned kNone = std::numeric_limits<unsigned>::max();
    std::vector<unsigned> by(parts_.size(), kNone); // the link by which a part was reached
    std::deque<unsigned> reached{from};
    while (!reached.empty() && by[to] == kNone) {
        const unsigned part = reached.front();
        reached.pop_front();
        if (part != from && parts_[part].kind == TransferPartKind::gpu) continue;
        for (unsigned l = 0; l < links_.size(); ++l) {
            const TransferLink& link = links_[l];
            if (link.from != part || link.to == from || by[link.to] != kNone) continue;
            by[link.to] = l;
            reached.push_back(link.to);
        }
    }
    std::vector<unsigned> links;
    for (unsigned part = to; part != from && by[part] != kNone; part = links_[by[part]].from) links.push_back(by[part]);
    std::reverse(links.begin(), links.end());
    return links;
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
