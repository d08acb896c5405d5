/// A reduction unit as data: one struct, one field list (base/config/config.h).
#pragma once

#include "base/config/config.h"

namespace numavp {

/// Settings of each part of the kind `reduction`.
struct ReductionConfig {
    unsigned entries = 0, records_per_cycle = 8, sum_cycles = 8;
    unsigned queue_depth = 64, wire_depth = 512;
    double sum_gbytes_per_s = 1600, add_pj = 6.7;

    bool given() const { return entries != 0; }
};

template <class V> void describe(V& v, ReductionConfig& c) {
    v.integer("entries", c.entries, 0, 65535, "entries",
              "Table size of a reduction unit, in lines that wait for members' answers. A choice: by Little's law, 900 "
              "GB/s of an NVSwitch's ports, 8 members' packets of 144 B a line and 600 ns to a member and back need "
              "469; 0: the machine has no reduction unit.");
    v.integer("records_per_cycle", c.records_per_cycle, 1, 64, "records/cycle",
              "Throughput of a reduction unit's port, each way and in each class of packets. A choice: 900 GB/s of an "
              "NVSwitch's ports in packets of 72 B at 1.98 GHz are 6.3.");
    v.integer("sum_cycles", c.sum_cycles, 1, 1000, "cycles",
              "Latency of a sum, from the last member's answer to the unit's. A choice: an FP32 addition of an SM "
              "takes 4 cycles, and 8 members take three levels of adders; NVIDIA publishes none.");
    v.real("sum_gbytes_per_s", c.sum_gbytes_per_s, 0.001, 1e6, "GB/s",
           "Bandwidth of a unit's adders in bytes of members' answers (NVSwitch 3: 400 GFLOPS of FP32, of 4 B each).");
    v.integer("queue_depth", c.queue_depth, 1, 4096, "packets",
              "Requests that wait at a reduction unit's port for an entry. A choice.");
    v.integer("wire_depth", c.wire_depth, 1, 4096, "packets", "Packets on their way from a reduction unit's ports.");
    v.real("add_pj", c.add_pj, 0.0, 1e6, "pJ",
           "Energy of an addition of two elements. A choice: that of a lane of an SM, 215 pJ for 32 (AccelWattch).");
}

} // namespace numavp
