/// Replication of read-only lines as data: one struct, one field list (base/config/config.h).
#pragma once

#include <cstdint>

#include "base/values/name_table.h"

namespace numavp {

enum class ReplicationPolicy : std::uint8_t { none, full, model, model_rtl };
enum class ReplicationExpectation : std::uint8_t { bandwidths, busiest };
enum class ReplicaFlush : std::uint8_t { all, replicas };

inline constexpr NameTable<ReplicationPolicy> kReplicationPolicies{
    "replication policy",
    {{ReplicationPolicy::none, "none", "No line is replicated (NUBA-No-Rep)."},
     {ReplicationPolicy::full, "full", "Every remote line that a kernel only reads is, when an SM asks for it."},
     {ReplicationPolicy::model, "model",
      "Every such line in the epochs for which the model (replication.expects) expects more of it."},
     {ReplicationPolicy::model_rtl, "model_rtl",
      "Every such line by the decisions of the RTL block (rtl/replication_model.sv)."}}};
inline constexpr NameTable<ReplicationExpectation> kReplicationExpectations{
    "expectation of the replication model",
    {{ReplicationExpectation::bandwidths, "bandwidths", "the bandwidths of section 5.1, added up"},
     {ReplicationExpectation::busiest, "busiest", "what the busiest of slices, network and memory allows"}}};
inline constexpr NameTable<ReplicaFlush> kReplicaFlushes{
    "flush of replicas",
    {{ReplicaFlush::all, "all", "all lines: dirty ones are written to memory (NUBA, section 5.3)"},
     {ReplicaFlush::replicas, "replicas", "replicas alone, which are never dirty"}}};

struct ReplicationConfig {
    ReplicationPolicy policy = ReplicationPolicy::none;
    ReplicationExpectation expects = ReplicationExpectation::bandwidths;
    unsigned epoch_cycles = 20000, sampled_sets = 8;
    ReplicaFlush flush = ReplicaFlush::all;

    bool by_model() const { return policy == ReplicationPolicy::model || policy == ReplicationPolicy::model_rtl; }
};

template <class V> void describe(V& v, ReplicationConfig& c) {
    v.choice("policy", c.policy, kReplicationPolicies,
             "Policy of keeping remote lines that a kernel only reads, in slices of the organisation replicating.");
    v.choice("expects", c.expects, kReplicationExpectations,
             "Rule by which the model compares an epoch with replicas and one without.");
    v.integer("epoch_cycles", c.epoch_cycles, 1000, 1000000, "cycles",
              "Time between two decisions of the model (NUBA, section 5.1: 20,000).");
    v.integer("sampled_sets", c.sampled_sets, 1, 1024, "sets",
              "Sets of one slice of one socket whose requests the model counts; all if the slice has fewer (NUBA, "
              "section 5.1: 8).");
    v.choice("flush", c.flush, kReplicaFlushes, "Lines that a kernel's end flushes where there may be replicas.");
}

} // namespace numavp
