/// Costs of a machine's transfers besides the bandwidths of its links: constants of one machine, as a file.
///
/// configs/calibrations/NAME.json belongs to the machine called NAME. Each constant that a file sets has its reason in
/// the file's list `reasons`. Without a file the defaults here hold, which describe no particular machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "communication/characterize/calibration_unified.h"
#include "communication/transfer/link_format.h"

namespace numavp {

struct CalibrationFormat {
    std::string link; ///< of network.links; "": those that no other format names
    unsigned read_payload_bytes = 128, write_payload_bytes = 128, request_payload_bytes = 512;
    double read_overhead_bytes = 16, write_overhead_bytes = 16, request_bytes = 16, efficiency = 1;
    double back_share = 1, lane_gbytes_per_s = 1;

    LinkFormat format() const;
};
template <class V> void describe(V& v, CalibrationFormat& c) {
    v.text("link", c.link,
           "Kind of link that the format is for, one of the machine's network.links; empty: all kinds that no other "
           "format names.");
    v.integer("read_payload_bytes", c.read_payload_bytes, 1, 65536, "B", "Data of a packet that answers a read.");
    v.real("read_overhead_bytes", c.read_overhead_bytes, 0.0, 65536.0, "B",
           "Headers and other overhead of a packet that answers a read.");
    v.integer("write_payload_bytes", c.write_payload_bytes, 1, 65536, "B", "Data of a packet that writes.");
    v.real("write_overhead_bytes", c.write_overhead_bytes, 0.0, 65536.0, "B",
           "Headers and other overhead of a packet that writes.");
    v.integer("request_payload_bytes", c.request_payload_bytes, 1, 65536, "B", "Data that a read asks for at once.");
    v.real("request_bytes", c.request_bytes, 0.0, 65536.0, "B", "Size of a read request, which goes the other way.");
    v.real("efficiency", c.efficiency, 0.01, 1.0, "",
           "Share of the link that packets may fill; credits and acknowledgements take the rest.");
    v.real("back_share", c.back_share, 0.001, 1000.0, "",
           "Bandwidth from a wire's `to` to its `from`, as a share of that the other way.");
    v.real("lane_gbytes_per_s", c.lane_gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Bandwidth of one lane in one direction, by which the lanes of a link are counted.");
}

struct CalibrationCalls {
    double pinned_to_gpu_us = 10, pinned_to_host_us = 10, remote_us = 0;
    double pageable_to_gpu_us = 10, pageable_to_host_us = 10, host_us = 10, host_remote_us = 10;
    double peer_us = 10, staged_us = 15, hidden_us = 0;
};
template <class V> void describe(V& v, CalibrationCalls& c) {
    const auto call = [&v](const char* name, double& us, const char* doc) { v.real(name, us, 0.0, 1e6, "us", doc); };
    call("pinned_to_gpu_us", c.pinned_to_gpu_us,
         "Time of a copy of pinned or write-combined memory to a GPU, of no bytes.");
    call("pinned_to_host_us", c.pinned_to_host_us,
         "Time of a copy from a GPU to pinned or write-combined memory, of no bytes.");
    call("remote_us", c.remote_us, "Additional time of either copy where the GPU belongs to another CPU.");
    call("pageable_to_gpu_us", c.pageable_to_gpu_us, "Time of a copy of pageable memory to a GPU, of no bytes.");
    call("pageable_to_host_us", c.pageable_to_host_us, "Time of a copy from a GPU to pageable memory, of no bytes.");
    call("host_us", c.host_us, "Time of a copy between memories of one CPU, of no bytes.");
    call("host_remote_us", c.host_remote_us, "Time of a copy between memories of two CPUs, of no bytes.");
    call("peer_us", c.peer_us, "Time of a copy between two GPUs that access each other, of no bytes.");
    call("staged_us", c.staged_us, "Time of a copy between two GPUs through the host, of no bytes.");
    call("hidden_us", c.hidden_us, "Time of the call, of a copy between two GPUs, during which data already moves.");
}

/// Rate of the first bytes of a buffer, as long as caches hold them.
struct CalibrationLevel {
    unsigned kib = 1024;
    double gbytes_per_s = 10;
    bool kept = true;
};
template <class V> void describe(V& v, CalibrationLevel& c) {
    v.integer("kib", c.kib, 1, 1U << 30, "KiB",
              "Length of a part of a buffer that is copied at this rate, behind the parts of the levels before.");
    v.real("gbytes_per_s", c.gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Rate of the part of the buffer that the level describes.");
    v.boolean(
        "kept", c.kept,
        "Whether a longer buffer has its first bytes at this rate too; false: only buffers that end in the level.");
}

struct CalibrationHostCopy {
    double gbytes_per_s = 10;
    std::vector<CalibrationLevel> levels;

    /// Time in ns to copy `bytes` at `offset` of a buffer of `whole` bytes.
    double ns(std::uint64_t offset, std::uint64_t bytes, std::uint64_t whole) const;
};
template <class V> void describe(V& v, CalibrationHostCopy& c) {
    v.real("gbytes_per_s", c.gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Rate of one thread between memories, beyond the levels.");
    v.list("levels", c.levels, "Rates of the first parts of a buffer, smaller parts first.");
}

/// First part of a copy by DMA, whose lines are in the host's caches.
struct CalibrationCached {
    bool to_host = false, remote = false;
    unsigned kib = 0;
    double gbytes_per_s = 10;
};
template <class V> void describe(V& v, CalibrationCached& c) {
    v.boolean("to_host", c.to_host, "Whether the copies go to the host; false: to a GPU.");
    v.boolean("remote", c.remote, "Whether the copies are between a GPU and another CPU's memory.");
    v.integer("kib", c.kib, 0, 1U << 30, "KiB", "Number of first bytes of a copy that meet in a cache.");
    v.real("gbytes_per_s", c.gbytes_per_s, 0.001, 10000.0, "GB/s", "Rate of these first bytes, at most.");
}

struct CalibrationStaging {
    unsigned chunk_kib = 1024, buffers = 2, small_kib = 64;
    double reuse_us = 4, small_to_gpu_gbytes_per_s = 10, small_to_host_gbytes_per_s = 6;
    CalibrationHostCopy to_gpu, to_host;
    unsigned direct_mib = 0;
    double direct_gbytes_per_s = 1;
};
template <class V> void describe(V& v, CalibrationStaging& c) {
    v.integer("chunk_kib", c.chunk_kib, 1, 1U << 20, "KiB", "Size of a piece that is staged.");
    v.integer("buffers", c.buffers, 1, 1024, "buffers", "Number of pinned buffers, each of a chunk.");
    v.real("reuse_us", c.reuse_us, 0.0, 1e6, "us", "Time until a buffer that was used can be used again.");
    v.integer("small_kib", c.small_kib, 0, 1U << 20, "KiB",
              "Size up to which a copy is one piece, made within the call.");
    v.real("small_to_gpu_gbytes_per_s", c.small_to_gpu_gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Rate of small copies to a GPU.");
    v.real("small_to_host_gbytes_per_s", c.small_to_host_gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Rate of small copies to the host.");
    v.object("to_gpu", c.to_gpu, "The thread that fills the buffers.");
    v.object("to_host", c.to_host, "The thread that empties the buffers.");
    v.integer("direct_mib", c.direct_mib, 0, 1U << 20, "MiB",
              "Size from which copies of pageable memory to a GPU are not staged; 0: all are staged.");
    v.real("direct_gbytes_per_s", c.direct_gbytes_per_s, 0.001, 10000.0, "GB/s",
           "Rate of copies that are not staged, at most.");
}

struct CalibrationReason {
    std::string constant, reason;
};
template <class V> void describe(V& v, CalibrationReason& c) {
    v.text("constant", c.constant,
           "Path of the constant, such as calls.peer_us; a group's path stands for all constants in it.");
    v.text("reason", c.reason, "Source of the constant, and the rows that it was fitted on.");
}

struct Calibration {
    std::string name, system, description;
    std::vector<std::uint64_t> numa_ids;
    unsigned page_kib = 64, chase_kib = 128;
    bool peer_across = false, cpu_reaches_gpus = false;
    unsigned copy_engines = 1;
    std::vector<CalibrationFormat> formats;
    CalibrationCalls calls;
    CalibrationHostCopy host_local, host_remote;
    std::vector<CalibrationCached> cached;
    CalibrationStaging staging;
    CalibrationPrefetch prefetch;
    CalibrationFaults faults;
    std::vector<CalibrationReason> reasons;

    /// Format of a kind of link. If the file has none: packets of 128 B with 16 B of overhead, or for PCIe the numbers
    /// derived in docs/papers/REAL_MACHINES.md.
    CalibrationFormat format_of(const std::string& link) const;
};
template <class V> void describe(V& v, Calibration& c) {
    v.text("name", c.name, "Name of the machine.");
    v.text("system", c.system, "Name of the machine in the column system of measurements; its own name unless given.");
    v.text("description", c.description, "One sentence on the machine.");
    v.integers("numa_ids", c.numa_ids, 0, 65535, "", "NUMA node of each CPU, in order; 0, 1, ... unless given.");
    v.steps("page_kib", c.page_kib, 4U, 64U, 4U, "KiB", "Size of a page of the host; a divisor of 64.");
    v.steps("chase_kib", c.chase_kib, 64U, 2048U, 64U, "KiB", "Distance between two pages of the pointer chase.");
    v.boolean("peer_across", c.peer_across, "Whether GPUs of different CPUs access each other without a direct link.");
    v.boolean("cpu_reaches_gpus", c.cpu_reaches_gpus, "Whether CPUs access GPUs' memory in place, by a coherent link.");
    v.integer("copy_engines", c.copy_engines, 1, 64, "copies",
              "Copies at once in each direction of a GPU (CUDA's asyncEngineCount of 2: one each way).");
    v.list("formats", c.formats, "Packet formats of links.");
    v.object("calls", c.calls, "Fixed costs of calls to the runtime.");
    v.object("host_local", c.host_local, "Rates of a thread that copies within a CPU's memory.");
    v.object("host_remote", c.host_remote, "Rates of a thread that copies between the memories of two CPUs.");
    v.list("cached", c.cached, "Rates of the first bytes of copies by DMA that meet in caches.");
    v.object("staging", c.staging, "Staging of copies of pageable memory through pinned buffers.");
    v.object("prefetch", c.prefetch, "Costs of prefetches of unified memory.");
    v.object("faults", c.faults, "Costs of faults of unified memory.");
    v.list("reasons", c.reasons, "Reasons of the constants, one for each.");
}

/// The calibration file for the machine called `machine`, in configs/calibrations; empty if there is none.
std::string calibration_file(const std::string& machine);
/// Reads a calibration and applies `assignments` such as "copy_engines=2".
Calibration load_calibration(const std::string& path, const std::vector<std::string>& assignments = {});

} // namespace numavp
