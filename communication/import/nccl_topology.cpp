#include "communication/import/nccl_topology.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "base/values/error.h"
#include "base/values/name_table.h"
#include "communication/import/part_facts.h"

namespace numavp {

namespace {

constexpr std::size_t kMostNcclCpus = 2048, kMostNcclDevices = 4096;
constexpr unsigned kMostNcclLinks = 1024;

struct XeonCore {
    unsigned model;
    const char* name;
};
/// Servers of Intel's family 6 (Linux, intel-family.h); names as in part_facts.cpp. Cascade Lake has Skylake's number.
constexpr XeonCore kXeonCores[] = {{0x3f, "Haswell"},  {0x4f, "Broadwell"},       {0x55, "Skylake"},
                                   {0x6a, "Ice Lake"}, {0x8f, "Sapphire Rapids"}, {0xcf, "Emerald Rapids"}};

bool begins_with(const std::string& text, const char* what) {
    return text.compare(0, std::char_traits<char>::length(what), what) == 0;
}

class NcclReader {
  public:
    explicit NcclReader(const std::string& file) { made_.file = file; }

    NcclTopology read(const XmlElement& root) {
        const std::string version = root.value("version");
        if (version != "1" && version != "2") // RCCL's is 2
            fail(root, fmt::format("the system has version '{}'; 1 and 2 are read", quotable(version)));
        made_.name = root.value("name");
        for (const XmlElement& child : root.children)
            if (child.name == "cpu") add_cpu(child);
        if (made_.cpus.empty()) fail(root, "the system has no <cpu>; one for each NUMA node is expected");
        if (hosts_.size() > 1)
            fail(root, fmt::format("it has the CPUs of {} hosts; those of one are expected: NCCL joins the files of "
                                   "hosts that NVLinks join",
                                   hosts_.size()));
        return std::move(made_);
    }

  private:
    [[noreturn]] void fail(const XmlElement& at, const std::string& what) const {
        throw ConfigError(fmt::format("{}: line {}", made_.file, at.line), what);
    }

    /// A number as C has them, "0x10de" too; none if there is no such attribute, or an empty one.
    std::optional<unsigned> number(const XmlElement& at, const char* name, unsigned most) const {
        const std::string* text = at.attribute(name);
        if (text == nullptr || text->empty()) return std::nullopt;
        const bool hex = begins_with(*text, "0x") || begins_with(*text, "0X");
        const char* const from = text->data() + (hex ? 2 : 0);
        const char* const behind = text->data() + text->size();
        unsigned value = 0;
        const auto [end, fault] = std::from_chars(from, behind, value, hex ? 16 : 10);
        if (fault != std::errc() || end != behind || value > most)
            fail(at, fmt::format("{} of <{}> is '{}'; a whole number up to {} is expected", name, at.name,
                                 quotable(*text), most));
        return value;
    }
    unsigned needed(const XmlElement& at, const char* name, unsigned most) const {
        const std::optional<unsigned> value = number(at, name, most);
        if (!value) fail(at, fmt::format("<{}> has no {}; a whole number up to {} is expected", at.name, name, most));
        return *value;
    }

    void add_cpu(const XmlElement& at) {
        if (made_.cpus.size() == kMostNcclCpus)
            fail(at, fmt::format("there are more than {} CPUs; that many are allowed", kMostNcclCpus));
        NcclCpu cpu;
        cpu.line = at.line;
        if (at.attribute("numaid") == nullptr) fail(at, "<cpu> has no numaid; the number of a NUMA node is expected");
        if (at.value("numaid") != "-1") cpu.node = needed(at, "numaid", kMostIds);
        for (const NcclCpu& other : made_.cpus)
            if (other.node == cpu.node && at.value("host_hash") == host_)
                fail(at, fmt::format("NUMA node {} is there twice; numbers must differ", at.value("numaid")));
        host_ = at.value("host_hash");
        hosts_.insert(host_);
        const std::string affinity = at.value("affinity");
        const std::optional<IdSet> cpus = id_set_of_mask(affinity);
        if (!cpus)
            fail(at, fmt::format("affinity '{}' is no set of CPUs; one such as 00000000,0000ffff is expected",
                                 quotable(affinity)));
        cpu.cpus = *cpus;
        const std::string arch = at.value("arch"), vendor = at.value("vendor");
        cpu.power = arch == "ppc64";
        const unsigned family = number(at, "familyid", 0xffff).value_or(0);
        const unsigned model = number(at, "modelid", 0xffff).value_or(0);
        if (vendor == "GenuineIntel" && family == 6)
            for (const XeonCore& core : kXeonCores)
                if (model == core.model) cpu.model = fmt::format("Intel Xeon, {}", core.name);
        if (vendor == "AuthenticAMD") // NCCL shifts the extended family by four bits too many
            cpu.model = family > 15 ? fmt::format("AMD, family {}", 15 + (family >> 4)) : "AMD";
        made_.cpus.push_back(std::move(cpu));
        add_devices(at, std::nullopt);
    }

