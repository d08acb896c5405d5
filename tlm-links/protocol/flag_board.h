/// Flags in memory on which warps wait: how often each has been signalled, as its home has served it.
///
/// Without values in memory a load cannot see what another GPU has stored. So the home of a flag counts: the slice that
/// performs a store or an atomic to the flag's line counts a signal, and the slice that serves a load of that line
/// notes the count for the warp that reads. A warp that reads until its count is reached therefore goes on as early,
/// and as deterministically, as with values, and runs with and without values take the same time.
///
/// A flag has a line of its own and one warp that waits for it. A wait that ends takes the signals that it waited for,
/// as the subtraction does by which kernels use a flag again.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "tlm-links/protocol/txn.h"

namespace numavp {

class FlagBoard {
  public:
    /// A warp that waits for a flag.
    struct Reader {
        SocketId socket;
        unsigned sm = 0, warp = 0;
        std::uint64_t key() const { return std::uint64_t{socket.value} << 32 | std::uint64_t{sm} << 16 | warp; }
    };

    /// The line at this physical address is a flag; called before a signal leaves its SM or switch.
    void declare(std::uint64_t line) { signals_.try_emplace(line, 0); }
    bool is_flag(std::uint64_t line) const { return signals_.count(line) != 0; }
    /// The line's home has served a record.
    void served(const Txn& txn) {
        const auto flag = signals_.find(txn.line);
        if (flag == signals_.end()) return;
        if (txn.kind == Kind::store || txn.kind == Kind::atomic) ++flag->second;
        if (txn.kind != Kind::load) return;
        const auto reader = waits_.find(Reader{txn.requester, txn.source, txn.tag}.key());
        if (reader != waits_.end()) reader->second = {txn.line, flag->second};
    }
    /// A warp reads a flag.
    void begin(const Reader& reader) {
        ++polls_;
        waits_[reader.key()] = {};
    }
    /// The answer has come: true if it has so many signals, which are taken.
    bool take(const Reader& reader, std::uint64_t signals) {
        const auto found = waits_.find(reader.key());
        const Seen seen = found->second;
        if (seen.signals < signals) return false;
        signals_[seen.line] -= signals;
        waits_.erase(found);
        return true;
    }
    /// Signals that the last answer to the reader had.
    std::uint64_t seen(const Reader& reader) const {
        const auto found = waits_.find(reader.key());
        return found == waits_.end() ? 0 : found->second.signals;
    }
    /// Reads of flags so far, by instructions.
    std::uint64_t polls() const { return polls_; }
    bool waited_for() const { return !waits_.empty(); }

  private:
    struct Seen {
        std::uint64_t line = 0, signals = 0;
    };
    std::unordered_map<std::uint64_t, std::uint64_t> signals_; ///< by physical line
    std::unordered_map<std::uint64_t, Seen> waits_;            ///< by reader
    std::uint64_t polls_ = 0;
};

} // namespace numavp
