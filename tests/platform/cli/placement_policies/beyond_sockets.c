/* A policy that answers with a socket that there is not, from its third page on. */
#include "sw/driver/policy.h"

static uint32_t beyond(struct PolicyView* view) { return ++*view->own < 3 ? view->toucher : view->sockets; }

const struct Policy numavp_policy = {
    .version = kPolicyVersion, .words = 1, .name = "beyond_sockets", .doc = "Beyond the sockets.", .wish = beyond};
