#include "models/cache/replication_sampler.h"

#include <algorithm>

namespace numavp {

ReplicationSampler::ReplicationSampler(const TagArray& slice, unsigned sets, bool loads)
    : slice_(slice), sets_(std::min(sets, slice.sets())), ways_(slice.ways()), loads_(loads) {
    clear();
}

void ReplicationSampler::clear() {
    settle();
    for (auto* tags : {&none_.tags, &full_.tags}) tags->assign(std::size_t{sets_} * ways_, 0);
    if (loads_) met_tags_.assign(std::size_t{sets_} * ways_, 0);
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
        if (loads_) load(n.request);
    }
    noted_.clear();
}

/// Adds what the request takes where all slices replicate.
void ReplicationSampler::load(const Request& request) {
    const auto looked_up = [&] {
        ++met_.looked_up;
        return look_up(met_tags_, request.line);
    };
    const bool of_replicas = request.own && request.remote && request.replicable;
    if (!request.own) {
        ++others_;
        if (request.replicable && !passes_replicas()) return;
        ++met_.served;
        met_.from_memory += looked_up() ? 0U : 1U;
    } else if (!request.remote) {
        met_.from_memory += looked_up() ? 0U : 1U;
    } else {
        const bool fetched = !of_replicas || !looked_up();
        met_.fetched += fetched ? 1U : 0U;
        replica_look_ups_ += of_replicas ? 1U : 0U;
        replica_misses_ += of_replicas && fetched ? 1U : 0U;
    }
}

/// Of other partitions' requests for lines with replicas, evenly those that miss there: all, where that is seen
/// already.
bool ReplicationSampler::passes_replicas() {
    if (replicates_) return true;
    passed_ += part_misses_;
    if (passed_ < part_look_ups_) return false;
    passed_ -= part_look_ups_;
    return true;
}

void ReplicationSampler::count(Shadow& shadow, const Request& request, bool looked_up) {
    ReplicationProfile& p = shadow.profile;
    if (request.own) {
        ++p.requests;
        ++(request.remote ? p.remote_requests : p.local_requests);
    }
    if (!looked_up) return;
    ++p.lookups;
    ++(look_up(shadow.tags, request.line) ? p.hits : p.misses);
}

/// True if the line was there; it is the most recent of its set afterwards.
bool ReplicationSampler::look_up(std::vector<std::uint64_t>& tags, std::uint64_t line) const {
    const std::uint64_t tag = line | 1; // 0 is none
    const auto first = tags.begin() + std::ptrdiff_t{slice_.set_of(line)} * ways_;
    const auto last = first + ways_;
    const auto found = std::find(first, last, tag);
    std::rotate(first, found == last ? last - 1 : found, found == last ? last : found + 1);
    *first = tag;
    return found != last;
}

ReplicationSampler::Profiles ReplicationSampler::take() {
    settle();
    const ReplicationProfile& none = none_.profile;
    // What other partitions' replicas answered is not seen: as much as the own ones did, then.
    const std::uint64_t served = replicates_ ? std::max(others_, none.remote_requests) : others_;
    const ReplicationLoads alone{none.local_requests + served, none.misses, none.remote_requests, served};
    const Profiles counted{none, full_.profile, alone, met_};
    none_.profile = full_.profile = {};
    met_ = {};
    if (replica_look_ups_ != 0) {
        part_misses_ = replica_misses_;
        part_look_ups_ = replica_look_ups_;
    }
    others_ = replica_look_ups_ = replica_misses_ = passed_ = 0;
    return counted;
}

} // namespace numavp
