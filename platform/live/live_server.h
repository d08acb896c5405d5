/// A web server on the loopback interface that shows one run, study or branch, on a thread of its own.
///
/// GET / is the page, GET /state its data as JSON; both need the token that is part of the address. A request for data
/// waits for the next snapshot of the run, so that an answer is fresh and a reader needs one request a look. A reader
/// that pauses between two looks has the server wait for it (rest_ms in the query): so it has a request open all the
/// time, and the end of the run reaches it at once. Snapshots are made only while somebody waits for one, at most one
/// in kFresh.
///
/// Not done: encryption and other users' readers. Who may see the run reads its address from its terminal.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace numavp {

class LiveServer {
  public:
    using Text = std::function<std::string()>;

    /// A younger snapshot is the answer at once: readers that ask more often cost the run nothing.
    static constexpr std::chrono::milliseconds kFresh{200};
    /// A request that waits longer is answered with the snapshot that is there.
    static constexpr std::chrono::seconds kPatience{5};

    /// Listens at `port` of 127.0.0.1 (0: any that is free). `page` makes the page when it is first asked for; what it
    /// throws is an answer. `state` is the data before the first snapshot. ConfigError if the port can't be had.
    LiveServer(std::uint16_t port, Text page, const std::string& state);
    ~LiveServer();
    LiveServer(const LiveServer&) = delete;
    LiveServer& operator=(const LiveServer&) = delete;

    /// The address for a browser, with the token.
    const std::string& address() const { return address_; }
    /// True if a reader waits for a snapshot.
    bool wanted() const { return wanted_->load(std::memory_order_relaxed); }
    /// Answers readers with what `state` makes, on the server's thread.
    void publish(Text state);
    /// Answers readers for the last time, and serves nothing from then on.
    void end(Text state);

    /// Before a fork: what was published before is the state, and the server's thread has ended, when this returns;
    /// readers wait.
    void pause();
    /// After it, in the process that forked: readers are answered again.
    void resume();
    /// After it, in the process that was made: closes what it has of the server, whose readers notice nothing. Only the
    /// destructor may be called from then on.
    void leave();

  private:
    struct Impl;
    std::string address_;
    std::shared_ptr<std::atomic<bool>> wanted_;
    std::unique_ptr<Impl> impl_;
};

} // namespace numavp
