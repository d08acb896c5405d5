/* Pages that are written first stay with their writer. Those that are read first will be read by all: each goes to the
 * socket with the fewest such pages, and a router on the way counts as much as a page. */
#include "sw/driver/policy.h"

static uint32_t writers_keep(struct PolicyView* view) {
    if (view->write) return view->toucher;
    uint64_t* given = view->own; /* pages that were read first, by socket */
    uint32_t best = view->toucher;
    for (uint32_t i = 0; i < view->sockets; ++i) {
        if (given[i] + view->routers[i] < given[best] + view->routers[best]) best = i;
    }
    ++given[best];
    return best;
}

const struct Policy numavp_policy = {.version = kPolicyVersion,
                                     .words = kPolicyMaxSockets,
                                     .sees = kPolicySeesRouters,
                                     .name = "writers_keep",
                                     .doc = "Writers keep their pages; pages that are read first are spread nearby.",
                                     .wish = writers_keep};
