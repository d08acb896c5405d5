#include "communication/import/this_machine.h"

#include "base/values/error.h"

#ifdef NUMAVP_HAS_HWLOC
#include <cstdlib>
#include <hwloc.h>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "base/values/name_table.h"
#include "communication/import/hwloc_reader.h"
#endif

namespace numavp {

#ifdef NUMAVP_HAS_HWLOC

namespace {

std::string xml_of_this_machine() {
    hwloc_topology_t made = nullptr;
    if (hwloc_topology_init(&made) != 0)
        throw ConfigError("--here", "hwloc can't begin; an XML file of lstopo is allowed");
    const std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)> topology(made, hwloc_topology_destroy);
    char* text = nullptr;
    int length = 0;
    if (hwloc_topology_set_io_types_filter(made, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) != 0 ||
        hwloc_topology_load(made) != 0 || hwloc_topology_export_xmlbuffer(made, &text, &length, 0) != 0)
        throw ConfigError("--here", "hwloc finds no topology of this machine; an XML file of lstopo is allowed");
    std::string xml(text); // `length` counts the end of the text
    hwloc_free_xmlbuffer(made, text);
    return xml;
}

} // namespace

FoundMachine this_machine() {
    FoundMachine machine = read_hwloc(xml_of_this_machine(), "--here");
    for (const char* name : {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0') // NOLINT(concurrency-mt-unsafe)
            add_note(machine.notes, fmt::format("{} is set: --here is not this machine, but what hwloc makes of '{}'",
                                                name, quotable(value)));
    return machine;
}

#else

FoundMachine this_machine() {
    throw ConfigError("--here",
                      "this program was built without hwloc (Debian: libhwloc-dev); a file that lstopo wrote is "
                      "allowed");
}

#endif

} // namespace numavp
