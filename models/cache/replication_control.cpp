#include "models/cache/replication_control.h"

#include <utility>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/values/error.h"
#include "rtl/blocks.h"

namespace numavp {

namespace {
class BusiestResourceModel final : public ReplicationEvaluator {
  public:
    ReplicationEstimate evaluate(const ReplicationSampler::Profiles& counted,
                                 const ReplicationBandwidths& raw) override {
        return busiest_resource(counted.none.requests, counted.loads_none, counted.loads_full, raw);
    }
};

class CppReplicationModel final : public ReplicationEvaluator {
  public:
    ReplicationEstimate evaluate(const ReplicationSampler::Profiles& counted,
                                 const ReplicationBandwidths& raw) override {
        return model_.evaluate(counted.none, counted.full, raw);
    }

  private:
    ReplicationModel model_;
};

class RtlReplicationModel final : public ReplicationEvaluator {
  public:
    ReplicationEstimate evaluate(const ReplicationSampler::Profiles& counted,
                                 const ReplicationBandwidths& raw) override {
        const auto both = [&](std::uint64_t ReplicationProfile::*what) {
            return rtl::ReplicationModelBlock::Counts{static_cast<unsigned>(counted.none.*what),
                                                      static_cast<unsigned>(counted.full.*what)};
        };
        rtl::ReplicationModelBlock::Inputs in;
        in.lookups = both(&ReplicationProfile::lookups);
        in.hits = both(&ReplicationProfile::hits);
        in.misses = both(&ReplicationProfile::misses);
        in.requests = both(&ReplicationProfile::requests);
        in.local_requests = both(&ReplicationProfile::local_requests);
        in.remote_requests = both(&ReplicationProfile::remote_requests);
        in.llc = static_cast<unsigned>(raw.llc);
        in.memory = static_cast<unsigned>(raw.memory);
        in.noc = static_cast<unsigned>(raw.noc);
        in.start = true;
        rtl::ReplicationModelBlock::Outputs out = block_.edge(in);
        in.start = false;
        for (unsigned cycle = 1; !out.decided; ++cycle) {
            if (cycle > kReplicationDecisionCycles + 1) throw ModelError("rtl/replication_model.sv does not decide");
            out = block_.edge(in);
        }
        return {out.bandwidth_none, out.bandwidth_full, out.replicate};
    }

  private:
    rtl::ReplicationModelBlock block_;
};
} // namespace

std::unique_ptr<ReplicationEvaluator> make_replication_evaluator(const ReplicationConfig& config) {
    if (config.expects == ReplicationExpectation::busiest) return std::make_unique<BusiestResourceModel>();
    if (config.policy == ReplicationPolicy::model_rtl) return std::make_unique<RtlReplicationModel>();
    return std::make_unique<CppReplicationModel>();
}

ReplicationControl::ReplicationControl(const ReplicationConfig& config, ClockDomain& domain, Rank rank,
                                       const TagArray& tags, const ReplicationBandwidths& raw)
    : Arbiter(domain, rank), config_(config), raw_(raw), replicates_(config.policy == ReplicationPolicy::full) {
    if (!config.by_model()) return;
    sampler_.emplace(tags, config.sampled_sets, config.expects == ReplicationExpectation::busiest);
    evaluator_ = make_replication_evaluator(config);
}

void ReplicationControl::launch() {
    if (!config_.by_model()) return;
    sampler_->clear();
    if (running_) return;
    running_ = true;
    begin_epoch();
}

void ReplicationControl::begin_epoch() {
    epoch_ends_ = domain_.now() + config_.epoch_cycles;
    wake_at(epoch_ends_);
}

void ReplicationControl::set_replicates(bool replicates) {
    if (replicates_ == replicates) return;
    replicates_ = replicates;
    ++changes_;
    if (on_change) on_change(domain_.now(), replicates_);
}

void ReplicationControl::change(const ReplicationConfig& config) {
    const ReplicationConfig before = std::exchange(config_, config);
    if (config_.policy != before.policy) {
        running_ = false;
        applies_ = kNever;
        next_ = config_.policy == ReplicationPolicy::full; // the model decides after its first epoch
        set_replicates(next_);
        if (sampler_) sampler_->set_replicates(next_);
        launch();
    }
    if (running_ && config_.epoch_cycles != before.epoch_cycles) begin_epoch();
}

void ReplicationControl::arbitrate() {
    const Cycle now = domain_.now();
    if (now >= applies_) {
        applies_ = kNever;
        set_replicates(next_);
    }
    if (running_ && now >= epoch_ends_) decide();
}

void ReplicationControl::decide() {
    const ReplicationSampler::Profiles counted = sampler_->take();
    ++epochs_;
    sampled_ += counted.none.requests;
    if (counted.none.requests != 0) { // else nothing is known of this epoch
        last_ = evaluator_->evaluate(counted, raw_);
        next_ = last_.replicate;
    }
    sampler_->set_replicates(next_);
    replicating_ += next_ ? 1 : 0;
    applies_ = domain_.now() + kReplicationDecisionCycles;
    epoch_ends_ += config_.epoch_cycles;
    wake_at(applies_);
    wake_at(epoch_ends_);
}

void ReplicationControl::add_statistics(StatGroup& machine) const {
    if (!sampler_) return;
    StatGroup& g = machine.group("replication");
    g.counter("epochs", epochs_, "epochs", "Epochs after which the model decided, or had no request to decide by.");
    g.counter("replicating", replicating_, "epochs", "Epochs after which lines were replicated.");
    g.counter("changes", changes_, "changes", "Changes between replicating and not replicating.");
    g.counter("sampled_requests", sampled_, "requests", "Requests of the sampled socket's SMs to the sampled sets.");
}

void ReplicationControl::add_series(SeriesGroup& machine) const {
    if (!sampler_) return;
    machine.level(
        "replication.replicates", [this] { return std::uint64_t{replicates_}; }, "",
        "Whether replicas are made: 1 or 0.");
    machine.level(
        "replication.bandwidth_none", [this] { return last_.bandwidth_none; }, "MB/s",
        "Bandwidth of a socket without replication that the model expected at its last decision.");
    machine.level(
        "replication.bandwidth_full", [this] { return last_.bandwidth_full; }, "MB/s",
        "Bandwidth of a socket with full replication that the model expected at its last decision.");
}

} // namespace numavp
