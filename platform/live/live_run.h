/// The live view of one run: its web page, its entry in the list of live runs, and what it shows.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/live/live_probe.h"
#include "platform/live/live_registry.h"
#include "platform/live/live_server.h"
#include "platform/live/live_state.h"
#include "platform/report/report_page.h"

namespace numavp {

class LiveRun {
  public:
    /// One access in so many is followed where the user asks for no other number.
    static constexpr std::uint64_t kFollowEvery = 1000;

    /// Opens the port (0: any that is free); ConfigError if it can't be had. `files` are those of reports.
    LiveRun(std::uint16_t port, LiveFacts facts, ReportFiles files);
    ~LiveRun(); ///< tells readers that the run failed, unless end() was called
    LiveRun(const LiveRun&) = delete;
    LiveRun& operator=(const LiveRun&) = delete;

    const std::string& address() const { return server_->address(); }
    /// For SystemOptions::on_access.
    void note(const FollowedAccess& access) { probe_.note(access); }
    /// Called when the simulation begins.
    void begin() { probe_.begin(); }
    /// Called between edges: takes a snapshot if a reader waits for one.
    void look(const System& system, const Progress& progress) {
        if (wanted()) show(system, progress);
    }
    /// Takes the last snapshot, if there were readers.
    void rest(const System& system);
    /// The last that readers see, and the end of the server: "ended" or "failed", and a sentence.
    void end(const char* status, const std::string& message);

    /// Takes a snapshot, whether or not there are readers.
    void keep(const System& system) { show(system, system.progress()); }
    /// True if a reader waits.
    bool wanted() const { return server_ && server_->wanted(); }
    /// In the place of looks, in a process that has forked: `message` says what has become of the run.
    void show_branches(const std::vector<LiveBranch>& branches, const std::string& message);
    /// Around each fork: no thread is left when pause() returns.
    void pause() { server_->pause(); }
    void resume() { server_->resume(); }
    /// In a branch, which was forked while it was paused: a page and an entry of its own, with the figures so far.
    /// `waited`: the time for which it stood still. If it throws, such as a ConfigError as no port
    /// can be had, the branch has no page, and there is nothing to be read.
    void become_branch(const LiveBranch& branch, std::chrono::steady_clock::duration waited);

  private:
    void open(std::uint16_t port);
    void show(const System& system, const Progress& progress);

    LiveProbe probe_;
    std::shared_ptr<LiveState> state_; ///< of the server's thread, once it runs
    ReportFiles files_;
    std::unique_ptr<LiveServer> server_; ///< null: a branch without a page
    std::unique_ptr<LiveRegistration> registration_;
    bool read_ = false; ///< somebody has read it
    bool over_ = false;
};

} // namespace numavp
