/// The live view of one study: its web page, its entry in the list of live runs, and what it shows.
///
/// All of its state belongs to the thread that runs the study; the server's thread gets texts.
#pragma once

#include <cstdint>
#include <string>

#include "platform/live/live_registry.h"
#include "platform/live/live_server.h"
#include "platform/live/live_study_state.h"
#include "platform/report/report_page.h"

namespace numavp {

class LiveStudy {
  public:
    /// Opens the port (0: any that is free); ConfigError if it can't be had. `files` are those of reports.
    LiveStudy(std::uint16_t port, const LiveStudyFacts& facts, ReportFiles files);
    ~LiveStudy(); ///< tells readers that the study failed, unless end() was called
    LiveStudy(const LiveStudy&) = delete;
    LiveStudy& operator=(const LiveStudy&) = delete;

    const std::string& address() const { return server_.address(); }
    /// Notes a point that has ended.
    void ended(const PointJob& job, const PointOutcome& outcome) { state_.ended(job, outcome); }
    /// Called often: shows the points of the runner if a reader waits.
    void look(const StudyRunner& runner, const StudyProgress& progress);
    /// The last that readers see, and the end of the server: "ended" or "failed", and a sentence.
    void end(const char* status, const std::string& message);

  private:
    LiveStudyState state_;
    StudyProgress last_;
    LiveServer server_;
    LiveRegistration registration_;
    bool over_ = false;
};

} // namespace numavp
