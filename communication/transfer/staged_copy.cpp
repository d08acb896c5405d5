#include "communication/transfer/staged_copy.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace numavp {

namespace {

class StagedRun : public std::enable_shared_from_this<StagedRun> {
  public:
    StagedRun(FluidNetwork& network, StagedCopy copy, std::uint64_t bytes, FluidNetwork::Action done)
        : network_(network), copy_(std::move(copy)), bytes_(bytes), done_(std::move(done)),
          chunks_((bytes + copy_.chunk_bytes - 1) / copy_.chunk_bytes), at_(copy_.stages.size()) {}

    /// Starts each stage that is idle, has a chunk and a free buffer behind it.
    void go_on() {
        for (std::size_t s = 0; s < at_.size(); ++s) {
            if (at_[s].busy || at_[s].begun == chunks_) continue;
            if (s > 0 && at_[s].begun == at_[s - 1].ended) continue;
            const bool last = s + 1 == at_.size();
            if (!last && at_[s].begun >= at_[s + 1].ended + copy_.buffers) continue;
            begin(s);
        }
    }

  private:
    struct Stage {
        bool busy = false;
        std::uint64_t begun = 0, ended = 0;
    };

    void begin(std::size_t s) {
        const std::uint64_t chunk = at_[s].begun++;
        at_[s].busy = true;
        const std::uint64_t offset = chunk * copy_.chunk_bytes;
        const std::uint64_t bytes = std::min(copy_.chunk_bytes, bytes_ - offset);
        const CopyStage& stage = copy_.stages[s];
        double wait = stage.busy_ns ? stage.busy_ns(offset, bytes) : 0;
        if (s == 0 && chunk >= copy_.buffers) wait += copy_.reuse_ns;
        network_.after(wait, [self = shared_from_this(), s, bytes] {
            const CopyStage& at = self->copy_.stages[s];
            self->network_.start({bytes, at.uses, at.latency_ns, [self, s] { self->end(s); }});
        });
    }

    void end(std::size_t s) {
        at_[s].busy = false;
        ++at_[s].ended;
        if (s + 1 == at_.size() && at_[s].ended == chunks_) {
            if (done_) done_();
            return;
        }
        go_on();
    }

    FluidNetwork& network_;
    StagedCopy copy_;
    std::uint64_t bytes_;
    FluidNetwork::Action done_;
    std::uint64_t chunks_;
    std::vector<Stage> at_;
};

} // namespace

void start_staged(FluidNetwork& network, StagedCopy copy, std::uint64_t bytes, FluidNetwork::Action done) {
    if (bytes == 0 || copy.stages.empty()) {
        network.after(0, std::move(done));
        return;
    }
    std::make_shared<StagedRun>(network, std::move(copy), bytes, std::move(done))->go_on();
}

} // namespace numavp
