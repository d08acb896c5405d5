#include "models/dispatch/dispatcher.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/stats/stats.h"
#include "base/time/team.h"
#include "base/values/error.h"
#include "models/cache/l2_slice.h"
#include "models/dispatch/block_dispatch.h"
#include "models/dispatch/block_order.h"
#include "tlm-links/protocol/ranks.h"

namespace numavp {
namespace {

/// Blocks that a socket, an SM or the machine starts. One of a sample does a part of its work, and costs that part of a
/// start.
unsigned starts_a_cycle(const DispatchConfig& config, const KernelShape& shape) {
    const double starts = std::round(config.blocks_per_cycle / shape.share);
    // Of a tiny sample all at once, whatever the number of blocks that a socket could start then.
    constexpr double kAll = 1U << 30;
    return static_cast<unsigned>(std::min(starts, kAll));
}

} // namespace

Dispatcher::Dispatcher(const DispatchConfig& config, ClockDomain& domain, Listener& listener)
    : Arbiter(domain, {kSystemRank, kRankControl, 0}), config_(config), listener_(listener),
      by_sm_(block_takers(config.split) == BlockTakers::sms), messenger_(domain) {}

Dispatcher::~Dispatcher() = default;

void Dispatcher::set_sockets(std::vector<SocketParts> sockets) {
    sockets_ = std::move(sockets);
    turn_.assign(sockets_.size(), 0);
    next_start_.assign(sockets_.size(), {});
    for (const SocketParts& s : sockets_) {
        started_at_.emplace_back(s.sms.size(), kNever);
        starts_.emplace_back(s.sms.size(), 0);
        bool flushes = false;
        for (const L2Slice* slice : s.slices) {
            copies_stay_ |= slice->keeps_copies();
            flushes |= slice->keeps_copies() || slice->flush_scope() != FlushScope::none;
        }
        flushes_.push_back(flushes);
        sockets_with_sms_ += s.sms.empty() ? 0U : 1U;
    }
    number_takers();
}

/// SMs of one socket after the other, or with the split `persistent` the first SM of each socket, the second, ...
void Dispatcher::number_takers() {
    taker_.resize(sockets_.size());
    if (!by_sm_) {
        for (std::size_t s = 0; s < sockets_.size(); ++s)
            taker_[s].assign(1, sockets_[s].sms.empty() ? takers_ : takers_++);
        return;
    }
    std::size_t most = 0;
    for (std::size_t s = 0; s < sockets_.size(); ++s) {
        taker_[s].resize(sockets_[s].sms.size());
        most = std::max(most, taker_[s].size());
    }
    if (config_.split != BlockSplit::persistent) {
        for (std::vector<unsigned>& sms : taker_)
            for (unsigned& taker : sms) taker = takers_++;
        return;
    }
    for (std::size_t sm = 0; sm < most; ++sm)
        for (std::vector<unsigned>& sms : taker_)
            if (sm < sms.size()) sms[sm] = takers_++;
}

void Dispatcher::load(const Workload& workload) {
    for (const Launch& launch : workload.launches) {
        streams_[launch.stream].push_back(launch);
        if (!launch.kernel) {
            ++copies_left_;
            continue;
        }
        ++kernels_total_;
        if (launch.number == 0) streams_[launch.stream].back().number = kernels_total_;
        blocks_total_ += launch.kernel->shape().blocks;
    }
    wake_at_start();
}

/// Takes the stream's launches up to and with the next kernel, or copy or phase of the host that takes time.
void Dispatcher::next_of(std::uint64_t stream) {
    std::deque<Launch>& queue = streams_[stream];
    while (!queue.empty()) {
        const Launch launch = queue.front();
        queue.pop_front();
        if (!launch.kernel) {
            if (!(launch.host ? host_phase(launch) : copy(launch))) return;
            --copies_left_;
            continue;
        }
        std::unique_ptr<Active> run = new_run(launch);
        for (const auto& other : active_) other->alone = false;
        listener_.kernel_launched(run->record, active_.empty());
        wake_at(run->start_at);
        active_.push_back(std::move(run));
        messages_ += sockets_.size();
        return;
    }
}

std::unique_ptr<Dispatcher::Active> Dispatcher::new_run(const Launch& launch) const {
    auto run = std::make_unique<Active>();
    run->shards = domain_.clockwork().workers();
    run->held = launch.kernel;
    run->kernel = launch.kernel.get();
    run->shape = &launch.kernel->shape();
    run->blocks_left = run->shape->blocks;
    run->blocks_per_cycle = starts_a_cycle(config_, *run->shape);
    run->interval = config_.block_interval_cycles * run->shape->share;
    split_blocks(*run);
    run->waves.resize(sockets_.size());
    run->record = {launch.number, run->shape->name, launch.stream, domain_.now(), 0, 0, 0};
    run->requests.resize(sockets_.size());
    run->start_at = domain_.now() + config_.launch_cycles + config_.message_cycles;
    for (const SocketParts& s : sockets_) {
        run->full.emplace_back(s.sms.size(), 0);
        run->arguments_at.emplace_back(s.sms.size(), 0);
    }
    run->full_sms.resize(sockets_.size());
    return run;
}

/// True if it is done at once.
bool Dispatcher::copy(const Launch& launch) {
    const std::uint64_t stream = launch.stream;
    const bool writes = launch.what != Launch::What::copy_to_host;
    const CopyStart start = copies_ == nullptr
                                ? CopyStart::ended
                                : copies_->copy(launch, [this, stream, writes] { copied(stream, writes); });
    if (start != CopyStart::nothing) copied_bytes_ += launch.bytes;
    if (start != CopyStart::under_way) return true;
    listener_.copy_launched();
    return false;
}

/// True if it is done at once.
bool Dispatcher::host_phase(const Launch& launch) {
    if (host_ == nullptr) return true;
    const std::uint64_t stream = launch.stream;
    const bool writes = launch.host->writes();
    if (host_->run(launch, [this, stream, writes] { copied(stream, writes); })) return true;
    listener_.copy_launched();
    return false;
}

/// Kernels of other streams may have brought lines of devices into caches that the copy, or the host, has written
/// since; where copies of lines outlast kernels, those before may have.
void Dispatcher::copied(std::uint64_t stream, bool writes) {
    const auto go_on = [this, stream] {
        --copies_left_;
        next_of(stream);
        if (finished()) listener_.all_ended();
    };
    if ((active_.empty() && !copies_stay_) || !writes) return go_on();
    flush_sockets([this, go_on] { invalidate_l1s(go_on); });
}

/// Acts when a message that is sent now arrives: in an arbitration, so that the order of deliveries does not matter.
void Dispatcher::post(std::function<void()> act) {
    ++messages_;
    if (config_.message_cycles == 0) return act();
    messenger_.send(config_.message_cycles, [this, act = std::move(act)] {
        arrived_.push_back(act);
        wake();
    });
}

void Dispatcher::take_messages() {
    for (const auto& act : arrived_) act(); // what they send arrives later
    arrived_.clear();
}

void Dispatcher::arbitrate() {
    if (!started_) {
        started_ = true;
        std::vector<std::uint64_t> streams;
        for (const auto& s : streams_) streams.push_back(s.first);
        for (const std::uint64_t s : streams) next_of(s);
        if (finished()) listener_.all_ended();
    }
    take_messages();
    given_.assign(sockets_.size(), 0);
    given_by_all_ = 0;
    for (std::size_t i = 0; i < active_.size(); ++i) {
        Active& run = *active_[i];
        if (run.phase == Phase::launching && domain_.now() >= run.start_at) {
            run.phase = Phase::running;
            run.record.started = domain_.now();
            listener_.kernel_started(run.record);
        }
        if (run.phase != Phase::running) continue;
        give_blocks(run);
        if (run.blocks_left != 0 || run.outstanding() != 0) continue;
        run.phase = Phase::reporting;
        run.record.ended = domain_.now();
        listener_.kernel_drained(run.record);
        for (unsigned s = 0; s < sockets_.size(); ++s)
            if (BlockWave wave; run.waves[s].last(domain_.now(), wave))
                listener_.wave_ended(run.record, SocketId(s), wave);
        messages_ += sockets_.size() - 1; // each socket reports
        post([this, &run] { flush(run); });
    }
    // A flush that is done may have ended kernels while the list was walked. None ends in the cycle of its last
    // instruction, which the cycles of the run include.
    const bool too_early = block_ended_at_ == domain_.now();
    for (std::size_t i = 0; i < active_.size();) {
        if (active_[i]->record.flushed == 0 || too_early)
            ++i;
        else
            end(*active_[i]);
    }
    if (too_early) wake();
}

/// Of a kernel sockets steal after all have got their own blocks, so that none loses a block that it begins in this
/// cycle. What a socket may still begin is left to the kernels that were launched later.
void Dispatcher::give_blocks(Active& run) {
    bool more = false;
    for (const bool stolen : {false, true}) {
        if (stolen && run.split != BlockSplit::stealing) break;
        if (config_.starts == StartRate::machine) {
            give_in_turn(run, stolen);
            more |= given_by_all_ >= run.blocks_per_cycle;
            continue;
        }
        for (unsigned socket = 0; socket < sockets_.size(); ++socket) {
            while (may_start(run, socket) && give_block(run, socket, stolen)) {
                ++given_[socket];
                if (run.interval != 0.0) next_start_[socket].take(domain_.now(), run.interval);
            }
            more |= config_.starts == StartRate::socket && given_[socket] >= run.blocks_per_cycle;
            if (next_start_[socket].after(domain_.now())) wake_at(next_start_[socket].edge());
        }
    }
    if (more) wake();
}

/// One block for each socket in turn, up to the machine's rate; the next cycle goes on with the next socket.
void Dispatcher::give_in_turn(Active& run, bool stolen) {
    const auto count = static_cast<unsigned>(sockets_.size());
    for (unsigned idle = 0; idle < count && given_by_all_ < run.blocks_per_cycle;) {
        const bool given = give_block(run, socket_turn_, stolen);
        idle = given ? 0 : idle + 1;
        given_by_all_ += given ? 1 : 0;
        socket_turn_ = socket_turn_ + 1 < count ? socket_turn_ + 1 : 0;
    }
}

bool Dispatcher::may_start(const Active& run, unsigned socket) const {
    if (config_.starts == StartRate::sm) return true; // each SM counts by itself
    return given_[socket] < run.blocks_per_cycle && !next_start_[socket].after(domain_.now());
}

/// True if the SM starts no more blocks in this cycle.
bool Dispatcher::has_started_enough(const Active& run, unsigned socket, unsigned sm) const {
    if (started_at_[socket][sm] != domain_.now()) return false;
    if (config_.one_block_an_sm) return true;
    return config_.starts == StartRate::sm && starts_[socket][sm] >= run.blocks_per_cycle;
}

bool Dispatcher::next_block(Active& run, unsigned taker, bool stolen, std::uint64_t& block) {
    if (!stolen) return run.queue->next(taker, block);
    if (!run.queue->steal(taker, block)) return false;
    ++blocks_stolen_;
    return true;
}

/// True if a socket has to ask for the block: it is not of the range that came with the launch.
bool Dispatcher::asks(const Active& run, bool stolen) const {
    return config_.message_cycles != 0 && (stolen || run.split == BlockSplit::fine_grained);
}

/// `room` SMs have room for a block.
void Dispatcher::ask(Active& run, unsigned socket, unsigned room, bool stolen) {
    Requests& requests = run.requests[socket];
    while (!requests.none_left && requests.open + requests.granted.size() < room) {
        ++requests.open;
        post([this, &run, socket, stolen] { answer(run, socket, stolen); });
    }
}

/// The kernel can't end before the answer has come: the report of its end and the flush take more ways.
void Dispatcher::answer(Active& run, unsigned socket, bool stolen) {
    std::uint64_t block = 0;
    const bool found = next_block(run, taker_[socket][0], stolen, block);
    post([&run, socket, found, block] {
        Requests& requests = run.requests[socket];
        --requests.open;
        if (found)
            requests.granted.push_back(block);
        else
            requests.none_left = true;
    });
}

bool Dispatcher::give_block(Active& run, unsigned socket, bool stolen) {
    const std::vector<Sm*>& sms = sockets_[socket].sms;
    const bool by_request = asks(run, stolen), whole_queue = by_request && !stolen;
    if (sms.empty() || (!by_sm_ && !whole_queue && (run.queue->left(taker_[socket][0]) == 0) != stolen)) return false;
    const auto count = static_cast<unsigned>(sms.size());
    std::vector<char>& full = run.full[socket];
    bool later = false;  // an SM may take another in the next cycle
    bool more = !by_sm_; // blocks are left for its SMs
    unsigned room = 0;   // SMs with room for a block that has not come
    std::deque<std::uint64_t>& granted = run.requests[socket].granted;
    const unsigned offers = by_sm_ || run.full_sms[socket] != count ? count : 0; // mostly all are full
    for (unsigned i = 0, sm = turn_[socket]; i < offers; ++i, sm = sm + 1 < count ? sm + 1 : 0) {
        const unsigned taker = taker_[socket][by_sm_ ? sm : 0];
        if (by_sm_ && run.queue->left(taker) == 0) continue;
        more = true;
        if (full[sm]) continue;
        if (has_started_enough(run, socket, sm)) {
            later = true;
            continue;
        }
        if (!sms[sm]->fits(*run.shape)) {
            full[sm] = 1;
            ++run.full_sms[socket];
            continue;
        }
        std::uint64_t block = 0;
        if (!by_request) {
            if (!next_block(run, taker, stolen, block)) return false;
        } else if (granted.empty()) {
            ++room;
            continue;
        } else {
            block = granted.front();
            granted.pop_front();
        }
        turn_[socket] = sm + 1 < count ? sm + 1 : 0;
        starts_[socket][sm] = started_at_[socket][sm] == domain_.now() ? starts_[socket][sm] + 1 : 1;
        started_at_[socket][sm] = domain_.now();
        if (BlockWave wave; run.waves[socket].started(domain_.now(), wave))
            listener_.wave_ended(run.record, SocketId(socket), wave);
        try {
            sms[sm]->start(run, run.kernel->open(run.order ? run.order->block(block) : block));
        } catch (const ConfigError& error) {
            listener_.bad_work(error.what());
            return false;
        }
        return true;
    }
    if (room != 0) ask(run, socket, room, stolen);
    if (later)
        wake();
    else if (more && room == 0)
        run.waves[socket].full();
    return false;
}

void Dispatcher::block_done(SocketId socket, unsigned sm, KernelRun& run) {
    Team::in_turn([this, socket, sm, &run] { ended_block(socket, sm, run); });
}

void Dispatcher::ended_block(SocketId socket, unsigned sm, KernelRun& run) {
    --run.blocks_left;
    ++blocks_done_;
    block_ended_at_ = domain_.now();
    static_cast<Active&>(run).waves[socket.value].block_ended(); // every run is one of ours
    for (const auto& other : active_) {
        char& full = other->full[socket.value][sm];
        if (full) --other->full_sms[socket.value];
        full = 0;
    }
    wake();
}

void Dispatcher::traffic_drained(KernelRun&) {
    Team::in_turn([this] { wake(); });
}

void Dispatcher::no_place(KernelRun& run) {
    Team::in_turn([this, &run] { listener_.no_place(*run.kernel); });
}

void Dispatcher::bad_work(const std::string& sentence) {
    Team::in_turn([this, sentence] { listener_.bad_work(sentence); });
}

void Dispatcher::end(Active& run) {
    ++kernels_done_;
    records_.push_back(run.record);
    listener_.kernel_ended(run.record);
    const std::uint64_t stream = run.record.stream;
    active_.erase(std::find_if(active_.begin(), active_.end(), [&](const auto& a) { return a.get() == &run; }));
    next_of(stream);
    if (finished()) listener_.all_ended();
}

void Dispatcher::add_statistics(StatGroup& machine) const {
    StatGroup& g = machine.group("system");
    if (config_.split == BlockSplit::stealing)
        g.sum(
            "blocks_stolen", [this] { return blocks_stolen_; }, "blocks",
            "Thread blocks run by a socket that had none left.");
    g.sum(
        "kernels", [this] { return kernels_done_; }, "kernels", "Kernels that have run.");
    g.sum(
        "blocks", [this] { return blocks_done_; }, "blocks", "Thread blocks that have run.");
    if (config_.message_cycles != 0)
        g.sum(
            "control_messages", [this] { return messages_; }, "messages",
            "Messages between the dispatcher and the sockets.");
    g.sum(
        "copied_bytes", [this] { return copied_bytes_; }, "B",
        "Bytes copied between host and devices, and between arrays.");
}

std::string Dispatcher::waiting_for() const {
    for (const auto& run : active_) {
        if (run->phase == Phase::reporting) return fmt::format("the report that kernel {} has ended", run->record.name);
        if (run->phase == Phase::flushing) return fmt::format("the flush behind kernel {}", run->record.name);
        if (run->phase == Phase::running)
            return fmt::format("{} blocks and {} accesses of kernel {}", run->blocks_left, run->outstanding(),
                               run->record.name);
    }
    return "";
}

} // namespace numavp
