/// A pass-through module that stands between any two ports and checks the TLM-2.0 base protocol.
///
/// Everything is forwarded unchanged; a breach is an SC_REPORT_ERROR with the id "numavp/protocol" and a
/// sentence that names the checker, the transaction's address and the rule. With `strict`, the platform's
/// dialect of `tlm-links/protocol/ports.h` is required too.
/// Not checked: that calls come in the clockwork's first pass, and the order of annotated times between
/// different transactions, which the base protocol leaves free.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

#include <tlm>

#include "tlm-links/protocol/protocol_rules.h"

namespace numavp {

class ProtocolChecker final : public sc_core::sc_module,
                              public tlm::tlm_fw_transport_if<>,
                              public tlm::tlm_bw_transport_if<> {
  public:
    explicit ProtocolChecker(sc_core::sc_module_name name, const ProtocolRules& rules = {});

    tlm::tlm_target_socket<> above;    ///< towards the initiator
    tlm::tlm_initiator_socket<> below; ///< towards the target

    /// Reports transactions that have not ended, with the oldest. SystemC calls it when a simulation was stopped.
    void finish();
    std::uint64_t begun() const { return begun_; }
    std::uint64_t ended() const { return ended_; }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

  private:
    using Payload = tlm::tlm_generic_payload;
    enum class State : std::uint8_t { request, between, response };
    /// Attributes of a transaction that must not change while it is under way.
    struct Sent {
        explicit Sent(const Payload& payload);
        tlm::tlm_command command;
        sc_dt::uint64 address;
        unsigned char* data;
        unsigned length;
        unsigned char* enables;
        unsigned enable_length;
        unsigned width;
        std::uint64_t contents = 0; ///< hash of byte enables, data unless read, and an atomic's operand
    };
    struct Live {
        Sent sent;
        std::uint64_t serial;
        std::uint64_t began_ps;
        std::uint64_t effective_ps; ///< annotated time of its last phase
        State state = State::request;
    };
    struct Call; ///< one call that passes through

    void end_of_simulation() override;
    void breach(Rule rule, std::uint64_t address, const std::string& detail = {}) const;
    void check_attributes(const Payload& payload) const;
    void check_dialect_record(const Payload& payload) const;
    void check_dialect_time(const Call& call) const;
    void check_unchanged(const Payload& payload, const Sent& sent) const;
    Sent snapshot(const Payload& payload) const;
    Live* live(const Call& call);
    void advance(const Call& call, Live& live, std::uint64_t effective_ps);
    void begin_request(Call& call, Payload& payload);
    void end_request(Call& call);
    void begin_response(Call& call, std::uint64_t effective_ps, Payload& payload);
    void end_response(Call& call);
    void ignorable(Call& call);
    void close(const Payload* payload);
    void check_return(const Call& call, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                      const sc_core::sc_time& delay) const;
    void answer_to_begin_request(Call& call, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase, Payload& payload);
    void answer_to_begin_response(Call& call, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase);

    ProtocolRules rules_;
    std::unordered_map<const Payload*, Live> live_;
    const Payload* requesting_ = nullptr; ///< in its request phase
    const Payload* responding_ = nullptr; ///< in its response phase
    std::uint64_t begun_ = 0;
    std::uint64_t ended_ = 0;
};

/// Binds two ports, with a checker between them if `rules` is given; the caller keeps the checker.
std::unique_ptr<ProtocolChecker> bind_checked(tlm::tlm_initiator_socket<>& initiator, tlm::tlm_target_socket<>& target,
                                              const char* name, const ProtocolRules* rules);

} // namespace numavp
