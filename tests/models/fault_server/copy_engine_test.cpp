/// The copy engine by its registers: which ranges it refuses, and what a fill of the page table leaves there.
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "models/fault_server/copy_engine.h"
#include "tests/tlm-links/traffic_ends.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

constexpr unsigned kSockets = 2, kMemoryShift = 34;
constexpr std::uint64_t kSocketBytes = 4096, kHostBytes = 8192;

/// Ports belong to a module.
struct Board final : sc_core::sc_module {
    Board(sc_core::sc_module_name name, const CopyEngineConfig& config, const CopyEngine::Resources& resources)
        : sc_module(name), engine(config, resources) {}
    CopyEngine engine;
};

struct Caller final : Handler {
    Caller() { node.handler = this; }
    void deliver(Node&) override { what(); }
    std::function<void()> what;
    Node node;
};

class CopyEngineTest : public ::testing::Test {
  protected:
    void make(bool alone) {
        map.memories = kSockets + 1;
        CopyEngineConfig config;
        config.socket_bytes = kSocketBytes;
        config.host_bytes = kHostBytes;
        config.alone = alone;
        board = std::make_unique<Board>(
            "board", config,
            CopyEngine::Resources{domain, Rank{0, kRankSm, 0}, pool, map, table, SocketId(kSockets), line, 0});
        engine = &board->engine;
        for (unsigned p = 0; p <= kSockets; ++p) {
            if (alone && p != kSockets) continue;
            takers.push_back(std::make_unique<Taker>(("taker" + std::to_string(p)).c_str(), domain, p));
            (p < kSockets ? engine->socket_port(p) : engine->memory_port()).bind(takers.back()->socket());
        }
    }
    /// Registers are written within an edge, as a driver's bus does; then a microsecond passes.
    void at_next_edge(std::function<void()> what) {
        caller.what = std::move(what);
        domain.at_from_outside(sc_core::sc_time_stamp().value() / 1000 + 1, caller.node);
        sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
    }
    void write(CopyEngineRegister reg, std::uint64_t value) {
        engine->write_register(static_cast<std::size_t>(reg), value);
    }
    std::uint64_t status() const { return engine->peek_register(static_cast<std::size_t>(CopyEngineRegister::status)); }
    /// Whether the engine takes the command; it has performed it on return.
    bool takes(std::uint64_t command, std::uint64_t source, std::uint64_t target, std::uint64_t bytes) {
        bool refused = false;
        at_next_edge([&] {
            write(CopyEngineRegister::source, source);
            write(CopyEngineRegister::target, target);
            write(CopyEngineRegister::bytes, bytes);
            write(CopyEngineRegister::command, command);
            refused = (status() & 2) != 0;
            EXPECT_EQ(status() & 1, refused ? 0U : 1U);
        });
        EXPECT_EQ(status() & 1, 0U) << "it has not ended";
        return !refused;
    }
    bool fills(std::uint64_t target, std::uint64_t bytes) { return takes(2, 0, target, bytes); }
    static std::uint64_t in(unsigned memory, std::uint64_t offset) {
        return (std::uint64_t{memory} << kMemoryShift) + offset;
    }

    Clockwork clockwork{"clockwork"};
    ClockDomain& domain = clockwork.domain(1'000'000);
    TxnPool pool;
    AddressMap map;
    TableMemory memory;
    RadixTable table{RadixLayout(48, 16), TableRegion{MemoryId(0), kSockets, kMemoryShift, 0, 1}, memory};
    InterruptLine line;
    Caller caller;
    std::unique_ptr<Board> board;
    CopyEngine* engine = nullptr;
    std::vector<std::unique_ptr<Taker>> takers;
};

TEST_F(CopyEngineTest, TakesWholeLinesOfOneMemoryAndRefusesTheRest) {
    make(false);
    struct Row {
        unsigned memory;
        std::uint64_t offset, bytes;
        bool sound;
    };
    const Row rows[] = {
        {0, 0, kLineBytes, true},
        {1, 0, kSocketBytes, true},
        {1, kSocketBytes - kLineBytes, kLineBytes, true},
        {1, kSocketBytes - kLineBytes, 2 * kLineBytes, false},
        {1, kSocketBytes, kLineBytes, false},
        {1, 0, kSocketBytes + kLineBytes, false},
        {kSockets, 0, kHostBytes, true},
        {kSockets, kHostBytes - kLineBytes, kLineBytes, true},
        {kSockets, kHostBytes, kLineBytes, false},
        {kSockets, 0, kHostBytes + kLineBytes, false},
        {kSockets + 1, 0, kLineBytes, false}, // no memory
        {0, 0, 0, false},
        {0, 64, kLineBytes, false},
        {0, 0, kLineBytes / 2, false},
    };
    std::uint64_t refused = 0, filled = 0;
    for (const Row& row : rows) {
        EXPECT_EQ(fills(in(row.memory, row.offset), row.bytes), row.sound)
            << "memory " << row.memory << ", " << row.offset << " + " << row.bytes;
        ++(row.sound ? filled : refused);
    }
    EXPECT_EQ(engine->counts().fills, filled);
    EXPECT_EQ(engine->counts().refused, refused);
    EXPECT_FALSE(takes(3, in(0, 0), in(1, 0), kLineBytes)) << "no such command";
    EXPECT_TRUE(takes(1, in(0, 0), in(1, 0), kLineBytes));
    EXPECT_TRUE(takes(1, in(kSockets, 0), in(1, 0), kLineBytes));
    EXPECT_FALSE(takes(1, in(0, kSocketBytes), in(1, 0), kLineBytes));
    EXPECT_FALSE(takes(1, in(kSockets, 0), in(kSockets, 1024), kLineBytes)) << "the host has no engine for itself";
    EXPECT_EQ(engine->counts().refused, refused + 3);
}

