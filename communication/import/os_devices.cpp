#include "communication/import/os_devices.h"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "communication/import/part_facts.h"

namespace numavp {

namespace {

/// `osdev_type` is a number up to version 2, and a set of bits from version 3 on (hwloc_obj_osdev_type_e).
std::optional<PartType> os_device_type(const HwlocObject& object, bool version_3) {
    if (object.type != "OSDev") return std::nullopt;
    constexpr unsigned kBlock = 0, kNetwork = 2, kStorageBit = 1, kNetworkBit = 16;
    const std::optional<unsigned> told = small_number(object.element->value("osdev_type"), 4096);
    if (!told) return std::nullopt;
    if (version_3 ? (*told & kStorageBit) != 0 : *told == kBlock) return PartType::block;
    if (version_3 ? (*told & kNetworkBit) != 0 : *told == kNetwork) return PartType::network;
    return std::nullopt;
}

/// SATA and ATA controllers, and IDE ones, as which SATA controllers show themselves in their legacy mode.
bool is_sata(const HwlocObject& controller) {
    constexpr unsigned kIde = 0x0101, kAta = 0x0105, kSata = 0x0106; // PCI Code and ID Assignment
    const unsigned code = controller.pci_class();
    return code == kIde || code == kAta || code == kSata;
}

} // namespace

void add_os_devices(FoundMachine& machine, const HwlocObjects& objects, bool version_3,
                    const std::map<std::size_t, std::size_t>& parts) {
    std::set<std::string> names;
    std::size_t without = 0;
    for (const HwlocObject& object : objects.all) {
        const std::optional<PartType> type = os_device_type(object, version_3);
        if (!type) continue;
        std::optional<std::size_t> above = object.parent;
        while (above && objects.all[*above].type != "PCIDev") above = objects.all[*above].parent;
        const auto found = above ? parts.find(*above) : parts.end();
        if (found == parts.end()) {
            ++without;
            continue;
        }
        const HwlocObject& device = objects.all[*above];
        FoundPart part;
        part.type = *type;
        part.bus = device.element->value("pci_busid");
        part.name = fmt::format("{}@{}", object.element->value("name"),
                                part.bus.compare(0, 5, "0000:") == 0 ? part.bus.substr(5) : part.bus);
        if (!names.insert(part.name).second)
            throw ConfigError(
                objects.place(*object.element),
                fmt::format("the device {} is there twice; names of one PCI device must differ", quotable(part.name)));
        const LinkType link = *type == PartType::block && is_sata(device) ? LinkType::sata : LinkType::os;
        const std::size_t added = machine.add(std::move(part));
        machine.links.push_back({link, found->second, added, 0, 1});
    }
    if (without != 0)
        add_note(machine.notes,
                 fmt::format("{}: {} block device{} or network interface{} without a PCI device {} left out",
                             objects.file, without, without == 1 ? "" : "s", without == 1 ? "" : "s",
                             without == 1 ? "is" : "are"));
}

unsigned nvlink_generation(const FoundMachine& machine, const FoundLink& link) {
    unsigned generation = 0;
    if (link.type != LinkType::nv) return generation;
    for (const std::size_t end : {link.a, link.b}) {
        const FoundPart& part = machine.parts[end];
        const GpuFacts* const facts =
            part.type == PartType::gpu && !part.model.empty() ? gpu_facts(part.model) : nullptr;
        if (facts && facts->nvlink != 0 && (generation == 0 || facts->nvlink < generation)) generation = facts->nvlink;
    }
    return generation;
}

} // namespace numavp
