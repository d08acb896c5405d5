/// Coherence of a slice's own lines with their copies in the other socket's slice: who may keep one, which are
/// recalled, and which recalls a flush waits for.
///
/// Plain C++, no time. The home always has the newest bytes, since a socket writes its copy of the other's line through
/// to the home. So what a home does for the other socket depends on its own memory alone, and a recall waits for
/// nothing: its receiver drops the copy (and does not keep what is on its way) and acknowledges. No request waits for a
/// recall; only flushes do, before which nobody may rely on what another socket wrote.
#pragma once

#include <array>
#include <cstdint>

#include "models/cache/copy_directory.h"
#include "models/cache/l2_config.h"

namespace numavp {

class CopyCoherence {
  public:
    struct Recall {
        std::uint64_t line;
        bool epoch; ///< told back when it is acknowledged
    };
    explicit CopyCoherence(const L2Config& config)
        : directory_(config.lines_in_directory(), config.ways_in_directory(), config.entries) {}

    const CopyDirectory& directory() const { return directory_; }
    /// The other slice gets a line. False: it may not keep it, as the directory has no place for it.
    bool lend(std::uint64_t line) { return directory_.lend(line); }
    /// A line has new bytes. `by_copy`: of the other slice, which has changed its copy before it wrote through, or
    /// dropped it before it passed on an atomic. True if recalls wait to be sent.
    bool changed(std::uint64_t line, bool by_copy) {
        if (by_copy) return false;
        directory_.written(line);
        return directory_.waiting() != 0;
    }
    unsigned waiting() const { return directory_.waiting(); }
    /// Sent and not acknowledged.
    unsigned under_way() const { return out_[0] + out_[1]; }
    /// The first recall that waits leaves. Needs waiting() > 0.
    Recall send() {
        bool epoch = epoch_;
        if (to_flush_ != 0) {
            --to_flush_;
            epoch = !epoch;
        }
        ++out_[epoch ? 1 : 0];
        return {directory_.take(), epoch};
    }
    void acknowledged(bool epoch) { --out_[epoch ? 1 : 0]; }
    /// A flush begins: it waits for all recalls of what was written before it, and for none of what is written while it
    /// runs. One flush at a time: the last has waited for its own.
    void begin_flush() {
        epoch_ = !epoch_;
        to_flush_ = directory_.waiting();
    }
    bool flush_waits() const { return to_flush_ != 0 || out_[epoch_ ? 0 : 1] != 0; }

  private:
    CopyDirectory directory_;
    std::array<unsigned, 2> out_{}; ///< not acknowledged, by what flush waits for them: the last, or the next
    unsigned to_flush_ = 0;         ///< of those not sent, the first so many are for the last flush
    bool epoch_ = false;            ///< of what the next flush waits for
};

} // namespace numavp
