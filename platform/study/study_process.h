/// Runs points in child processes: SystemC elaborates once per process, and a crash costs only one point.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/files/descriptor.h"
#include "platform/study/study_store.h"

namespace numavp {

/// A number of slots for points; each runs one point at a time.
class PointWorkers {
  public:
    virtual ~PointWorkers() = default;
    virtual std::size_t slots() const = 0;
    /// Starts a point in a free slot.
    virtual void start(std::size_t slot, const PointJob& job) = 0;

    struct Ended {
        std::size_t slot = 0;
        PointOutcome outcome;
    };
    /// Waits until at least one point has ended, but at most `milliseconds`; returns the points that have ended.
    virtual std::vector<Ended> wait(int milliseconds) = 0;
    /// Progress of the point in a slot, 0 to 1; 0 if unknown.
    virtual double share(std::size_t slot) const = 0;
    /// Address of the live page of the point in a slot; empty if it has none, or none yet.
    virtual std::string address(std::size_t /*slot*/) const { return {}; }
};

/// A point in a child process. Any end of it, a crash too, is an outcome; the child ends if this process does.
class PointProcess {
  public:
    /// `words` follow "study point" on its command line. ModelError if the system has no process, memory or descriptor
    /// left.
    PointProcess(const PointJob& job, const std::vector<std::string>& words);
    ~PointProcess();
    PointProcess(const PointProcess&) = delete;
    PointProcess& operator=(const PointProcess&) = delete;

    /// Descriptors to be polled for input; negative if closed.
    int output() const { return output_.value(); }
    int errors() const { return errors_.value(); }
    double share() const { return share_; }
    const std::string& address() const { return address_; }
    /// Reads the available output, and kills the process if its time limit is over. True if it has ended.
    bool advance();
    /// Outcome of the point; to be called after it has ended.
    PointOutcome outcome() const;

  private:
    void take_line(const std::string& line);
    std::string failure() const;

    pid_t pid_ = -1;
    Descriptor output_, errors_;
    std::chrono::steady_clock::time_point start_, limit_;
    double time_limit_s_ = 0.0;
    bool timed_out_ = false;
    int status_ = 0;
    std::string pending_, complaints_, result_, address_;
    double share_ = 0.0;
};

/// Outcome of a point that could not be started, or whose output was not understood.
PointOutcome failed_outcome(const std::string& why);

class LocalWorkers final : public PointWorkers {
  public:
    /// `words` follow "study point" on the command line of each point's process.
    explicit LocalWorkers(std::size_t jobs, std::vector<std::string> words = {})
        : processes_(jobs), words_(std::move(words)) {}
    std::size_t slots() const override { return processes_.size(); }
    void start(std::size_t slot, const PointJob& job) override;
    std::vector<Ended> wait(int milliseconds) override;
    double share(std::size_t slot) const override;
    std::string address(std::size_t slot) const override;

  private:
    std::vector<std::unique_ptr<PointProcess>> processes_;
    std::vector<std::string> words_;
    std::vector<Ended> never_began_; ///< to be returned by the next wait()
};

} // namespace numavp
