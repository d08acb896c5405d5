#include "tests/tlm-links/axi4_pin_loop.h"

namespace numavp::test {

std::vector<PinFault> faults_of_managers() {
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

std::vector<PinFault> faults_of_subordinates() {
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

} // namespace numavp::test
