#include "platform/study/beginning_process.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "common/files/child_pipe.h"

namespace numavp {

BeginningProcess::BeginningProcess(const SharedBeginning& beginning)
    : ChildPoint(beginning.time_limit_s()), beginning_(beginning), client_(Descriptor()) {
    BranchSocket socket;
    client_ = BranchClient(std::move(socket.client));
    launch(beginning_text(beginning), "beginning", {}, socket.server.value());
}

void BeginningProcess::add_inputs(std::vector<int>& inputs) const {
    ChildPoint::add_inputs(inputs);
    if (!client_.closed()) inputs.push_back(client_.input());
}

void BeginningProcess::take_messages() {
    while (const std::optional<BranchMessage> message = client_.take()) {
        if (message->kind == BranchMessage::Kind::reached) reached_ = message;
        if (message->kind == BranchMessage::Kind::ended) ends_[message->branch] = *message;
    }
}

bool BeginningProcess::advance() {
    take_messages();
    return is_reached() || ChildPoint::advance();
}

PointWorkers::Ended BeginningProcess::ended() const {
    PointWorkers::Ended end;
    if (is_reached()) {
        end.reached = reached_->share;
        end.outcome.wall_s = reached_->seconds;
    } else {
        end = ChildPoint::ended();
        end.run_whole = !timed_out(); // each of its points says for itself what is wrong with it
    }
    return end;
}

const BranchMessage* BeginningProcess::end_of(std::uint32_t branch) {
    take_messages();
    const auto found = ends_.find(branch);
    return found == ends_.end() ? nullptr : &found->second;
}

PointBranch::PointBranch(std::shared_ptr<BeginningProcess> beginning, std::uint32_t branch, double time_limit_s)
    : PointProcess(time_limit_s, beginning->seconds()), beginning_(std::move(beginning)), branch_(branch) {
    ChildPipe output("to a point's process");
    ChildPipe errors("to a point's process");
    beginning_->client().start(branch, output.write.value(), errors.write.value());
    read_from(std::move(output.read), std::move(errors.read));
}

void PointBranch::add_inputs(std::vector<int>& inputs) const {
    PointProcess::add_inputs(inputs);
    if (const BranchClient& client = beginning_->client(); !client.closed()) inputs.push_back(client.input());
}

void PointBranch::look_for_end() {
    constexpr int kStatusOfNoProcess = 3 << 8; // as of waitpid(): that of a fault of the program
    if (const BranchMessage* end = beginning_->end_of(branch_); end != nullptr && end->no_fork != 0)
        has_ended(kStatusOfNoProcess, fmt::format("no process for a point: {}", std::strerror(end->no_fork)));
    else if (end != nullptr)
        has_ended(end->status);
    else if (beginning_->client().closed())
        is_lost("the process of its beginning has ended");
}

} // namespace numavp
