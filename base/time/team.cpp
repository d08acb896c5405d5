#include "base/time/team.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>

namespace numavp {

namespace {
constexpr unsigned kSpins = 4096;  ///< looks at a counter before other threads may have the core: some 50 us
constexpr unsigned kYields = 2048; ///< and then, before a worker sleeps: the simulation does something else

void relax(unsigned looks) {
    if (looks >= kSpins) return std::this_thread::yield();
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}
} // namespace

thread_local Team::Seat* Team::current = nullptr;

namespace {
/// Of this process; made and deleted by the thread that simulates.
std::vector<Team*>& teams() {
    static std::vector<Team*> all;
    return all;
}
} // namespace

Team::Team(unsigned workers) {
    for (unsigned w = 0; w < workers; ++w) {
        seats_.push_back(std::make_unique<Seat>());
        seats_.back()->team = this;
        seats_.back()->number = w;
    }
    teams().push_back(this);
}

Team::~Team() {
    join();
    teams().erase(std::find(teams().begin(), teams().end(), this));
}

void Team::join() {
    over_ = true;
    release(pass_ + 1);
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    over_ = false;
    started_ = false;
}

void Team::join_all() {
    for (Team* team : teams()) team->join();
}

void Team::draw_pauses(std::uint64_t seed) {
    for (const auto& seat : seats_) seat->pauses = std::make_unique<Rng>(seed, seat->number);
}

/// At the first pass that is shared: a run that never shares one has no threads.
void Team::start_threads() {
    started_ = true;
    try {
        for (std::size_t w = 1; w < seats_.size(); ++w)
            threads_.emplace_back([this, w, last = pass_.load()] { serve(*seats_[w], last); });
    } catch (const std::exception&) {
        // The system gives no more: the jobs of those that could not be made are the caller's.
    }
}

void Team::release(std::uint64_t pass) {
    pass_ = pass;
    if (asleep_ == 0) return;
    { const std::lock_guard<std::mutex> lock(mutex_); } // one that is about to sleep does
    awake_.notify_all();
}

std::uint64_t Team::next_pass(std::uint64_t last) {
    for (unsigned looks = 0; looks < kSpins + kYields; ++looks) {
        if (const std::uint64_t pass = pass_.load(std::memory_order_acquire); pass != last) return pass;
        relax(looks);
    }
    std::unique_lock<std::mutex> lock(mutex_);
    ++asleep_;
    awake_.wait(lock, [&] { return pass_ != last; });
    --asleep_;
    return pass_;
}

void Team::serve(Seat& seat, std::uint64_t pass) {
    for (;;) {
        pass = next_pass(pass);
        if (over_) return;
        do_job(seat);
        seat.ended.store(pass, std::memory_order_release);
    }
}

void Team::do_job(Seat& seat) {
    if (seat.pauses && seat.pauses->below(64) == 0)
        std::this_thread::sleep_for(std::chrono::microseconds(seat.pauses->below(200)));
    current = &seat;
    try {
        (*job_)(seat.number);
    } catch (...) {
        seat.error = std::current_exception();
    }
    current = nullptr;
}

void Team::pass(const Job& job, bool alone) {
    if (!alone && !started_) start_threads();
    const std::size_t helpers = alone ? 0 : threads_.size();
    job_ = &job;
    shared_ = helpers != 0;
    const std::uint64_t pass = pass_ + (helpers != 0 ? 1 : 0);
    if (helpers != 0) release(pass);
    do_job(*seats_[0]);
    seats_[0]->ended.store(pass, std::memory_order_release);
    for (std::size_t w = 1; w <= helpers; ++w)
        for (unsigned looks = 0; seats_[w]->ended.load(std::memory_order_acquire) != pass; ++looks) relax(looks);
    for (std::size_t w = helpers + 1; w < seats_.size(); ++w) {
        do_job(*seats_[w]);
        seats_[w]->ended.store(pass, std::memory_order_release);
    }
    rethrow();
}

void Team::rethrow() {
    std::exception_ptr error;
    for (const auto& seat : seats_) {
        // One thread would have come as far as this: calls up to the error are made, those behind it are not.
        if (error) seat->kept.clear();
        if (seat->error && !error) error = seat->error;
        seat->error = nullptr;
    }
    if (error) settle();
    if (error) std::rethrow_exception(error);
}

void Team::settle() {
    for (const auto& seat : seats_) {
        to_make_.insert(to_make_.end(), std::make_move_iterator(seat->kept.begin()),
                        std::make_move_iterator(seat->kept.end()));
        seat->kept.clear();
    }
    if (to_make_.empty()) return;
    const auto before = [](const Kept& a, const Kept& b) { return a.place < b.place; };
    if (!std::is_sorted(to_make_.begin(), to_make_.end(), before))
        std::stable_sort(to_make_.begin(), to_make_.end(), before);
    for (Kept& call : to_make_) call.make();
    to_make_.clear();
}

Team::Seat* Team::seat_of_job() { return current; }

void Team::await_turn() {
    if (current == nullptr || !current->team->shared_) return;
    const Team& team = *current->team;
    const std::uint64_t pass = team.pass_.load(std::memory_order_relaxed);
    for (unsigned w = 0; w < current->number; ++w)
        for (unsigned looks = 0; team.seats_[w]->ended.load(std::memory_order_acquire) != pass; ++looks) relax(looks);
}

} // namespace numavp
