#include "tlm-links/crossbar/switch_route.h"

#include "base/stats/stats.h"

namespace numavp {

void SwitchRoute::add_statistics(StatGroup& machine) const {
    for (unsigned from = 0; from < sockets_; ++from) {
        StatGroup& group = machine.group("switch").group("from", from);
        if (!pairs_) {
            group.counter("bytes", bytes_[from], "B", "Requests and responses from a socket to others.");
            continue;
        }
        for (unsigned to = 0; to < sockets_; ++to)
            if (to != from)
                group.group("to", to).counter("bytes", bytes_[at(from, to)], "B",
                                              "Requests and responses from one socket to another.");
    }
}

} // namespace numavp
