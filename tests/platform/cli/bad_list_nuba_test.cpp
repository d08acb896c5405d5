/// A list of bad settings of partitions, their crossbar, replicas and pages, and their sentences.
#include "tests/platform/cli/bad_list.h"

namespace numavp::test {
namespace {

TEST_F(BadList, Partitions) {
    expect_sentences({
        {{"explain", "nuba", "--set", "replication.epoch_cycles=0"},
         "--set replication.epoch_cycles: 0 is out of range; allowed are whole numbers from 1000 to 1000000 (cycles)"},
        {{"explain", "nuba", "--set", "replication.policy=half"},
         "--set replication.policy: unknown replication policy"},
        {{"explain", "nuba", "--set", "replication.sampled_sets=0"},
         "--set replication.sampled_sets: 0 is out of range"},
        {{"explain", "nuba", "--set", "replication.policy=model_rtl", "--set", "replication.expects=busiest"},
         "--set replication.expects: busiest is not in rtl/replication_model.sv; bandwidths is allowed, or "
         "replication.policy model"},
        {{"explain", "nuba-no-rep", "--set", "replication.sampled_sets=16"},
         "--set replication.sampled_sets: this changes nothing: replication.policy does not ask the model"},
        {{"run", "numa-4", "compute", "--set", "link.sample_cycles=10"},
         "--set link.sample_cycles: this changes nothing: link.balancer is static: lanes stay"},
        {{"explain", "numa-4", "--set", "replication.policy=full"},
         "--set replication.policy: full asks for slices that replicate, and no socket with SMs and memory has "
         "l2.organisation replicating; none is allowed"},
        {{"explain", "nuba", "--set", "partition.l2.organisation=memory_side"},
         "SOURCE/configs/systems/nuba/nuba.json: "
         "$.replication.policy: model asks for slices that replicate"},
        {{"explain", "nuba", "--set", "partition.l2.coherence=directory"},
         "--set partition.l2.coherence: a directory keeps copies in the organisation coherent right, and "
         "l2.organisation is replicating; flushes is allowed, or that organisation"},
        {{"explain", "numa-4", "--set", "socket.l2.organisation=coherent", "--set", "socket.l2.coherence=directory"},
         "--set socket.l2.coherence: a directory notes copies of one other socket, and there are 4; flushes is "
         "allowed, or 2 sockets"},
        {{"explain", "uba-sm-side", "--set", "half[1].l2.coherence=flushes"},
         "--set half[1].l2.coherence: flushes here and directory in socket 0; the same is allowed"},
        {{"explain", "uba-sm-side", "--set", "translation.mode=full", "--set", "driver.execution=native"},
         "SOURCE/configs/systems/nuba/uba-sm-side.json: "
         "$.half.l2.coherence: the host's memory has no directory; flushes is allowed, or a machine without a driver "
         "and tables on its host"},
        {{"explain", "uba-sm-side", "--set", "half.l2.directory_cycles=0"},
         "--set half.l2.directory_cycles: 0 is out of range"},
        {{"explain", "nuba", "--set", "translation.shared=true"},
         "--set translation.shared: translation.mode is off, and TLBs and walkers are those of full; false is allowed, "
         "or that mode"},
        {{"explain", "nuba-driver", "--set", "translation.shared_at=32"},
         "--set translation.shared_at: socket 32 of 32; 0 to 31 are allowed"},
        {{"explain", "nuba", "--set", "driver.replication_threshold=64"},
         "--set driver.replication_threshold: the none execution has no driver to copy a page; 0 is allowed, or native "
         "and riscv"},
        {{"explain", "nuba-driver", "--set", "driver.execution=ideal", "--set", "driver.replication_threshold=64"},
         "--set driver.replication_threshold: the ideal execution has no time to copy a page; 0 is allowed, or native "
         "and riscv"},
        {{"explain", "nuba-driver", "--set", "driver.replication_threshold=64", "--set",
          "driver.migration_threshold=64"},
         "--set driver.replication_threshold: a note of remote accesses moves the page or copies it; 0 is allowed, or "
         "driver.migration_threshold 0"},
        {{"explain", "nuba-driver", "--set", "driver.replication_threshold=-1"},
         "--set driver.replication_threshold: -1 is out of range"},
        {{"explain", "nuba", "--set", "placement.lab_percent=101"}, "--set placement.lab_percent: 101 is out of range"},
        {{"explain", "nuba", "--set", "placement.policy=labb"},
         "--set placement.policy: unknown page placement 'labb', the nearest is 'lab'"},
        {{"explain", "nuba", "--set", "partition.l2.slices=0"}, "--set partition.l2.slices: 0 is out of range"},
        {{"explain", "nuba", "--set", "partition.l2.slices=5"},
         "SOURCE/configs/systems/nuba/nuba-no-rep.json: $.partition.l2.size_kib: 192 KiB in 5 parts of 16 ways are no "
         "whole sets"},
        {{"explain", "nuba", "--set", "socket.sm.l1.size_kib=24"},
         "--set socket.sm.l1.size_kib: this changes no socket, since each has another value for it; "
         "partition.sm.l1.size_kib is one to set instead"},
        {{"explain", "nuba", "--set", "partition[0..31].sms=4", "--set", "partition.sms=3"},
         "--set partition.sms: this changes no socket, since each has another value for it; "
         "partition[0..31].sms is one to set instead"},
        {{"explain", "nuba", "--set", "network.dimensions=[8,7]"},
         "--set network.dimensions: 64 ports do not divide among 7 routers of the second stage; a divisor of 64 is "
         "allowed"},
        {{"explain", "nuba", "--set", "network.dimensions=[8]"},
         "--set network.dimensions: 1 dimensions are given for butterfly; expected are 2"},
        {{"explain", "m.json"},
         "SOURCE/configs/systems/nuba/nuba-no-rep.json: $.network.topology: cpu[0] neither asks nor serves at a "
         "butterfly",
         {{"m.json", R"({"extends": "nuba", "parts": [{"name": "partition", "count": 32, "terminals": 2},
           {"name": "cpu", "count": 1}], "cpu": {"sms": 0, "memory": {"capacity_gib": 0}}})"}}},
        {{"explain", "nuba", "--set", "packets.flit_bytes=0"}, "--set packets.flit_bytes: 0 is out of range"},
        {{"explain", "nuba", "--set", "partition.memory.device.address=column:5 row:19 scatter"},
         "--set partition.memory.device.address: scatter moves rows to other banks, and there is one bank"},
    });
}

} // namespace
} // namespace numavp::test
