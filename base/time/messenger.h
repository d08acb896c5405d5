/// Messages that take time and no bandwidth: functions that are called in a delivery of a later edge.
#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "base/time/clockwork.h"

namespace numavp {

class Messenger final : private Handler {
  public:
    explicit Messenger(ClockDomain& domain) : domain_(domain) {}
    /// Calls `call` in `cycles` cycles; calls for one edge are made in the order in which they were sent.
    void send(Cycle cycles, std::function<void()> call) {
        if (spare_.empty()) {
            all_.emplace_back().handler = this;
            spare_.push_back(&all_.back());
        }
        Message& message = *spare_.back();
        spare_.pop_back();
        message.call = std::move(call);
        ++under_way_;
        domain_.at(domain_.now() + cycles, message);
    }
    bool idle() const { return under_way_ == 0; }

  private:
    struct Message : Node {
        std::function<void()> call;
    };
    void deliver(Node& node) override {
        auto& message = static_cast<Message&>(node);
        const std::function<void()> call = std::move(message.call);
        spare_.push_back(&message);
        --under_way_;
        call();
    }
    ClockDomain& domain_;
    std::deque<Message> all_;
    std::vector<Message*> spare_;
    std::uint64_t under_way_ = 0;
};

} // namespace numavp
