/* A policy for a version of the interface that there is not yet. */
#include "sw/driver/policy.h"

static uint32_t first(struct PolicyView* view) { return view->toucher; }

const struct Policy numavp_policy = {
    .version = kPolicyVersion + 1, .name = "other_version", .doc = "Of another version.", .wish = first};
