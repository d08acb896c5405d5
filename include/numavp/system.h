/// A system from its configuration, workloads, runs and their results.
#pragma once

#include "models/base/address_layout.h"
#include "models/base/config.h"
#include "platform/files/json_file.h"
#include "platform/files/locate.h"
#include "platform/inputs/named_workload.h"
#include "platform/inputs/workload_names.h"
#include "platform/machine/system.h"
#include "platform/machine/system_config.h"
#include "platform/results/results.h"
#include "sw/kernels/workload_file.h"
