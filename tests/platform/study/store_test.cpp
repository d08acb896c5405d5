/// The results file: a point whole or not at all, one writer, clear sentences.
#include <sqlite3.h>

#include "platform/results/run_key.h"
#include "tests/platform/study/study_fixture.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Access = StudyStore::Access;

class Store : public StudyTest {
  protected:
    static PointJob job(const std::string& key) {
        PointJob job;
        job.key = key;
        job.system_name = "s";
        job.workload_name = "w";
        job.system = {{"name", "s"}, {"link", {{"lanes", 8}}}};
        job.seed = 5;
        return job;
    }
    static PointOutcome done() {
        PointOutcome outcome;
        outcome.done = true;
        outcome.results = R"({"statistics": {"socket0": {"a": 1}, "socket1": {"a": 2}}, "cycles": 10, "time_ns": 10.5,
            "workload": {"footprint_bytes": 1, "launches": 2, "blocks": 3},
            "series": {"cycles": [5, 10], "columns": {"x": {"values": [1, 2]}}}})";
        outcome.derived = {{"d", 0.5}};
        return outcome;
    }
    static PointOutcome failed() {
        PointOutcome outcome;
        outcome.message = "why";
        return outcome;
    }
    std::string file() const { return dir_.path("r.sqlite"); }
    std::int64_t count(const StudyStore& store, const std::string& table) const {
        SqlStatement row(store.database(), ("SELECT count(*) FROM " + table).c_str());
        row.step();
        return row.integer(0);
    }
    std::string sentence(Access access) const {
        try {
            const StudyStore store(file(), access);
        } catch (const ConfigError& fault) {
            return fault.what();
        }
        return "";
    }
};

constexpr const char* kKey = "00000001-0000-0000-0000-000000000000";
constexpr const char* kOther = "00000001-0000-0000-0000-00000000000a"; // its number is taken already

TEST_F(Store, KeepsWhatARunGave) {
    {
        StudyStore store(file(), Access::write);
        store.record(job(kKey), done());
        store.record(job(kOther), done());
    }
    const StudyStore store(file(), Access::read);
    EXPECT_EQ(store.state(kKey), PointState::done);
    EXPECT_EQ(store.state("x"), PointState::missing);
    EXPECT_EQ(store.results(kKey), done().results);
    EXPECT_THAT(store.values(kKey, "statistics.socket*.a"), ElementsAre(1.0, 2.0));
    EXPECT_THAT(store.values(kKey, "derived.d"), ElementsAre(0.5));
    EXPECT_THAT(store.values(kKey, "workload.blocks"), ElementsAre(3.0));
    EXPECT_THAT(store.values(kKey, "nothing"), IsEmpty());
    EXPECT_EQ(count(store, "series WHERE name = 'x' AND edge = 10 AND value = 2"), 2);
    EXPECT_EQ(count(store, "parameters WHERE path = 'link.lanes' AND value = '8'"), 2);
    EXPECT_EQ(count(store, "runs WHERE seed = 5 AND version = '" + model_version() + "'"), 2);
}

TEST_F(Store, AFailureIsReplacedWhole) {
    StudyStore store(file(), Access::write);
    store.record(job(kKey), failed());
    EXPECT_EQ(store.state(kKey), PointState::failed);
    EXPECT_EQ(store.run(kKey)->message, "why");
    EXPECT_EQ(count(store, "metrics"), 0);
    store.record(job(kKey), done());
    EXPECT_EQ(store.state(kKey), PointState::done);
    EXPECT_EQ(count(store, "runs"), 1);
    EXPECT_EQ(count(store, "parameters"), 2);
}

/// The table `kernels` came later than the format.
TEST_F(Store, AFileWithoutRowsByKernelGetsTheirTable) {
    { const StudyStore store(file(), Access::write); }
    {
        const SqlDatabase database(file(), false);
        database.run("DROP TABLE kernels");
    }
    StudyStore store(file(), Access::write);
    store.record(job(kKey), done());
    EXPECT_EQ(count(store, "kernels"), 0);
}

