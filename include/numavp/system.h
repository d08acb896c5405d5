/// A system from its configuration, workloads, runs and their results.
#pragma once

#include "models/base/address_layout.h"
#include "models/base/config.h"
#include "platform/locate.h"
#include "platform/named_workload.h"
#include "platform/results.h"
#include "platform/system.h"
#include "platform/system_config.h"
#include "sw/kernels/workload_file.h"
