#include "tlm-links/axi_lite/axi_lite_subordinate.h"

#include <utility>

namespace numavp {

void AxiLiteSubordinateCore::edge(const rtl::AxiLiteManagerPins& m) {
    if (pins_.r.valid && m.rready) pins_.r.valid = has_read_ = false;
    if (pins_.b.valid && m.bready) pins_.b.valid = has_address_ = has_data_ = false;
    if (m.ar.valid && pins_.arready) {
        has_read_ = true;
        read_ = {false, m.ar.addr};
    }
    if (m.aw.valid && pins_.awready) {
        has_address_ = true;
        write_.write = true;
        write_.address = m.aw.addr;
    }
    if (m.w.valid && pins_.wready) {
        has_data_ = true;
        write_.data = m.w.data;
        write_.strobes = m.w.strb;
    }
    if (finished_) show_answer();
    open();
}

void AxiLiteSubordinateCore::open() {
    pins_.arready = !has_read_;
    pins_.awready = !has_address_;
    pins_.wready = !has_data_;
}

AxiLiteAccess* AxiLiteSubordinateCore::next_request() {
    if (serving_) return nullptr;
    const bool write = has_address_ && has_data_ && !pins_.b.valid;
    const bool read = has_read_ && !pins_.r.valid;
    if (write && (writes_turn_ || !read))
        serving_ = &write_;
    else if (read)
        serving_ = &read_;
    if (serving_) writes_turn_ = !serving_->write;
    return serving_;
}

void AxiLiteSubordinateCore::finish(unsigned response) {
    response_ = response;
    finished_ = true;
}

void AxiLiteSubordinateCore::show_answer() {
    const AxiLiteAccess& access = *std::exchange(serving_, nullptr);
    finished_ = false;
    if (access.write)
        pins_.b = {true, response_};
    else
        pins_.r = {true, response_, access.data};
}

} // namespace numavp
