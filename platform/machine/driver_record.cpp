#include "platform/machine/driver_record.h"

#include "base/values/digest.h"

namespace numavp {

DriverRecord record_of(const std::vector<MappedPage>& pages, unsigned socket_shift, const DeviceMap& devices) {
    Digest table, homes;
    for (const MappedPage& p : pages) {
        table.add(p.page);
        table.add(p.leaf.bits);
        for (const TableWord word : p.words) table.add(word.bits);
        homes.add(p.page);
        homes.add(p.home().address() >> socket_shift);
    }
    return {table.value(), homes.value(), devices.recorded(), devices.digest()};
}

} // namespace numavp
