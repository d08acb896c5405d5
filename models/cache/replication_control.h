/// Who decides whether slices replicate read-only lines: always, or epoch by epoch by the model (NUBA, section 5.1).
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "models/base/clockwork.h"
#include "models/base/model_part.h"
#include "models/cache/replication_config.h"
#include "models/cache/replication_model.h"
#include "models/cache/replication_sampler.h"

namespace numavp {

/// Evaluates the model: in C++, or by its RTL block clocked until it has decided.
class ReplicationEvaluator {
  public:
    virtual ~ReplicationEvaluator() = default;
    virtual ReplicationEstimate evaluate(const ReplicationSampler::Profiles& counted,
                                         const ReplicationBandwidths& raw) = 0;
};
std::unique_ptr<ReplicationEvaluator> make_replication_evaluator(ReplicationPolicy policy);

/// Machine-wide. An epoch ends each `epoch_cycles` from the first launch on; its decision holds from
/// kReplicationDecisionCycles later until the next. Before the first there are no replicas.
class ReplicationControl final : public Arbiter, public ModelPart {
  public:
    /// `raw` are the bandwidths of the socket whose slice 0 has these `tags`.
    ReplicationControl(const ReplicationConfig& config, ClockDomain& domain, Rank rank, const TagArray& tags,
                       const ReplicationBandwidths& raw);

    /// Slices keep what comes now. Changes between edges' deliveries alone.
    const bool& replicates() const { return replicates_; }
    /// Null unless the model decides.
    ReplicationSampler* sampler() { return sampler_ ? &*sampler_ : nullptr; }
    /// A kernel starts while no other runs: caches were flushed.
    void launch();
    /// All work has ended.
    void rest() { running_ = false; }
    /// Told of each change: edge, whether it replicates from there on.
    std::function<void(Cycle, bool)> on_change;
    void arbitrate() override;
    void add_statistics(StatGroup& machine) const override;
    void add_series(SeriesGroup& machine) const override;

  private:
    void decide();

    const ReplicationConfig config_;
    const ReplicationBandwidths raw_;
    std::optional<ReplicationSampler> sampler_;
    std::unique_ptr<ReplicationEvaluator> evaluator_;
    bool replicates_;
    bool running_ = false;
    bool next_ = false; ///< what the last decision was
    Cycle epoch_ends_ = 0, applies_ = kNever;
    std::uint64_t epochs_ = 0, replicating_ = 0, changes_ = 0, sampled_ = 0;
    ReplicationEstimate last_;
};

} // namespace numavp
