#include "tests/platform/study/study_fixture.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "tests/support/places.h"

namespace numavp::test {

namespace fs = std::filesystem;

namespace {

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

} // namespace

void StudyTest::SetUp() { ::setenv("NUMAVP_CONFIGS", (source_dir() + "/configs").c_str(), 1); }

std::string StudyTest::tiny(const std::string& head) {
    return R"({"workloads": ["table-lookup", "table-lookup-local", "stream-triad"], "scale": 0.004,
      "set": {"socket.sms": 2, "dispatch.launch_cycles": 100, "results.interval_cycles": 5000},
      "metrics": [{"name": "speedup", "relation": "speedup"}], "baseline": "one", )" +
           head + "}";
}

std::string StudyTest::two_systems() {
    return tiny(R"("systems": [{"label": "one", "system": "gpu-1"}, {"label": "four", "system": "numa-4"}])");
}

std::string StudyTest::slow() {
    return R"({"workloads": ["table-lookup"], "scale": 0.05, "metrics": [{"name": "time"}],
      "set": {"socket.sms": 8},
      "systems": [{"system": "numa-4"}],
      "axes": [{"name": "lanes", "path": "link.latency_cycles", "values": [56, 57, 58, 59, 60, 61]}]})";
}

void StudyTest::load(const std::string& name, const std::string& scale) {
    study_ = load_study(dir_.path(name));
    planner_ = std::make_unique<StudyPlanner>(study_, scale);
}

std::string StudyTest::fault_of(const std::string& text) {
    dir_.write("s.json", text);
    try {
        load("s.json");
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "";
}

const std::string& StudyTest::key(const StudyPlan& plan, std::size_t figure, const std::string& configuration,
                                  const std::string& workload) const {
    const StudyCell* cell = plan.figures.at(figure).cell(configuration, workload);
    if (cell == nullptr) throw std::runtime_error("no cell " + configuration + ", " + workload);
    return plan.points.at(cell->point)->key;
}

void StudyTest::set_time(std::size_t figure, const std::string& configuration, const std::string& workload,
                         double time) {
    const std::string point = key(plan(), figure, configuration, workload);
    results_.states[point] = PointState::done;
    results_.numbers[{point, "time_ns"}] = {time};
}

Args StudyTest::program(const Args& words) const {
    Args all = {program_file(), "study"};
    all.insert(all.end(), words.begin(), words.end());
    return all;
}

Ended StudyTest::numavp(const Args& words) const { return run_process(program(words), {}, dir_.path("")); }

std::unique_ptr<Process> StudyTest::start(const Args& words) const {
    return std::make_unique<Process>(program(words), Args{}, dir_.path(""));
}

json StudyTest::status(const std::string& study, const std::string& db) const {
    const Ended ended = numavp({"status", study, "--db", db, "--json"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    return json::parse(ended.out);
}

std::string StudyTest::exported(const std::string& study, const std::string& db) const {
    const Ended ended = numavp({"export", study, "--db", db, "--out", db + "-out"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    std::string all;
    for (const char* name : {"points", "parameters", "metrics", "series", "rows"}) {
        const std::string text = content_of(dir_.path(db + "-out/" + name + ".csv"));
        EXPECT_NE(text, "") << name;
        all += text;
    }
    return all;
}

std::size_t StudyTest::runs_in(const std::string& db) const {
    std::error_code ignored;
    if (!fs::exists(dir_.path(db), ignored)) return 0;
    try {
        return StudyStore(dir_.path(db), StudyStore::Access::read).runs().size();
    } catch (const ConfigError&) {
        return 0; // its writer has just made it
    }
}

std::vector<pid_t> children_of(pid_t parent) {
    std::vector<pid_t> children;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const std::string stat = content_of((entry.path() / "stat").string());
        const std::size_t end = stat.rfind(')'); // the program's name may hold anything
        if (end == std::string::npos) continue;
        std::istringstream fields(stat.substr(end + 1));
        char state = 0;
        pid_t ppid = 0;
        fields >> state >> ppid;
        if (ppid == parent && state != 'Z') children.push_back(static_cast<pid_t>(std::stol(name)));
    }
    return children;
}

bool wait_until(const std::function<bool()>& condition, double seconds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

} // namespace numavp::test
