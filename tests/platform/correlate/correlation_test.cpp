/// Measured kernels beside runs of them: rows, errors, and what a file of measurements must have.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/config/config.h"
#include "platform/correlate/correlation.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ordered_json made_results(double cycles) {
    return {{"cycles", cycles},
            {"time_ns", 2.0 * cycles},
            {"statistics",
             {{"system", {{"warp_instructions", 7}}},
              {"socket0", {{"memory", {{"read_bytes", 64}}}}},
              {"socket1", {{"memory", {{"read_bytes", 32}}}}},
              {"switch", {{"port0", 1}}}}}};
}

Measurements measurements_of(const std::string& text) {
    const TempDir dir;
    return read_measurements(dir.write("m.json", text));
}

std::string refusal_of_measurements(const std::string& text) {
    try {
        measurements_of(text);
    } catch (const ConfigError& fault) {
        return fault.what();
    }
    return "none";
}

constexpr const char* kThreeMeasured =
    R"({"date": "x", "kernels": {"empty": {"cycles": 100}, "a": {"cycles": 1100, "instructions": 8,
    "memory_sectors_read": 4, "workload": "a.json"}, "b": {"cycles": 2100}, "c": {"cycles": 4100}}})";

TEST(Correlation, TimesAreWithoutTheLaunch) {
    const Measurements all = measurements_of(kThreeMeasured);
    EXPECT_FALSE(all.in_us);
    EXPECT_EQ(all.find("a")->workload, "a.json");
    std::vector<std::string> asked;
    const Correlation found = correlate(all, {}, "empty", [&](const MeasuredKernel& kernel) {
        asked.push_back(kernel.name);
        return made_results(kernel.name == "empty" ? 50.0
                            : kernel.name == "a"   ? 1150.0
                            : kernel.name == "b"   ? 2450.0
                                                   : 4050.0);
    });
    EXPECT_THAT(asked, ElementsAre("empty", "a", "b", "c"));
    ASSERT_EQ(found.kernels.size(), 3U);
    EXPECT_DOUBLE_EQ(found.kernels[0].ratio(), 1.1);
    EXPECT_DOUBLE_EQ(found.kernels[1].ratio(), 1.2);
    EXPECT_DOUBLE_EQ(found.kernels[2].ratio(), 1.0);
    EXPECT_EQ(found.kernels[0].measured_bytes, 128.0);
    EXPECT_EQ(found.kernels[0].simulated_bytes, 96.0);
    EXPECT_EQ(found.kernels[0].simulated_instructions, 7.0);
    EXPECT_EQ(found.within(0.1 + 1e-9), 2U);
    EXPECT_EQ(found.within(0.05), 1U);
    EXPECT_NEAR(found.mean_error(), 0.1, 1e-12);
    EXPECT_NEAR(found.geometric_mean(), std::cbrt(1.32), 1e-12);
    ASSERT_TRUE(found.correlation());
    EXPECT_GT(*found.correlation(), 0.99);
    EXPECT_LT(*found.correlation(), 1.0);
    EXPECT_THAT(correlation_text(found), HasSubstr("3 kernels: "));
    EXPECT_THAT(correlation_csv(found), HasSubstr("b,2000,2400,1.2\n"));
    EXPECT_EQ(correlation_json(found).at("kernels").size(), 3U);
}

TEST(Correlation, ChosenKernelsAndMicroseconds) {
    const Measurements all = measurements_of(R"({"kernels": {"a": {"us": 5.0}, "b": {"us": 10.0}}})");
    const Correlation found = correlate(all, {"b"}, "", [](const MeasuredKernel&) { return made_results(4000.0); });
    ASSERT_EQ(found.kernels.size(), 1U);
    EXPECT_DOUBLE_EQ(found.kernels[0].simulated, 8.0); // 8,000 ns
    EXPECT_DOUBLE_EQ(found.kernels[0].ratio(), 0.8);
    EXPECT_FALSE(found.correlation());
}

TEST(Correlation, BadFilesAreRefused) {
    EXPECT_THAT(refusal_of_measurements("{}"), HasSubstr("there are no kernels"));
    EXPECT_THAT(refusal_of_measurements(R"({"kernels": {"a": {"cycles": 1}, "b": {"us": 1}}})"),
                HasSubstr("$.kernels.b: 'cycles' is missing"));
    EXPECT_THAT(refusal_of_measurements(R"({"kernels": {"a": {"cycles": 0}}})"), HasSubstr("no number above 0"));
    EXPECT_THAT(refusal_of_measurements(R"({"kernels": {"a": 5}})"), HasSubstr("is no object"));
    EXPECT_THAT(refusal_of_measurements(R"({"kernels": {"a": {"cycles": 1, "workload": 3}}})"),
                HasSubstr("is no text"));
    const std::string of_lines = refusal_of_measurements(R"({"kernels": {"two\nlines": {"cycles": 0}}})");
    EXPECT_THAT(of_lines, HasSubstr("$.kernels[\"two?lines\"]: 'cycles'"));
    EXPECT_EQ(of_lines.find('\n'), std::string::npos);
}

TEST(Correlation, UnknownNamesAndShortKernelsAreRefused) {
    const Measurements all = measurements_of(kThreeMeasured);
    const auto run = [](const MeasuredKernel&) { return made_results(100.0); };
    EXPECT_THROW(correlate(all, {"x"}, "", run), ConfigError);
    EXPECT_THROW(correlate(all, {}, "x", run), ConfigError);
    EXPECT_THROW(correlate(all, {}, "empty", run), ConfigError); // no run takes longer than that of `empty`
}

} // namespace
} // namespace numavp::test
