/* A shared object without a policy. */
#include "sw/driver/policy.h"

const struct Policy kAnotherName = {.version = kPolicyVersion, .name = "no_policy", .doc = "Has another name."};
