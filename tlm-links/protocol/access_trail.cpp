#include "tlm-links/protocol/access_trail.h"

namespace numavp {

void AccessTrail::waited(const char* place, std::uint64_t until_ps, Waited what) {
    if (blamed_ != Waited::nothing) what = blamed_;
    const std::uint64_t access = blamed_access_;
    blame(Waited::nothing);
    if (until_ps <= mark_ps_) return;
    const std::uint64_t time = until_ps - mark_ps_;
    if (!hops_.empty()) {
        AccessHop& last = hops_.back();
        if (last.place == place && last.wait_ps == last.time_ps && last.waited == what &&
            last.waited_access == access) { // asked again, and still waiting
            last.wait_ps += time;
            last.time_ps += time;
            mark_ps_ = until_ps;
            return;
        }
    }
    hops_.push_back({place, mark_ps_, time, time, what, access});
    mark_ps_ = until_ps;
}

void AccessTrail::passed(const char* place, std::uint64_t until_ps) {
    if (until_ps <= mark_ps_) return;
    const std::uint64_t time = until_ps - mark_ps_;
    if (!hops_.empty() && hops_.back().place == place && hops_.back().wait_ps == hops_.back().time_ps)
        hops_.back().time_ps += time;
    else
        hops_.push_back({place, mark_ps_, 0, time, Waited::nothing, 0});
    mark_ps_ = until_ps;
}

} // namespace numavp
