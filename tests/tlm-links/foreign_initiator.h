/// Foreign initiators for tests: random accesses in deliberately different, legal ways, each checked against a
/// flat memory in the order of the calls.
#pragma once

#include <memory>
#include <vector>

#include <tlm>

#include "base/values/rng.h"
#include "tlm-links/edge/line_access.h"
#include "tlm-links/protocol/flat_memory.h"

namespace numavp::test {

enum class ResponseAnswer { completed, updated, later, any };

/// One way to be an initiator.
struct InitiatorStyle {
    const char* name;
    unsigned blocking_threads = 0; ///< 0: the non-blocking interface
    ResponseAnswer answer = ResponseAnswer::completed;
    unsigned longest = 64;      ///< bytes of a transaction
    unsigned outstanding = 8;   ///< non-blocking only
    unsigned pause_ps = 0;      ///< up to that long between requests and before END_RESP
    unsigned annotation_ps = 0; ///< up to that long on its calls
    bool odd = false;           ///< unaligned, byte enables, streaming, ignored commands
    bool ignorable = false;     ///< sends phases of its own
    unsigned wrong_percent = 0; ///< addresses out of range
    bool apart = false;         ///< those accesses lie wholly outside
    /// Of a non-blocking one: accesses by b_transport in between, also while a request waits for its END_REQ.
    unsigned blocking_percent = 0;
    bool words = false; ///< whole aligned words of 8 bytes
    /// Of a non-blocking one: further processes, which call b_transport meanwhile.
    unsigned blocking_beside = 0;
};

const std::vector<InitiatorStyle>& initiator_styles();

class ForeignInitiator final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
  public:
    SC_HAS_PROCESS(ForeignInitiator);
    ForeignInitiator(sc_core::sc_module_name name, const InitiatorStyle& style, unsigned count, std::uint64_t seed);
    ~ForeignInitiator() override;

    tlm::tlm_initiator_socket<> socket;
    AddressRange range{0x40000, 16 * 1024};
    FlatMemory reference;

    /// Every transaction was sent and answered.
    bool finished() const { return answered_ == count_; }
    unsigned answered() const { return answered_; }
    unsigned wrong() const { return wrong_; } ///< answers other than the reference's

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    struct Access;
    class Manager;

    void send_all();
    void send(Access& access);
    void block_all();
    void block(Access& access);
    void end_responses();
    void fill(Access& access);
    void expect(Access& access);
    void check(Access& access);
    void response_begun(Access& access, const sc_core::sc_time& delay, bool owes_end);
    sc_core::sc_time annotation(Rng& rng);

    InitiatorStyle style_;
    unsigned count_;
    Rng rng_;     ///< of requests
    Rng answers_; ///< of what is done about responses: what is asked does not depend on the order of processes
    std::unique_ptr<Manager> manager_;
    unsigned begun_ = 0;
    unsigned answered_ = 0;
    unsigned inside_ = 0;
    unsigned wrong_ = 0;
    Access* requesting_ = nullptr;
    std::uint64_t request_free_ps_ = 0;
    sc_core::sc_event progress_;
    Access* owing_ = nullptr; ///< its END_RESP
    std::uint64_t owed_ps_ = 0;
    sc_core::sc_event owed_event_;
};

} // namespace numavp::test
