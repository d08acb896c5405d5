/// The initiator behind a port that a caller outside the simulation drives: posts while time stands still, collects
/// later.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <tlm>

#include "base/values/types.h"

namespace numavp {

class AccessPort final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
  public:
    static constexpr unsigned kDepth = 64; ///< accesses that are posted and not collected

    struct Access {
        bool write = false;
        std::uint64_t address = 0;
        unsigned bytes = 0; ///< 1 to a line
        std::uint64_t tag = 0;
        bool waited = false; ///< its answer is for answer(), not for collect()
        bool failed = false; ///< of an answer
        std::array<unsigned char, kLineBytes> data{};
        std::array<unsigned char, kLineBytes> enables{}; ///< of a write, TLM's way
    };

    SC_HAS_PROCESS(AccessPort);
    explicit AccessPort(sc_core::sc_module_name name);
    ~AccessPort() override;

    tlm::tlm_initiator_socket<> socket;

    /// Sends an access at the next edge; false: kDepth accesses are posted and not collected, and nothing was done.
    bool post(const Access& access);
    /// The next answer, in the order of arrival; false: none.
    bool collect(Access& access) { return take(answered_, access); }
    /// Takes the answer to the access posted with `waited` (one at a time); false: there is none yet.
    bool answer(Access& access) { return take(waited_, access); }
    /// Drops the `waited` access: its answer will be discarded when it comes.
    void give_up() { ++awaited_; }
    /// Number of accesses that are posted and not answered.
    std::size_t unanswered() const { return open_ - answered_.size() - waited_.size(); }
    /// Number of accesses that are posted and not collected, answered or not.
    std::size_t open() const { return open_; }
    /// Reads by debug access, in no simulated time and without side effects; returns the number of bytes read.
    unsigned peek(std::uint64_t address, unsigned bytes, unsigned char* data);

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  private:
    struct Slot; ///< an access and its payload
    struct Manager;

    bool take(std::deque<Access>& answers, Access& access);
    void send();
    void react(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase);
    void finish(tlm::tlm_generic_payload& payload);

    std::unique_ptr<Manager> manager_; ///< owns the slots
    std::deque<Slot*> posted_;
    std::deque<Access> answered_, waited_;
    std::size_t open_ = 0;
    std::uint64_t awaited_ = 0;                      ///< number of the access that is waited for
    tlm::tlm_generic_payload* requesting_ = nullptr; ///< in its request phase
    sc_core::sc_event posted_event_;
};

} // namespace numavp
