/// Checks the commands of a DRAM channel against its timing.
///
/// Independent of the controller: it keeps when each command was last given to each bank, and compares every command
/// with a table of rules "from this command to that one, in this scope, at least so many cycles". It also checks that
/// commands fit the state of the bank, the command buses and the data pins, and that refreshes come in time.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <vector>

#include "models/memory/dram/command.h"
#include "models/memory/dram/device.h"

namespace numavp {

class CommandChecker final : public CommandObserver {
  public:
    explicit CommandChecker(const MemoryDeviceConfig& device);
    void observe(const IssuedCommand& command) override;
    /// One sentence for each breach; at most kMostBreaches are kept.
    const std::vector<std::string>& breaches() const { return breaches_; }
    std::uint64_t commands() const { return commands_; }

  private:
    static constexpr std::size_t kMostBreaches = 20;
    enum Kind : unsigned { kActivate, kPrecharge, kRead, kWrite, kRefresh, kRefreshBank, kKinds };
    enum class Scope : std::uint8_t { bank, group, channel };
    struct Rule {
        const char* name;
        Kind before, after;
        Scope scope;
        Cycle distance;
    };
    struct Bank {
        bool open = false;
        std::uint32_t row = 0;
        std::array<Cycle, kKinds> last{}; ///< 1 + the cycle; 0: never
        Cycle refreshed = 0;
    };

    void breach(const IssuedCommand& command, const std::string& what);
    void check_buses(const IssuedCommand& command, bool column);
    void check_rules(const IssuedCommand& command, Kind kind, unsigned bank);
    void check_state(const IssuedCommand& command, Kind kind);
    void check_data(const IssuedCommand& command, bool write);
    void check_window(const IssuedCommand& command);
    void note(const IssuedCommand& command, Kind kind);
    bool in_scope(Scope scope, unsigned a, unsigned b) const;

    DramTiming t_;
    bool split_, refreshed_;
    unsigned banks_of_group_;
    std::vector<Rule> rules_;
    std::vector<Bank> banks_;
    std::deque<Cycle> activates_;
    std::array<Cycle, 2> bus_{}; ///< 1 + the last cycle of row and column commands
    Cycle data_end_ = 0;
    std::uint64_t commands_ = 0;
    std::vector<std::string> breaches_;
};

} // namespace numavp
