/// Runs points in child processes: SystemC elaborates once per process, and a crash costs only one point.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/files/descriptor.h"
#include "platform/study/study_beginnings.h"
#include "platform/study/study_store.h"

namespace numavp {

/// A number of slots for points; each runs one point, or the beginning that some share, at a time.
class PointWorkers {
  public:
    virtual ~PointWorkers() = default;
    virtual std::size_t slots() const = 0;
    /// Starts a point in a free slot: what is left of it, if its beginning was run.
    virtual void start(std::size_t slot, const PointJob& job) = 0;
    /// Why points that share a beginning run whole; empty: they may go on from it.
    virtual std::string why_unshared() const = 0;
    /// Starts a beginning in a free slot; of workers that can share. Its points are to be started when it has ended.
    virtual void begin(std::size_t /*slot*/, const SharedBeginning& /*beginning*/) {}

    struct Ended {
        std::size_t slot = 0;
        PointOutcome outcome;
        std::optional<double> reached{}; ///< of a beginning: where its points go on, as a share of their run; else none
        /// Nothing is known of the point, or of the points of the beginning, but that they must run whole.
        bool run_whole = false;
    };
    /// Waits until at least one point or beginning has ended, but at most `milliseconds`; returns those that have.
    virtual std::vector<Ended> wait(int milliseconds) = 0;
    /// Progress of the run in a slot, 0 to 1 for all of it; 0 if unknown.
    virtual double share(std::size_t slot) const = 0;
    /// Address of the live page of the point in a slot; empty if it has none, or none yet.
    virtual std::string address(std::size_t /*slot*/) const { return {}; }
};

/// A process that runs a point. Any end of it, a crash too, is an outcome; it ends if this process does.
class PointProcess {
  public:
    virtual ~PointProcess() = default;
    PointProcess(const PointProcess&) = delete;
    PointProcess& operator=(const PointProcess&) = delete;

    /// Adds the descriptors to be polled for input.
    virtual void add_inputs(std::vector<int>& inputs) const;
    double share() const { return share_; }
    const std::string& address() const { return address_; }
    /// Reads the available output, and kills the process if its time limit is over before it has told its results. True
    /// if its work has ended.
    virtual bool advance();
    /// How it ended, without the slot; to be called once advance() has returned true.
    virtual PointWorkers::Ended ended() const;

  protected:
    /// `spent_s`: of the time limit, before this process.
    PointProcess(double time_limit_s, double spent_s);
    void read_from(Descriptor output, Descriptor errors);
    virtual void kill() = 0;
    /// Looks whether the process has ended, and calls has_ended() or is_lost() if so.
    virtual void look_for_end() = 0;
    /// `status`: as of waitpid(). `why`: added to its complaints.
    void has_ended(int status, const std::string& why = "");
    /// The process has ended, and nobody knows how. `why`: what its outcome says.
    void is_lost(std::string why) { lost_ = std::move(why); }
    bool timed_out() const { return timed_out_; }

  private:
    void take_line(const std::string& line);
    bool is_over() const { return status_.has_value() || lost_.has_value(); }
    std::string failure(int status) const;
    PointOutcome outcome() const;

    Descriptor output_, errors_;
    std::chrono::steady_clock::time_point start_, limit_;
    double time_limit_s_, spent_s_;
    bool timed_out_ = false;
    std::optional<int> status_; ///< as of waitpid()
    std::optional<std::string> lost_;
    std::string pending_, complaints_, result_, address_;
    double share_ = 0.0;
};

/// A child process.
class ChildPoint : public PointProcess {
  public:
    /// A point that runs whole. `words` follow "study point" on its command line. ModelError if the system has no
    /// process, memory or descriptor left.
    explicit ChildPoint(const PointJob& job, const std::vector<std::string>& words = {});
    ~ChildPoint() override;
    ChildPoint(const ChildPoint&) = delete;
    ChildPoint& operator=(const ChildPoint&) = delete;

  protected:
    explicit ChildPoint(double time_limit_s) : PointProcess(time_limit_s, 0.0) {}
    /// Starts `numavp study ACTION WORDS [SOCKET]` with the text on its standard input. `socket`: negative if there is
    /// none.
    void launch(const std::string& text, const char* action, const std::vector<std::string>& words, int socket);
    void kill() override;
    void look_for_end() override;

  private:
    pid_t pid_ = -1;
};

/// Outcome of a point that could not be started, or whose output was not understood.
PointOutcome failed_outcome(const std::string& why);

class BeginningProcess;

class LocalWorkers final : public PointWorkers {
  public:
    /// `words` follow "study point" on the command line of each point's process.
    explicit LocalWorkers(std::size_t jobs, std::vector<std::string> words = {});
    ~LocalWorkers() override;
    LocalWorkers(const LocalWorkers&) = delete;
    LocalWorkers& operator=(const LocalWorkers&) = delete;
    std::size_t slots() const override { return processes_.size(); }
    /// Goes on from the point's beginning, if begin() has run it.
    void start(std::size_t slot, const PointJob& job) override;
    std::string why_unshared() const override {
        return words_.empty() ? "" : "with --live each has a page of its own from its start";
    }
    void begin(std::size_t slot, const SharedBeginning& beginning) override;
    std::vector<Ended> wait(int milliseconds) override;
    double share(std::size_t slot) const override;
    std::string address(std::size_t slot) const override;

  private:
    /// Where a point goes on.
    struct Ready {
        std::shared_ptr<BeginningProcess> beginning;
        std::uint32_t branch = 0;
    };
    /// Makes the points of the beginning that has ended in this slot, if one has, ready to go on.
    void keep_beginning(std::size_t slot);

    std::vector<std::shared_ptr<PointProcess>> processes_;
    std::vector<std::string> words_;
    std::map<std::size_t, std::shared_ptr<BeginningProcess>> beginnings_; ///< by slot; in processes_ too
    std::map<std::string, Ready> ready_;                                  ///< by the points' keys
    std::vector<Ended> never_began_;                                      ///< to be returned by the next wait()
};

} // namespace numavp
