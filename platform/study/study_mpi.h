/// Runs points on the ranks of an MPI job: rank 0 hands them out, each other runs one at a time in a child process.
#pragma once

#include <string>
#include <vector>

#include <boost/mpi/communicator.hpp>

#include "platform/study/study_process.h"

namespace numavp {

/// For rank 0: each other rank is a slot for points.
class MpiWorkers final : public PointWorkers {
  public:
    explicit MpiWorkers(const boost::mpi::communicator& world);
    std::size_t slots() const override { return shares_.size(); }
    void start(std::size_t slot, const PointJob& job) override;
    std::string why_unshared() const override {
        return "a beginning is shared by processes of one machine, without mpirun";
    }
    std::vector<Ended> wait(int milliseconds) override;
    double share(std::size_t slot) const override { return shares_[slot]; }

  private:
    boost::mpi::communicator world_;
    std::vector<double> shares_;
};

/// For ranks other than 0: runs the points that rank 0 sends, until it calls end_ranks().
void serve_points(const boost::mpi::communicator& world);
/// For rank 0: ends serve_points() on all other ranks.
void end_ranks(const boost::mpi::communicator& world);

/// ConfigError if a launcher of another MPI started this process: it is one of several, and each sees itself alone.
void refuse_foreign_launcher(const boost::mpi::communicator& world);

/// ConfigError, on rank 0, unless all ranks run the same version of the models.
void compare_versions(const boost::mpi::communicator& world);

} // namespace numavp
