/// The machine under the driver, for tests: fault unit, copy engine, system block and memories without time, which
/// notices what a real one would suffer from: a page that is copied while a socket may access it, a table page with
/// garbage, a register that isn't there.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sw/driver/register_map.h>

#include "sw/driver/driver.h"

namespace numavp::driver_test {

struct Setting {
    const char* policy = "first_touch";
    std::uint64_t sockets = 4;
    std::uint64_t page_shift = 16;
    std::uint64_t frames = 64;
    std::uint64_t host_frames = 64;
    std::uint64_t address_bits = 48;
    std::uint64_t socket_shift = 36;
    std::uint64_t fill = 0;
    bool tables_on_host = false;
    std::uint64_t table_frames = 64;
    std::uint64_t lab_percent = 90;
    std::uint64_t migration_threshold = 0;
    bool replicates = false; ///< notes, if there are any, ask for replicas
    std::uint64_t seed = 1;

    unsigned levels() const { return static_cast<unsigned>((address_bits - page_shift + 8) / 9); }
};

/// A memory's number (the host's is that of the sockets) and a frame there.
struct Place {
    std::uint64_t memory = 0;
    std::uint64_t frame = 0;
    bool operator==(const Place& o) const { return memory == o.memory && frame == o.frame; }
    bool operator<(const Place& o) const { return std::pair(memory, frame) < std::pair(o.memory, o.frame); }
};

/// What the frame of a page holds, as a number of the test's choice; 0 is zeros.
using Data = std::uint64_t;

struct DeviceWrite {
    std::string where; ///< "fault_unit.pop", or "entry" for one of the page table
    std::uint64_t value;
    bool operator==(const DeviceWrite& o) const { return where == o.where && value == o.value; }
};

class FakePlatform {
  public:
    explicit FakePlatform(const Setting& setting);
    FakePlatform(const FakePlatform&) = delete;
    FakePlatform& operator=(const FakePlatform&) = delete;

    Hal* hal() { return &hal_.hal; }
    const Setting& setting() const { return setting_; }
    std::uint64_t& system(SystemRegister which) { return system_[static_cast<std::size_t>(which)]; }

    void fault(std::uint64_t page, std::uint64_t socket, bool write = false) {
        queue_.push_back({page, socket, write});
    }
    void note(std::uint64_t page, std::uint64_t socket) { notes_.push_back({page, socket}); }
    bool interrupt_line() const;

    /// The leaf entry as a walker finds it; nothing if a level above has none.
    std::optional<std::uint64_t> walk(std::uint64_t page) const;
    /// Where a page is mapped, or, with `on_host`, where it is kept on the host. Of one with replicas: its home.
    std::optional<Place> where(std::uint64_t page, bool on_host = false) const;
    bool replicated(std::uint64_t page) const { return where(page) && (*walk(page) & 8) != 0; }
    /// Where a socket reads a page that is mapped.
    Place read_by(std::uint64_t page, std::uint64_t socket) const;
    Data& data(Place place) { return data_[place]; }
    std::uint64_t physical(Place place) const;

    std::vector<std::uint64_t> done, failed;
    std::vector<DeviceWrite> writes; ///< the console left out
    std::string console;
    std::uint64_t waits = 0, copies = 0, fills = 0, invalidations = 0;
    bool refuse_pages = false;           ///< the copy engine refuses commands on whole pages
    bool done_at_once = false;           ///< commands and invalidations are over before anyone looks
    std::function<void()> while_waiting; ///< called at each wait, before what is under way ends
    std::vector<std::string> breaches;   ///< what the driver must not do

  private:
    struct FakeHal {
        Hal hal; // first: the driver hands it back
        FakePlatform* platform;
    };
    struct Event {
        std::uint64_t page, socket;
        bool write = false;
    };
    /// What TLBs, caches and requests of a socket may know of a page: frames, and whether they may be stored to.
    using Known = std::map<Place, bool>;
    using TablePage = std::array<std::uint64_t, 512>;

    static FakePlatform& of(Hal* hal) { return *reinterpret_cast<FakeHal*>(hal)->platform; }
    std::uint64_t read(std::uint64_t address);
    void write(std::uint64_t address, std::uint64_t value);
    void wait();
    std::uint64_t read_fault_unit(FaultUnitRegister which);
    void write_fault_unit(FaultUnitRegister which, std::uint64_t value);
    void pop();
    void end_fault(std::uint64_t page, std::vector<std::uint64_t>& list);
    void invalidate(std::uint64_t page);
    std::uint64_t read_copy_engine(CopyEngineRegister which);
    void write_copy_engine(CopyEngineRegister which, std::uint64_t value);
    void start(std::uint64_t code);
    void finish();
    void fill_table(std::uint64_t physical);
    bool in_tables(std::uint64_t physical) const;
    std::uint64_t& entry(std::uint64_t physical);
    void write_entry(std::uint64_t physical, std::uint64_t value);
    std::optional<std::uint64_t> slot_of(std::uint64_t page) const;
    std::optional<Place> place_of(std::uint64_t physical) const;
    std::uint64_t word(std::uint64_t physical) const;
    std::vector<std::uint64_t> words(std::uint64_t pte) const;
    std::vector<Known>& known(std::uint64_t slot);
    void learn(std::uint64_t slot);
    void forget(std::uint64_t slot);
    void expect_quiet(const Place& place, const std::string& what, bool only_stores);
    void breach(const std::string& what) { breaches.push_back(what); }

    Setting setting_;
    FakeHal hal_;
    std::array<std::uint64_t, std::size(kSystemRegisters)> system_{};
    std::deque<Event> queue_, notes_;
    std::multiset<std::uint64_t> outstanding_;
    std::set<std::uint64_t> moved_; ///< taken out of the caches, and not completed since
    std::uint64_t control_ = 0, invalidated_ = 0;
    bool invalidated_interrupt_ = false, copy_interrupt_ = false, copy_refused_ = false;
    std::optional<std::uint64_t> invalidating_; ///< page
    std::uint64_t source_ = 0, target_ = 0, bytes_ = 0, command_ = 0, copy_control_ = 0;
    std::map<std::uint64_t, TablePage> tables_;         ///< by physical address; those never filled hold garbage
    std::set<std::uint64_t> cleared_;                   ///< of these; the others hold tables of replicas
    std::map<std::uint64_t, std::vector<Known>> known_; ///< by the address of a page's entry, by socket
    std::map<Place, std::map<std::uint64_t, unsigned>> knowing_; ///< entries with their number of sockets
    std::map<Place, Data> data_;
};

} // namespace numavp::driver_test
