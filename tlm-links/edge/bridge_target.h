/// The TLM-2.0 target side of a bridge: calls, phases, and the order of requests and responses. A derived class carries
/// accesses to what is below, pins or a bus.
///
/// Both interfaces, blocking and not; annotated times are kept, and a call at the time of an edge counts after it, so
/// that the order of processes does not matter. Responses begin one at a time. No DMI.
///
/// A process that is killed or reset in its blocking call leaves it: an access that waits is dropped, one that was
/// taken goes on with a payload of our own in the place of the caller's. Derived classes keep calls, no pointers to
/// payloads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tlm>

#include "base/values/ring.h"
#include "tlm-links/edge/blocking_call.h"
#include "tlm-links/edge/line_access.h"

namespace numavp {

class BridgeTarget : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
  public:
    ~BridgeTarget() override;

    tlm::tlm_target_socket<> socket;
    /// True if no access is inside.
    bool empty() const { return calls_out_ == 0; }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  protected:
    /// An access from its call to its response. Derived classes may add what they need; objects are used again.
    struct Call {
        virtual ~Call() = default;
        tlm::tlm_generic_payload* payload = nullptr;
        std::uint64_t arrival_ps = 0; ///< it counts after this time
        bool blocking = false;
        bool taken = false;                 ///< by the derived class
        BlockingCall* caller = nullptr;     ///< of a blocking one, until it ends or is left
        tlm::tlm_generic_payload left_with; ///< in the place of a caller's that is gone
        std::vector<unsigned char> left_data, left_enables;
    };
    explicit BridgeTarget(sc_core::sc_module_name name);

    virtual std::unique_ptr<Call> make_call() { return std::make_unique<Call>(); }
    /// Asks the derived class to look at arrivals and answers as soon as time is past `ps`, which may be now or later.
    /// May be called from any process.
    virtual void wake_after(std::uint64_t ps) = 0;
    /// A call has arrived.
    virtual void on_arrival(const Call& call) { wake_after(call.arrival_ps); }
    /// True if the request of a non-blocking call that has just arrived is over at once; else the derived class ends it
    /// with `end_request()`.
    virtual bool takes_at_once(const Call&) { return false; }
    /// An answer from below with its status and data in the payload; null if there is none.
    virtual Call* take_answer() { return nullptr; }
    virtual bool any_answer() const { return false; }
    /// The response phase of the last response is over, or it had none.
    virtual void response_over() {}

    bool any_arrived() const { return !arrived_.empty(); }
    /// When the first access that has arrived counts; there must be one.
    std::uint64_t arrival_ps() const { return arrived_.front()->arrival_ps; }
    /// Takes the first access that has arrived before `now_ps`; null if there is none.
    Call* take_arrived(std::uint64_t now_ps);
    /// True if the access asks for nothing or is outside of `range`: it is answered without what is below.
    bool answered_here(Call& call, const AddressRange& range);
    void end_request(tlm::tlm_generic_payload& payload);
    /// At an edge: begins the next response unless another is in its phase.
    void respond(std::uint64_t now_ps);
    void begin_response(Call& call);
    bool responding() const { return responding_ != nullptr; }
    bool any_answered_here() const { return !answered_here_.empty(); }
    /// Until then the response phase was taken.
    std::uint64_t response_free_ps() const { return response_free_ps_; }

  private:
    Call& arrive(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay, bool blocking);
    void leave(Call& call);
    void end_response(const sc_core::sc_time& delay);
    void retire(Call& call);

    std::vector<std::unique_ptr<Call>> calls_; ///< all that were made
    std::vector<Call*> free_;
    unsigned calls_out_ = 0;
    Ring<Call*> arrived_;
    Ring<Call*> answered_here_;
    tlm::tlm_generic_payload* responding_ = nullptr; ///< in its response phase
    std::uint64_t response_free_ps_ = 0;
};

} // namespace numavp
