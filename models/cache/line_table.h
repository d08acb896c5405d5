/// Lines of an L2 slice: those that it holds, in frames, and those that are on their way, in entries.
///
/// Plain C++, no time. A line has one entry at most, where the requests that wait for it are in a `Queue` (an owning
/// type with empty(), front(), size(), push() and pop()). Entries of other sockets' requests are reserved, so that
/// these never wait for the link. A frame whose dirty line has an entry can't be a victim: its write would be the
/// line's second. Bytes are kept if values are modelled, else all pointers to them are null or not followed.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/values/types.h"
#include "models/cache/l2_config.h"
#include "models/cache/merge_bytes.h"
#include "models/cache/pending_lists.h"
#include "models/cache/request_order.h"
#include "models/cache/tag_array.h"

namespace numavp {

template <class Queue> class LineTable {
  public:
    static constexpr unsigned kNone = PendingLists::kNone;
    using State = RequestOrder::State;

    /// A line on its way.
    struct alignas(64) Entry : RequestOrder {
        bool home = false;                          ///< made for another socket's request
        bool passing = false;                       ///< a fill came that is not to be kept
        bool flushing = false;                      ///< a flush waits for this write
        bool completing = false;                    ///< the rest of a line is read for its write-back
        std::uint16_t behind = PendingLists::kLast; ///< entry in the list of its set, or of those that are not used
        std::uint64_t line = 0;
        std::uint64_t followed = 0; ///< number of the followed access whose fill or write it is; 0: none
        Queue targets;
    };
    /// Where the requests that wait for a fill are served.
    struct Arrived {
        int frame = -1; ///< -1: the line is not kept
        unsigned char* data = nullptr;
        bool last = true; ///< of the line's fills
    };
    /// A dirty line that has lost its frame to another.
    struct Evicted {
        bool any = false;
        std::uint64_t line = 0;
        ByteMask mask;
        std::array<unsigned char, kLineBytes> data; // NOLINT(cppcoreguidelines-pro-type-member-init): of the mask
        Evicted() {}                                // NOLINT(modernize-use-equals-default): leaves data as they are
    };
    /// What a recall has dropped.
    struct Dropped {
        bool frame = false, fill = false;
    };

    LineTable(const L2Config& config, bool has_link, bool values)
        : tags_(sets_of(config), config.ways, values), entries_(config.entries), unused_(config.entries),
          reserved_(has_link ? config.reserved_home_entries : 0), values_(values), sectored_(config.sectored),
          has_cache_(config.has_cache()), keeps_incoming_(config.incoming_allocate) {
        for (unsigned i = config.entries; i-- > 0; free_ = static_cast<std::uint16_t>(i)) entries_[i].behind = free_;
        if (sectored_ && values) gathered_.resize(std::size_t{config.entries} * kLineBytes);
        if (config.role().ways == WayRule::split) {
            tags_.set_local_ways(config.ways - config.static_remote_ways);
            tags_.set_strict(true);
        } else if (config.role().ways == WayRule::quotas) {
            tags_.set_local_ways(config.ways - config.ways / 2);
        }
    }

    TagArray& tags() { return tags_; }
    const TagArray& tags() const { return tags_; }

    // --- lines on their way

    /// Entry of a line, kNone if it is not on its way.
    unsigned pending(std::uint64_t line) const { return PendingLists::find(tags_.aside(line), entries_, line); }
    Entry& operator[](unsigned index) { return entries_[index]; }
    std::vector<Entry>& entries() { return entries_; }
    const std::vector<Entry>& entries() const { return entries_; }
    unsigned unused() const { return unused_; }
    unsigned in_use() const { return static_cast<unsigned>(entries_.size()) - unused_; }
    /// Gives a line an entry. kNone if no entry is left for such a request; `home`: of another socket.
    unsigned acquire(std::uint64_t line, State state, bool home) {
        if (unused_ < (home ? 1U : reserved_ + 1U)) return kNone;
        const unsigned index = free_;
        Entry& e = entries_[index];
        free_ = e.behind;
        --unused_;
        e.begin(state);
        e.line = line;
        e.flushing = e.passing = e.completing = false;
        e.home = home;
        e.followed = 0;
        PendingLists::insert(tags_.aside(line), entries_, index);
        return index;
    }
    void release(unsigned index) {
        Entry& e = entries_[index];
        PendingLists::remove(tags_.aside(e.line), entries_, index);
        e.state = State::idle;
        e.behind = free_; // what was freed last is used first: it is near
        free_ = static_cast<std::uint16_t>(index);
        ++unused_;
    }
    /// An entry goes on as that of another line: a victim of its own.
    void rename(unsigned index, std::uint64_t line) {
        Entry& e = entries_[index];
        PendingLists::remove(tags_.aside(e.line), entries_, index);
        e.line = line;
        e.stale = e.flushing = false;
        PendingLists::insert(tags_.aside(line), entries_, index);
    }
    /// What a look-up of a line reads, fetched and named.
    [[gnu::always_inline]] void prefetch(std::uint64_t line) const { tags_.prefetch(line); }
    const void* first_tags(std::uint64_t line) const { return tags_.first_touched(line); }

    // --- lines that are held

    /// The frame that a new line would get; -1: none, as always without a cache.
    int victim(std::uint64_t line, TagArray::Demand demand) const {
        return has_cache_ ? tags_.victim(line, demand) : -1;
    }
    bool must_be_written(unsigned frame) const { return tags_.valid(frame) && tags_.dirty(frame); }
    /// Its dirty line has an entry: no victim.
    bool on_its_way(unsigned frame) const { return must_be_written(frame) && pending(tags_.line_at(frame)) != kNone; }
    /// Bytes of a write come into a frame, which has the newest then.
    void store(unsigned frame, ByteMask mask, const unsigned char* bytes) {
        tags_.touch(frame);
        tags_.mark_dirty(frame, mask);
        if (unsigned char* data = tags_.data(frame)) merge_bytes(data, bytes, mask);
    }
    /// The same for a write that goes on to memory. What is dirty already (by an atomic, or in a line that is not
    /// whole) stays dirty. Bytes of a sector that is not there are not kept: dirty ones would be written home once
    /// more, and later.
    void store_through(unsigned frame, ByteMask mask, const unsigned char* bytes) {
        tags_.touch(frame);
        if (unsigned char* data = tags_.data(frame)) merge_bytes(data, bytes, mask);
        const ByteMask open = mask & ~tags_.sectors(frame).bytes();
        if (!sectored_ && open.any()) tags_.mark_dirty(frame, open);
    }
    /// Of the sectors that a request waits for, those that are in the line's frame: kept in its entry, since the frame
    /// may be lost.
    SectorSet take_from_frame(unsigned index, SectorSet wanted) {
        const int frame = tags_.find(entries_[index].line);
        if (frame < 0) return {};
        const SectorSet here = wanted & tags_.sectors(static_cast<unsigned>(frame));
        if (const unsigned char* data = tags_.data(static_cast<unsigned>(frame)))
            merge_bytes(gathered(index), data, here.bytes());
        entries_[index].take(here);
        return here;
    }
    /// Sectors of a frame of which stores brought a part, and that nothing has brought whole.
    SectorSet partial(unsigned frame) const {
        const ByteMask dirty = tags_.dirty_mask(frame);
        return SectorSet::touched(dirty) & ~SectorSet::covered(dirty) & ~tags_.sectors(frame);
    }
    /// Sectors of the line that are neither here nor on their way, nor will be written.
    SectorSet absent(const Entry& e) const {
        const SectorSet known = e.asked | e.written;
        const int frame = tags_.find(e.line);
        return ~(frame >= 0 ? known | tags_.sectors(static_cast<unsigned>(frame)) : known);
    }

    /// A fill has brought the bytes of `mask`, a line that is remote or not: into the line's frame, or into one that it
    /// gets. `bytes` has the whole line behind it then, as far as it has come. A dirty victim is in `evicted`.
    Arrived arrive(unsigned index, bool remote, ByteMask mask, unsigned char* bytes, Evicted& evicted) {
        Entry& e = entries_[index];
        if (!patches_.empty()) correct(e.line, mask, bytes);
        Arrived line;
        line.last = e.arrive(SectorSet::touched(mask));
        if (!gathered_.empty()) gather(index, mask, bytes);
        line.frame = tags_.find(e.line);
        if (line.frame >= 0) { // what was written here while its sector was not there is newer
            const auto f = static_cast<unsigned>(line.frame);
            if (unsigned char* data = tags_.data(f)) merge_bytes(data, bytes, e.arrived.bytes() & ~tags_.dirty_mask(f));
            tags_.add_sectors(f, e.arrived);
        } else if (!e.stale && !e.passing && (keeps_incoming_ || !e.home)) {
            line.frame = victim(e.line, {remote, e.home});
            if (line.frame >= 0 && on_its_way(static_cast<unsigned>(line.frame))) line.frame = -1;
            if (!line.last && line.frame >= 0 && tags_.dirty(static_cast<unsigned>(line.frame)))
                line.frame = -1; // with the last
            if (line.frame >= 0) replace(static_cast<unsigned>(line.frame), e, remote, bytes, evicted);
        }
        line.data = line.frame >= 0 ? tags_.data(static_cast<unsigned>(line.frame)) : (values_ ? bytes : nullptr);
        return line;
    }
    /// Drops the copy of a line, and keeps no fill of it that is on its way: those who wait get what comes.
    Dropped drop(std::uint64_t line) {
        Dropped dropped;
        if (const unsigned index = pending(line); index != kNone)
            dropped.fill = entries_[index].cut(entries_[index].targets.size());
        if (const int frame = tags_.find(line); frame >= 0) {
            tags_.invalidate(static_cast<unsigned>(frame));
            dropped.frame = true;
        }
        return dropped;
    }

    // --- in no time

    /// Installs a clean copy of a local line. False, with no change, if the line is here or on its way, if there is no
    /// cache, or if the next victim is dirty.
    bool hold(std::uint64_t line, const unsigned char* bytes) {
        if (tags_.find(line) >= 0 || pending(line) != kNone) return false;
        const int frame = victim(line, {});
        if (frame < 0 || must_be_written(static_cast<unsigned>(frame))) return false;
        const auto f = static_cast<unsigned>(frame);
        tags_.install(f, line, false, SectorSet::all());
        if (unsigned char* data = tags_.data(f)) std::memcpy(data, bytes, kLineBytes);
        return true;
    }
    /// Copies the bytes of a line that are newer than memory into `out`.
    void overlay(std::uint64_t line, bool remote, unsigned char* out) {
        const int frame = tags_.find(line);
        if (frame < 0) return;
        const auto f = static_cast<unsigned>(frame);
        if (const unsigned char* data = tags_.data(f))
            merge_bytes(out, data, remote ? tags_.dirty_mask(f) : tags_.readable_bytes(f));
    }
    /// Eight bytes of memory have changed: so do the copy and a fill that was read before.
    void patch(std::uint64_t address, std::uint64_t word) {
        const std::uint64_t line = address & ~std::uint64_t{kLineBytes - 1};
        const unsigned index = pending(line);
        if (index != kNone && entries_[index].reading()) {
            const Entry& e = entries_[index];
            const SectorSet changed(1U << address % kLineBytes / kSectorBytes);
            if ((e.asked & ~e.arrived & changed).any()) patches_.push_back({address, word});
            if (!gathered_.empty()) std::memcpy(gathered(index) + address % kLineBytes, &word, sizeof word);
        }
        const int frame = tags_.find(line);
        if (frame < 0) return;
        if (unsigned char* data = tags_.data(static_cast<unsigned>(frame)))
            std::memcpy(data + address % kLineBytes, &word, sizeof word);
    }

  private:
    /// Without a cache the sets only divide the lines that are on their way.
    static unsigned sets_of(const L2Config& config) { return config.has_cache() ? config.sets() : config.entries; }
    struct Patch {
        std::uint64_t address, word;
    };
    unsigned char* gathered(unsigned index) { return &gathered_[std::size_t{index} * kLineBytes]; }
    /// Adds the bytes of a fill to those that came before, and copies all of them to `bytes`.
    void gather(unsigned index, ByteMask mask, unsigned char* bytes) {
        merge_bytes(gathered(index), bytes, mask);
        std::memcpy(bytes, gathered(index), kLineBytes);
    }
    void replace(unsigned frame, const Entry& e, bool remote, const unsigned char* bytes, Evicted& evicted) {
        if (must_be_written(frame)) {
            evicted.any = true;
            evicted.line = tags_.line_at(frame);
            evicted.mask = tags_.dirty_mask(frame);
            if (const unsigned char* data = tags_.data(frame)) std::memcpy(evicted.data.data(), data, kLineBytes);
        }
        tags_.install(frame, e.line, remote, e.arrived);
        if (unsigned char* data = tags_.data(frame)) std::memcpy(data, bytes, kLineBytes);
    }
    /// Bytes that were read before their memory was changed.
    void correct(std::uint64_t line, ByteMask mask, unsigned char* bytes) {
        for (std::size_t i = 0; i < patches_.size();) {
            const Patch& p = patches_[i];
            if (p.address - line >= kLineBytes || !mask.test(static_cast<unsigned>(p.address - line))) {
                ++i;
                continue;
            }
            std::memcpy(bytes + (p.address - line), &p.word, sizeof p.word);
            patches_.erase(patches_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    TagArray tags_; // first: it begins with a cache line where the table does
    std::vector<Entry> entries_;
    unsigned unused_;
    const unsigned reserved_;                  ///< entries that only other sockets' requests may take
    std::uint16_t free_ = PendingLists::kLast; ///< first of the entries that are not used
    const bool values_, sectored_, has_cache_, keeps_incoming_;
    std::vector<unsigned char> gathered_; ///< with sectors: arrived bytes of each entry's line; if values are modelled
    std::vector<Patch> patches_;          ///< of lines on their way
};

} // namespace numavp
