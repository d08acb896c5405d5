/// The objects of an hwloc XML file as a list; object types have the names of version 2 in files of all versions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "communication/import/id_set.h"
#include "communication/import/xml_tree.h"

namespace numavp {

struct HwlocObject {
    const XmlElement* element = nullptr; ///< not owned
    std::optional<std::size_t> parent;   ///< in HwlocObjects::all
    std::size_t end = 0;                 ///< one behind the last object below it
    std::string type;                    ///< "Package", also where version 1 says "Socket"
    std::optional<unsigned> os_index;

    /// Value of an `info` element of the object; empty if there is none.
    std::string info(const char* name) const;
    std::string subtype() const;
    /// Number in an OS device's name: 3 for "cuda3" if `prefix` is "cuda".
    std::optional<unsigned> name_number(const std::string& prefix) const;
    /// Class (such as 0x0302) and vendor of a PCI device; 0 if not known.
    unsigned pci_class() const;
    unsigned pci_vendor() const;
    bool is_nv_switch() const;
    /// Kind of a PCI device by its class: "nic", "ib", "raid".
    std::string device_word() const;
};

struct HwlocObjects {
    HwlocObjects(const XmlElement& root, const std::string& file);

    std::string file;
    std::vector<HwlocObject> all; ///< parents before children

    std::string place(const XmlElement& element) const;
    bool is_under(std::size_t object, std::size_t above) const { return object > above && object < all[above].end; }
    /// The nearest enclosing object of that type; null if there is none.
    const HwlocObject* around(const HwlocObject& object, const char* type) const;
    unsigned count_under(std::size_t object, const char* type) const;
    /// CPUs of an object; empty if it has no such attribute. ConfigError if the attribute is malformed.
    IdSet cpus_of(std::size_t object) const;
    std::string info_here_or_above(std::size_t object, const char* name) const;
    /// A number of bytes in an attribute; 0 if there is none. ConfigError if it is malformed.
    std::uint64_t bytes(std::size_t object, const char* attribute) const;
    /// Bytes of an `info` of an OS device that hwloc writes in KiB, with or without that word; 0 if there is none.
    /// ConfigError if it is malformed.
    std::uint64_t kibibytes(std::size_t object, const char* name) const;
    /// Bandwidth of a device's link in GB/s; 0 if not known.
    double link_speed(std::size_t object) const;
    /// OS devices of a PCI device, or the OS device itself.
    std::vector<std::size_t> devices_of(std::size_t object) const;
    bool is_gpu(std::size_t pci_device) const;
    /// Finds an object by its gp_index; in version 1, and for NUMA nodes, by its os_index.
    std::optional<std::size_t> by_gp_index(const std::string& number, const std::string& type) const;
    std::optional<std::size_t> by_os_index(unsigned number, const std::string& type) const;

  private:
    void add(const XmlElement& element, std::optional<std::size_t> parent);
    std::map<std::string, std::size_t> by_gp_; ///< "OSDev:332"
    std::map<std::pair<std::string, unsigned>, std::size_t> by_os_;
};

/// A name without the blanks with which firmware fills names up.
std::string trimmed(const std::string& name);

} // namespace numavp
