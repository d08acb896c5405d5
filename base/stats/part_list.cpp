#include "base/stats/part_list.h"

#include <utility>

#include <fmt/format.h>

#include "base/stats/series.h"
#include "base/stats/stats.h"
#include "base/waves/wave_set.h"

namespace numavp {

void ModelPart::add_statistics(StatGroup&) const {}
void ModelPart::add_series(SeriesGroup&) const {}
void ModelPart::add_waves(WaveSet&, const std::string&) {}

void PartList::add(PartOwner owner, std::string title, ModelPart& part) {
    entries_.push_back({std::move(owner), std::move(title), &part});
}

void PartList::add_statistics(StatGroup& machine) const {
    for (const Entry& e : entries_) {
        StatGroup& group = e.owner.name.empty() ? machine
                           : e.owner.index      ? machine.group(e.owner.name, *e.owner.index)
                                                : machine.group(e.owner.name);
        e.part->add_statistics(group);
    }
}

void PartList::add_series(SeriesRecorder& series) const {
    for (const Entry& e : entries_) {
        SeriesGroup group(series, e.owner.path_of(""));
        e.part->add_series(group);
    }
}

void PartList::add_waves(WaveSet& waves) const {
    for (const Entry& e : entries_) e.part->add_waves(waves, e.owner.path());
}

void PartList::each(const std::function<void(const std::string& title, const ModelPart& part)>& see) const {
    for (const Entry& e : entries_) see(e.title, *e.part);
}

std::string PartList::report() const {
    std::string text;
    const auto line = [&](const Entry& e, const char* verb, const std::string& what) {
        if (!what.empty()) text += fmt::format("\n  {} {} {}", e.title, verb, what);
    };
    for (const Entry& e : entries_) {
        line(e, "waits for", e.part->waiting_for());
        line(e, "holds", e.part->holding());
    }
    return text;
}

std::vector<std::string> PartList::open_accounts() const {
    std::vector<std::string> open;
    for (const Entry& e : entries_) {
        if (!e.part->drained()) {
            const std::string waits = e.part->waiting_for(), holds = e.part->holding();
            open.push_back(!waits.empty()   ? fmt::format("{} still waits for {}", e.title, waits)
                           : !holds.empty() ? fmt::format("{} still holds {}", e.title, holds)
                                            : fmt::format("{} is not drained", e.title));
        }
        if (const std::string wrong = e.part->disagreement(); !wrong.empty())
            open.push_back(fmt::format("{}: {}", e.title, wrong));
    }
    return open;
}

} // namespace numavp
