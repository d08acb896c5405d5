#include "models/fault_server/invalidation_rounds.h"

#include "base/values/error.h"

namespace numavp {

void InvalidationRounds::start(const PageInvalidation& page, unsigned home, std::vector<PhysicalAddress> frames,
                               std::function<void()> done) {
    queue_.push_back({page, home, std::move(frames), std::move(done)});
    if (queue_.size() == 1) first_round();
}

void InvalidationRounds::first_round() {
    const unsigned home = queue_.front().home;
    last_round_ = false;
    open_ = 0;
    for (unsigned i = 0; i < clients_.size(); ++i)
        if (i != home && (queue_.front().frames.empty() || queue_.front().frames[i] != kNever)) ask(i);
    if (open_ == 0) messenger_.send(1, [this] { arrived(); });
}

void InvalidationRounds::ask(unsigned client) {
    ++open_;
    messenger_.send(cycles_, [this, client] {
        const Job& job = queue_.front();
        PageInvalidation what = job.what;
        if (!job.frames.empty()) what.frame = job.frames[client];
        clients_[client]->invalidate(what);
    });
}

void InvalidationRounds::answered(SocketId, std::uint64_t page) {
    if (idle() || page != queue_.front().what.page || open_ == 0)
        throw ModelError("a socket answered an invalidation that nobody asked for");
    messenger_.send(cycles_, [this] {
        --open_;
        arrived();
    });
}

/// Ends the round if all answers have come.
void InvalidationRounds::arrived() {
    if (open_ != 0) return;
    Job& job = queue_.front();
    if (!last_round_ && job.home < clients_.size()) {
        last_round_ = true;
        return ask(job.home);
    }
    const std::function<void()> done = std::move(job.done);
    queue_.pop_front();
    done();
    if (!queue_.empty()) first_round();
}

} // namespace numavp
