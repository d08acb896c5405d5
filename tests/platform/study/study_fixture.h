/// Small studies, planned in this process or run by the program as a user runs it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/study/study_rows.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {

using Args = std::vector<std::string>;

/// Results made by hand: a value for each key and path.
class MadeResults final : public PointResults {
  public:
    PointState state(const std::string& key) const override {
        const auto found = states.find(key);
        return found == states.end() ? PointState::missing : found->second;
    }
    std::vector<double> values(const std::string& key, const std::string& path) const override {
        const auto found = numbers.find({key, path});
        return found == numbers.end() ? std::vector<double>() : found->second;
    }
    std::vector<double> kernel_values(const std::string& key, const std::string& kernel,
                                      const std::string& path) const override {
        return values(key, kernel + " " + path);
    }
    std::map<std::string, PointState> states;
    std::map<std::pair<std::string, std::string>, std::vector<double>> numbers;
};

class StudyTest : public ::testing::Test {
  protected:
    void SetUp() override;

    /// A study of tiny points: `head` are more members of the JSON object, such as "\"axes\": [...]".
    static std::string tiny(const std::string& head);
    /// Three workloads on two systems.
    static std::string two_systems();
    /// Six points that take about a second each.
    static std::string slow();

    /// Reads and plans a file of the test's folder.
    void load(const std::string& name, const std::string& scale = "");
    /// What is said about a study of this text.
    std::string fault_of(const std::string& text);
    StudyPlan plan() const { return planner_->plan(results_); }
    const std::string& key(const StudyPlan& plan, std::size_t figure, const std::string& configuration,
                           const std::string& workload) const;
    /// The point is done and has this time.
    void set_time(std::size_t figure, const std::string& configuration, const std::string& workload, double time);

    Args program(const Args& words) const;
    Ended numavp(const Args& words) const;
    std::unique_ptr<Process> start(const Args& words) const;
    json status(const std::string& study, const std::string& db) const;
    /// The exported CSV files but runs.csv, one after the other.
    std::string exported(const std::string& study, const std::string& db) const;
    /// Runs in a results file; 0 while there is none.
    std::size_t runs_in(const std::string& db) const;

    TempDir dir_;
    Study study_;
    std::unique_ptr<StudyPlanner> planner_;
    MadeResults results_;
};

/// Processes whose parent this is.
std::vector<pid_t> children_of(pid_t parent);
/// True once `condition` holds, tried for some seconds.
bool wait_until(const std::function<bool()>& condition, double seconds = 30.0);

} // namespace numavp::test
