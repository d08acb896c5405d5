#include "models/memory/dram/device.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace numavp {

bool DramTiming::operator==(const DramTiming& o) const {
    const auto all = [](const DramTiming& t) {
        return std::tie(t.rcd, t.rp, t.ras, t.rc, t.cl, t.cwl, t.burst, t.ccd_s, t.ccd_l, t.rrd_s, t.rrd_l, t.faw,
                        t.rtp, t.wr, t.wtr_s, t.wtr_l, t.rtw, t.refi, t.rfc);
    };
    return all(*this) == all(o);
}

void DramTiming::validate(const Place& place) const {
    const auto at_least = [&](const char* field, unsigned value, const char* other, unsigned least) {
        if (value < least)
            throw ConfigError(
                place.at(field).str(),
                fmt::format("{} cycles are less than the {} of {}; at least as many are allowed", value, least, other));
    };
    at_least("ccd_s", ccd_s, "burst", burst);
    at_least("ccd_l", ccd_l, "ccd_s", ccd_s);
    at_least("rrd_l", rrd_l, "rrd_s", rrd_s);
    at_least("wtr_l", wtr_l, "wtr_s", wtr_s);
    at_least("rc", rc, "ras", ras);
    if (cl + burst > cwl)
        at_least("rtw", rtw, "cl + burst - cwl, after which the data pins are free", cl + burst - cwl);
}

namespace {
/// A refresh is late while a row that was opened just before it closes. Then a row must open and get an access before
/// the next one is due, or none ever does.
void check_refresh(const DramTiming& t, unsigned banks_in_turn, const Place& place) {
    const unsigned closing = std::max({t.rc, t.ras + t.rp, t.rtp + t.rp, t.cwl + t.burst + t.wr + t.rp});
    const unsigned access = t.rcd + closing;
    if (t.refi < banks_in_turn * closing)
        throw ConfigError(
            place.at("refi").str(),
            fmt::format("in {} cycles {} banks do not refresh one after the other, each of which may take "
                        "{} to close its row; from {} on are allowed",
                        t.refi, banks_in_turn, closing, banks_in_turn * closing));
    if (t.refi <= t.rfc + access)
        throw ConfigError(
            place.at("refi").str(),
            fmt::format("{} cycles do not exceed the {} of a refresh and the {} of an access between two; "
                        "more are allowed",
                        t.refi, t.rfc, access));
}
} // namespace

void MemoryDeviceConfig::validate(const Place& place) const {
    const AddressDecoder map(access_bytes, address, place.at("address").str());
    if (refresh != RefreshKind::none)
        check_refresh(timing, refresh == RefreshKind::per_bank ? map.banks() : 0, place.at("timing"));
    if (write_low_percent >= write_high_percent)
        throw ConfigError(place.at("write_low_percent").str(),
                          fmt::format("{} % is not below the {} % of write_high_percent; less is allowed",
                                      write_low_percent, write_high_percent));
    if (!is_cube() && map.vaults() > 1)
        throw ConfigError(place.at("address").str(),
                          "a channel has no vaults; no field vault is allowed, or cube.links above 0");
    if (is_cube() && map.vaults() % cube.quadrants != 0)
        throw ConfigError(place.at("cube").at("quadrants").str(),
                          fmt::format("{} quadrants for {} vaults; a divisor of the vaults is allowed", cube.quadrants,
                                      map.vaults()));
}

} // namespace numavp
