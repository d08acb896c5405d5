/// The memory behind a channel that a caller outside the simulation plays: the caller takes its requests and answers
/// them while simulated time stands still.
///
/// At most kIds requests are taken in; the next one waits for its END_REQ until an answer frees an id.
/// This module stores no data: the caller has the bytes, and debug access reads 0 bytes.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include <tlm>

#include "base/values/types.h"

namespace numavp {

class MemoryPort final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
  public:
    static constexpr unsigned kIds = 16;
    struct Request {
        unsigned id = 0; ///< the lowest that is free
        bool write = false;
        std::uint64_t address = 0;
        unsigned bytes = 0; ///< at most a line
        std::array<unsigned char, kLineBytes> data{};
        std::array<bool, kLineBytes> enabled{};
    };

    SC_HAS_PROCESS(MemoryPort);
    explicit MemoryPort(sc_core::sc_module_name name);

    tlm::tlm_target_socket<> socket;

    /// The next request, in the order of arrival; false: none.
    bool next(Request& request);
    /// Answers a request that was taken, a read with its bytes. ConfigError if there is none of that id, or no bytes.
    void respond(std::uint64_t id, const unsigned char* data, bool failed);
    /// Requests that the caller has not answered.
    unsigned unanswered() const { return unanswered_; }

    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  private:
    enum class State : std::uint8_t { free, arrived, taken, answered };
    struct Slot {
        State state = State::free;
        tlm::tlm_generic_payload* payload = nullptr;
    };

    void send();
    void end_response();
    bool take(tlm::tlm_generic_payload& payload);

    std::array<Slot, kIds> slots_;                ///< by id
    tlm::tlm_generic_payload* waiting_ = nullptr; ///< for a free id
    std::deque<unsigned> arrived_, answered_;
    unsigned unanswered_ = 0;
    bool responding_ = false;   ///< the first answered one is in its response phase
    sc_core::sc_event changed_; ///< answered, or an id is free
};

} // namespace numavp
