/// A program with twice the pages that the GPU's memory holds: it ends, and the driver's C code moves the same pages
/// natively and on the RISC-V core. tests/platform/machine/driven_system_test.cpp has the values (MemoryPressure).
#include <set>
#include <string>
#include <vector>

#include "tests/platform/cli/cli_fixture.h"
#include "tests/support/needs.h"
#include "tests/support/places.h"

namespace numavp::test {
namespace {

class Oversubscribed : public Cli {
  protected:
    struct Served {
        std::vector<std::string> pages; ///< in the order of the faults
        nlohmann::json copy_engine;
        nlohmann::json invalidations;
    };
    /// A stencil in pages of 4 KiB on one SM with one block at a time, so that the faults' order is the program's.
    Served run(const std::string& execution, const std::string& pages) const {
        const std::string faults = execution + ".csv";
        Args words{"run", "numa-aware-4", "stencil-2d", "--scale", "0.001", "--quiet", "--out", execution};
        words.insert(words.end(), {"--record-faults", faults});
        for (const std::string& setting :
             {std::string("sockets=1"), std::string("socket.sms=1"), std::string("socket.sm.block_slots=1"),
              std::string("translation.mode=full"), std::string("placement.page_kib=4"),
              std::string("driver.policy=first_touch"), std::string("driver.fill=zeros"),
              "driver.execution=" + execution, "driver.pages=" + pages}) {
            words.emplace_back("--set");
            words.push_back(setting);
        }
        const Ended ended = numavp(words);
        EXPECT_EQ(ended.status, 0) << ended.err;
        const auto host = json_of(execution + "/results.json").at("statistics").at("host");
        return {pages_of(text_of(faults)), host.at("copy_engine"), host.at("faults").at("invalidations")};
    }

  private:
    /// The second column, without its title.
    static std::vector<std::string> pages_of(const std::string& csv) {
        std::vector<std::string> pages;
        for (std::size_t at = csv.find('\n') + 1; at < csv.size(); at = csv.find('\n', at) + 1) {
            const std::size_t from = csv.find(',', at) + 1;
            pages.push_back(csv.substr(from, csv.find(',', from) - from));
        }
        return pages;
    }
};

TEST_F(Oversubscribed, BothExecutionsMoveTheSamePages) {
    NUMAVP_NEEDS(firmware_missing().empty(), firmware_missing());
    const Served roomy = run("native", "0");
    const std::size_t all = roomy.pages.size();
    ASSERT_GE(all, 30U);
    EXPECT_EQ(std::set<std::string>(roomy.pages.begin(), roomy.pages.end()).size(), all) << "one fault a page";
    EXPECT_EQ(roomy.copy_engine.at("copies"), 0);
    const std::string half = std::to_string(all / 2);
    const Served native = run("native", half), riscv = run("riscv", half);
    EXPECT_EQ(native.pages, riscv.pages);
    EXPECT_EQ(native.copy_engine, riscv.copy_engine);
    EXPECT_EQ(native.invalidations, riscv.invalidations);
    // All but the pages that are left at the end went to the host; those that came back faulted again.
    const std::size_t faults = native.pages.size(), evicted = faults - all / 2, returned = faults - all;
    EXPECT_GT(returned, all);
    EXPECT_EQ(native.invalidations, evicted);
    EXPECT_EQ(native.copy_engine.at("copies"), evicted + returned);
}

} // namespace
} // namespace numavp::test
