/// A system from its configuration, workloads, runs and their results.
#pragma once

#include "base/config/config.h"
#include "base/values/address_layout.h"
#include "common/files/json_file.h"
#include "platform/files/locate.h"
#include "platform/inputs/named_workload.h"
#include "platform/inputs/workload_names.h"
#include "platform/machine/system.h"
#include "platform/machine/system_config.h"
#include "platform/results/results.h"
#include "sw/workloads/workload_file.h"
