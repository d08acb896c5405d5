/// Atomics on TLM-2.0 wires: an extension carries operand and result, apart from the payload's data array.
///
/// TLM-2.0 has no atomic command. As a write command, an atomic would have to return its old values in the data array,
/// which the base protocol freezes (IEEE 1666, 14.7), and a module that does not know atomics would store the operand.
/// So an atomic is TLM_IGNORE_COMMAND with an AtomicExtension, the standard's way to a new command: all attributes and
/// the data array stay as they were sent, and a module that knows no atomics accesses no memory. Address, length and
/// byte enables select the bytes of the line that take part. The extension is mandatory by convention: a module that
/// knows it performs the atomic or answers an error, TLM_COMMAND_ERROR_RESPONSE where it can't perform it.
#pragma once

#include <array>
#include <vector>

#include <tlm>

#include "base/values/types.h"

namespace numavp {

/// Adds the operand to each enabled 32-bit word of the line; the result has the words from before.
class AtomicExtension final : public tlm::tlm_extension<AtomicExtension> {
  public:
    std::array<unsigned char, kLineBytes> operand{}; ///< the initiator's; frozen as write data are
    std::array<unsigned char, kLineBytes> result{};  ///< the target's; valid with a successful response

    AtomicExtension() = default;
    tlm::tlm_extension_base* clone() const override {
        auto* const copy = new AtomicExtension;
        copy->copy_from(*this);
        return copy;
    }
    void copy_from(const tlm::tlm_extension_base& other) override {
        const auto& from = static_cast<const AtomicExtension&>(other);
        operand = from.operand;
        result = from.result;
    }
    /// Returns the object to the pool that made it, if any, else deletes it.
    void free() override {
        if (home_)
            home_->push_back(this);
        else
            delete this;
    }

  private:
    friend class TxnPool;
    explicit AtomicExtension(std::vector<AtomicExtension*>& home) : home_(&home) {}
    std::vector<AtomicExtension*>* home_ = nullptr;
};

/// The payload's extension; null if the payload is not an atomic.
inline AtomicExtension* atomic_of(const tlm::tlm_generic_payload& payload) {
    return payload.get_extension<AtomicExtension>();
}

/// True for TLM_IGNORE_COMMAND without a mandatory extension: answered TLM_OK_RESPONSE without an access.
inline bool asks_nothing(const tlm::tlm_generic_payload& payload) {
    return payload.get_command() == tlm::TLM_IGNORE_COMMAND && !atomic_of(payload);
}

} // namespace numavp
