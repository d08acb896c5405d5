#include "communication/import/hwloc_objects.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"

namespace numavp {

namespace {

std::string type_of(const XmlElement& element) {
    std::string type = element.value("type");
    if (type == "Socket") return "Package"; // version 1.0 to 1.10
    if (type == "Node") return "NUMANode";
    return type;
}

/// Digits of "0302 [10de:15f9] [10de:116b] a1"; 0 if there are none.
unsigned hexadecimal(const std::string& text, std::size_t from) {
    unsigned value = 0;
    if (from + 4 > text.size()) return 0;
    const auto [end, fault] = std::from_chars(text.data() + from, text.data() + from + 4, value, 16);
    return fault == std::errc() && end == text.data() + from + 4 ? value : 0;
}

constexpr unsigned kNvidia = 0x10de, kAmd = 0x1002;

} // namespace

std::string HwlocObject::info(const char* name) const {
    for (const XmlElement& child : element->children)
        if (child.name == "info" && child.value("name") == name) return child.value("value");
    return {};
}

std::string HwlocObject::subtype() const {
    if (std::string text = element->value("subtype"); !text.empty()) return text;
    if (std::string text = info("Type"); !text.empty()) return text; // version 1
    return info("CoProcType");
}

std::optional<unsigned> HwlocObject::name_number(const std::string& prefix) const {
    const std::string name = element->value("name");
    if (name.compare(0, prefix.size(), prefix) != 0) return std::nullopt;
    return small_number(std::string_view(name).substr(prefix.size()), 4096);
}

unsigned HwlocObject::pci_class() const { return hexadecimal(element->value("pci_type"), 0); }

unsigned HwlocObject::pci_vendor() const {
    const std::string text = element->value("pci_type");
    const std::size_t bracket = text.find('[');
    return bracket == std::string::npos ? 0 : hexadecimal(text, bracket + 1);
}

bool HwlocObject::is_nv_switch() const {
    return type == "PCIDev" && (subtype() == "NVSwitch" || (pci_class() == 0x0680 && pci_vendor() == kNvidia));
}

std::string HwlocObject::device_word() const {
    struct Row {
        unsigned code;
        const char* word;
    };
    for (const Row& row : {Row{0x0207, "ib"}, Row{0x0104, "raid"}, Row{0x0106, "sata"}, Row{0x0107, "sas"},
                           Row{0x0108, "nvme"}, Row{0x0c03, "usb"}})
        if (pci_class() == row.code) return row.word;
    for (const Row& row :
         {Row{0x01, "disk"}, Row{0x02, "nic"}, Row{0x03, "vga"}, Row{0x0b, "accel"}, Row{0x12, "accel"}})
        if (pci_class() >> 8 == row.code) return row.word;
    return "dev";
}

HwlocObjects::HwlocObjects(const XmlElement& root, const std::string& name) : file(name) {
    for (const XmlElement& child : root.children)
        if (child.name == "object") add(child, std::nullopt);
}

void HwlocObjects::add(const XmlElement& element, std::optional<std::size_t> parent) {
    HwlocObject object;
    object.element = &element;
    object.parent = parent;
    object.type = type_of(element);
    if (object.type.empty())
        throw ConfigError(place(element), "an object has no type; one such as Package is expected");
    if (const std::string* index = element.attribute("os_index")) {
        object.os_index = small_number(*index, ~0U);
        if (!object.os_index)
            throw ConfigError(place(element),
                              fmt::format("os_index '{}' is no number; a whole number is expected", quotable(*index)));
    }
    const std::size_t index = all.size();
    if (object.os_index) by_os_.emplace(std::pair(object.type, *object.os_index), index);
    all.push_back(std::move(object));
    if (const std::string* gp = element.attribute("gp_index"))
        if (!by_gp_.emplace(all[index].type + ":" + *gp, index).second)
            throw ConfigError(place(element),
                              fmt::format("gp_index {} is there twice; numbers must differ", quotable(*gp)));
    for (const XmlElement& child : element.children)
        if (child.name == "object") add(child, index);
    all[index].end = all.size();
}

std::string HwlocObjects::place(const XmlElement& element) const {
    return fmt::format("{}: line {}", file, element.line);
}

const HwlocObject* HwlocObjects::around(const HwlocObject& object, const char* type) const {
    for (std::optional<std::size_t> at = object.parent; at; at = all[*at].parent)
        if (all[*at].type == type) return &all[*at];
    return nullptr;
}

unsigned HwlocObjects::count_under(std::size_t object, const char* type) const {
    unsigned count = 0;
    for (std::size_t o = object; o < all[object].end; ++o) count += all[o].type == type ? 1 : 0;
    return count;
}

IdSet HwlocObjects::cpus_of(std::size_t object) const {
    const XmlElement& element = *all[object].element;
    const std::string* text = element.attribute("complete_cpuset"); // also what a container may not use
    if (text == nullptr) text = element.attribute("cpuset");
    if (text == nullptr) return {};
    const std::optional<IdSet> set = id_set_of_mask(*text);
    if (!set)
        throw ConfigError(place(element), fmt::format("the CPU set '{}' can't be read; words such as 0x0000ffff,0x1 "
                                                      "are expected",
                                                      quotable(*text)));
    return *set;
}

std::string HwlocObjects::info_here_or_above(std::size_t object, const char* name) const {
    for (std::optional<std::size_t> at = object; at; at = all[*at].parent)
        if (std::string text = all[*at].info(name); !text.empty()) return text;
    return {};
}

std::uint64_t HwlocObjects::bytes(std::size_t object, const char* attribute) const {
    const XmlElement& element = *all[object].element;
    const std::string* text = element.attribute(attribute);
    if (text == nullptr) return 0;
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (fault != std::errc() || end != text->data() + text->size() || value >> 56 != 0)
        throw ConfigError(place(element), fmt::format("{} '{}' is no number of bytes; a whole number is expected",
                                                      attribute, quotable(*text)));
    return value;
}

std::uint64_t HwlocObjects::kibibytes(std::size_t object, const char* name) const {
    const std::string text = all[object].info(name);
    if (text.empty()) return 0;
    std::uint64_t value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(end, text.data() + text.size());
    if (fault != std::errc() || !(unit.empty() || unit == "KiB" || unit == " KiB" || unit == " kB") || value >> 40 != 0)
        throw ConfigError(place(*all[object].element), fmt::format("{} '{}' is no size in KiB; a whole number below "
                                                                   "2^40 is expected",
                                                                   name, quotable(text)));
    return value << 10;
}

double HwlocObjects::link_speed(std::size_t object) const {
    const XmlElement& element = *all[object].element;
    const std::string* text = element.attribute("pci_link_speed");
    if (text == nullptr || text->empty()) return 0;
    double value = 0;
    const auto [end, fault] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (fault != std::errc() || end != text->data() + text->size() || !(value >= 0 && value <= 10000))
        throw ConfigError(place(element), fmt::format("pci_link_speed '{}' is no bandwidth; GB/s from 0 to 10000 are "
                                                      "expected",
                                                      quotable(*text)));
    return value;
}

std::vector<std::size_t> HwlocObjects::devices_of(std::size_t object) const {
    std::vector<std::size_t> found;
    for (std::size_t o = object; o < all[object].end; ++o)
        if (all[o].type == "OSDev") found.push_back(o);
    return found;
}

bool HwlocObjects::is_gpu(std::size_t pci_device) const {
    const HwlocObject& device = all[pci_device];
    for (const std::size_t d : devices_of(pci_device)) {
        if (all[d].parent != pci_device) continue;
        for (const char* prefix : {"nvml", "cuda", "rsmi", "ze"})
            if (all[d].name_number(prefix)) return true;
        if (all[d].info("OpenCLDeviceType") == "GPU") return true;
    }
    const unsigned code = device.pci_class();
    const bool computes = code == 0x0302 || code == 0x0380 || code == 0x1200; // a VGA controller may be a console's
    return (device.pci_vendor() == kNvidia && (computes || code == 0x0300)) ||
           (device.pci_vendor() == kAmd && computes);
}

std::optional<std::size_t> HwlocObjects::by_gp_index(const std::string& number, const std::string& type) const {
    const auto found = by_gp_.find(type + ":" + number);
    return found == by_gp_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
}

std::optional<std::size_t> HwlocObjects::by_os_index(unsigned number, const std::string& type) const {
    const auto found = by_os_.find({type, number});
    return found == by_os_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
}

std::string trimmed(const std::string& name) {
    std::string out;
    for (const char c : name)
        if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
    if (!out.empty() && out.back() == ' ') out.pop_back();
    return out;
}

} // namespace numavp