    void add_devices(const XmlElement& parent, std::optional<std::size_t> above) {
        for (const XmlElement& child : parent.children) {
            if (child.name == "pci") add_device(child, above);
            if (child.name == "pcilink") made_.switch_links = true;
        }
    }

    void add_device(const XmlElement& at, std::optional<std::size_t> above) {
        if (made_.devices.size() == kMostNcclDevices)
            fail(at, fmt::format("there are more than {} PCI devices; that many are allowed", kMostNcclDevices));
        NcclDevice one;
        one.line = at.line;
        one.above = above;
        one.cpu = made_.cpus.size() - 1;
        one.bus = address(at, "busid");
        if (!addresses_.insert(one.bus).second)
            fail(at, fmt::format("the PCI address {} is there twice; addresses must differ", one.bus));
        one.pci_class = at.value("class");
        one.vendor = number(at, "vendor", 0xffff).value_or(0);
        one.device = number(at, "device", 0xffff).value_or(0);
        one.gbytes_per_s = speed(at);
        for (const XmlElement& child : at.children)
            if (child.name == "gpu" && !one.gpu) one.gpu = gpu(child); // further ones are parts of it, or ranks on it
        if (!one.gpu && is_bare_gpu(one)) one.gpu = NcclGpu();
        made_.devices.push_back(std::move(one));
        add_devices(at, made_.devices.size() - 1);
    }

    /// A GPU of a file that was written by hand: the class of a GPU, and no other maker's, such as a VGA controller's.
    static bool is_bare_gpu(const NcclDevice& one) {
        constexpr unsigned kNvidiaVendor = 0x10de, kAmdVendor = 0x1002;
        const bool of_class = begins_with(one.pci_class, "0x0302") || begins_with(one.pci_class, "0x0380") ||
                              begins_with(one.pci_class, "0x12") || one.pci_class == "0x03";
        return of_class && (one.vendor == 0 || one.vendor == kNvidiaVendor || one.vendor == kAmdVendor);
    }

    /// "0000:1A:00.0", also with a domain of eight digits: in small letters, with four.
    std::string address(const XmlElement& at, const char* name) const {
        const std::string* text = at.attribute(name);
        if (text == nullptr) fail(at, fmt::format("<{}> has no {}; a PCI address is expected", at.name, name));
        std::string bus = *text;
        for (char& c : bus)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (bus.size() == 16 && begins_with(bus, "0000")) bus.erase(0, 4);
        const std::string pattern = "hhhh:hh:hh.h";
        bool sound = bus.size() == pattern.size();
        for (std::size_t i = 0; i < bus.size() && sound; ++i) {
            const bool digit = (bus[i] >= '0' && bus[i] <= '9') || (bus[i] >= 'a' && bus[i] <= 'f');
            sound = pattern[i] == 'h' ? digit : bus[i] == pattern[i];
        }
        if (!sound)
            fail(at, fmt::format("{} of <{}> is '{}'; a PCI address such as 0000:1a:00.0 is expected", name, at.name,
                                 quotable(*text)));
        return bus;
    }

