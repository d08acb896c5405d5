/// Order of the requests to a line that is on its way: who passes, who waits, and whom a fill or a write serves.
///
/// Plain C++, no time. A line on its way is read by fills, one for each set of sectors that somebody missed, or it is
/// written. Requests that wait are in a queue, in the order in which they came. The rules:
/// - Requests that change a sector, and others to it, are served in the order of the queue. Reads pass those to other
///   sectors.
/// - Before the last fill reads are served whose own sectors have come; writes and atomics wait for the last.
/// - The first request that the line can't serve (`LineRequest::passed_on`) and those behind it start again from the
///   look-up when the line has come.
/// - A cut (a flush or a recall) divides the queue: those before it get what comes, those behind it start again.
/// - A line has one write on its way at a time. Writes behind it that go on to memory too go as one.
#pragma once

#include <cstdint>
#include <utility>

#include "base/values/types.h"

namespace numavp {

/// What a request does to its line.
struct LineRequest {
    enum class Does : std::uint8_t { read, write, atomic };
    Does does = Does::read;
    bool passed_on = false; ///< the line can't serve it here: a write through to memory, an atomic of another home
    SectorSet touched;
    bool changes() const { return does != Does::read; }
};

/// The state of one line on its way.
struct RequestOrder {
    enum class State : std::uint8_t { idle, fill, write };
    static constexpr unsigned kAll = ~0U;

    unsigned fresh = 0;       ///< stale: requests at the head of the queue that came before the cut
    std::uint16_t stores = 0; ///< a write: so many requests at the head of the queue are answered when it is
    State state = State::idle;
    bool stale = false;     ///< a cut came while the fill was on its way
    std::uint8_t fills = 0; ///< on their way
    SectorSet asked;        ///< by a fill so far, or copied from the frame for a request that waits
    SectorSet arrived;      ///< of these, those that have come
    SectorSet claimed;      ///< sectors of requests that wait
    SectorSet written;      ///< of these, those that writes and atomics will change

    void begin(State what) {
        state = what;
        stale = false;
        stores = 0;
        fills = 0;
        asked = arrived = claimed = written = SectorSet();
        fresh = 0;
    }
    bool reading() const { return state == State::fill; }
    /// Whether a request that waits may ask for more sectors.
    bool open() const { return reading() && !stale; }

    /// Whether a request goes by what is on its way, if the line's frame is there and has what it reads.
    bool lets_by(const LineRequest& request) const {
        if (!open() || request.does == LineRequest::Does::atomic) return false;
        if (request.changes()) return !request.passed_on && !(request.touched & (claimed | asked)).any();
        return !(request.touched & written).any();
    }
    /// A request joins the queue.
    void wait(const LineRequest& request) {
        const bool away = request.passed_on && request.does == LineRequest::Does::atomic; // it takes the line from here
        const SectorSet touched = away ? SectorSet::all() : request.touched;
        claimed |= touched;
        if (request.changes()) written |= touched;
    }
    /// A fill for sectors leaves.
    void ask(SectorSet sectors) {
        asked |= sectors;
        ++fills;
    }
    /// Sectors were copied from the frame.
    void take(SectorSet sectors) {
        asked |= sectors;
        arrived |= sectors;
    }
    /// A fill has come. True: the last.
    bool arrive(SectorSet sectors) {
        arrived |= sectors;
        return --fills == 0;
    }
    /// A flush or a recall, while `waiting` requests wait: the line is not kept, and nobody behind it gets what comes.
    /// False: there was one before, or no fill is on its way.
    bool cut(unsigned waiting) {
        if (!open()) return false;
        stale = true;
        fresh = waiting;
        return true;
    }

    /// More is on its way: serves the reads whose sectors are here, and that are not behind a change of these or a cut.
    /// A Queue has empty(), front(), pop() and push(); `describe(request)` is its LineRequest, `serve(request)`
    /// answers.
    template <class Queue, class Describe, class Serve>
    void serve_arrived(Queue& waiting, const Describe& describe, const Serve& serve) {
        unsigned left = served();
        Queue all;
        std::swap(all, waiting);
        claimed = written = SectorSet();
        while (!all.empty()) {
            auto& request = all.pop();
            const LineRequest what = describe(request);
            const bool before_cut = left != 0;
            if (before_cut) --left;
            if (!before_cut || what.changes() || (what.touched & written).any() || !arrived.covers(what.touched)) {
                waiting.push(request);
                wait(what);
                continue;
            }
            if (stale) --fresh;
            serve(request);
        }
    }
    /// All has come: serves the queue in its order, up to a cut or to the first for which `serve(request)` is false.
    /// The others stay in it.
    template <class Queue, class Serve> void serve_all(Queue& waiting, const Serve& serve) {
        unsigned left = served();
        Queue rest;
        while (!waiting.empty()) {
            auto& request = waiting.pop();
            if (left == 0 || !rest.empty() || !serve(request))
                rest.push(request);
            else
                --left;
        }
        waiting = rest;
    }
    /// A write is acknowledged: `answer(request)` for each that it carried.
    template <class Queue, class Answer> void end_write(Queue& waiting, const Answer& answer) {
        for (; stores != 0; --stores) answer(waiting.pop());
    }
    /// The writes at the head of the queue that are passed on go as one (Jouppi, "Cache write policies and
    /// performance", 1993: a coalescing write buffer): else each would take the memory's latency, one after the other.
    /// `join(request)` adds each to the write. False: the first that waits is no such write.
    template <class Queue, class Describe, class Join>
    bool combine(Queue& waiting, const Describe& describe, const Join& join) {
        Queue all;
        std::swap(all, waiting);
        for (stores = 0; !all.empty(); ++stores) {
            const LineRequest what = describe(all.front());
            if (what.does != LineRequest::Does::write || !what.passed_on) break;
            auto& request = all.pop();
            join(request);
            waiting.push(request);
        }
        while (!all.empty()) waiting.push(all.pop());
        return stores != 0;
    }

  private:
    unsigned served() const { return stale ? fresh : kAll; }
};

} // namespace numavp
