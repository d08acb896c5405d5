/// A machine that runs host programs: CPUs and GPUs of a system's file, the links between them, and its calibration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "communication/characterize/calibration.h"
#include "communication/transfer/transfer_graph.h"

namespace numavp {

struct SystemConfig;

/// A kind of link, as `network.links` and the calibration have it.
struct HostLinkKind {
    std::string name;
    double gbytes_per_s = 1, latency_ns = 0; ///< of one wire
    CalibrationFormat format;
};

class HostMachine {
  public:
    /// ConfigError if the system has no CPUs, no GPUs, or no links that join them.
    HostMachine(const SystemConfig& system, Calibration calibration, bool calibrated);

    const Calibration& calibration() const { return calibration_; }
    bool calibrated() const { return calibrated_; }
    /// Of the system's file.
    const std::string& name() const { return name_; }
    /// For headings: what the calibration calls the machine, or "mine, constants of S822LC" if that is of another one.
    std::string title() const;
    /// Sentences, without a name before them: no calibration, links that it has no format for, settings without effect.
    std::vector<std::string> assumed() const;
    void add_note(const std::string& sentence) { notes_.push_back(sentence); }
    /// Whether all transfers take the same time on both: parts, links and memories are the same.
    bool same_times(const HostMachine& other) const;
    const TransferGraph& graph() const { return graph_; }
    /// Multiplies bandwidth and lanes of all links of a kind, also of those that a later replace_links() gives that
    /// kind; false if there are none.
    bool scale_links(const std::string& kind, double factor);
    /// Replaces all links of a kind by links of kind `other`, wire for wire; false if there are none.
    bool replace_links(const std::string& kind, const HostLinkKind& other);
    const std::vector<HostLinkKind>& link_kinds() const { return kinds_; }
    /// The kind of that name; null if there is none.
    const HostLinkKind* link_kind(const std::string& name) const;
    /// Lanes of all links, in one direction: each link's bandwidth over `lane_gbytes_per_s` of its kind, rounded up.
    std::uint64_t lanes() const;
    unsigned cpus() const { return static_cast<unsigned>(cpus_.size()); }
    unsigned gpus() const { return static_cast<unsigned>(gpus_.size()); }
    unsigned cpu_part(unsigned cpu) const { return cpus_[cpu]; }
    unsigned gpu_part(unsigned gpu) const { return gpus_[gpu]; }
    std::uint64_t numa_id(unsigned cpu) const;
    std::string cpu_name(unsigned cpu) const { return "cpu" + std::to_string(numa_id(cpu)); }
    static std::string gpu_name(unsigned gpu) { return "gpu" + std::to_string(gpu); }
    /// The CPU that is nearest to a GPU.
    unsigned home(unsigned gpu) const { return home_[gpu]; }
    /// Bandwidth of a GPU's own memory in GB/s; and its size.
    double gpu_memory_gbytes_per_s(unsigned gpu) const { return gpu_memory_[gpu]; }
    std::uint64_t gpu_memory_bytes(unsigned gpu) const { return gpu_bytes_[gpu]; }
    /// True if the way between two GPUs passes no CPU: it is a link of theirs, or leads through switches.
    bool joined_without_cpu(unsigned a, unsigned b) const { return graph_.joined_without_cpu(gpus_[a], gpus_[b]); }
    /// True if two GPUs copy to each other without the host: joined without a CPU, or as the calibration says.
    bool peers(unsigned a, unsigned b) const;

  private:
    void find_home(const std::string& place);
    std::vector<std::string> kinds_without_format() const;

    std::string name_;
    std::vector<std::string> notes_;
    Calibration calibration_;
    bool calibrated_ = false;
    TransferGraph graph_;
    std::vector<HostLinkKind> kinds_;
    std::vector<unsigned> cpus_, gpus_, home_;
    std::vector<double> gpu_memory_;
    std::vector<std::uint64_t> gpu_bytes_;
};

/// Loads a machine by name or file with the calibration of that name, or `calibration` if not empty; `assignments` set
/// the machine ("network.links[0].gbytes_per_s=25"), `constants` the calibration ("calls.peer_us=5").
HostMachine load_host_machine(const std::string& name_or_path, const std::vector<std::string>& assignments,
                              const std::string& calibration, const std::vector<std::string>& constants = {});

} // namespace numavp
