#include "tests/models/memory/checked_replay.h"

#include "base/config/config.h"
#include "base/values/rng.h"
#include "tests/support/places.h"

namespace numavp::test {

CheckedReplay checked_replay(const MemoryDeviceConfig& device, const MemoryStream& stream, const ReplayWindows& windows,
                             const MemoryDeviceConfig* checked) {
    const unsigned channels = device.decoder().vaults();
    std::vector<std::unique_ptr<CommandChecker>> checkers;
    std::vector<CommandObserver*> observers;
    for (unsigned i = 0; i < channels; ++i) {
        checkers.push_back(std::make_unique<CommandChecker>(checked ? *checked : device));
        observers.push_back(checkers.back().get());
    }
    CheckedReplay r;
    r.result = replay(device, stream, windows, observers);
    for (const auto& checker : checkers) {
        r.breaches.insert(r.breaches.end(), checker->breaches().begin(), checker->breaches().end());
        r.commands += checker->commands();
    }
    r.percent_of_peak = 100 * r.result.gbytes_per_s() / (device.channel_gbytes_per_s() * channels);
    return r;
}

MemoryDeviceConfig device_named(const std::string& name) {
    return read_config<MemoryDeviceConfig>(load_document(source_dir() + "/configs/parts/memory/" + name + ".json"));
}

MemoryDeviceConfig tight_device() {
    MemoryDeviceConfig device;
    device.address = "column:2 group:2 bank:2 row:10";
    device.refresh = RefreshKind::all_bank;
    DramTiming& t = device.timing;
    t.rcd = 10, t.rp = 9, t.ras = 30, t.rc = 45;
    t.cl = 10, t.cwl = 6, t.burst = 2;
    t.ccd_s = 3, t.ccd_l = 5, t.rrd_s = 4, t.rrd_l = 7, t.faw = 24;
    t.rtp = 6, t.wr = 9, t.wtr_s = 4, t.wtr_l = 9, t.rtw = 12;
    t.refi = 900, t.rfc = 60;
    return device;
}

MemoryStream mixed_stream(const MemoryDeviceConfig& device, std::uint64_t seed, unsigned count) {
    const AddressDecoder map = device.decoder();
    Rng rng(seed);
    MemoryStream stream;
    for (unsigned i = 0; i < count; ++i) {
        const bool near = rng.chance(1, 2); // half of them in few banks and rows
        DramAddress a;
        a.vault = static_cast<unsigned>(rng.below(map.vaults()));
        a.bank = static_cast<unsigned>(rng.below(near ? 3 : map.banks()));
        a.row = static_cast<std::uint32_t>(rng.below(near ? 2 : 8));
        a.column = static_cast<std::uint32_t>(rng.below(map.columns()));
        stream.push_back(map.encode(a) | (rng.chance(1, 3) ? kStreamWrite : 0));
    }
    return stream;
}

} // namespace numavp::test
