/// Several cores as a module, before a memory that takes a write long after it was sent: what a phase has written is in
/// memory when it ends, and nobody reads a line before the write that brings it there.
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "models/cpu/host_core.h"
#include "models/paging/page_placement.h"
#include "models/paging/page_table.h"
#include "tests/models/cpu/shared_bench.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp::test {
namespace {

/// Reads see what has come before them, and are answered after some cycles; writes are in memory for others when they
/// are answered, after many.
class SlowMemory final : public sc_core::sc_module, private Arbiter, private ResponderIf {
  public:
    SlowMemory(sc_core::sc_module_name name, ClockDomain& clock)
        : sc_module(name), Arbiter(clock, {1, kRankSlice, 0}), port_("port", clock, {64, Part::noc}, *this, 0),
          inlet_(64) {
        port_.set_feeder(*this);
    }
    tlm::tlm_target_socket<>& socket() { return port_.socket; }
    unsigned char answered(std::uint64_t address) const {
        const auto found = answered_.find(address);
        return found == answered_.end() ? 0 : found->second;
    }

  private:
    static constexpr Cycle kRead = 60;
    /// Every third line has a slow home.
    static Cycle write_cycles(std::uint64_t line) { return line / kLineBytes % 3 == 0 ? 900 : 40; }
    bool request(unsigned, Txn& txn) override {
        wake();
        return inlet_.arrive(txn);
    }
    void arbitrate() override {
        while (!inlet_.empty()) {
            Txn& txn = inlet_.pop();
            if (Txn* admitted = inlet_.admit()) port_.end_request(*admitted, domain_.now() + 1);
            for (unsigned i = 0; i < kLineBytes; ++i) {
                if (txn.is_write() && txn.mask.test(i)) come_[txn.virtual_line + i] = txn.data[i];
                if (!txn.is_write()) txn.data[i] = come_[txn.virtual_line + i];
            }
            due_.emplace(domain_.now() + (txn.is_write() ? write_cycles(txn.virtual_line) : kRead), &txn);
        }
        while (!due_.empty() && due_.begin()->first <= domain_.now() && port_.ready()) {
            Txn& txn = *due_.begin()->second;
            due_.erase(due_.begin());
            for (unsigned i = 0; txn.is_write() && i < kLineBytes; ++i)
                if (txn.mask.test(i)) answered_[txn.virtual_line + i] = txn.data[i];
            txn.set_response_status(tlm::TLM_OK_RESPONSE);
            port_.send(txn, domain_.now() + 1);
        }
        if (!due_.empty()) wake_at(due_.begin()->first);
    }

    TargetPort port_;
    Inlet inlet_;
    std::multimap<Cycle, Txn*> due_;
    std::map<std::uint64_t, unsigned char> come_, answered_;
};

/// The flat memory, and who wrote each byte last.
class Writers final : public DataHooks {
  public:
    void produce(std::uint64_t cookie, std::uint64_t line, ByteMask mask, unsigned char* data) override {
        bytes.produce(cookie, line, mask, data);
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (mask.test(i)) last[line + i] = cookie;
    }
    void consume(std::uint64_t cookie, std::uint64_t line, ByteMask mask, const unsigned char* data) override {
        bytes.consume(cookie, line, mask, data);
    }
    FlatBytes bytes;
    std::map<std::uint64_t, std::uint64_t> last;
};

struct Starter final : Handler {
    Starter() { node.handler = this; }
    void deliver(Node&) override { what(); }
    std::function<void()> what;
    Node node;
};

/// Streams of phases, one behind the other.
class HostCoreModule : public ::testing::Test {
  protected:
    static HostCoreConfig config() {
        HostCoreConfig c;
        c.cores = 3;
        c.l1_kib = 1;
        c.l1_ways = 2;
        c.l2_kib = 4;
        c.l2_ways = 4;
        return c;
    }
    HostCoreModule() {
        pool_.functional = true;
        map_.memories = 1;
        core_ = std::make_unique<HostCore>("core", config(),
                                           HostCore::Resources{domain_, pool_, map_, space_, SocketId(0), 0, &writers_,
                                                               [this](const std::string& why) { fault_ = why; }});
        core_->port().bind(memory_.socket());
        core_->on_end = [this](const HostCore::Ended& ended) { ended_core_ = ended.core; };
    }
    void begin(std::uint64_t stream) {
        if (left_[stream]-- == 0) return;
        Launch launch;
        launch.what = Launch::What::host;
        launch.stream = stream;
        launch.host = std::make_shared<HostPhase>(drawn_phase(rng_, 2048));
        EXPECT_FALSE(core_->run(launch, [this, stream] {
            check(IntervalCore::kCookie - ended_core_);
            begin(stream);
        }));
    }
    /// What a core was the last to write is in memory.
    void check(std::uint64_t cookie) {
        ++phases_;
        for (const auto& [address, writer] : writers_.last)
            if (writer == cookie && memory_.answered(address) != writers_.bytes.flat.at(address) && fault_.empty())
                fault_ = fmt::format("{:#x} is not in memory behind phase {}", address, phases_);
    }

    Clockwork clockwork_{"clockwork"};
    ClockDomain& domain_ = clockwork_.domain(1'000'000);
    TxnPool pool_;
    AddressMap map_;
    FirstTouchPlacement placement_;
    PageTable pages_{{1, 1U << 30, 65536, 48}, placement_};
    AddressSpace space_{pages_, nullptr};
    Writers writers_;
    SlowMemory memory_{"memory", domain_};
    std::unique_ptr<HostCore> core_;
    Starter starter_;
    Rng rng_{11};
    std::array<unsigned, 5> left_{12, 12, 12, 12, 12};
    unsigned ended_core_ = 0, phases_ = 0;
    std::string fault_;
};

TEST_F(HostCoreModule, EndsPhasesWhenTheirLinesAreInMemory) {
    starter_.what = [this] {
        for (std::uint64_t stream = 0; stream < left_.size(); ++stream) begin(stream);
    };
    domain_.at_from_outside(1, starter_.node);
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_MS));
    EXPECT_EQ(fault_, "");
    EXPECT_EQ(writers_.bytes.wrong, "");
    EXPECT_EQ(phases_, 60U);
    for (const auto& [address, value] : writers_.bytes.flat)
        ASSERT_EQ(memory_.answered(address), value) << std::hex << address;
}

} // namespace
} // namespace numavp::test
