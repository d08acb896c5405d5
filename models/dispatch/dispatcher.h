/// Launches kernels, hands their blocks to SMs, and flushes caches at the end of a kernel.
///
/// Launches of one stream run in order, those of different streams side by side. A kernel has ended when all its blocks
/// have ended, all its accesses are answered and the flush behind it is done. A CopyService does the copies; without
/// one they take no time and their bytes are counted. A HostService does the host's own work; without one it takes no
/// time.
///
/// What passes between the dispatcher and a socket is a message of `message_cycles`: a launch with the socket's range
/// of blocks, the report that all work has ended, flushes, invalidations and their answers. A socket starts and ends
/// blocks of its own range by itself. For those of a queue that sockets share, or of another socket, it sends a request
/// for each SM that has room; the answer brings a block, or says that none is left.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/time/cycle_parts.h"
#include "base/time/messenger.h"
#include "models/dispatch/block_waves.h"
#include "models/dispatch/copy_service.h"
#include "models/dispatch/dispatch_config.h"
#include "models/dispatch/host_service.h"
#include "models/sm/sm.h"

namespace numavp {

class BlockOrder;
class BlockQueue;

/// Edges at which a launch went from one phase to the next.
struct LaunchRecord {
    std::uint64_t number = 0; ///< of the launches of kernels, from 1
    std::string name;
    std::uint64_t stream = 0;
    Cycle launched = 0; ///< asked for
    Cycle started = 0;  ///< first blocks
    Cycle ended = 0;    ///< last access answered
    Cycle flushed = 0;  ///< caches coherent
};

class Dispatcher final : public Arbiter, public ModelPart, public SmClient {
  public:
    /// The parts of a socket that the dispatcher drives.
    struct SocketParts {
        std::vector<Sm*> sms;
        std::vector<class L2Slice*> slices;
    };
    /// Receives events of launches; `alone`: no other kernel runs. A copy, or a host phase that takes time, also counts
    /// as a launch.
    class Listener {
      public:
        virtual void copy_launched() = 0;
        virtual void kernel_launched(const LaunchRecord& record, bool alone) = 0;
        virtual void kernel_started(const LaunchRecord& record) = 0; ///< before its first block
        virtual void kernel_drained(const LaunchRecord& record) = 0; ///< before its flush begins
        virtual void kernel_ended(const LaunchRecord& record) = 0;   ///< after it
        virtual void wave_ended(const LaunchRecord& record, SocketId socket, const BlockWave& wave) = 0;
        virtual void all_ended() = 0;
        virtual void no_place(const Kernel& kernel) = 0;
        /// A source of work turned out to be broken while it was read.
        virtual void bad_work(const std::string& sentence) = 0;

      protected:
        ~Listener() = default;
    };
    Dispatcher(const DispatchConfig& config, ClockDomain& domain, Listener& listener);
    ~Dispatcher() override;
    void set_sockets(std::vector<SocketParts> sockets);
    /// Before the simulation starts. Without a service copies take no time; their bytes are counted.
    void set_copies(CopyService& service) { copies_ = &service; }
    /// Before the simulation starts. Without a service the host's work takes no time.
    void set_host(HostService& service) { host_ = &service; }
    /// Takes the launches to be run; before the simulation starts.
    void load(const Workload& workload);
    /// Takes another split or order of blocks, between edges: kernels that have not begun get it, those that run keep
    /// theirs. Both splits give blocks to sockets (block_takers()).
    void change(const DispatchConfig& config);

    void arbitrate() override;
    void block_done(SocketId socket, unsigned sm, KernelRun& run) override;
    void traffic_drained(KernelRun& run) override;
    void flush_socket(SocketId socket, std::function<void()> done) override;
    void no_place(KernelRun& run) override;
    void bad_work(const std::string& sentence) override;

    const std::vector<LaunchRecord>& records() const { return records_; }
    std::uint64_t blocks_done() const { return blocks_done_; }
    std::uint64_t blocks_total() const { return blocks_total_; }
    std::uint64_t kernels_done() const { return kernels_done_; }
    std::uint64_t kernels_total() const { return kernels_total_; }
    std::uint64_t copied_bytes() const { return copied_bytes_; }
    bool finished() const { return kernels_done_ == kernels_total_ && copies_left_ == 0; }
    void add_statistics(StatGroup& machine) const override;
    std::string waiting_for() const override;

