/// The time series: columns by level and by increase, marks, order and misuse.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/stats/series.h"
#include "base/values/error.h"

namespace numavp {
namespace {

TEST(Series, LevelsAndIncreases) {
    std::uint64_t bytes = 100; // what was counted before registration belongs to no interval
    std::uint64_t lanes = 8;
    SeriesRecorder series(5000);
    series.increase("socket10.bytes_out", bytes, "bytes", "Bytes sent.");
    series.increase(
        "socket2.bytes_out", [&] { return 2 * bytes; }, "bytes", "Bytes sent.");
    series.level(
        "socket2.lanes_out", [&] { return lanes; }, "lanes", "Lanes that face out.");
    series.mark(7000, "second");
    series.mark(0, "first");
    series.mark(7000, "third");
    const std::uint64_t counted[] = {140, 140, 1140};
    const Cycle at[] = {5000, 10000, 12345};
    for (unsigned i = 0; i < 3; ++i) {
        bytes = counted[i];
        lanes = 8 + i;
        series.sample(at[i]);
    }
    series.sample(12345); // the run ends where the last sample was
    EXPECT_EQ(series.json().dump(),
              R"({"interval_cycles":5000,"cycles":[5000,10000,12345],"columns":{)"
              R"("socket2.bytes_out":{"kind":"increase","unit":"bytes","doc":"Bytes sent.","values":[80,0,2000]},)"
              R"("socket2.lanes_out":{"kind":"level","unit":"lanes","doc":"Lanes that face out.","values":[8,9,10]},)"
              R"("socket10.bytes_out":{"kind":"increase","unit":"bytes","doc":"Bytes sent.","values":[40,0,1000]}},)"
              R"("marks":[{"cycle":0,"name":"first"},{"cycle":7000,"name":"second"},{"cycle":7000,"name":"third"}]})");
}

TEST(Series, NothingSampledIsEmptyArrays) {
    SeriesRecorder series(100);
    EXPECT_EQ(series.json().dump(), R"({"interval_cycles":100,"cycles":[],"columns":{},"marks":[]})");
}

TEST(Series, MisuseIsRefused) {
    const std::uint64_t count = 0;
    SeriesRecorder series(100);
    series.increase("a", count, "events", "");
    EXPECT_THROW(series.increase("a", count, "events", ""), ModelError);
    series.sample(100);
    EXPECT_THROW(series.increase("b", count, "events", ""), ModelError);
    EXPECT_THROW(series.sample(99), ModelError);
    EXPECT_EQ(series.json()["columns"].size(), 1U);
}

} // namespace
} // namespace numavp
