/// A report as one self-contained HTML file: our templates, ECharts and the data are inlined.
///
/// The templates lie in platform/report/web, and beside the installed program in share/numavp/report. ECharts is not
/// part of numavp: ./numavp install-deps puts it into build/web.
#pragma once

#include <string>
#include <vector>

#include "base/config/config_file.h"

namespace numavp {

/// Paths of a report's parts.
struct ReportFiles {
    std::string templates; ///< folder
    std::string library;   ///< echarts.min.js
};

/// Finds the parts; NUMAVP_ECHARTS may name an echarts.min.js. ConfigError that tells how to install a missing part.
ReportFiles find_report_files();

struct ReportPage {
    std::string title;
    std::vector<std::string> scripts; ///< names in the folder of templates, in the order in which they run
    ordered_json data;                ///< the data that they draw
    bool asks = false;                ///< they ask the server of the page for more
};

/// The text of the HTML file. ConfigError if a part can't be read.
std::string report_html(const ReportPage& page, const ReportFiles& files);

/// Writes a file completely or not at all; an earlier file is replaced. ConfigError if it can't be written.
void write_report_file(const std::string& path, const std::string& text);

} // namespace numavp
