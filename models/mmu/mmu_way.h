/// The way of a socket's SMs to an MMU that serves the whole machine, and back: a latency each way, no bandwidth.
///
/// A page may move while an answer is on its way: then the way asks once more for the SM, which sees the new answer
/// alone. That the page moves is known at both ends at once.
#pragma once

#include <deque>
#include <vector>

#include "base/time/clockwork.h"
#include "models/mmu/translator.h"

namespace numavp {

class SocketMmu;

class MmuWay final : private Arbiter {
  public:
    /// `users` are the socket's SMs; `cycles` at least 1.
    MmuWay(ClockDomain& domain, Rank rank, unsigned cycles, std::vector<TranslationUser*> users);
    /// Makes the socket's SMs users of `unit`; before simulation starts.
    void connect(SocketMmu& unit, SocketId socket);
    /// An SM asks for a page. In arbitration.
    void ask(unsigned sm, std::uint64_t page, bool write);
    /// Answers on their way for the page are out of date.
    void forget(std::uint64_t page);
    bool idle() const { return free_.size() == messages_.size(); }

  private:
    struct Message : Node {
        std::uint64_t page = 0;
        Translation entry;
        unsigned sm = 0;
        bool write = false, answers = false, old = false;
    };
    /// An SM as the unit sees it.
    struct Far final : TranslationUser {
        void translated(std::uint64_t page, Translation entry) override { way->answer(sm, page, entry); }
        void forget(std::uint64_t) override {} // its own MMU tells it, and all that follow
        bool new_epoch() override { return false; }
        void drop_lines(PhysicalAddress, std::uint64_t) override {}
        MmuWay* way = nullptr;
        unsigned sm = 0;
    };
    struct Arrival final : Handler {
        void deliver(Node& node) override { way->arrived(static_cast<Message&>(node)); }
        MmuWay* way = nullptr;
    };
    void arbitrate() override;
    void arrived(Message& message);
    void answer(unsigned sm, std::uint64_t page, Translation entry);
    Message& message(unsigned sm, std::uint64_t page);
    void send(Message& message) { domain_.at(domain_.now() + cycles_, message); }

    const unsigned cycles_;
    const std::vector<TranslationUser*> users_;
    SocketMmu* unit_ = nullptr;
    unsigned first_ = 0; ///< number of the socket's first SM among the unit's users
    std::deque<Far> far_;
    Arrival arrival_;
    std::deque<Message> messages_; ///< all that were made
    std::vector<Message*> free_;
    std::vector<Message*> due_; ///< answers of this edge
};

} // namespace numavp
