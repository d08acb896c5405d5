#include "platform/machine/host_part.h"

#include <fmt/format.h>

#include "common/system/derived.h"
#include "platform/machine/host_build.h"

namespace numavp {

HostPart::HostPart(unsigned number, const PartResources& r) : r_(r), number_(number) {
    const TableRegion region = r.table.region();
    image_ = driver_image(r.config);
    if (image_) r.host_record.image = image_->name();
    policy_object_ = policy_object(r.config);
    const auto wire = [this](tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name) {
        r_.bind_core(from, to, "host_" + name);
    };
    FlatMemory* const memory = r.pool.functional ? &r.memory : nullptr;
    host_ = std::make_unique<Host>("host", host_config(r.config, region, false),
                                   Host::Resources{r.domain, r.clockwork.domain(r.config.driver.clock_khz), r.pool,
                                                   r.map, r.table, memory, image_.get(), wire,
                                                   policy_object_ ? &policy_object_->policy() : nullptr});
    set_registers(host_->registers(), r.config, region);
    show_distances(host_->registers().look, r.config);
    host_->faults().on_fault = [this](const PageFault& fault) {
        r_.host_record.faults.push_back({r_.clockwork.now_ps(), fault});
        r_.host_record.pages.insert(fault.page);
    };
    host_->faults().ledger().on_end = [this](std::uint64_t page, SocketId first, const FaultTimes& t) {
        r_.host_record.served.push_back({page, first, t});
    };
    host_->registers().on_line = r.options.say;
    if (host_->copies)
        host_->copies->on_end = [this](std::uint64_t since_ps, std::uint64_t bytes, SocketId from, SocketId to) {
            r_.host_record.copies.push_back({since_ps, r_.clockwork.now_ps(), bytes, from, to});
        };
    if (host_->bus && r.pool.functional) host_->bus->debug_read = r.debug_read;
    r.parts.host = host_.get();
}

HostPart::~HostPart() = default;

void HostPart::change(const SystemConfig& now) {
    set_registers(host_->registers(), now, r_.table.region());
    host_->registers().look.sample_every(now.link.sample_cycles);
    host_->change();
}

void HostPart::show_links() {
    /// Of the lanes of one way: bytes that have left, and what lanes could have carried.
    const auto work = [this](unsigned socket, auto carried, auto lane_cycles) {
        const Link* const link = r_.parts.sockets[socket]->link.get();
        if (link == nullptr) return LinkWork{};
        const std::uint64_t hertz = r_.domain_of(socket).khz() * 1000;
        const auto bytes = static_cast<unsigned __int128>((link->*lane_cycles)()) * link->config().lane_bytes_per_s();
        return LinkWork{(link->*carried)(), static_cast<std::uint64_t>(bytes / hertz)};
    };
    MachineLook::Links links;
    links.cycles = r_.config.link.sample_cycles;
    links.now = [this] { return r_.domain.now(); };
    links.out = [work](unsigned s) { return work(s, &Link::busy_bytes_out, &Link::lane_cycles_out); };
    links.in = [work](unsigned s) { return work(s, &Link::busy_bytes_in, &Link::lane_cycles_in); };
    host_->registers().look.watch(std::move(links));
}

void HostPart::connect() {
    std::vector<FaultClient*> clients;
    for (const GpuSocket* socket : r_.parts.sockets) clients.push_back(socket->mmu.get());
    host_->faults().set_clients(clients);
    show_links();
    if (!host_->link) return;
    for (unsigned s = 0; s < r_.parts.sockets.size(); ++s)
        r_.bind_core(host_->copies->socket_port(s), r_.parts.sockets[s]->device_port(0),
                     fmt::format("host_wire_copy{}", s));
    r_.bind_core(host_->link->switch_out(), r_.parts.fabric->ingress(number_), "wire_up_host");
    r_.bind_core(r_.parts.fabric->egress(number_), host_->link->switch_in(), "wire_down_host");
}

} // namespace numavp
