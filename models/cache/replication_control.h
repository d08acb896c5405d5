/// Decides whether L2 slices replicate read-only lines: always, or per epoch by the model (NUBA, section 5.1).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "base/stats/model_part.h"
#include "base/time/clockwork.h"
#include "models/cache/replication_config.h"
#include "models/cache/replication_model.h"
#include "models/cache/replication_sampler.h"

namespace numavp {

/// Evaluates the model in C++, or by clocking its RTL block until that has decided.
class ReplicationEvaluator {
  public:
    virtual ~ReplicationEvaluator() = default;
    virtual ReplicationEstimate evaluate(const ReplicationSampler::Profiles& counted,
                                         const ReplicationBandwidths& raw) = 0;
};
std::unique_ptr<ReplicationEvaluator> make_replication_evaluator(const ReplicationConfig& config);

/// One controller for the machine. Epochs of `epoch_cycles` start at the first launch; the decision at an epoch's end
/// takes effect kReplicationDecisionCycles later and holds until the next. Before the first there are no replicas.
class ReplicationControl final : public Arbiter, public ModelPart {
  public:
    /// `tags` are those of the sampled slice: slice 0 of a socket that replicates. `raw` are that socket's bandwidths.
    ReplicationControl(const ReplicationConfig& config, ClockDomain& domain, Rank rank, const TagArray& tags,
                       const ReplicationBandwidths& raw);

    /// True while slices keep replicas of the lines that they fetch. Changes only between the deliveries of edges.
    const bool& replicates() const { return replicates_; }
    /// Sampler of the model's input; null if the policy is not decided by the model.
    ReplicationSampler* sampler() { return sampler_ ? &*sampler_ : nullptr; }
    /// Call it when a kernel starts while no other runs and caches were flushed: the shadow tags are cleared too.
    void launch();
    /// Takes another policy or another length of epochs, between edges. `model` only if it was built with that, `none`
    /// never.
    void change(const ReplicationConfig& config);
    /// Call it when all work has ended: no further epoch is evaluated.
    void rest() { running_ = false; }
    /// Called at each change with the edge and whether slices replicate from there on.
    std::function<void(Cycle, bool)> on_change;
    void arbitrate() override;
    void add_statistics(StatGroup& machine) const override;
    void add_series(SeriesGroup& machine) const override;

  private:
    void decide();
    void begin_epoch();
    void set_replicates(bool replicates);

    ReplicationConfig config_;
    const ReplicationBandwidths raw_;
    std::optional<ReplicationSampler> sampler_;
    std::unique_ptr<ReplicationEvaluator> evaluator_;
    bool replicates_;
    bool running_ = false;
    bool next_ = false; ///< the last decision
    Cycle epoch_ends_ = 0, applies_ = kNever;
    std::uint64_t epochs_ = 0, replicating_ = 0, changes_ = 0, sampled_ = 0;
    ReplicationEstimate last_;
};

} // namespace numavp
