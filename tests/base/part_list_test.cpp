/// Parts of a machine: totals of parts alike, instances that differ, reports, accounts.
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/stats/part_list.h"
#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/values/error.h"

namespace numavp {
namespace {

struct Bank final : ModelPart {
    explicit Bank(unsigned number) : index(number) {}
    void add_statistics(StatGroup& owner) const override {
        owner.group("cache").total("hits", hits, "accesses", "Found.");
        if (index == 1) owner.group("cache").group("bank", index).counter("repairs", repairs, "events", "Of this one.");
    }
    void add_series(SeriesGroup& owner) const override { owner.total("cache.hits", hits, "accesses", "Found."); }
    std::string waiting_for() const override { return waits; }
    std::string holding() const override { return holds; }
    std::string disagreement() override { return wrong; }
    unsigned index;
    std::uint64_t hits = 0, repairs = 0;
    std::string waits, holds, wrong;
};

struct Machine {
    Machine() {
        for (unsigned i = 0; i < banks.size(); ++i) {
            const PartOwner owner{"socket", i / 2};
            parts.add(owner, owner.path_of("bank" + std::to_string(i % 2)), banks[i]);
        }
    }
    std::array<Bank, 4> banks{Bank(0), Bank(1), Bank(0), Bank(0)};
    PartList parts;
};

TEST(PartList, PartsAlikeAreOneTotalAndInstancesMayDiffer) {
    Machine machine;
    StatGroup root;
    machine.parts.add_statistics(root);
    for (unsigned i = 0; i < 4; ++i) machine.banks[i].hits = 1ULL << i;
    machine.banks[1].repairs = 7;
    EXPECT_EQ(root.values().dump(), R"({"socket0":{"cache":{"bank1":{"repairs":7},"hits":3}},)"
                                    R"("socket1":{"cache":{"hits":12}}})");
    EXPECT_EQ(root.units()["socket*.cache.hits"].dump(), R"({"kind":"value","unit":"accesses","doc":"Found."})");
}

TEST(PartList, ATotalMeansOneThing) {
    const std::uint64_t count = 0;
    StatGroup root;
    root.total("hits", count, "accesses", "Found.");
    EXPECT_THROW(root.total("hits", count, "lines", "Found."), ModelError);
    EXPECT_THROW(root.total("hits", count, "accesses", "Lost."), ModelError);
    EXPECT_THROW(root.counter("hits", count, "accesses", "Found."), ModelError);
    root.counter("misses", count, "accesses", "Not found.");
    EXPECT_THROW(root.total("misses", count, "accesses", "Not found."), ModelError);
}

TEST(PartList, ColumnsOfPartsAlikeAddUp) {
    Machine machine;
    SeriesRecorder series(10);
    machine.banks[0].hits = 100; // before the series began
    machine.parts.add_series(series);
    for (Bank& bank : machine.banks) bank.hits += 2;
    series.sample(10);
    machine.banks[3].hits += 5;
    series.sample(20);
    const auto columns = series.json()["columns"];
    EXPECT_EQ(columns.size(), 2U);
    EXPECT_EQ(columns["socket0.cache.hits"]["values"].dump(), "[4,0]");
    EXPECT_EQ(columns["socket1.cache.hits"]["values"].dump(), "[4,5]");
}

TEST(PartList, ReportsWhoWaitsAndWhoHolds) {
    Machine machine;
    EXPECT_EQ(machine.parts.report(), "");
    EXPECT_TRUE(machine.parts.open_accounts().empty());
    machine.banks[1].waits = "a line";
    machine.banks[2].holds = "2 packets";
    machine.banks[3].wrong = "3 sent, 2 received";
    EXPECT_EQ(machine.parts.report(), "\n  socket0.bank1 waits for a line\n  socket1.bank0 holds 2 packets");
    EXPECT_EQ(machine.parts.open_accounts(),
              (std::vector<std::string>{"socket0.bank1 still waits for a line", "socket1.bank0 still holds 2 packets",
                                        "socket1.bank1: 3 sent, 2 received"}));
}

} // namespace
} // namespace numavp
