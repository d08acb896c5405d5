#include "common/files/document_kind.h"

#include <array>
#include <vector>

#include <fmt/format.h>

namespace numavp {
namespace {

struct KindRow {
    DocumentKind kind;
    const char* name;
    const char* use;
    std::vector<const char*> members; ///< any of which shows it
};

/// In the order in which they are asked: results of a run hold a workload, kernels among them.
const std::array<KindRow, 5>& kinds() {
    static const std::array<KindRow, 5> table{
        {{DocumentKind::results,
          "results of a run",
          "numavp run, compare and report take their folder",
          {"statistics", "series", "units", "format", "traceEvents", "wall_seconds"}},
         {DocumentKind::workload, "a workload", "numavp run takes it behind a system", {"kernels", "phases"}},
         {DocumentKind::study, "a study", "numavp study run takes it", {"workloads", "metrics"}},
         {DocumentKind::graph, "an application graph", "numavp predict, what-if and graph take it", {"steps"}},
         {DocumentKind::system,
          "a system",
          "numavp run and explain take it",
          {"parts", "sockets", "socket", "network", "clock_khz"}}}};
    return table;
}

const KindRow* find_kind(const json& document) {
    if (!document.is_object()) return nullptr;
    for (const KindRow& kind : kinds())
        for (const char* member : kind.members)
            if (document.contains(member)) return &kind;
    return nullptr;
}

} // namespace

DocumentKind document_kind(const json& document) {
    const KindRow* const found = find_kind(document);
    return found == nullptr ? DocumentKind::unknown : found->kind;
}

void refuse_other_kind(const ConfigDocument& document, DocumentKind expected) {
    const KindRow* const found = find_kind(document.value);
    if (found == nullptr || found->kind == expected) return;
    for (const KindRow& kind : kinds())
        if (kind.kind == expected)
            throw ConfigError(document.file,
                              fmt::format("it holds {}, and {} is expected; {}", found->name, kind.name, found->use));
}

} // namespace numavp
