#include "platform/study/study_mpi.h"

#include <array>
#include <chrono>
#include <mpi.h>
#include <optional>
#include <thread>

#include <boost/mpi/collectives.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <fmt/format.h>

#include "common/files/launched_processes.h"
#include "platform/results/run_key.h"
#include "platform/study/study_worker.h"

namespace numavp {
namespace {

namespace mpi = boost::mpi;
using Clock = std::chrono::steady_clock;

enum Tag : int { kJob = 1, kOutcome, kShare, kEnd, kBye };

/// MPI waits by spinning; a rank that waits would take a core from a point.
constexpr std::chrono::milliseconds kNap{2};
constexpr std::chrono::seconds kSharePeriod{1};

/// How the point ended, if it has. What goes wrong here is the point's end too: rank 0 waits for nothing else.
std::optional<PointOutcome> ended_of(LocalWorkers& worker) {
    try {
        for (const PointWorkers::Ended& ended : worker.wait(50)) return ended.outcome;
    } catch (const std::exception& fault) {
        return failed_outcome(fault.what());
    }
    return std::nullopt;
}
std::optional<PointOutcome> begin(LocalWorkers& worker, const std::string& job) {
    try {
        worker.start(0, job_of(job));
    } catch (const std::exception& fault) {
        return failed_outcome(fault.what());
    }
    return std::nullopt;
}

/// Runs one point. False if the job ended meanwhile: the point dies with its object.
bool serve(const mpi::communicator& world, LocalWorkers& worker, const std::string& job) {
    Clock::time_point next = Clock::now() + kSharePeriod;
    std::optional<PointOutcome> outcome = begin(worker, job);
    for (;;) {
        if (!outcome) outcome = ended_of(worker);
        if (outcome) {
            world.send(0, kOutcome, outcome_text(*outcome));
            return true;
        }
        if (world.iprobe(0, kEnd)) return false;
        if (Clock::now() < next) continue;
        next = Clock::now() + kSharePeriod;
        world.send(0, kShare, worker.share(0));
    }
}

} // namespace

MpiWorkers::MpiWorkers(const mpi::communicator& world)
    : world_(world), shares_(static_cast<std::size_t>(world.size() - 1), 0.0) {}

void MpiWorkers::start(std::size_t slot, const PointJob& job) {
    shares_[slot] = 0.0;
    world_.send(static_cast<int>(slot) + 1, kJob, job_text(job));
}

std::vector<PointWorkers::Ended> MpiWorkers::wait(int milliseconds) {
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(milliseconds);
    std::vector<Ended> ended;
    while (ended.empty() && Clock::now() < end) {
        while (const auto message = world_.iprobe(mpi::any_source, kShare)) {
            double share = 0.0;
            world_.recv(message->source(), kShare, share);
            shares_[static_cast<std::size_t>(message->source() - 1)] = share;
        }
        while (const auto message = world_.iprobe(mpi::any_source, kOutcome)) {
            std::string text;
            world_.recv(message->source(), kOutcome, text);
            ended.push_back({static_cast<std::size_t>(message->source() - 1), outcome_of(text)});
        }
        if (ended.empty()) std::this_thread::sleep_for(kNap);
    }
    return ended;
}

void serve_points(const mpi::communicator& world) {
    LocalWorkers worker(1);
    for (;;) {
        if (world.iprobe(0, kEnd)) break;
        if (!world.iprobe(0, kJob)) {
            std::this_thread::sleep_for(kNap);
            continue;
        }
        std::string text;
        world.recv(0, kJob, text);
        if (!serve(world, worker, text)) break;
    }
    world.recv(0, kEnd);
    world.send(0, kBye);
}

void end_ranks(const mpi::communicator& world) {
    for (int rank = 1; rank < world.size(); ++rank) world.send(rank, kEnd);
    // What ranks sent before they knew must be received, or they would wait for ever.
    for (int left = world.size() - 1; left > 0;) {
        std::string outcome;
        double share = 0.0;
        const mpi::status message = world.probe(mpi::any_source, mpi::any_tag);
        if (message.tag() == kOutcome) world.recv(message.source(), kOutcome, outcome);
        if (message.tag() == kShare) world.recv(message.source(), kShare, share);
        if (message.tag() != kBye) continue;
        world.recv(message.source(), kBye);
        --left;
    }
}

namespace {

std::string name_of_mpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string all(text.data());
    return all.substr(0, all.find_first_of(",\n")); // others add where and when it was built
}

} // namespace

void refuse_foreign_launcher(const mpi::communicator& world) {
    const unsigned long launched = launched_processes();
    if (world.size() == 1 && launched > 1)
        throw ConfigError(
            "study under mpirun",
            fmt::format("the launcher started {} processes, of which each is alone: it does not belong to "
                        "the MPI of this program; the mpirun of {} is expected",
                        launched, name_of_mpi()));
}

void compare_versions(const mpi::communicator& world) {
    std::vector<std::string> versions;
    mpi::gather(world, model_version(), versions, 0);
    for (std::size_t rank = 0; rank < versions.size(); ++rank)
        if (versions[rank] != versions[0])
            throw ConfigError("study under mpirun", "rank " + std::to_string(rank) + " has version " + versions[rank] +
                                                        ", rank 0 has " + versions[0] +
                                                        "; the same program is expected on all machines");
}

} // namespace numavp
