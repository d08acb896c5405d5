/// Pin-level SystemC models with sc_in and sc_out, as another team brings them, and the same behind struct pins.
#pragma once

#include <deque>

#include "base/values/rng.h"
#include "tlm-links/axi/axi4_manager.h"
#include "tlm-links/axi/axi4_signals.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp::test {

/// A memory whose outputs are all registers. One burst of each direction at a time, with random pauses.
class RegisteredMemory {
  public:
    explicit RegisteredMemory(std::uint64_t seed) : random_(seed) {}
    rtl::AxiSubordinatePins out;
    FlatMemory memory;

    void edge(const rtl::AxiManagerPins& m);

  private:
    void write(const rtl::AxiManagerPins& m);
    void read(const rtl::AxiManagerPins& m);
    bool pause() { return random_.chance(1, 4); }

    Rng random_;
    rtl::AxiAddressPins writing_, reading_; ///< valid: a burst is under way
};

class StructMemory final : public rtl::AxiSubordinate {
  public:
    explicit StructMemory(std::uint64_t seed) : core(seed) {}
    void edge() override { core.edge(settled_); }
    void settle(const rtl::AxiManagerPins& pins) override { settled_ = pins; }
    const rtl::AxiSubordinatePins& pins() const override { return core.out; }
    RegisteredMemory core;

  private:
    rtl::AxiManagerPins settled_;
};

/// Ports of the names of the signals.
template <template <class> class FromManager, template <class> class FromSubordinate>
struct Axi4Ports : sc_core::sc_module {
    using sc_module::sc_module;
    template <class T> using M = FromManager<T>;
    template <class T> using S = FromSubordinate<T>;
    sc_core::sc_in<bool> aclk{"aclk"}, aresetn{"aresetn"};
    M<bool> awvalid{"awvalid"}, wvalid{"wvalid"}, wlast{"wlast"}, bready{"bready"}, arvalid{"arvalid"},
        rready{"rready"};
    M<std::uint32_t> awid{"awid"}, awlen{"awlen"}, awsize{"awsize"}, awburst{"awburst"};
    M<std::uint32_t> arid{"arid"}, arlen{"arlen"}, arsize{"arsize"}, arburst{"arburst"};
    M<std::uint64_t> awaddr{"awaddr"}, wstrb{"wstrb"}, araddr{"araddr"};
    M<Axi4DataSignal> wdata{"wdata"};
    S<bool> awready{"awready"}, wready{"wready"}, bvalid{"bvalid"}, arready{"arready"}, rvalid{"rvalid"},
        rlast{"rlast"};
    S<std::uint32_t> bid{"bid"}, bresp{"bresp"}, rid{"rid"}, rresp{"rresp"};
    S<Axi4DataSignal> rdata{"rdata"};

    void bind(Axi4Signals& s) { bind(s, s.aclk); }
    void bind(Axi4Signals& s, sc_core::sc_signal_in_if<bool>& clock) {
        aclk(clock), aresetn(s.aresetn);
        awvalid(s.awvalid), awready(s.awready), awid(s.awid), awaddr(s.awaddr), awlen(s.awlen), awsize(s.awsize);
        awburst(s.awburst), wvalid(s.wvalid), wready(s.wready), wdata(s.wdata), wstrb(s.wstrb), wlast(s.wlast);
        bvalid(s.bvalid), bready(s.bready), bid(s.bid), bresp(s.bresp);
        arvalid(s.arvalid), arready(s.arready), arid(s.arid), araddr(s.araddr), arlen(s.arlen), arsize(s.arsize);
        arburst(s.arburst), rvalid(s.rvalid), rready(s.rready), rid(s.rid), rdata(s.rdata), rresp(s.rresp);
        rlast(s.rlast);
    }
};
using SubordinatePorts = Axi4Ports<sc_core::sc_in, sc_core::sc_out>;
using ManagerPorts = Axi4Ports<sc_core::sc_out, sc_core::sc_in>;

/// The memory at the pins.
struct PinMemory final : SubordinatePorts {
    SC_HAS_PROCESS(PinMemory);
    PinMemory(sc_core::sc_module_name name, std::uint64_t seed) : SubordinatePorts(name), core(seed) {
        SC_METHOD(edge);
        sensitive << aclk.pos();
        dont_initialize();
    }
    RegisteredMemory core;

  private:
    void edge() {
        if (!aresetn.read()) return;
        rtl::AxiManagerPins m;
        read_pins(static_cast<const SubordinatePorts&>(*this), m);
        core.edge(m);
        write_pins(core.out, static_cast<SubordinatePorts&>(*this));
    }
};

/// A device whose ready depends on valid within a cycle, such as a Verilated one, at the pins.
struct PinDevice final : SubordinatePorts {
    SC_HAS_PROCESS(PinDevice);
    PinDevice(sc_core::sc_module_name name, rtl::AxiSubordinate& device);

  private:
    void edge() {
        if (!aresetn.read()) return;
        device_.edge();
        edge_.notify(sc_core::SC_ZERO_TIME);
    }
    void settle();
    rtl::AxiSubordinate& device_;
    sc_core::sc_event edge_;
};

/// Random accesses by the platform's own manager, behind struct pins.
class RandomMaster {
  public:
    RandomMaster(unsigned count, std::uint64_t seed) : manager({}), count_(count), random_(seed) {}
    Axi4Manager manager;
    /// A rising edge.
    void edge(const rtl::AxiSubordinatePins& s);
    bool finished() const { return done_ == count_; }
    unsigned wrong() const { return wrong_; }

  private:
    struct Access : Axi4Access {
        std::vector<unsigned char> expected;
    };
    unsigned count_, begun_ = 0, done_ = 0, wrong_ = 0;
    Rng random_;
    FlatMemory reference_;
    std::deque<Access> accesses_; ///< one after the other
};

/// The same at the pins.
struct PinMaster final : ManagerPorts {
    SC_HAS_PROCESS(PinMaster);
    PinMaster(sc_core::sc_module_name name, unsigned count, std::uint64_t seed)
        : ManagerPorts(name), core(count, seed) {
        SC_METHOD(edge);
        sensitive << aclk.pos();
        dont_initialize();
    }
    RandomMaster core;

  private:
    void edge() {
        if (!aresetn.read()) return;
        rtl::AxiSubordinatePins s;
        read_pins(static_cast<const ManagerPorts&>(*this), s);
        core.edge(s);
        write_pins(core.manager.pins(), static_cast<ManagerPorts&>(*this));
    }
};

} // namespace numavp::test
