/// AXI4 manager and Verilated memory on bare pins: whole, and with faults of either side put between them, each of
/// which the monitor must name, or the comparison of values where no rule of the pins is broken.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "models/base/error.h"
#include "models/base/rng.h"
#include "rtl/blocks.h"
#include "tests/support/fast_build.h"
#include "tests/support/needs.h"
#include "tlm-links/axi/axi4_manager.h"
#include "tlm-links/axi/axi4_monitor.h"
#include "tlm-links/flat_memory.h"

namespace numavp::test {
namespace {

using rtl::AxiManagerPins;
using rtl::AxiSubordinatePins;

/// Changes pins on their way. Both sides at the edge before, and a place to remember something.
struct Tamper {
    AxiManagerPins before_m;
    AxiSubordinatePins before_s;
    std::uint64_t memory = 0;
    std::function<void(Tamper&, AxiManagerPins&)> manager = [](Tamper&, AxiManagerPins&) {};
    std::function<void(Tamper&, AxiSubordinatePins&)> subordinate = [](Tamper&, AxiSubordinatePins&) {};

    bool ar_waits() const { return before_m.ar.valid && !before_s.arready; }
    bool aw_waits() const { return before_m.aw.valid && !before_s.awready; }
    bool w_waits() const { return before_m.w.valid && !before_s.wready; }
    bool r_waits() const { return before_s.r.valid && !before_m.rready; }
    bool b_waits() const { return before_s.b.valid && !before_m.bready; }
};

/// Random accesses through the pins, each read compared with a flat memory in the order of the requests.
class Loop {
  public:
    Loop(unsigned stall, const Axi4ManagerConfig& config, std::uint64_t seed)
        : ram_(stall), manager_(config), random_(seed) {}