TEST_F(CopyEngineTest, AHostAloneKnowsItsOwnMemoryOnly) {
    make(true);
    EXPECT_TRUE(fills(in(kSockets, 0), kLineBytes));
    EXPECT_FALSE(fills(in(0, 0), kLineBytes));
    EXPECT_FALSE(fills(in(1, 0), kLineBytes));
}

TEST_F(CopyEngineTest, AFillOfTheTableClearsTheWordsOfItsLinesAlone) {
    make(false);
    for (std::uint64_t at = 0; at < 3 * kLineBytes; at += 8) memory.write(in(1, at), {at + 1});
    EXPECT_TRUE(fills(in(1, kLineBytes), kLineBytes));
    for (std::uint64_t at = 0; at < 3 * kLineBytes; at += 8) {
        const bool cleared = at / kLineBytes == 1;
        EXPECT_EQ(memory.read(in(1, at)).bits, cleared ? 0 : at + 1) << at;
    }
}

/// A line is read and then written: each packet takes a cycle on its wire, and so does each of their answers.
TEST_F(CopyEngineTest, ACopyTakesTheCyclesOfItsWires) {
    make(false);
    std::uint64_t took_ps = 0;
    engine->on_end = [&](std::uint64_t started_ps, std::uint64_t bytes, SocketId from, SocketId to) {
        EXPECT_EQ(bytes, kLineBytes);
        EXPECT_EQ(from, SocketId(0));
        EXPECT_EQ(to, SocketId(1));
        took_ps = clockwork.now_ps() - started_ps;
    };
    EXPECT_TRUE(takes(1, in(0, 0), in(1, 0), kLineBytes));
    EXPECT_EQ(engine->counts().copied_bytes, kLineBytes);
    ASSERT_EQ(takers[0]->taken.size(), 0U);
    ASSERT_EQ(takers[1]->taken.size(), 2U);
    EXPECT_EQ(takers[1]->taken[1].at - takers[1]->taken[0].at, 2U);
    EXPECT_EQ(took_ps, 4'000U);
    EXPECT_EQ(engine->progress_ps(), 1000 * (takers[1]->taken[1].at + 1)) << "when the write was answered";
    EXPECT_EQ(pool.in_flight(), 0U);
}

/// Of a copy from or to the host the socket's engine does all, of one between sockets the target's; the host's fills
/// its own memory.
TEST_F(CopyEngineTest, TheEngineIsTheSocketsOrTheTargets) {
    make(false);
    struct Row {
        std::uint64_t command;
        unsigned from, to, engine;
    };
    using Addresses = std::vector<std::uint64_t>;
    for (const Row& row : {Row{1, kSockets, 1, 1}, Row{1, 1, kSockets, 1}, Row{1, 1, 0, 0}, Row{1, 0, 1, 1},
                           Row{1, 0, 0, 0}, Row{2, 0, kSockets, kSockets}, Row{2, kSockets, 1, 1}}) {
        for (const auto& taker : takers) taker->taken.clear();
        EXPECT_TRUE(takes(row.command, in(row.from, 0), in(row.to, 2048), 2 * kLineBytes));
        Addresses read, written;
        for (unsigned port = 0; port <= kSockets; ++port) {
            EXPECT_EQ(takers[port]->taken.empty(), port != row.engine) << row.from << " to " << row.to << ": " << port;
            for (const Taker::Taken& one : takers[port]->taken)
                (one.kind == Kind::store ? written : read).push_back(one.line);
        }
        EXPECT_EQ(written, (Addresses{in(row.to, 2048), in(row.to, 2048 + kLineBytes)}));
        EXPECT_EQ(read, row.command == 2 ? Addresses() : Addresses({in(row.from, 0), in(row.from, kLineBytes)}));
    }
    EXPECT_EQ(engine->counts().copies, 5U);
    EXPECT_EQ(engine->counts().copied_bytes, 5 * 2 * kLineBytes);
    EXPECT_EQ(engine->counts().fills, 2U);
    EXPECT_EQ(engine->counts().filled_bytes, 2 * 2 * kLineBytes);
}

/// A command that ends raises the line, if interrupts are on, until the driver has read how many have ended.
TEST_F(CopyEngineTest, InterruptsUntilItsCountIsRead) {
    make(false);
    const auto read = [this](CopyEngineRegister reg) { return engine->read_register(static_cast<std::size_t>(reg)); };
    EXPECT_TRUE(fills(in(0, 0), kLineBytes));
    EXPECT_FALSE(line.level()) << "interrupts are off";
    at_next_edge([&] { write(CopyEngineRegister::control, 1); });
    EXPECT_TRUE(line.level()) << "one has ended before";
    EXPECT_EQ(engine->peek_register(static_cast<std::size_t>(CopyEngineRegister::done_count)), 1U);
    EXPECT_TRUE(line.level()) << "a debugger's look changes nothing";
    EXPECT_EQ(read(CopyEngineRegister::done_count), 1U);
    EXPECT_FALSE(line.level());
    EXPECT_TRUE(fills(in(0, 0), kLineBytes));
    EXPECT_TRUE(line.level());
    EXPECT_EQ(read(CopyEngineRegister::done_count), 2U);
    EXPECT_FALSE(line.level());
}

} // namespace
} // namespace numavp::test
