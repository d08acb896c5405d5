#include "tests/platform/machine/moving_driver.h"

#include <algorithm>
#include <utility>

#include <gtest/gtest.h>

namespace numavp::test {

void MovingDriver::attach(System& system) {
    system_ = &system;
    clocked_ = std::make_unique<Clocked>(*this, system.clock());
    free_.resize(system.config().sockets);
    used_.resize(system.config().sockets);
}

bool MovingDriver::fault(const PageFault& fault) {
    if (queue_.size() >= shape_.room) {
        ++refused;
        return false;
    }
    queue_.push_back(fault);
    clocked_->wake();
    return true;
}

void MovingDriver::invalidated(SocketId, std::uint64_t page) {
    if (--pages_.at(page).left != 0) return;
    answered_.push_back(page);
    clocked_->wake();
}

void MovingDriver::access_note(SocketId socket, std::uint64_t page) { ++notes[{socket.value, page}]; }

unsigned MovingDriver::home_of(PhysicalAddress frame) const {
    return static_cast<unsigned>(frame >> system_->page_table().region().socket_shift);
}

PhysicalAddress MovingDriver::take_frame() {
    const auto socket = static_cast<unsigned>(rng_.below(free_.size()));
    if (!free_[socket].empty()) {
        const PhysicalAddress frame = free_[socket].back();
        free_[socket].pop_back();
        return frame;
    }
    const RadixTable& table = system_->page_table();
    return (PhysicalAddress{socket} << table.region().socket_shift) + used_[socket]++ * table.layout().page_bytes();
}

void MovingDriver::resolve(std::uint64_t page) {
    for (unsigned s = 0; s < free_.size(); ++s) system_->fault_client(s).resolved(page);
}

void MovingDriver::serve(std::uint64_t number) {
    Page& page = pages_[number];
    if (page.moving) { // answered when it has arrived
        ++waited;
        return;
    }
    if (!page.mapped) {
        page.frame = take_frame();
        page.mapped = true;
        const std::vector<unsigned char> zeros(system_->page_table().layout().page_bytes());
        system_->memory().write(page.frame, zeros.data(), zeros.size());
        system_->page_table().map(number, page.frame);
    }
    resolve(number);
}

void MovingDriver::step(Cycle now) {
    for (const std::uint64_t page : std::exchange(answered_, {})) advance(page);
    for (; !copied_.empty() && copied_.begin()->first <= now; copied_.erase(copied_.begin()))
        finish_move(copied_.begin()->second);
    if (!queue_.empty() && now >= next_fault_) {
        const PageFault fault = queue_.front();
        queue_.pop_front();
        serve(fault.page);
        for (unsigned s = 0; s < free_.size(); ++s) system_->fault_client(s).room();
        next_fault_ = now + shape_.fault_cycles;
    }
    if (!queue_.empty()) clocked_->wake_at(next_fault_);
    const Progress progress = system_->progress();
    if (!may_move || moves >= shape_.moves || progress.kernels_done == progress.kernels_total) return;
    if (now >= next_move_) {
        start_move();
        next_move_ = now + shape_.move_cycles;
    }
    clocked_->wake_at(next_move_);
}

void MovingDriver::start_move() {
    std::vector<std::uint64_t> candidates;
    for (const auto& [number, page] : pages_)
        if (page.mapped && !page.moving) candidates.push_back(number);
    if (candidates.empty()) return;
    const std::uint64_t number = candidates[rng_.below(candidates.size())];
    Page& page = pages_[number];
    ++moves;
    page.moving = true;
    page.last = false;
    system_->page_table().write_leaf(number, {(page.frame & TableWord::kAddress) | TableWord::kMoving});
    page.left = static_cast<unsigned>(free_.size()) - 1;
    if (page.left == 0) return advance(number);
    for (unsigned s = 0; s < free_.size(); ++s)
        if (s != home_of(page.frame)) system_->fault_client(s).invalidate({number, page.frame, true});
}

/// All whom it asked have answered: the home's turn, or the page is in no cache any more.
void MovingDriver::advance(std::uint64_t number) {
    Page& page = pages_.at(number);
    if (page.last) return copy(number);
    page.last = true;
    page.left = 1;
    system_->fault_client(home_of(page.frame)).invalidate({number, page.frame, true});
}

/// The bytes are in memory now, and in no cache.
void MovingDriver::copy(std::uint64_t number) {
    Page& page = pages_.at(number);
    const PhysicalAddress target = take_frame();
    std::vector<unsigned char> bytes(system_->page_table().layout().page_bytes());
    system_->memory().read(page.frame, bytes.data(), bytes.size());
    system_->memory().write(target, bytes.data(), bytes.size());
    std::fill(bytes.begin(), bytes.end(), 0xee); // who reads it from here sees it
    system_->memory().write(page.frame, bytes.data(), bytes.size());
    free_[home_of(page.frame)].push_back(page.frame);
    page.frame = target;
    const Cycle whole = system_->clock().now() + shape_.copy_cycles;
    copied_.emplace(whole, number);
    clocked_->wake_at(whole);
}

void MovingDriver::finish_move(std::uint64_t number) {
    Page& page = pages_.at(number);
    page.moving = false;
    system_->page_table().map(number, page.frame);
    resolve(number);
}

} // namespace numavp::test
