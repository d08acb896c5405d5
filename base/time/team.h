/// Threads that execute the shards of one simulation side by side, pass by pass.
///
/// A pass gives each worker a job; the caller's thread is worker 0. Whatever concerns more than one shard is left to
/// the caller: a job that comes upon it says in_turn(), and settle() makes these calls after the pass, in the order of
/// the places that they name; those of one place as worker 0, 1, ... made them, each worker's in their order. What has
/// to be decided within the pass, and in the order of the shards, is done after await_turn(), which waits until all
/// lower workers have ended theirs. So neither depends on the threads.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/values/rng.h"

namespace numavp {

class Team {
  public:
    using Job = std::function<void(unsigned worker)>;
    /// Throws nothing where a thread can't be made: fewer work() then, and the caller does the others' jobs.
    explicit Team(unsigned workers);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    unsigned workers() const { return static_cast<unsigned>(seats_.size()); }
    /// Does `job` for each worker, side by side or, with `alone`, on the caller's thread; results are the same. Throws
    /// what the lowest worker's job has thrown, if one has, when the calls that it and lower ones have kept are made.
    void pass(const Job& job, bool alone);
    /// Makes the calls that jobs have left to the caller.
    void settle();

    /// Joins the threads of all teams of the process, between passes: fork() copies the calling thread alone. They are
    /// made again at the next pass that is shared.
    static void join_all();
    /// From a job: makes the call in settle(). From elsewhere: at once. `place` is the number of the package that
    /// calls, where the order of such calls of several packages can be seen.
    template <class Call> static void in_turn(Call call, unsigned place = 0) {
        Seat* const seat = seat_of_job();
        if (seat == nullptr) return call();
        seat->kept.emplace_back(std::move(call), place);
    }
    /// From a job: returns when all lower workers have ended theirs. From elsewhere: at once.
    static void await_turn();

    /// Test mode: workers sleep for a moment before jobs that are drawn.
    void draw_pauses(std::uint64_t seed);

  private:
    /// A call for settle(). A small one, as most are, needs no memory of its own.
    class Kept {
      public:
        template <class Call> Kept(Call call, unsigned place_of_call) : place(place_of_call) {
            if constexpr (sizeof(Call) <= kSmall && std::is_trivially_copyable_v<Call>) {
                new (small_.data()) Call(std::move(call));
                make_ = [](Kept& kept) { (*std::launder(reinterpret_cast<Call*>(kept.small_.data())))(); };
            } else {
                large_ = std::move(call);
                make_ = [](Kept& kept) { kept.large_(); };
            }
        }
        void make() { make_(*this); }
        unsigned place;

      private:
        static constexpr std::size_t kSmall = 40;
        void (*make_)(Kept&);
        alignas(std::max_align_t) std::array<std::byte, kSmall> small_{};
        std::function<void()> large_;
    };
    /// What a worker writes in each pass: one cache line.
    struct alignas(64) Seat {
        std::atomic<std::uint64_t> ended{0}; ///< the last pass that this worker has ended
        Team* team = nullptr;
        unsigned number = 0;
        std::vector<Kept> kept;
        std::exception_ptr error;
        std::unique_ptr<Rng> pauses;
    };
    static Seat* seat_of_job();
    void start_threads();
    void join();
    void serve(Seat& seat, std::uint64_t pass);
    std::uint64_t next_pass(std::uint64_t last);
    void do_job(Seat& seat);
    void release(std::uint64_t pass);
    void rethrow();

    static thread_local Seat* current; ///< of the job that this thread does; null: none
    std::vector<std::unique_ptr<Seat>> seats_;
    std::vector<std::thread> threads_;
    std::vector<Kept> to_make_;
    const Job* job_ = nullptr;
    bool started_ = false;
    bool shared_ = false; ///< others may be at work
    std::atomic<std::uint64_t> pass_{0};
    std::atomic<unsigned> asleep_{0};
    std::atomic<bool> over_{false};
    std::mutex mutex_;
    std::condition_variable awake_;
};

} // namespace numavp
