/// Bandwidth between the dies of a B200: what its links carry, and no queue or wire in front of them, bounds reads of
/// the other die's L2.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/system/load_system.h"
#include "common/words/text.h"
#include "platform/explain/explain.h"
#include "platform/latency/bandwidth_curve.h"
#include "tests/support/run_apart.h"

namespace numavp::test {
namespace {

double gbytes_per_s(const std::vector<std::string>& settings, std::uint64_t bytes) {
    const SystemConfig config = load_system("b200", settings);
    return run_apart([&] { return nlohmann::json(bandwidth_curve(config, {bytes}).front().gbytes_per_s); })
        .get<double>();
}

/// Lines are interleaved over the dies: of every four lines read, each direction carries a response of a line with its
/// header, and a request.
class RateBetweenDies : public ::testing::TestWithParam<unsigned> {};

TEST_P(RateBetweenDies, BoundsReadsOfTheOtherDiesL2) {
    constexpr double kLine = 128, kHeader = 8;
    const double link = GetParam();
    const double closed_form = 4 * link * kLine / (kLine + 2 * kHeader);
    const double found = gbytes_per_s({fmt::format("link.lane_gbps={}", link)}, std::uint64_t{8} << 20);
    EXPECT_NEAR(found, closed_form, 0.05 * closed_form);
}
INSTANTIATE_TEST_SUITE_P(Rates, RateBetweenDies, ::testing::Values(1250U, 2500U));

/// 512 packets of 136 bytes in 82 cycles of 1.9 GHz are 1,613 GB/s.
TEST(LinksBetweenDies, WhoseWiresHoldTooLittleAreSaid) {
    const auto said = [](const std::vector<std::string>& settings) {
        return explain_text(load_system("b200", settings), Style());
    };
    EXPECT_NE(said({"link.wire_depth=512"}).find("512 lines in flight are 1613 GB/s, and its lanes carry 5000"),
              std::string::npos)
        << said({"link.wire_depth=512"});
    EXPECT_EQ(said({}).find("lines in flight"), std::string::npos);
}

} // namespace
} // namespace numavp::test
