/// A policy beside the table: what it sees of a fault and of the machine, the state that the driver keeps for it, and
/// what that costs.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sw/driver/driver.h"
#include "tests/sw/driver/driver_bench.h"

namespace numavp::driver_test {
namespace {

constexpr std::uint32_t kWords = 3;

/// Notes in its state what it sees: calls, then the last fault and what it has seen of socket 1.
std::uint32_t note(PolicyView* view) {
    ++view->own[0];
    view->own[1] = view->page << 1 | view->write;
    const std::uint64_t routers = view->routers != nullptr ? view->routers[1] : 99U;
    view->own[2] = routers << 16U | std::uint64_t{view->link_out[1]} << 8U | view->link_in[1];
    return view->toucher;
}

const Policy kSeesAll = {kPolicyVersion, kWords, kPolicySeesRouters | kPolicySeesLinks, "sees_all", "Sees all.", note};
const Policy kSeesLittle = {kPolicyVersion, kWords, 0, "sees_little", "Sees the fault alone.", note};

/// A driver with a policy beside the table, in an arena of garbage.
struct OwnBench {
    explicit OwnBench(const Policy& policy) : arena((1U << 20) / 8, ~std::uint64_t{0}) {
        platform.system(SystemRegister::policy) = kPolicyOwn;
        platform.system(SystemRegister::routers_0) = 0x03020100;             // as of socket 0
        platform.system(SystemRegister::link_use_0) = 0x0000'0000'0702'0000; // of socket 1: 2 % out, 7 % in
        wrong = driver_init(&driver, platform.hal(), &policy, arena.data(), arena.size() * 8);
        platform.writes.clear();
    }
    void serve(std::uint64_t page, std::uint64_t socket, bool write) {
        platform.fault(page, socket, write);
        driver_interrupt(&driver);
    }
    std::uint64_t count(const std::string& name) const {
        return static_cast<std::uint64_t>(std::count_if(platform.writes.begin(), platform.writes.end(),
                                                        [&name](const auto& write) { return write.where == name; }));
    }

    FakePlatform platform{Setting{}};
    std::vector<std::uint64_t> arena;
    Driver driver;
    const char* wrong = nullptr;
};

TEST(OwnPolicy, SeesReadsAndWritesDistancesAndLinks) {
    OwnBench bench(kSeesAll);
    ASSERT_EQ(bench.wrong, nullptr) << bench.wrong;
    EXPECT_EQ(std::vector<std::uint64_t>(bench.driver.view.own, bench.driver.view.own + kWords),
              std::vector<std::uint64_t>(kWords, 0))
        << "its state begins with zeros";
    bench.serve(kBase, 0, true);
    EXPECT_EQ(bench.driver.view.own[1], kBase << 1 | 1);
    EXPECT_EQ(bench.driver.view.own[2], 0x01'02'07U) << "one router away, 2 % out, 7 % in";
    bench.serve(kBase + 1, 0, false);
    EXPECT_EQ(bench.driver.view.own[1], (kBase + 1) << 1);
    EXPECT_EQ(bench.driver.view.own[0], 2U) << "the driver keeps it from call to call";
}

TEST(OwnPolicy, DistancesAreReadOnceForASocket) {
    OwnBench bench(kSeesAll);
    for (std::uint64_t i = 0; i < 6; ++i) bench.serve(kBase + i, i % 2, false);
    EXPECT_EQ(bench.count("system.routers_of"), 2U);
    EXPECT_EQ(bench.platform.done.size(), 6U);
}

TEST(OwnPolicy, SeesOfTheMachineOnlyWhatItAsksFor) {
    OwnBench bench(kSeesLittle);
    bench.serve(kBase, 0, false);
    EXPECT_EQ(bench.driver.view.own[2], 99U << 16);
    EXPECT_EQ(bench.count("system.routers_of"), 0U);
}

/// Frames are counted behind the state: the driver never gives its words to a page.
TEST(OwnPolicy, ItsStateIsApartFromThePages) {
    OwnBench bench(kSeesLittle);
    for (std::uint64_t i = 0; i < 40; ++i) bench.serve(kBase + i, i % 4, false);
    EXPECT_EQ(bench.driver.view.own[0], 40U);
    EXPECT_GE(static_cast<const void*>(bench.driver.frames.records),
              static_cast<const void*>(bench.arena.data() + kWords));
}

TEST(OwnPolicy, BeginsAnewWhenItDecidesAgain) {
    OwnBench bench(kSeesAll);
    bench.serve(kBase, 0, true);
    ASSERT_EQ(driver_set_policy(&bench.driver, kPolicyOwn, 50), nullptr);
    EXPECT_EQ(bench.driver.view.own[0], 1U) << "it is the one that decides already";
    ASSERT_EQ(driver_set_policy(&bench.driver, 0, 50), nullptr);
    EXPECT_EQ(bench.driver.view.own, nullptr);
    bench.serve(kBase + 1, 2, true);
    EXPECT_EQ(bench.platform.where(kBase + 1)->memory, 2U) << "first touch decides";
    ASSERT_EQ(driver_set_policy(&bench.driver, kPolicyOwn, 50), nullptr);
    EXPECT_EQ(bench.driver.view.own[0], 0U);
}

TEST(OwnPolicy, IsRefusedWhereThereIsNone) {
    FakePlatform platform{Setting{}};
    platform.system(SystemRegister::policy) = kPolicyOwn;
    std::vector<std::uint64_t> arena(10000);
    Driver driver;
    EXPECT_STREQ(driver_init(&driver, platform.hal(), nullptr, arena.data(), arena.size() * 8),
                 "system.policy asks for a policy that is not in this driver");
}

/// Nobody else looks at the policy of a firmware image.
TEST(OwnPolicy, ThatCantBeUsedIsRefusedAtTheStart) {
    const Policy newer = {kPolicyVersion + 1, kWords, 0, "newer", "Of a newer interface.", note};
    const Policy large = {kPolicyVersion, kPolicyMaxWords + 1, 0, "large", "Keeps too much.", note};
    EXPECT_STREQ(OwnBench(newer).wrong, "it is of another version of the interface");
    EXPECT_STREQ(OwnBench(large).wrong, "it asks for more than 4096 words of state");
}

TEST(OwnPolicy, FaultsAreToldInWords) {
    const auto fault = [](std::uint32_t version, std::uint32_t words, std::uint32_t sees, const char* name,
                          std::uint32_t (*wish)(PolicyView*)) {
        const Policy policy = {version, words, sees, name, "", wish};
        const char* const told = policy_fault(&policy);
        return std::string(told != nullptr ? told : "");
    };
    EXPECT_EQ(fault(kPolicyVersion, kPolicyMaxWords, 3, "p", note), "");
    EXPECT_EQ(fault(kPolicyVersion + 1, 0, 0, "p", note), "it is of another version of the interface");
    EXPECT_EQ(fault(kPolicyVersion, kPolicyMaxWords + 1, 0, "p", note), "it asks for more than 4096 words of state");
    EXPECT_EQ(fault(kPolicyVersion, 0, 4, "p", note), "it asks to see what there is not");
    EXPECT_EQ(fault(kPolicyVersion, 0, 0, "", note), "it has no name");
    EXPECT_EQ(fault(kPolicyVersion, 0, 0, "p", nullptr), "it has no function");
}

} // namespace
} // namespace numavp::driver_test
