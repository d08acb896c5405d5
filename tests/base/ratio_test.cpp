/// Ratios: registered with the statistics, once for all groups that have them, and computed from sums.
#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/stats/stats.h"
#include "base/values/error.h"

namespace numavp {
namespace {

Ratio hit_rate() {
    return by_interval(share_of("l2.hit_rate", {"l2.hits"}, {"l2.hits", "l2.misses"}, "Hits of reads."), {"l2.hits"},
                       {"l2.reads"});
}

void fill_ratio_group(StatGroup& group, const std::uint64_t& count) {
    group.counter("l2.hits", count, "reads", "Found.");
    group.counter("l2.misses", count, "reads", "Fetched.");
    group.ratio(hit_rate());
    group.ratio(hit_rate()); // of a second slice
}

TEST(Ratio, IsSaidOnceForAllGroupsThatHaveIt) {
    const std::uint64_t count = 1;
    StatGroup root;
    for (const unsigned s : {0U, 2U}) fill_ratio_group(root.group("socket", s), count);
    const auto ratios = root.ratios();
    ASSERT_EQ(ratios.size(), 1U);
    const auto& [name, owned] = *ratios.begin();
    EXPECT_EQ(name, "socket*.l2.hit_rate");
    EXPECT_EQ(owned.owners, (std::vector<std::string>{"socket0", "socket2"}));
    EXPECT_EQ(owned.ratio.figure(), "l2_hit_rate");
    EXPECT_TRUE(owned.ratio.is_share());
    EXPECT_EQ(json_of(owned_ratio_of(json_of(owned))), json_of(owned));
    EXPECT_EQ(root.values().dump(),
              R"({"socket0":{"l2":{"hits":1,"misses":1}},"socket2":{"l2":{"hits":1,"misses":1}}})")
        << "statistics stay as they are";
}

TEST(Ratio, OfWhatIsNotThereIsAFault) {
    const std::uint64_t count = 1;
    StatGroup root;
    fill_ratio_group(root, count);
    root.ratio(share_of("rate", {"l2.hits"}, {"l2.reads"}, "Of nothing."));
    EXPECT_THROW(root.ratios(), ModelError);
    StatGroup level;
    level.counter("most", count, "walks", "At once.", Growth::level);
    level.ratio(rate_of("most_per_ns", {"most"}, RatioPer::ns, "1/ns", "A level does not add up."));
    EXPECT_THROW(level.ratios(), ModelError);
    StatGroup unlike;
    unlike.ratio(hit_rate());
    Ratio other = hit_rate();
    other.doc = "Something else.";
    EXPECT_THROW(unlike.ratio(other), ModelError);
    EXPECT_THROW(unlike.ratio(share_of("x", {"a"}, {}, "By nothing.")), ModelError);
    StatGroup groups;
    fill_ratio_group(groups.group("socket", 0), count);
    groups.group("socket", 1).counter("l2.hits", count, "reads", "Found.");
    groups.group("socket", 1).ratio(share_of("l2.hit_rate", {"l2.hits"}, {"l2.hits"}, "Hits of reads."));
    EXPECT_THROW(groups.ratios(), ModelError);
}

TEST(Ratio, IsASumOverASum) {
    const std::map<std::string, double> numbers = {{"a", 3}, {"b", 4}, {"c", 10}};
    const RatioRead read = [&](const std::string& path) {
        const auto found = numbers.find(path);
        return found == numbers.end() ? std::nullopt : std::optional<double>(found->second);
    };
    const Ratio ratio = share_of("r", {"a", "b"}, {"c"}, "");
    EXPECT_EQ(value_of(ratio, sum_of(ratio.part, read), sum_of(ratio.whole, read)), 0.7);
    EXPECT_EQ(sum_of({"c", "-b"}, read), 6.0);
    EXPECT_EQ(sum_of({"a", "-b"}, read), 0.0) << "no share is below 0";
    EXPECT_EQ(sum_of({"a", "x"}, read), std::nullopt);
    EXPECT_EQ(value_of(ratio, 1.0, 0.0), std::nullopt);
}

} // namespace
} // namespace numavp
