#include "tests/tlm-links/axi4_thread_models.h"

namespace numavp::test {

using rtl::kAxiBytes;

namespace {

/// Raises a pin now and comes back at the edge at which the other side's pin is up too: the handshake.
template <class Clock, class Mine, class Theirs>
void thread_handshake(const Clock& aclk, Mine& mine, const Theirs& theirs, unsigned& count) {
    mine.write(true);
    do sc_core::wait(aclk.posedge_event());
    while (!theirs.read());
    mine.write(false);
    ++count;
}

} // namespace

void Moments::await() {
    const Moment moment = choices_[random_.below(static_cast<unsigned>(choices_.size()))];
    if (moment.ps != 0) sc_core::wait(moment.ps, sc_core::SC_PS);
    for (unsigned i = 0; i < moment.deltas; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
}

void Handshakes::observe(const rtl::AxiManagerPins& m, const rtl::AxiSubordinatePins& s) {
    aw += m.aw.valid && s.awready;
    w += m.w.valid && s.wready;
    b += s.b.valid && m.bready;
    ar += m.ar.valid && s.arready;
    r += s.r.valid && m.rready;
}

// --- ThreadMemory

ThreadMemory::ThreadMemory(sc_core::sc_module_name name, std::vector<Moment> moments, std::uint64_t seed)
    : SubordinatePorts(name), write_moments_(moments, seed), read_moments_(std::move(moments), seed + 1) {
    SC_THREAD(serve_writes);
    SC_THREAD(serve_reads);
}

void ThreadMemory::serve_writes() {
    wait(aresetn.posedge_event());
    for (;;) {
        write_moments_.await();
        thread_handshake(aclk, awready, awvalid, seen.aw);
        const std::uint32_t id = awid.read();
        std::uint64_t line = awaddr.read() / kAxiBytes * kAxiBytes;
        for (bool last = false; !last; line += kAxiBytes) {
            write_moments_.await();
            thread_handshake(aclk, wready, wvalid, seen.w);
            rtl::AxiData data{};
            from_signal(wdata.read(), data);
            for (unsigned i = 0; i < kAxiBytes; ++i)
                if ((wstrb.read() >> i & 1U) != 0) memory.write(line + i, &data[i], 1);
            last = wlast.read();
        }
        write_moments_.await();
        bid.write(id);
        bresp.write(rtl::kAxiOkay);
        thread_handshake(aclk, bvalid, bready, seen.b);
    }
}

void ThreadMemory::serve_reads() {
    wait(aresetn.posedge_event());
    for (;;) {
        read_moments_.await();
        thread_handshake(aclk, arready, arvalid, seen.ar);
        const std::uint32_t id = arid.read();
        const std::uint32_t beats = arlen.read() + 1;
        std::uint64_t line = araddr.read() / kAxiBytes * kAxiBytes;
        for (std::uint32_t beat = 0; beat < beats; ++beat, line += kAxiBytes) {
            read_moments_.await();
            rtl::AxiData data{};
            memory.read(line, data.data(), kAxiBytes);
            rid.write(id);
            rresp.write(rtl::kAxiOkay);
            rdata.write(to_signal(data));
            rlast.write(beat + 1 == beats);
            thread_handshake(aclk, rvalid, rready, seen.r);
        }
    }
}

// --- ThreadMaster

ThreadMaster::ThreadMaster(sc_core::sc_module_name name, std::vector<Moment> moments, unsigned count,
                           std::uint64_t seed)
    : ManagerPorts(name), count_(count), random_(seed), moments_(std::move(moments), seed + 1) {
    SC_THREAD(run);
}

void ThreadMaster::run() {
    wait(aresetn.posedge_event());
    wait(20, sc_core::SC_NS);
    for (; done < count_; ++done) {
        const std::uint64_t address = kAxiBytes * random_.below(16);
        const unsigned beats = 1 + static_cast<unsigned>(random_.below(4));
        if (random_.chance(1, 2))
            write(address, beats);
        else
            read(address, beats);
    }
}

void ThreadMaster::write(std::uint64_t address, unsigned beats) {
    moments_.await();
    awid.write(done % 16);
    awaddr.write(address);
    awlen.write(beats - 1);
    awsize.write(rtl::kAxiFullSize);
    awburst.write(rtl::kAxiIncr);
    thread_handshake(aclk, awvalid, awready, seen.aw);
    for (unsigned beat = 0; beat < beats; ++beat) {
        rtl::AxiData data{};
        for (auto& byte : data) byte = static_cast<unsigned char>(random_.next());
        reference.write(address + std::uint64_t{beat} * kAxiBytes, data.data(), kAxiBytes);
        moments_.await();
        wdata.write(to_signal(data));
        wstrb.write(~std::uint64_t{0});
        wlast.write(beat + 1 == beats);
        thread_handshake(aclk, wvalid, wready, seen.w);
    }
    moments_.await();
    thread_handshake(aclk, bready, bvalid, seen.b);
    wrong += bid.read() != done % 16 || bresp.read() != rtl::kAxiOkay;
}

void ThreadMaster::read(std::uint64_t address, unsigned beats) {
    moments_.await();
    arid.write(done % 16);
    araddr.write(address);
    arlen.write(beats - 1);
    arsize.write(rtl::kAxiFullSize);
    arburst.write(rtl::kAxiIncr);
    thread_handshake(aclk, arvalid, arready, seen.ar);
    for (unsigned beat = 0; beat < beats; ++beat) {
        moments_.await();
        thread_handshake(aclk, rready, rvalid, seen.r);
        rtl::AxiData data{}, expected{};
        from_signal(rdata.read(), data);
        reference.read(address + std::uint64_t{beat} * kAxiBytes, expected.data(), kAxiBytes);
        wrong += data != expected || rlast.read() != (beat + 1 == beats) || rid.read() != done % 16;
    }
}

} // namespace numavp::test
