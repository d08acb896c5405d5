/// A blocking call of a foreign process that waits for its answer, on the caller's stack.
///
/// The process may be killed or reset while it waits (sc_process_handle::kill() and reset()): its stack is unwound, and
/// with it payload, data and this object, which then tells the target to forget them.
#pragma once

#include <functional>

#include <systemc>

namespace numavp {

class BlockingCall {
  public:
    /// `abandon` is called if the process ends before end(): nothing of the caller may be touched from then on.
    explicit BlockingCall(std::function<void()> abandon) : abandon_(std::move(abandon)) {}
    ~BlockingCall() {
        if (!ended_) abandon_();
    }
    BlockingCall(const BlockingCall&) = delete;
    BlockingCall& operator=(const BlockingCall&) = delete;

    /// Waits for end(); called by the process.
    void wait() {
        while (!ended_) sc_core::wait(event_);
    }
    /// The answer is complete. Does nothing with the object afterwards.
    void end() {
        ended_ = true;
        event_.notify();
    }

  private:
    std::function<void()> abandon_;
    sc_core::sc_event event_;
    bool ended_ = false;
};

} // namespace numavp