/// With everything that a run's results have.
PointOutcome with_sections() {
    PointOutcome outcome;
    outcome.done = true;
    outcome.results = R"({"configuration": {"clock_khz": 1000000}, "cycles": 10, "time_ns": 10.0,
        "statistics": {"socket0": {"l2": {"fills": 4}}},
        "workload": {"footprint_bytes": 1, "launches": 2, "blocks": 3}, "series": {"cycles": [], "columns": {}},
        "kernels": {"rows": {"kind": ["kernel", "kernel", "outside"], "name": ["a", "b", "outside kernels"],
                             "launch": [1, 2, null], "launches": [1, 1, 0], "of": ["1", "2", null],
                             "streams": ["0", "7", null], "launched": [0, 0, null], "started": [1, 5, null],
                             "ended": [5, 9, null], "flushed": [5, 9, null], "cycles": [4, 4, 2]},
                    "counters": {"socket0.l2.fills": [1, 2, 1], "system.warp_instructions": [8, 6, 0]}, "values": {}},
        "slots": {"causes": {}, "sockets": [{"schedulers": 4, "issued": 14, "memory": 20, "no_warp": 6,
                                            "warp_cycles": 5, "last_warp_cycle": 9}],
                  "series": {"cycles": [10], "columns": {"socket0.slots.memory": {"values": [20]}}}},
        "access_latency": {"load": {"local": {"count": 3, "p99_9_ps": 700, "buckets": [[700, 3]]}}}})";
    return outcome;
}

TEST_F(Store, KeepsSlotsLatenciesKernelsAndStreams) {
    StudyStore store(file(), Access::write);
    store.record(job(kKey), with_sections());
    EXPECT_THAT(store.values(kKey, "slots.socket*.memory"), ElementsAre(20.0));
    EXPECT_THAT(store.values(kKey, "slots.socket0.slots"), ElementsAre(40.0));
    EXPECT_THAT(store.values(kKey, "access_latency.load.local.p99_9_ps"), ElementsAre(700.0));
    EXPECT_EQ(count(store, "series WHERE name = 'socket0.slots.memory' AND edge = 10 AND value = 20"), 1);
    EXPECT_EQ(count(store, "kernels"), 3);
    EXPECT_EQ(count(store, "streams WHERE kind = 'stream' AND streams = '7' AND launches = 1 AND "
                           "warp_instructions = 6 AND ipc = 1.5"),
              1);
    EXPECT_EQ(count(store, "streams"), 3);
}

TEST_F(Store, MetricsOfAKernelAreThoseOfItsRows) {
    StudyStore store(file(), Access::write);
    store.record(job(kKey), with_sections());
    EXPECT_THAT(store.kernel_values(kKey, "b", "time_ns"), ElementsAre(4.0));
    EXPECT_THAT(store.kernel_values(kKey, "b", "statistics.socket*.l2.fills"), ElementsAre(2.0));
    EXPECT_THAT(store.kernel_values(kKey, "a", "ipc"), ElementsAre(2.0));
    EXPECT_THAT(store.kernel_values(kKey, "c", "time_ns"), ::testing::IsEmpty());
    EXPECT_THAT(store.kernel_values(kKey, "outside kernels", "time_ns"), ::testing::IsEmpty());
}

/// Files of earlier versions hold one point of a workload on a configuration, and get room for several seeds.
TEST_F(Store, AFileOfAnEarlierVersionGetsRoomForSeeds) {
    { const StudyStore store(file(), Access::write); }
    {
        const SqlDatabase database(file(), false);
        database.run("DROP TABLE points; CREATE TABLE points(figure TEXT, configuration TEXT, workload TEXT, key TEXT, "
                     "PRIMARY KEY(figure, configuration, workload)); INSERT INTO points VALUES('f', 'c', 'w', 'k')");
    }
    const StudyStore store(file(), Access::write);
    store.database().run("INSERT INTO points VALUES('f', 'c', 'w', 'k2')");
    EXPECT_EQ(count(store, "points"), 2);
}

TEST_F(Store, GivesAFileOfAnEarlierVersionTheRowsThatItCanHave) {
    {
        StudyStore store(file(), Access::write);
        store.record(job(kKey), with_sections());
        store.record(job(kOther), done()); // results without any of it
        for (const char* const text :
             {"DROP TABLE streams", "DELETE FROM kernels", "DELETE FROM info WHERE key = 'sections'",
              "DELETE FROM metric_values WHERE name IN (SELECT id FROM names WHERE name LIKE 'slots.%')"})
            store.database().run(text);
    }
    const StudyStore store(file(), Access::write);
    EXPECT_EQ(count(store, "kernels"), 3);
    EXPECT_EQ(count(store, "streams"), 3);
    EXPECT_THAT(store.values(kKey, "slots.socket0.memory"), ElementsAre(20.0));
}

