#include "models/cache/replication_model.h"

#include <algorithm>

#include "base/values/error.h"

namespace numavp {

static_assert(replication_cycles() == 116, "section 5.1, footnote 1");

ReplicationModel::ReplicationModel(const ReplicationWidths& widths) : widths_(widths) {
    for (const unsigned bits : {widths.count_bits, widths.fraction_bits, widths.bandwidth_bits})
        if (bits < 1 || bits > 24) throw ModelError("a width of the replication evaluator is 1 to 24 bits");
}

void ReplicationModel::check(const ReplicationProfile& p) const {
    if ((p.lookups | p.requests) >> widths_.count_bits)
        throw ModelError("a count of the replication evaluator does not fit its width");
    if (std::max(p.hits, p.misses) > p.lookups || std::max(p.local_requests, p.remote_requests) > p.requests)
        throw ModelError("a part is above its whole in a profile of the replication evaluator");
}

std::uint64_t ReplicationModel::fraction(std::uint64_t part, std::uint64_t whole) const {
    return whole == 0 ? 0 : (part << widths_.fraction_bits) / whole;
}

std::uint64_t ReplicationModel::times(std::uint64_t fraction, std::uint64_t bandwidth) const {
    return fraction * bandwidth >> widths_.fraction_bits;
}

std::uint64_t ReplicationModel::without_replication(const ReplicationProfile& p,
                                                    const ReplicationBandwidths& raw) const {
    const std::uint64_t miss = std::min(times(fraction(p.misses, p.lookups), raw.llc), raw.memory);
    const std::uint64_t local = times(fraction(p.hits, p.lookups), raw.llc) + miss;
    const std::uint64_t remote = std::min(raw.noc, local);
    return times(fraction(p.local_requests, p.requests), local) +
           times(fraction(p.remote_requests, p.requests), remote);
}

std::uint64_t ReplicationModel::with_replication(const ReplicationProfile& p, const ReplicationBandwidths& raw) const {
    const std::uint64_t remote = std::min(raw.noc, raw.memory);
    const std::uint64_t behind = times(fraction(p.local_requests, p.requests), raw.memory) +
                                 times(fraction(p.remote_requests, p.requests), remote);
    const std::uint64_t miss = std::min(times(fraction(p.misses, p.lookups), raw.llc), behind);
    return times(fraction(p.hits, p.lookups), raw.llc) + miss;
}

ReplicationEstimate ReplicationModel::evaluate(const ReplicationProfile& none, const ReplicationProfile& full,
                                               const ReplicationBandwidths& raw) const {
    check(none);
    check(full);
    if ((raw.llc | raw.memory | raw.noc) >> widths_.bandwidth_bits)
        throw ModelError("a bandwidth of the replication evaluator does not fit its width");
    ReplicationEstimate e;
    e.bandwidth_none = without_replication(none, raw);
    e.bandwidth_full = with_replication(full, raw);
    e.replicate = e.bandwidth_full > e.bandwidth_none;
    return e;
}

} // namespace numavp
