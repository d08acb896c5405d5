/// The port behind the C entry points, as its target sees it.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>
#include <systemc>
#include <tlm>

#include "capi/access_port.h"

namespace numavp::test {
namespace {

/// Answers each request a nanosecond later, and looks whether the call that answers has changed what was written.
struct WatchingTarget final : sc_core::sc_module, tlm::tlm_fw_transport_if<> {
    SC_HAS_PROCESS(WatchingTarget);
    explicit WatchingTarget(sc_core::sc_module_name name, tlm::tlm_response_status status)
        : sc_module(name), socket("socket"), answer_status(status) {
        socket.bind(*this);
        SC_THREAD(answer_all);
    }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) override {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
        payload.acquire();
        waiting.push_back(&payload);
        arrived.notify(1, sc_core::SC_NS);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&) override {}
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

    void answer_all() {
        for (;;) {
            while (waiting.empty()) wait(arrived);
            tlm::tlm_generic_payload& payload = *waiting.front();
            waiting.erase(waiting.begin());
            const std::vector<unsigned char> before(payload.get_data_ptr(),
                                                    payload.get_data_ptr() + payload.get_data_length());
            payload.set_response_status(answer_status);
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
            socket->nb_transport_bw(payload, phase, delay);
            kept += std::equal(before.begin(), before.end(), payload.get_data_ptr());
            payload.release();
        }
    }

    tlm::tlm_target_socket<> socket;
    tlm::tlm_response_status answer_status;
    std::vector<tlm::tlm_generic_payload*> waiting;
    sc_core::sc_event arrived;
    unsigned kept = 0; ///< answers whose data were after the call what they were before it
};

AccessPort::Access write_of(unsigned char value) {
    AccessPort::Access access;
    access.write = true;
    access.address = 0x40;
    access.bytes = 12;
    access.data.fill(value);
    access.enables.fill(TLM_BYTE_ENABLED);
    return access;
}

// IEEE 1666-2011, 14.7: the data of a write stay until its transaction has ended, which is after the call with the
// response.
class AccessPortOfC : public ::testing::TestWithParam<tlm::tlm_response_status> {};

TEST_P(AccessPortOfC, KeepsTheDataOfAWriteUntilTheTransactionHasEnded) {
    WatchingTarget target("target", GetParam());
    AccessPort port("port");
    port.socket.bind(target.socket);
    ASSERT_TRUE(port.post(write_of(0x5a)));
    sc_core::sc_start(10, sc_core::SC_NS);
    AccessPort::Access answer;
    ASSERT_TRUE(port.collect(answer));
    EXPECT_EQ(target.kept, 1U);
    EXPECT_EQ(answer.failed, GetParam() != tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(answer.data[0], 0) << "an answer to a write has no data";
}
INSTANTIATE_TEST_SUITE_P(Answers, AccessPortOfC,
                         ::testing::Values(tlm::TLM_OK_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE));

} // namespace
} // namespace numavp::test