TEST_F(Store, APointIsWholeOrNotThere) {
    StudyStore store(file(), Access::write);
    store.record(job(kOther), done());
    PointOutcome broken = done();
    broken.results = R"({"statistics": {"new": 1}, "cycles": 10, "time_ns": 1})"; // ends in the middle
    EXPECT_ANY_THROW(store.record(job(kKey), broken));
    EXPECT_EQ(store.state(kKey), PointState::missing);
    EXPECT_EQ(count(store, "runs"), 1);
    EXPECT_EQ(count(store, "names WHERE name = 'statistics.new'"), 0);
    store.record(job(kKey), done()); // names that were rolled back are not taken for known
    EXPECT_EQ(count(store, "metrics"), 2 * 8);
}

TEST_F(Store, AFullFileIsASentence) {
    StudyStore store(file(), Access::write);
    store.record(job(kKey), done());
    store.database().run("PRAGMA max_page_count = 1"); // no page more than there are
    PointOutcome large = done();
    large.results.append(100000, ' ');
    try {
        store.record(job(kOther), large);
        FAIL();
    } catch (const ConfigError& fault) {
        EXPECT_THAT(fault.what(), HasSubstr("the disk is full"));
    }
    EXPECT_EQ(store.state(kOther), PointState::missing);
    EXPECT_EQ(count(store, "runs"), 1);
}

TEST_F(Store, WaitsForReadersAsLongAsItIsToldTo) {
    StudyStore store(file(), Access::write);
    store.record(job(kKey), done());
    const SqlDatabase reader(file(), false);
    reader.run("BEGIN");
    SqlStatement rows(reader, "SELECT key FROM runs");
    ASSERT_TRUE(rows.step()); // from now on nobody can commit
    int asked = 0;
    store.set_patience([&] {
        if (++asked == 2) throw std::runtime_error("interrupted");
    });
    EXPECT_THROW(store.record(job(kOther), done()), std::runtime_error);
    EXPECT_EQ(store.state(kOther), PointState::missing);
    store.set_patience([&] {
        if (++asked < 4) return;
        rows.reset();
        reader.run("COMMIT");
    });
    store.record(job(kOther), done());
    EXPECT_EQ(asked, 4);
    EXPECT_EQ(count(store, "runs"), 2);
}

TEST_F(Store, AFileThatStaysHeldIsASentence) {
    StudyStore store(file(), Access::write);
    const SqlDatabase reader(file(), false);
    reader.run("BEGIN");
    SqlStatement rows(reader, "SELECT key FROM info");
    ASSERT_TRUE(rows.step());
    sqlite3_busy_timeout(store.database().get(), 10);
    try {
        store.record(job(kKey), done());
        FAIL();
    } catch (const ConfigError& fault) {
        EXPECT_THAT(fault.what(), HasSubstr("another program holds it"));
    }
}

TEST_F(Store, HasOneWriter) {
    const StudyStore first(file(), Access::write);
    EXPECT_THAT(sentence(Access::write), HasSubstr("another run of a study writes to it (process"));
    EXPECT_EQ(sentence(Access::read), "");
}

TEST_F(Store, TheLockIsGoneWithItsWriter) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(sentence(Access::write), "");
    EXPECT_FALSE(std::filesystem::exists(file() + ".lock"));
}

TEST_F(Store, OtherFilesAreRefused) {
    EXPECT_THAT(sentence(Access::read), HasSubstr("there is none yet"));
    dir_.write("r.sqlite", std::string(5000, 'x'));
    EXPECT_THAT(sentence(Access::write), HasSubstr("not a results file of a study"));
    std::filesystem::remove(file());
    { SqlDatabase(file(), true).run("CREATE TABLE t(a)"); }
    EXPECT_THAT(sentence(Access::write), HasSubstr("its tables are not a study's"));
    std::filesystem::remove(file());
    { StudyStore(file(), Access::write).note("format", "7"); }
    EXPECT_THAT(sentence(Access::read), HasSubstr("its format is 7"));
}

} // namespace
} // namespace numavp::test
