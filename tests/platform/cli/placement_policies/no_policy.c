/* A shared object without a policy. */
#include "sw/driver/policy.h"

const struct Policy another_name = {.version = kPolicyVersion, .name = "no_policy", .doc = "Has another name."};
