// Flushes that make caches coherent at the end of a kernel, and behind copies.
#include <memory>
#include <utility>

#include "base/time/team.h"
#include "models/cache/l2_slice.h"
#include "models/dispatch/dispatcher.h"

namespace numavp {

void Dispatcher::flush_socket(SocketId socket, std::function<void()> done) {
    auto left = std::make_shared<std::size_t>(sockets_[socket.value].slices.size());
    auto finish = std::make_shared<std::function<void()>>(std::move(done));
    for (L2Slice* slice : sockets_[socket.value].slices)
        slice->flush([left, finish] {
            if (--*left == 0) (*finish)();
        });
}

void Dispatcher::flush_sockets(const std::function<void()>& done) {
    auto left = std::make_shared<std::size_t>(sockets_.size());
    const auto flushed = [left, done] {
        if (--*left == 0) done();
    };
    const auto answer = [this, flushed] { Team::in_turn([this, flushed] { post(flushed); }); };
    for (unsigned s = 0; s < sockets_.size(); ++s)
        post([this, s, answer] { flushes_[s] ? flush_socket(SocketId(s), answer) : answer(); });
}

/// A socket drops its lines while dirty lines of other sockets are still on their way home. If no other kernel runs,
/// none reads meanwhile. But a kernel of another stream can bring the older bytes back into a cache, so then all
/// sockets flush once more when the lines are home.
void Dispatcher::flush(Active& run) {
    run.phase = Phase::flushing;
    run.alone = active_.size() == 1;
    flush_sockets([this, &run] {
        if (run.alone)
            coherent(run);
        else
            flush_sockets([this, &run] { coherent(run); });
    });
}

/// All sockets answer at once: an L1 drops its lines in no time.
void Dispatcher::invalidate_l1s(const std::function<void()>& done) {
    messages_ += 2 * (sockets_.size() - 1);
    post([this, done] {
        for (const SocketParts& socket : sockets_)
            for (Sm* sm : socket.sms) sm->invalidate_l1();
        post(done);
    });
}

void Dispatcher::coherent(Active& run) {
    invalidate_l1s([this, &run] {
        run.record.flushed = domain_.now();
        wake();
    });
}

} // namespace numavp
