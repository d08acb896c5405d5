/// A bridge's target side that serves one access after the other, for registers and other devices with narrow accesses:
/// the derived class says when it can serve, takes the next access with `next()`, may end its request early, and
/// answers it with `respond()`.
#pragma once

#include "tlm-links/edge/bridge_target.h"

namespace numavp {

class SerialTarget : public BridgeTarget {
  protected:
    explicit SerialTarget(sc_core::sc_module_name name) : BridgeTarget(name) {}

    /// The next access whose time has come before `now_ps`; null if there is none, or the one before has not ended. It
    /// is being served until `respond()`; the derived class keeps no pointer to it, but asks for serving().
    tlm::tlm_generic_payload* next(std::uint64_t now_ps);
    /// The access that is being served.
    tlm::tlm_generic_payload& serving() { return *serving_->payload; }
    /// Ends the request phase of the access that is being served, if wanted earlier than by its response.
    void end_request();
    /// Answers the access that is being served; status and data are in its payload.
    void respond() { begin_response(*serving_); }

  private:
    void on_arrival(const Call& call) override;
    void response_over() override;

    Call* serving_ = nullptr; ///< or in its response phase
    bool requesting_ = false; ///< its request phase is not over
};

} // namespace numavp
