#include "models/cache/replication_sampler.h"

#include <algorithm>

namespace numavp {

ReplicationSampler::ReplicationSampler(const TagArray& slice, unsigned sets)
    : slice_(slice), sets_(std::min(sets, slice.sets())), ways_(slice.ways()) {
    clear();
}

void ReplicationSampler::clear() {
    settle();
    for (Shadow* shadow : {&none_, &full_}) shadow->tags.assign(std::size_t{sets_} * ways_, 0);
}

void ReplicationSampler::note(Cycle edge, unsigned port, const Request& request) {
    if (edge != edge_) settle();
    edge_ = edge;
    noted_.push_back({port, request});
}

void ReplicationSampler::settle() {
    std::stable_sort(noted_.begin(), noted_.end(), [](const Noted& a, const Noted& b) { return a.port < b.port; });
    for (const Noted& n : noted_) {
        const bool here = !n.request.own || !n.request.remote;
        count(none_, n.request, here);
        count(full_, n.request, here || n.request.replicable);
    }
    noted_.clear();
}

void ReplicationSampler::count(Shadow& shadow, const Request& request, bool looked_up) {
    ReplicationProfile& p = shadow.profile;
    if (request.own) {
        ++p.requests;
        ++(request.remote ? p.remote_requests : p.local_requests);
    }
    if (!looked_up) return;
    ++p.lookups;
    ++(look_up(shadow, request.line) ? p.hits : p.misses);
}

/// True if the line was there; it is the most recent of its set afterwards.
bool ReplicationSampler::look_up(Shadow& shadow, std::uint64_t line) {
    const std::uint64_t tag = line | 1; // 0 is none
    const auto first = shadow.tags.begin() + std::ptrdiff_t{slice_.set_of(line)} * ways_;
    const auto last = first + ways_;
    const auto found = std::find(first, last, tag);
    std::rotate(first, found == last ? last - 1 : found, found == last ? last : found + 1);
    *first = tag;
    return found != last;
}

ReplicationSampler::Profiles ReplicationSampler::take() {
    settle();
    const Profiles counted{none_.profile, full_.profile};
    none_.profile = full_.profile = {};
    return counted;
}

} // namespace numavp