    /// Bandwidth of "32.0 GT/s PCIe" with so many lanes; a width that the system did not tell is 16, as NCCL takes it.
    double speed(const XmlElement& at) const {
        constexpr unsigned kNoWidth = 255, kMostLanes = 32;
        const unsigned told = number(at, "link_width", kNoWidth).value_or(0);
        const unsigned lanes = told == 0 || told == kNoWidth || told == 63 ? 16 : told;
        if (lanes > kMostLanes)
            fail(at, fmt::format("link_width of <{}> is {}; lanes up to {} are expected", at.name, lanes, kMostLanes));
        const std::string text = at.value("link_speed");
        if (text.empty() || begins_with(text, "Unknown")) return 0;
        double gigatransfers = 0;
        const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), gigatransfers);
        const std::string unit(end, text.data() + text.size());
        if (fault != std::errc() || (unit != " GT/s" && unit != " GT/s PCIe") ||
            !(gigatransfers > 0 && gigatransfers <= 1000))
            fail(at, fmt::format("link_speed of <{}> is '{}'; one such as '16.0 GT/s PCIe' is expected", at.name,
                                 quotable(text)));
        const double coding = gigatransfers <= 5 ? 0.8 : gigatransfers <= 32 ? 128.0 / 130 : 242.0 / 256;
        return pcie_x16(gigatransfers, coding) * lanes / 16;
    }

    NcclGpu gpu(const XmlElement& at) {
        NcclGpu one;
        constexpr unsigned kMostGpus = 4096, kMostSms = 1024;
        if (at.value("dev") != "-1") one.number = number(at, "dev", kMostGpus);
        if (one.number && !numbers_.insert(*one.number).second)
            fail(at, fmt::format("GPU {} is there twice; numbers must differ", *one.number));
        const std::string target = at.value("gcn");
        const std::optional<unsigned> sm = number(at, "sm", kMostSms);
        if (target.empty()) {
            if (sm) one.architecture = std::to_string(*sm);
        } else { // RCCL: "gfx942", older ones "908"; 910 is gfx90a
            one.architecture = target == "910" ? "gfx90a" : begins_with(target, "gfx") ? target : "gfx" + target;
            one.sms = sm.value_or(0);
        }
        for (const XmlElement& child : at.children) {
            if (child.name == "nvlink" || child.name == "xgmi") one.links.push_back(links(child));
            if (child.name == "c2c") {
                constexpr unsigned kMostMegabytes = 10'000'000;
                one.c2c_gbytes_per_s =
                    needed(child, "bw", kMostMegabytes) / 1000.0 * needed(child, "count", kMostNcclLinks);
            }
        }
        return one;
    }

    NcclLinks links(const XmlElement& at) const {
        NcclLinks one;
        one.line = at.line;
        one.type = at.name == "xgmi" ? LinkType::xgmi : LinkType::nv;
        one.count = needed(at, "count", kMostNcclLinks);
        if (one.count == 0) fail(at, fmt::format("count of <{}> is 0; 1 or more is expected", at.name));
        const bool hidden = begins_with(at.value("target"), "fffffff:"); // a guest does not see its host's NVSwitches
        one.target = hidden ? "" : address(at, "target");
        const std::string of = at.value("tclass");
        if (begins_with(of, "0x068001"))
            one.end = NcclLinks::End::cpu;
        else if (begins_with(of, "0x03") || begins_with(of, "0x12"))
            one.end = NcclLinks::End::gpu;
        return one;
    }

    NcclTopology made_;
    std::string host_;
    std::set<std::string> hosts_, addresses_;
    std::set<unsigned> numbers_;
};

} // namespace

std::vector<std::size_t> NcclTopology::gpus() const {
    std::vector<std::size_t> found;
    for (std::size_t d = 0; d < devices.size(); ++d)
        if (devices[d].gpu) found.push_back(d);
    std::stable_sort(found.begin(), found.end(), [this](std::size_t a, std::size_t b) {
        return devices[a].gpu->number.value_or(~0U) < devices[b].gpu->number.value_or(~0U);
    });
    return found;
}

NcclTopology read_nccl(const XmlElement& root, const std::string& file) { return NcclReader(file).read(root); }

} // namespace numavp
