#include "tests/tlm-links/axi_lite/checked/random_lite_manager.h"

#include <algorithm>

namespace numavp::test {

namespace {
constexpr std::size_t kMostReads = 3; // that are out
}

std::uint64_t RandomLiteManager::random_address() {
    std::uint64_t address = 8 * random_.below(kRegisters + 1);
    if (random_.chance(1, 8)) address = kCounter;
    if (random_.chance(1, 16)) address += kCounter + 8;
    if (random_.chance(1, 16)) address += 1 + random_.below(7);
    return address;
}

unsigned RandomLiteManager::expected_response(std::uint64_t address) {
    if (address % 8 != 0) return rtl::kAxiSlverr;
    return address > kCounter ? rtl::kAxiDecerr : rtl::kAxiOkay;
}

bool RandomLiteManager::reads(std::uint64_t address) const {
    return std::any_of(reading_.begin(), reading_.end(), [&](std::uint64_t a) { return a / 8 == address / 8; });
}

void RandomLiteManager::begin() {
    if (begun_ == count_) return;
    const std::uint64_t address = random_address();
    if (random_.chance(1, 2)) {
        if (writing_ || reads(address)) return;
        writing_ = address_due_ = data_due_ = true;
        write_address_ = out_.aw.addr = address;
        out_.w = {false, random_.chance(1, 2) ? 0xff : static_cast<unsigned>(random_.below(256)), random_.next()};
    } else {
        if (read_due_ || out_.ar.valid || reading_.size() == kMostReads) return;
        if (writing_ && write_address_ / 8 == address / 8) return;
        read_due_ = true;
        out_.ar.addr = address;
        reading_.push_back(address);
    }
    ++begun_;
}

void RandomLiteManager::end_read() {
    const std::uint64_t address = reading_.front();
    reading_.pop_front();
    const unsigned expected = expected_response(address);
    bool right = in_.r.resp == expected;
    if (expected == rtl::kAxiOkay) {
        std::uint64_t& reference = reference_[address / 8];
        right = right && in_.r.data == reference;
        if (address == kCounter) ++reference;
    }
    wrong_ += !right;
    ++done_;
}

void RandomLiteManager::end_write() {
    const unsigned expected = expected_response(write_address_);
    wrong_ += in_.b.resp != expected;
    if (expected == rtl::kAxiOkay) {
        std::uint64_t lanes = 0;
        for (unsigned i = 0; i < 8; ++i) lanes |= (out_.w.strb >> i & 1U) != 0 ? std::uint64_t{0xff} << (8 * i) : 0;
        std::uint64_t& reference = reference_[write_address_ / 8];
        reference = write_address_ == kCounter ? 0 : (reference & ~lanes) | (out_.w.data & lanes);
    }
    ++done_;
    writing_ = false;
}

void RandomLiteManager::edge() {
    if (out_.ar.valid && in_.arready) out_.ar.valid = false;
    if (out_.aw.valid && in_.awready) out_.aw.valid = false;
    if (out_.w.valid && in_.wready) out_.w.valid = false;
    if (in_.r.valid && out_.rready && !reading_.empty()) end_read();
    if (in_.b.valid && out_.bready) end_write();
    begin();
    const auto show = [&](bool& due, bool& valid) {
        if (!due || !hurries()) return;
        due = false;
        valid = true;
    };
    show(read_due_, out_.ar.valid);
    show(address_due_, out_.aw.valid);
    show(data_due_, out_.w.valid);
    out_.rready = hurries();
    out_.bready = hurries();
}

} // namespace numavp::test
