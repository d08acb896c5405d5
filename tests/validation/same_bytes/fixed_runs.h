/// Short runs whose statistics, series and timeline are committed, apart from any configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace numavp::test {

struct FixedRun {
    std::string name;
    std::string system; ///< name or path
    std::vector<std::string> settings;
    std::string workload = "workload.json"; ///< beside this file
};
inline void PrintTo(const FixedRun& run, std::ostream* out) { *out << run.name; }

/// Every system that lies in configs/systems itself, a small one with each mechanism in turn, and of the folders in it
/// some with copies, cubes and the host's core, small, and those of NUBA that differ in coherence.
std::vector<FixedRun> fixed_runs();

/// True if the run's driver is firmware.
bool has_firmware(const FixedRun& run);

/// What the run gives, as lines of text: cycles; digests of all statistics, of the series and of the timeline; then
/// each statistic that is not 0, summed over sockets, slices and so on, each column of the series and each kind of
/// event with a digest. In a process of its own. `seed` shuffles deliveries and permutes the order of construction, and
/// draws which edges the workers share; more `workers` than it can use are as many as it can.
std::string outcome_of(const FixedRun& run, std::optional<std::uint64_t> seed = std::nullopt, unsigned workers = 1);

/// The committed text of a run; empty if there is none.
std::string expected_outcome(const FixedRun& run);
/// Writes what a run gave to where expected_outcome() reads it.
void commit_outcome(const FixedRun& run, const std::string& outcome);

} // namespace numavp::test
