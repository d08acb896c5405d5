#include "platform/machine/host_part.h"

#include <fmt/format.h>

#include "common/system/derived.h"
#include "platform/machine/host_build.h"

namespace numavp {

HostPart::HostPart(unsigned number, const PartResources& r) : r_(r), number_(number) {
    const TableRegion region = r.table.region();
    if (r.config.driver.execution == DriverExecution::riscv) {
        image_ = std::make_unique<ElfImage>(ElfImage::read(firmware_file(r.config)));
        r.host_record.image = image_->name();
    }
    const auto wire = [this](tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to, const std::string& name) {
        r_.bind_core(from, to, "host_" + name);
    };
    FlatMemory* const memory = r.pool.functional ? &r.memory : nullptr;
    host_ = std::make_unique<Host>("host", host_config(r.config, region, false),
                                   Host::Resources{r.domain, r.clockwork.domain(r.config.driver.clock_khz), r.pool,
                                                   r.map, r.table, memory, image_.get(), wire});
    set_registers(host_->registers(), r.config, region);
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
    host_->change();
}

void HostPart::connect() {
    std::vector<FaultClient*> clients;
    for (const GpuSocket* socket : r_.parts.sockets) clients.push_back(socket->mmu.get());
    host_->faults().set_clients(clients);
    if (!host_->link) return;
    for (unsigned s = 0; s < r_.parts.sockets.size(); ++s)
        r_.bind_core(host_->copies->socket_port(s), r_.parts.sockets[s]->device_port(0),
                     fmt::format("host_wire_copy{}", s));
    r_.bind_core(host_->link->switch_out(), r_.parts.fabric->ingress(number_), "wire_up_host");
    r_.bind_core(r_.parts.fabric->egress(number_), host_->link->switch_in(), "wire_down_host");
}

} // namespace numavp
