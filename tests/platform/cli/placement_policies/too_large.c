/* A policy that asks for more state than the driver keeps. */
#include "sw/driver/policy.h"

static uint32_t first(struct PolicyView* view) { return view->toucher; }

const struct Policy numavp_policy = {
    .version = kPolicyVersion, .words = kPolicyMaxWords + 1, .name = "too_large", .doc = "Too large.", .wish = first};
