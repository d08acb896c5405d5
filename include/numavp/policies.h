/// Policies that an RTL block can implement: link lanes, cache ways, replication.
#pragma once

#include "models/cache/replication_model.h"
#include "models/cache/way_partition.h"
#include "tlm-links/lanes/lane_balancer.h"
