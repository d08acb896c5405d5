/// A system from its configuration, workloads, runs and their results.
#pragma once

#include "base/config/config.h"
#include "base/values/address_layout.h"
#include "common/files/json_file.h"
#include "common/inputs/named_workload.h"
#include "common/inputs/workload_names.h"
#include "common/system/load_system.h"
#include "common/system/system_config.h"
#include "platform/machine/system.h"
#include "platform/results/results.h"
#include "sw/workloads/workload_file.h"
