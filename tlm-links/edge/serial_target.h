/// A TLM-2.0 target that serves one access after the other: has phases and queue; a derived class performs the access.
/// For registers and other devices with narrow accesses.
///
/// Both interfaces, blocking and not, in the order of the calls; annotated times are kept. The derived class says when
/// it can serve, takes the next access with `next()`, may end its request early, and answers it with `respond()`. A
/// process that is killed or reset in its blocking call leaves it: an access that waits is dropped, one that is served
/// ends with a payload of our own in the place of the caller's. No DMI.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <tlm>

#include "base/values/types.h"
#include "tlm-links/edge/blocking_call.h"

namespace numavp {

class SerialTarget : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
  public:
    tlm::tlm_target_socket<> socket;
    /// True if no access waits and none is served.
    bool empty() const { return waiting_.empty() && !serving_.payload; }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  protected:
    explicit SerialTarget(sc_core::sc_module_name name);

    /// Asks the derived class to call `next()` as soon as time is past `ps`. May be called from any process.
    virtual void wake_after(std::uint64_t ps) = 0;
    /// The next access whose time has come before `now_ps`; null if there is none, or the one before has not ended. It
    /// is being served until `respond()`; the derived class keeps no pointer to it, but asks for serving().
    tlm::tlm_generic_payload* next(std::uint64_t now_ps);
    /// The access that is being served.
    tlm::tlm_generic_payload& serving() { return *serving_.payload; }
    /// Ends the request phase of the access that is being served, if wanted earlier than by its response.
    void end_request();
    /// Answers the access that is being served; status and data are in its payload.
    void respond();

  private:
    struct Entry {
        tlm::tlm_generic_payload* payload = nullptr;
        std::uint64_t ps = 0;           ///< from when on it can be served
        BlockingCall* caller = nullptr; ///< of a blocking one, unless it was killed or reset
        bool blocking = false;
    };
    void arrive(const Entry& entry);
    void abandon(const BlockingCall& call);
    void over(std::uint64_t ps);

    std::deque<Entry> waiting_;
    Entry serving_;                      ///< or in its response phase
    bool requesting_ = false;            ///< its request phase is not over
    std::uint64_t free_ps_ = 0;          ///< the response before is over
    tlm::tlm_generic_payload abandoned_; ///< in the place of a caller's that is gone
    std::vector<unsigned char> abandoned_data_, abandoned_enables_;
};

} // namespace numavp
