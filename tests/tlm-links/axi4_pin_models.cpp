#include "tests/tlm-links/axi4_pin_models.h"

namespace numavp::test {

using rtl::kAxiBytes;

void RegisteredMemory::edge(const rtl::AxiManagerPins& m) {
    write(m);
    read(m);
}

void RegisteredMemory::write(const rtl::AxiManagerPins& m) {
    if (out.b.valid && m.bready) out.b.valid = false;
    if (m.aw.valid && out.awready) writing_ = m.aw;
    if (m.w.valid && out.wready) {
        const std::uint64_t line = writing_.addr / kAxiBytes * kAxiBytes;
        for (unsigned i = 0; i < kAxiBytes; ++i)
            if ((m.w.strb >> i & 1U) != 0) memory.write(line + i, &m.w.data[i], 1);
        writing_.addr = line + kAxiBytes;
        if (m.w.last) {
            out.b = {true, writing_.id, rtl::kAxiOkay};
            writing_.valid = false;
        }
    }
    out.awready = !writing_.valid && !out.b.valid && !pause();
    out.wready = writing_.valid && !pause();
}

void RegisteredMemory::read(const rtl::AxiManagerPins& m) {
    if (out.r.valid && m.rready) {
        out.r.valid = false;
        if (out.r.last) reading_.valid = false;
    }
    if (m.ar.valid && out.arready) reading_ = m.ar;
    if (reading_.valid && !out.r.valid && !pause()) {
        const std::uint64_t line = reading_.addr / kAxiBytes * kAxiBytes;
        out.r.valid = true;
        out.r.id = reading_.id;
        out.r.last = reading_.len == 0;
        memory.read(line, out.r.data.data(), kAxiBytes);
        reading_.addr = line + kAxiBytes;
        --reading_.len;
    }
    out.arready = !reading_.valid && !pause();
}

PinDevice::PinDevice(sc_core::sc_module_name name, rtl::AxiSubordinate& device)
    : SubordinatePorts(name), device_(device) {
    SC_METHOD(edge);
    sensitive << aclk.pos();
    dont_initialize();
    SC_METHOD(settle);
    sensitive << edge_ << awvalid << awid << awaddr << awlen << wvalid << wdata << wstrb << wlast << bready << arvalid
              << arid << araddr << arlen << rready;
}

void PinDevice::settle() {
    rtl::AxiManagerPins m;
    read_pins(static_cast<const SubordinatePorts&>(*this), m);
    device_.settle(m);
    write_pins(device_.pins(), static_cast<SubordinatePorts&>(*this));
}

void RandomMaster::edge(const rtl::AxiSubordinatePins& s) {
    manager.edge(s);
    while (manager.pop_finished()) {
        const Access& access = accesses_.front();
        wrong_ += access.response != rtl::kAxiOkay || (!access.write && access.bytes != access.expected);
        accesses_.pop_front();
        ++done_;
    }
    if (begun_ == count_ || !accesses_.empty()) return;
    ++begun_;
    Access& access = accesses_.emplace_back();
    access.write = random_.chance(1, 2);
    access.bytes.resize(1 + random_.below(300));
    access.address = random_.below(8'000);
    if (access.write) {
        for (auto& byte : access.bytes) byte = static_cast<unsigned char>(random_.next());
        reference_.write(access.address, access.bytes.data(), access.bytes.size());
    } else {
        access.expected.resize(access.bytes.size());
        reference_.read(access.address, access.expected.data(), access.expected.size());
    }
    manager.take(access);
}

} // namespace numavp::test
