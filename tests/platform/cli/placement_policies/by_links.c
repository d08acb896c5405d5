/* Pages go to socket 0 while no link was in use in the last sample, else to the last socket. */
#include "sw/driver/policy.h"

static uint32_t by_links(struct PolicyView* view) {
    uint32_t use = 0;
    for (uint32_t i = 0; i < view->sockets; ++i) use += (uint32_t)view->link_out[i] + view->link_in[i];
    return use == 0 ? 0 : view->sockets - 1;
}

const struct Policy numavp_policy = {.version = kPolicyVersion,
                                     .sees = kPolicySeesLinks,
                                     .name = "by_links",
                                     .doc = "By the use of links.",
                                     .wish = by_links};
