/// Recognises what a JSON file describes by the members that only files of its kind have.
#pragma once

#include "base/config/config.h"

namespace numavp {

enum class DocumentKind : unsigned char { system, workload, study, graph, results, unknown };

/// Of a document; `unknown` if it has none of the members by which one kind is told from the others.
DocumentKind document_kind(const json& document);

/// ConfigError if the document is of another kind than expected; the error names its kind and the command for it.
void refuse_other_kind(const ConfigDocument& document, DocumentKind expected);

} // namespace numavp
