#define SC_INCLUDE_DYNAMIC_PROCESSES // for sc_spawn
#include "tests/tlm-links/foreign_initiator.h"

#include <algorithm>
#include <string>

#include "base/time/sim_time.h"
#include "tests/tlm-links/bytewise.h"

namespace numavp::test {

using sc_core::sc_time;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

namespace {

TLM_DECLARE_EXTENDED_PHASE(INITIATOR_NOTE);

} // namespace

const std::vector<InitiatorStyle>& initiator_styles() {
    using A = ResponseAnswer;
    static const std::vector<InitiatorStyle> styles = {
        {"words, completes responses", 0, A::completed, 8},
        {"one at a time", 0, A::completed, 64, 1, 5'003},
        {"ends responses on return with a delay", 0, A::updated, 128, 8, 3'001, 4'001},
        {"ends responses later", 0, A::later, 200, 8, 12'007},
        {"annotates its requests", 0, A::completed, 96, 8, 0, 25'013},
        {"long bursts", 0, A::completed, 2000, 4, 2'003},
        {"odd accesses", 0, A::any, 400, 16, 2'003, 3'001, true},
        {"wrong addresses", 0, A::any, 300, 8, 1'009, 0, true, false, 30},
        {"phases of its own", 0, A::any, 128, 8, 2'003, 1'009, false, true},
        {"anything that is legal", 0, A::any, 700, 16, 4'001, 9'001, true, true, 10},
        {"blocking", 1, A::any, 256, 1, 7'001},
        {"blocking from many threads, annotated, odd", 7, A::any, 300, 1, 9'001, 15'013, true, false, 10},
        {"mixes both interfaces", 0, A::any, 300, 12, 1'009, 5'003, true, false, 10, false, 30},
    };
    return styles;
}

struct ForeignInitiator::Access final : tlm::tlm_generic_payload {
    std::vector<unsigned char> bytes;
    std::vector<unsigned char> expected;
    std::vector<unsigned char> enables;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
};

class ForeignInitiator::Manager final : public tlm::tlm_mm_interface {
  public:
    void free(tlm::tlm_generic_payload* payload) override { delete static_cast<Access*>(payload); }
};

ForeignInitiator::ForeignInitiator(sc_core::sc_module_name name, const InitiatorStyle& style, unsigned count,
                                   std::uint64_t seed)
    : sc_module(name), socket("socket"), style_(style), count_(count), rng_(seed), answers_(seed + 1),
      manager_(std::make_unique<Manager>()) {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
    if (style_.blocking_threads == 0) {
        SC_THREAD(send_all);
        SC_METHOD(end_responses);
        sensitive << owed_event_;
        dont_initialize();
    }
    for (unsigned i = 0; i < style_.blocking_threads + style_.blocking_beside; ++i)
        sc_core::sc_spawn([this] { block_all(); }, ("block" + std::to_string(i)).c_str());
}

ForeignInitiator::~ForeignInitiator() = default;

sc_time ForeignInitiator::annotation(Rng& rng) {
    return style_.annotation_ps ? ps_time(rng.below(style_.annotation_ps + 1)) : sc_core::SC_ZERO_TIME;
}

// --- what is accessed, and what should come of it

void ForeignInitiator::fill(Access& access) {
    const auto length = style_.words ? 8U : static_cast<unsigned>(1 + rng_.below(style_.longest));
    access.bytes.resize(length);
    for (auto& byte : access.bytes) byte = static_cast<unsigned char>(rng_.next());
    const bool wrong = rng_.chance(style_.wrong_percent, 100);
    const std::uint64_t first = range.base + rng_.below(range.size - length);
    access.set_command(rng_.chance(1, 2) ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    access.set_address(style_.odd ? first : std::max(first & ~std::uint64_t{7}, range.base));
    access.set_data_ptr(access.bytes.data());
    access.set_data_length(length);
    access.set_streaming_width(length);
    access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (style_.odd) {
        if (rng_.chance(1, 4)) access.set_streaming_width(static_cast<unsigned>(1 + rng_.below(2 * length)));
        if (rng_.chance(1, 3)) {
            access.enables.resize(1 + rng_.below(2 * length));
            for (auto& e : access.enables) e = rng_.chance(1, 2) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            access.set_byte_enable_ptr(access.enables.data());
            access.set_byte_enable_length(static_cast<unsigned>(access.enables.size()));
        }
        if (rng_.chance(1, 50)) access.set_command(tlm::TLM_IGNORE_COMMAND);
    }
    if (!wrong) return;
    const unsigned extent = std::min(length, access.get_streaming_width());
    const std::uint64_t choices[] = {range.base - 1, range.base + range.size - extent + 1, range.base + range.size, 0,
                                     ~std::uint64_t{0} - extent + 1};
    access.set_address(choices[style_.apart ? 2 + rng_.below(2) : rng_.below(5)]);
    if (!access.is_read() && !access.is_write()) return; // nothing is accessed, so nothing is wrong
    access.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

/// Called in the order of the calls, in which the adapter serves them.
void ForeignInitiator::expect(Access& access) {
    access.expected = access.bytes;
    if (access.status == tlm::TLM_OK_RESPONSE) perform_bytewise(access, access.expected.data(), reference);
}

void ForeignInitiator::check(Access& access) {
    ++answered_;
    if (access.get_response_status() != access.status || access.bytes != access.expected) ++wrong_;
}

// --- non-blocking

void ForeignInitiator::send_all() {
    while (begun_ < count_) {
        ++begun_;
        if (style_.blocking_percent != 0 && rng_.chance(style_.blocking_percent, 100)) {
            Access access; // without a memory manager
            fill(access);
            expect(access);
            block(access);
            continue;
        }
        while (requesting_ || inside_ >= style_.outstanding) wait(progress_);
        if (request_free_ps_ > sc_now_ps()) wait(ps_time(request_free_ps_ - sc_now_ps()));
        if (style_.pause_ps && rng_.chance(1, 2)) wait(ps_time(rng_.below(style_.pause_ps + 1)));
        auto* access = new Access;
        access->set_mm(manager_.get());
        access->acquire();
        fill(*access);
        expect(*access);
        ++inside_;
        send(*access);
    }
}

void ForeignInitiator::send(Access& access) {
    requesting_ = &access;
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = annotation(rng_);
    request_free_ps_ = sc_now_ps() + delay.value();
    access.acquire(); // for this function
    const tlm_sync_enum status = socket->nb_transport_fw(access, phase, delay);
    const bool responds = status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
    if (status == tlm::TLM_COMPLETED || responds || (status == tlm::TLM_UPDATED && phase == tlm::END_REQ)) {
        request_free_ps_ = sc_now_ps() + delay.value();
        requesting_ = nullptr;
    }
    if (status == tlm::TLM_COMPLETED || responds) {
        response_begun(access, delay, responds);
    } else if (style_.ignorable && rng_.chance(1, 3)) {
        tlm_phase note = INITIATOR_NOTE;
        socket->nb_transport_fw(access, note, delay);
    }
    access.release();
}

tlm_sync_enum ForeignInitiator::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm_phase& phase, sc_time& delay) {
    auto& access = static_cast<Access&>(payload);
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED; // ignorable
    if (requesting_ == &access) {                                                    // BEGIN_RESP implies END_REQ
        requesting_ = nullptr;
        request_free_ps_ = sc_now_ps() + delay.value();
        progress_.notify();
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;

    auto answer = style_.answer;
    if (answer == ResponseAnswer::any) answer = static_cast<ResponseAnswer>(answers_.below(3));
    response_begun(access, delay, answer == ResponseAnswer::later);
    if (answer == ResponseAnswer::later) return tlm::TLM_ACCEPTED;
    delay += annotation(answers_);
    if (answer == ResponseAnswer::completed) return tlm::TLM_COMPLETED;
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
}

void ForeignInitiator::response_begun(Access& access, const sc_time& delay, bool owes_end) {
    check(access);
    --inside_;
    progress_.notify();
    if (!owes_end) return access.release();
    owing_ = &access;
    owed_ps_ = sc_now_ps() + delay.value();
    const sc_time pause = style_.pause_ps ? ps_time(answers_.below(style_.pause_ps + 1)) : sc_core::SC_ZERO_TIME;
    owed_event_.notify(delay + pause + ps_time(1));
}

void ForeignInitiator::end_responses() {
    Access& access = *owing_;
    owing_ = nullptr; // before the call: the next response may come from inside it
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = annotation(answers_);
    socket->nb_transport_fw(access, phase, delay);
    access.release();
}

// --- blocking

void ForeignInitiator::block_all() {
    while (begun_ < count_) {
        ++begun_;
        if (style_.pause_ps && rng_.chance(1, 2)) wait(ps_time(rng_.below(style_.pause_ps + 1)));
        Access access; // without a memory manager
        fill(access);
        expect(access);
        block(access);
    }
}

void ForeignInitiator::block(Access& access) {
    sc_time delay = annotation(rng_);
    socket->b_transport(access, delay);
    check(access);
    if (rng_.chance(1, 2)) wait(delay);
}

} // namespace numavp::test