    Axi4Monitor monitor{5'000};
    Tamper tamper;
    unsigned wrong = 0;
    unsigned done = 0;
    bool manager_objects = false; ///< it threw a ModelError

    /// Until `count` accesses are done, something is noticed, or `edges` have passed.
    void run(unsigned count, std::uint64_t edges) {
        for (std::uint64_t i = 0; i < edges && done < count && monitor.breaches().empty() && !manager_objects; ++i) {
            while (begun_ < count && manager_.can_take()) begin();
            edge();
        }
        if (done == count) monitor.finish();
    }

  private:
    struct Access : Axi4Access {
        std::vector<unsigned char> expected;
    };

    void begin() {
        ++begun_;
        auto access = std::make_unique<Access>();
        access->write = random_.chance(1, 2);
        access->bytes.resize(1 + random_.below(random_.chance(1, 4) ? 5'000 : 300));
        access->address = random_.below(rtl::Axi4RamBlock::kBytes - access->bytes.size() + 1);
        if (access->write) {
            for (auto& byte : access->bytes) byte = static_cast<unsigned char>(random_.next());
            reference_.write(access->address, access->bytes.data(), access->bytes.size());
        } else {
            access->expected.resize(access->bytes.size());
            reference_.read(access->address, access->expected.data(), access->expected.size());
        }
        manager_.take(*access);
        accesses_.push_back(std::move(access));
    }

    void edge() {
        AxiManagerPins m = manager_.pins();
        tamper.manager(tamper, m);
        ram_.settle(m);
        AxiSubordinatePins s = ram_.pins();
        tamper.subordinate(tamper, s);
        monitor.observe(m, s);
        // Each side takes part in the handshakes that are on the pins, and in no other.
        AxiManagerPins to_ram = m;
        to_ram.aw.valid = m.aw.valid && s.awready;
        to_ram.w.valid = m.w.valid && s.wready;
        to_ram.ar.valid = m.ar.valid && s.arready;
        to_ram.bready = m.bready && s.b.valid;
        to_ram.rready = m.rready && s.r.valid;
        AxiSubordinatePins to_manager = s;
        to_manager.b.valid = s.b.valid && m.bready;
        to_manager.r.valid = s.r.valid && m.rready;
        ram_.settle(to_ram);
        try {
            manager_.edge(to_manager);
        } catch (const ModelError&) {
            manager_objects = true;
        }
        ram_.edge();
        tamper.before_m = m;
        tamper.before_s = s;
        while (auto* access = static_cast<Access*>(manager_.pop_finished())) finish(*access);
    }

    void finish(Access& access) {
        ++done;
        if (access.response != rtl::kAxiOkay || (!access.write && access.bytes != access.expected)) ++wrong;
        accesses_.erase(std::find_if(accesses_.begin(), accesses_.end(), [&](auto& a) { return a.get() == &access; }));
    }

    rtl::Axi4RamBlock ram_;
    Axi4Manager manager_;
    Rng random_;
    FlatMemory reference_;
    unsigned begun_ = 0;
    std::vector<std::unique_ptr<Access>> accesses_;
};

class Axi4PinsKept : public ::testing::TestWithParam<std::tuple<Axi4ManagerConfig, unsigned>> {};

TEST_P(Axi4PinsKept, ByBothSides) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const auto& [config, stall] = GetParam();
    const unsigned count = kFastBuild ? 84'000 : 3'000; // a million in all
    Loop loop(stall, config, stall);
    loop.run(count, 1'000ULL * count);
    EXPECT_EQ(loop.done, count);
    EXPECT_EQ(loop.wrong, 0U);
    EXPECT_FALSE(loop.manager_objects);
    EXPECT_EQ(loop.monitor.breaches(), std::vector<std::string>{});
}
INSTANTIATE_TEST_SUITE_P(All, Axi4PinsKept,
                         ::testing::Combine(::testing::Values(Axi4ManagerConfig{}, Axi4ManagerConfig{16, 4, 1, 1},
                                                              Axi4ManagerConfig{1, 1, 1, 64},
                                                              Axi4ManagerConfig{4, 16, 8, 16}),
                                            ::testing::Values(0U, 64U, 230U)));

/// Lines of 128 bytes, one after the other, reads or writes: edges until all are done.
unsigned edges_for_lines(bool write, unsigned lines) {
    rtl::Axi4RamBlock ram;
    Axi4Manager manager({});
    std::vector<Axi4Access> accesses(lines);
    unsigned begun = 0;
    unsigned done = 0;
    unsigned edges = 0;
    for (; done < lines && edges < 100'000; ++edges) {
        for (; begun < lines && manager.can_take(); ++begun) {
            accesses[begun].write = write;
            accesses[begun].address = begun * 128 % rtl::Axi4RamBlock::kBytes;
            accesses[begun].bytes.resize(128);
            manager.take(accesses[begun]);
        }
        manager.edge(ram.pins());
        ram.edge();
        ram.settle(manager.pins());
        while (manager.pop_finished()) ++done;
    }
    return edges;
}

TEST(Axi4Pins, CarryABeatNearlyEveryCycle) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    constexpr unsigned kLines = 5'000;
    EXPECT_LE(edges_for_lines(false, kLines), 2 * kLines * 100 / 98);
    EXPECT_LE(edges_for_lines(true, kLines), 2 * kLines * 100 / 98);
    EXPECT_GE(edges_for_lines(false, kLines), 2 * kLines); // no beat is wider than the pins
}

struct Fault {
    const char* what;
    const char* rule; ///< part of the breach; null: the pins keep to all rules, the values are wrong
    std::function<void(Tamper&, AxiManagerPins&)> manager;
    std::function<void(Tamper&, AxiSubordinatePins&)> subordinate;
};

std::vector<Fault> faults_of_managers() {
    using T = Tamper;
    using M = AxiManagerPins;
    return {
        {"ARADDR moves while it waits",
         "a read address changed",
         [](T& t, M& m) { m.ar.addr += t.ar_waits() ? 64 : 0; },
         {}},
        {"AWADDR moves while it waits",
         "a write address changed",
         [](T& t, M& m) { m.aw.addr += t.aw_waits() ? 64 : 0; },
         {}},
        {"AWID changes while it waits",
         "a write address changed",
         [](T& t, M& m) { m.aw.id ^= t.aw_waits() ? 1 : 0; },
         {}},
        {"ARVALID is withdrawn", "a read address changed", [](T& t, M& m) { m.ar.valid &= !t.ar_waits(); }, {}},
        {"WVALID is withdrawn", "write data changed", [](T& t, M& m) { m.w.valid &= !t.w_waits(); }, {}},
        {"WDATA changes while it waits",
         "write data changed",
         [](T& t, M& m) {
             if (t.w_waits()) m.w.data[5] ^= 1U;
         },
         {}},
        {"WLAST comes with the first beat", "WLAST is not", [](T&, M& m) { m.w.last = true; }, {}},
        {"WLAST never comes", "WLAST is not", [](T&, M& m) { m.w.last = false; }, {}},
        {"strobes before an unaligned address", "a strobe is outside", [](T&, M& m) { m.w.strb = ~0ULL; }, {}},
        {"bursts cross 4 KB", "crosses 4 KB", [](T&, M& m) { m.ar.len = 255; }, {}},
        {"the burst type is reserved", "is reserved", [](T&, M& m) { m.ar.burst = 3; }, {}},
        {"beats of 128 bytes", "wider than the data", [](T&, M& m) { m.aw.size = 7; }, {}},
        {"WRAP of many beats", "too long", [](T&, M& m) { m.ar.burst = 2; }, {}},
        {"read data is never taken", "read data is never taken", [](T&, M& m) { m.rready = false; }, {}},
        {"write responses are never taken", "a write response is never taken", [](T&, M& m) { m.bready = false; }, {}},
        {"a read comes from a line farther on", nullptr, [](T&, M& m) { m.ar.addr = (m.ar.addr + 4096) % 65536; }, {}},
    };
}

std::vector<Fault> faults_of_subordinates() {
    using T = Tamper;
    using S = AxiSubordinatePins;
    return {
        {"RDATA changes while it waits",
         "read data changed",
         {},
         [](T& t, S& s) {
             if (t.r_waits()) s.r.data[9] ^= 1U;
         }},
        {"RVALID is withdrawn", "read data changed", {}, [](T& t, S& s) { s.r.valid &= !t.r_waits(); }},
        {"BVALID is withdrawn", "a write response changed", {}, [](T& t, S& s) { s.b.valid &= !t.b_waits(); }},
        {"RID is nobody's", "an id that waits for none", {}, [](T&, S& s) { s.r.id = 15 - s.r.id; }},
        {"BID is nobody's", "to an id that waits for none", {}, [](T&, S& s) { s.b.id = 15 - s.b.id; }},
        {"RLAST comes with the first beat", "RLAST is not", {}, [](T&, S& s) { s.r.last = true; }},
        {"RLAST never comes", "RLAST is not", {}, [](T&, S& s) { s.r.last = false; }},
        {"BVALID before the last beat",
         "before the last beat",
         {},
         [](T& t, S& s) {
             if (t.before_m.aw.valid && t.before_s.awready && t.before_m.aw.len > 1) t.memory = t.before_m.aw.id + 1;
             if (t.memory != 0) s.b = {true, static_cast<unsigned>(t.memory - 1), 0};
         }},
        {"EXOKAY to a read", "that nothing asks for", {}, [](T&, S& s) { s.r.resp = rtl::kAxiExokay; }},
        {"EXOKAY to a write", "that nothing asks for", {}, [](T&, S& s) { s.b.resp = rtl::kAxiExokay; }},
        {"write addresses are never taken", "a write address is never taken", {}, [](T&, S& s) { s.awready = false; }},
        {"read addresses are never taken", "a read address is never taken", {}, [](T&, S& s) { s.arready = false; }},
        {"write data is never taken", "write data is never taken", {}, [](T&, S& s) { s.wready = false; }},
        {"nothing is answered", "nothing is answered", {}, [](T&, S& s) { s.r.valid = s.b.valid = false; }},
        {"a bit of read data is wrong", nullptr, {}, [](T&, S& s) { s.r.data[17] ^= 4U; }},
        {"every write fails", nullptr, {}, [](T&, S& s) { s.b.resp = rtl::kAxiSlverr; }},
    };
}

void expect_noticed(const std::vector<Fault>& faults) {
    for (const Fault& fault : faults) {
        SCOPED_TRACE(fault.what);
        Loop loop(120, {16, 4, 1, 64}, 3);
        if (fault.manager) loop.tamper.manager = fault.manager;
        if (fault.subordinate) loop.tamper.subordinate = fault.subordinate;
        loop.run(500, 200'000);
        if (fault.rule) {
            ASSERT_FALSE(loop.monitor.breaches().empty());
            EXPECT_NE(loop.monitor.breaches()[0].find(fault.rule), std::string::npos) << loop.monitor.breaches()[0];
        } else {
            EXPECT_EQ(loop.monitor.breaches(), std::vector<std::string>{});
            EXPECT_GT(loop.wrong, 0U);
        }
    }
}

TEST(Axi4Monitor, NamesTheFaultsOfManagers) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    expect_noticed(faults_of_managers());
}

TEST(Axi4Monitor, NamesTheFaultsOfSubordinates) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    expect_noticed(faults_of_subordinates());
}

} // namespace
} // namespace numavp::test
