#include "tlm-links/protocol/access_log.h"

#include <algorithm>

namespace numavp {

void AccessLog::begin(Txn& txn, std::uint64_t from_ps) {
    if (spare_.empty()) {
        trails_.push_back(std::make_unique<AccessTrail>());
        spare_.push_back(trails_.back().get());
    }
    txn.trail = spare_.back();
    spare_.pop_back();
    txn.followed = true;
    txn.trail->start(1 + every_ * begun_++, from_ps);
}

void AccessLog::end(const Txn& txn, std::uint64_t now_ps) {
    if (now_ps != ended_ps_) flush();
    ended_ps_ = now_ps;
    FollowedAccess access;
    access.number = txn.trail->number();
    access.kind = txn.kind;
    access.socket = txn.requester;
    access.sm = txn.source;
    access.home = txn.home;
    access.virtual_line = txn.virtual_line;
    access.from_ps = txn.trail->from_ps();
    access.latency_ps = now_ps - access.from_ps;
    access.hops = &txn.trail->hops();
    ended_.push_back({access, txn.trail});
}

void AccessLog::flush() {
    std::sort(ended_.begin(), ended_.end(),
              [](const Ended& a, const Ended& b) { return a.access.number < b.access.number; });
    for (const Ended& e : ended_) {
        sink_(e.access);
        spare_.push_back(e.trail);
    }
    ended_.clear();
}

} // namespace numavp
