/// Machines whose pages are placed by a driver that is not ours (driver.execution foreign), in software and in RTL.
#include <cstring>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "base/values/error.h"
#include "common/system/derived.h"
#include "models/fault_server/device_map.h"
#include "models/fault_server/interrupt_line.h"
#include "models/mmu/table_memory.h"
#include "platform/machine/system.h"
#include "rtl/axi4_lite_blocks.h"
#include "rtl/blocks.h"
#include "tests/platform/machine/random_program.h"
#include "tests/platform/machine/small_system.h"
#include "tests/support/needs.h"
#include "tlm-links/axi_lite/axi_lite_monitor.h"
#include "tlm-links/axi_lite/axi_lite_to_tlm.h"

namespace numavp::test {
namespace {

constexpr unsigned kPageShift = 12;
constexpr std::uint64_t kFirstPage = RandomProgram::kBase >> kPageShift; ///< of a leaf table

SystemConfig with_foreign_driver(unsigned sockets) {
    SystemConfig c = small_system(sockets);
    c.translation.mode = TranslationMode::full;
    c.placement.page_kib = 1 << kPageShift >> 10;
    c.driver.execution = DriverExecution::foreign;
    c.driver.register_cycles = 5;
    return c;
}

RandomProgramShape small_program() {
    RandomProgramShape shape;
    shape.blocks = 12;
    shape.accesses = 12;
    shape.lines = 1024; // 32 pages
    return shape;
}

/// The driver's tables stand, their entries do not. Returns the address of the leaf table.
PhysicalAddress make_tables(System& system, const RandomProgram& program) {
    for (std::uint64_t page = 0; page << kPageShift < program.bytes(); ++page)
        system.page_table().write_leaf(kFirstPage + page, {});
    return system.page_table().slot(kFirstPage);
}

void expect_served(System& system, const RandomProgram& program) {
    EXPECT_EQ(program.wrong_in(system), "");
    const auto values = system.stats().values();
    EXPECT_GT(values.at("host").at("faults").at("done").get<unsigned>(), 20U);
    EXPECT_GT(values.at("host").at("core").at("register_reads").get<unsigned>(), 40U);
    EXPECT_EQ(values.at("host").at("core").at("bus_errors").get<unsigned>(), 0U);
}

/// A thread that serves faults through the port of the bus, with frames in turn of the sockets.
class ThreadDriver final : public sc_core::sc_module, public InterruptTaker {
  public:
    SC_HAS_PROCESS(ThreadDriver);
    ThreadDriver(sc_core::sc_module_name name, unsigned sockets, unsigned socket_shift)
        : sc_module(name), socket("socket"), sockets_(sockets), socket_shift_(socket_shift) {
        SC_THREAD(run);
    }
    tlm_utils::simple_initiator_socket<ThreadDriver> socket;
    PhysicalAddress leaf_table = 0;
    void interrupt(bool level) override {
        level_ = level;
        changed_.notify(sc_core::SC_ZERO_TIME);
    }

  private:
    using Reg = FaultUnitRegister;
    std::uint64_t access(std::uint64_t address, bool write, std::uint64_t value) {
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        payload.set_data_length(8);
        payload.set_streaming_width(8);
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        EXPECT_TRUE(payload.is_response_ok()) << payload.get_response_string();
        return value;
    }
    static std::uint64_t at(Reg reg) {
        return kFaultUnitBlock.base + kFaultUnitBlock.registers[static_cast<std::size_t>(reg)].offset;
    }
    void run() {
        access(at(Reg::control), true, 1);
        for (std::uint64_t served = 0;;) {
            while (!level_) wait(changed_);
            while ((access(at(Reg::head_info), false, 0) >> 17 & 1) != 0) {
                const std::uint64_t page = access(at(Reg::head_page), false, 0);
                const PhysicalAddress frame = served % sockets_ << socket_shift_ | served / sockets_ << kPageShift;
                ++served;
                access(kPlatformBase + leaf_table + 8 * (page % 512), true, TableWord::page(frame).bits);
                access(at(Reg::pop), true, 1);
                access(at(Reg::done), true, page);
            }
        }
    }
    std::uint64_t sockets_;
    unsigned socket_shift_;
    sc_core::sc_event changed_;
    bool level_ = false;
};

TEST(ForeignDriver, PlacesThePagesOfAMachine) {
    const SystemConfig config = with_foreign_driver(3);
    RandomProgram program(21, small_program());
    SystemOptions options;
    options.hooks = &program;
    System system(config, program.workload(), options);
    ThreadDriver driver("own_driver", config.sockets, address_map(config).socket_shift);
    driver.leaf_table = make_tables(system, program);
    driver.socket.bind(system.connect_driver(driver));
    system.run();
    expect_served(system, program);
}

/// Hands the interrupt line on to the bridge, which needs the port first.
struct LineToPins final : InterruptTaker {
    void interrupt(bool level) override { bridge->interrupt(level); }
    std::unique_ptr<AxiLiteToTlm> bridge;
};

TEST(ForeignDriver, MayBeRtlBehindAxi4Lite) {
    NUMAVP_NEEDS(rtl::missing().empty(), rtl::missing());
    const SystemConfig config = with_foreign_driver(2);
    RandomProgram program(22, small_program());
    SystemOptions options;
    options.hooks = &program;
    System system(config, program.workload(), options);
    rtl::FaultPollerBlock poller(
        {config.sockets, address_map(config).socket_shift, kPageShift, make_tables(system, program)});
    Clockwork rtl_clock("rtl_clock");
    LineToPins line;
    line.bridge = std::make_unique<AxiLiteToTlm>("pins", rtl_clock.domain(700'000), poller);
    AxiLiteMonitor monitor;
    line.bridge->observe([&](const auto& m, const auto& s) { monitor.observe(m, s); });
    line.bridge->socket.bind(system.connect_driver(line));
    system.run();
    expect_served(system, program);
    EXPECT_FALSE(poller.failed());
    EXPECT_EQ(monitor.breaches(), std::vector<std::string>{});
}

template <class Action> std::string refusal_of(Action action) {
    try {
        action();
    } catch (const ConfigError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(ForeignDriver, IsExpectedBeforeTheRun) {
    RandomProgram program(23, small_program());
    System system(with_foreign_driver(2), program.workload());
    EXPECT_THAT(refusal_of([&] { system.run(); }),
                ::testing::HasSubstr("driver.execution: foreign leaves the driver to a program around the library"));
}

TEST(ForeignDriver, HasNoPlaceBesideOurs) {
    RandomProgram program(24, small_program());
    SystemConfig config = with_foreign_driver(2);
    config.driver.execution = DriverExecution::native;
    System system(config, program.workload());
    LineToPins line;
    EXPECT_THAT(refusal_of([&] { system.connect_driver(line); }),
                ::testing::HasSubstr("native has no place for a driver"));
}

} // namespace
} // namespace numavp::test
