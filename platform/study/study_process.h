/// Points in child processes of this one: SystemC elaborates once a process, and a crash costs one point alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "platform/files/descriptor.h"
#include "platform/study/study_store.h"

namespace numavp {

/// Where points run: a number of slots, each busy with one point at a time.
class PointWorkers {
  public:
    virtual ~PointWorkers() = default;
    virtual std::size_t slots() const = 0;
    /// Begins a point in a slot that is free.
    virtual void start(std::size_t slot, const PointJob& job) = 0;

    struct Ended {
        std::size_t slot = 0;
        PointOutcome outcome;
    };
    /// Waits until a point has ended, but at most `milliseconds`.
    virtual std::vector<Ended> wait(int milliseconds) = 0;
    /// How far the point of a slot is, 0 to 1; 0 if that is not known.
    virtual double share(std::size_t slot) const = 0;
};

/// A point in a process of its own. Whatever happens to it is an outcome; it dies with this process.
class PointProcess {
  public:
    /// ModelError if there is no process, memory or descriptor to be had.
    explicit PointProcess(const PointJob& job);
    ~PointProcess();
    PointProcess(const PointProcess&) = delete;
    PointProcess& operator=(const PointProcess&) = delete;

    /// To be polled for input, where not negative.
    int output() const { return output_.value(); }
    int errors() const { return errors_.value(); }
    double share() const { return share_; }
    /// Reads what is there, and ends the process if its time is up. True if it has ended.
    bool advance();
    /// Once it has ended.
    PointOutcome outcome() const;

  private:
    void launch(int job, int output, int errors) const;
    void take_line(const std::string& line);
    std::string failure() const;

    pid_t pid_ = -1;
    Descriptor output_, errors_;
    std::chrono::steady_clock::time_point start_, limit_;
    double time_limit_s_ = 0.0;
    bool timed_out_ = false;
    int status_ = 0;
    std::string pending_, complaints_, result_;
    double share_ = 0.0;
};

/// Of a point that could not even begin, or whose end nobody understood.
PointOutcome failed_outcome(const std::string& why);

class LocalWorkers final : public PointWorkers {
  public:
    explicit LocalWorkers(std::size_t jobs) : processes_(jobs) {}
    std::size_t slots() const override { return processes_.size(); }
    void start(std::size_t slot, const PointJob& job) override;
    std::vector<Ended> wait(int milliseconds) override;
    double share(std::size_t slot) const override;

  private:
    std::vector<std::unique_ptr<PointProcess>> processes_;
    std::vector<Ended> never_began_; ///< to be told by the next wait
};

} // namespace numavp