  private:
    enum class Phase : std::uint8_t { launching, running, reporting, flushing };
    /// Requests of a socket for blocks outside its range.
    struct Requests {
        std::deque<std::uint64_t> granted; ///< blocks that have come and not begun
        unsigned open = 0;                 ///< not answered yet
        bool none_left = false;            ///< said an answer
    };
    struct Active : KernelRun {
        std::shared_ptr<Kernel> held;
        BlockSplit split = BlockSplit::contiguous; ///< of `queue`
        std::unique_ptr<BlockQueue> queue;
        std::unique_ptr<BlockOrder> order; ///< null: blocks are given out by their numbers
        std::vector<BlockWaves> waves;     ///< one a socket
        LaunchRecord record;
        Phase phase = Phase::launching;
        Cycle start_at = 0;
        unsigned blocks_per_cycle = 1;       ///< that each of config_.starts starts
        double interval = 0.0;               ///< cycles between two of them
        std::vector<std::vector<char>> full; ///< SMs of each socket that had no room for this kernel's last offer
        std::vector<unsigned> full_sms;      ///< their number in each socket
        std::vector<Requests> requests;      ///< of each socket
        bool alone = true;                   ///< no other kernel has been active since its flush began
    };
    void number_takers();
    void next_of(std::uint64_t stream);
    std::unique_ptr<Active> new_run(const Launch& launch) const;
    bool copy(const Launch& launch);
    bool host_phase(const Launch& launch);
    void copied(std::uint64_t stream, bool writes);
    void give_blocks(Active& run);
    void give_in_turn(Active& run, bool stolen);
    bool may_start(const Active& run, unsigned socket) const;
    bool has_started_enough(const Active& run, unsigned socket, unsigned sm) const;
    bool give_block(Active& run, unsigned socket, bool stolen);
    bool next_block(Active& run, unsigned taker, bool stolen, std::uint64_t& block);
    bool asks(const Active& run, bool stolen) const;
    void split_blocks(Active& run) const;
    void ask(Active& run, unsigned socket, unsigned room, bool stolen);
    void answer(Active& run, unsigned socket, bool stolen);
    void post(std::function<void()> act);
    void take_messages();
    void flush(Active& run);
    void flush_sockets(const std::function<void()>& done);
    void invalidate_l1s(const std::function<void()>& done);
    void coherent(Active& run);
    void end(Active& run);
    void ended_block(SocketId socket, unsigned sm, KernelRun& run);

    DispatchConfig config_;
    Listener& listener_;
    std::vector<SocketParts> sockets_;
    bool by_sm_ = false; ///< SMs take blocks, not sockets
    /// Numbers of the takers of each socket; takers are the sockets that have SMs, or all SMs.
    std::vector<std::vector<unsigned>> taker_;
    unsigned takers_ = 0, sockets_with_sms_ = 0;
    std::vector<std::vector<Cycle>> started_at_; ///< last start of a block, of each SM of each socket
    std::vector<std::vector<unsigned>> starts_;  ///< blocks that each SM of each socket started in that cycle
    std::vector<char> flushes_;                  ///< each socket's slices have something to do at a boundary
    std::vector<unsigned> turn_;                 ///< SM of each socket that is offered a block first
    std::vector<CycleParts> next_start_;         ///< of a block in each socket
    std::vector<unsigned> given_;                ///< blocks that each socket has begun in this cycle
    unsigned given_by_all_ = 0;                  ///< and all of them
    unsigned socket_turn_ = 0;                   ///< socket that is offered a block first, with a rate of the machine
    std::map<std::uint64_t, std::deque<Launch>> streams_;
    std::vector<std::unique_ptr<Active>> active_;
    std::vector<LaunchRecord> records_;
    std::uint64_t blocks_done_ = 0, blocks_total_ = 0, kernels_done_ = 0, kernels_total_ = 0, copied_bytes_ = 0;
    std::uint64_t blocks_stolen_ = 0;
    Cycle block_ended_at_ = kNever;
    std::uint64_t copies_left_ = 0; ///< and phases of the host, that have not ended
    Messenger messenger_;
    std::vector<std::function<void()>> arrived_; ///< messages of this edge
    std::uint64_t messages_ = 0;
    CopyService* copies_ = nullptr;
    HostService* host_ = nullptr;
    bool started_ = false;
    bool copies_stay_ = false; ///< of other sockets' lines, in slices, when a kernel ends
};

} // namespace numavp
