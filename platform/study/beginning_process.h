/// The processes of points that share a beginning: one that runs it, and forks one for the rest of each point.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "platform/branches/branch_server.h"
#include "platform/study/study_process.h"

namespace numavp {

/// A child process that runs what points share up to where they part. Branches that run end with it.
class BeginningProcess final : public ChildPoint {
  public:
    /// ModelError if the system has no process, memory or descriptor left.
    explicit BeginningProcess(const SharedBeginning& beginning);

    void add_inputs(std::vector<int>& inputs) const override;
    bool advance() override;
    PointWorkers::Ended ended() const override;

    /// Once advance() has returned true: whether the points go on from it. It waits for that from then on.
    bool is_reached() const { return reached_.has_value(); }
    const SharedBeginning& beginning() const { return beginning_; }
    double seconds() const { return reached_ ? reached_->seconds : 0.0; } ///< wall time up to where it is reached

    BranchClient& client() { return client_; }
    /// The message that a branch has ended, if it has come.
    const BranchMessage* end_of(std::uint32_t branch);

  private:
    void take_messages();

    SharedBeginning beginning_;
    BranchClient client_;
    std::optional<BranchMessage> reached_;
    std::map<std::uint32_t, BranchMessage> ends_;
};

/// What is left of a point after its beginning.
class PointBranch final : public PointProcess {
  public:
    /// `branch`: index of the point. ModelError if the system has no descriptor left.
    PointBranch(std::shared_ptr<BeginningProcess> beginning, std::uint32_t branch, double time_limit_s);

    void add_inputs(std::vector<int>& inputs) const override;

  protected:
    void kill() override { beginning_->client().kill(branch_); }
    void look_for_end() override;

  private:
    std::shared_ptr<BeginningProcess> beginning_;
    std::uint32_t branch_;
};

} // namespace numavp
