#include "platform/report/report_page.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "base/values/error.h"
#include "common/files/config_folders.h"
#include "common/files/program.h"
#include "common/files/whole_file.h"

namespace numavp {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTemplates = "platform/report/web";
constexpr const char* kLibrary = "echarts.min.js";
constexpr const char* kBuiltLibrary = "build/web/node_modules/echarts/dist/echarts.min.js";

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

std::string text_of_part(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text;
    try { // reading a file that can be opened may fail all the same
        text.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    } catch (const std::ios_base::failure&) {
        text.clear();
    }
    if (!in || text.empty()) throw ConfigError(path.string(), "it can't be read; a part of the report is expected");
    return text;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

std::string html_text(std::string text) {
    replace_all(text, "&", "&amp;");
    replace_all(text, "<", "&lt;");
    replace_all(text, ">", "&gt;");
    replace_all(text, "\"", "&quot;");
    return text;
}

/// JSON that can stand in a script element: nothing in it ends the element or opens a comment.
std::string data_text(const ordered_json& data) {
    std::string text = data.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
    replace_all(text, "<", "\\u003c");
    return text;
}

/// A script that can stand in an element: the only place of "</script" is a text or a pattern, where \/ is /.
std::string script_text(std::string text) {
    replace_all(text, "</script", "<\\/script");
    return text;
}

/// `page` with each @NAME@ replaced by part_of("NAME"), once: what comes in is not looked at again.
std::string filled(const std::string& page, const std::function<std::string(const std::string&)>& part_of) {
    std::string out;
    std::size_t at = 0;
    for (;;) {
        const std::size_t begin = page.find('@', at);
        const std::size_t end = begin == std::string::npos ? begin : page.find('@', begin + 1);
        if (end == std::string::npos) return out + page.substr(at);
        out += page.substr(at, begin - at) + part_of(page.substr(begin + 1, end - begin - 1));
        at = end + 1;
    }
}

} // namespace

ReportFiles find_report_files() {
    const fs::path installed = fs::path(program_path()).parent_path() / NUMAVP_INSTALLED_REPORT_DIR;
    const fs::path templates = is_file(installed / "page.html") ? installed : in_checkout(kTemplates, is_folder);
    if (templates.empty())
        throw ConfigError("report", "there are no templates beside the program or in a checkout around it; an "
                                    "installed numavp or a checkout is expected");
    const char* named = std::getenv("NUMAVP_ECHARTS");
    if (named != nullptr && *named != '\0') {
        if (is_file(named)) return {templates.string(), named};
        throw ConfigError("NUMAVP_ECHARTS", fmt::format("there is no file {}; an {} is expected", named, kLibrary));
    }
    const fs::path library = is_file(installed / kLibrary) ? installed / kLibrary : in_checkout(kBuiltLibrary, is_file);
    if (library.empty())
        throw ConfigError("report",
                          fmt::format("ECharts is not here, which draws the charts; './numavp install-deps' in "
                                      "the checkout gets it, or name an {} in NUMAVP_ECHARTS",
                                      kLibrary));
    return {templates.string(), library.string()};
}

std::string report_html(const ReportPage& page, const ReportFiles& files) {
    const fs::path folder = files.templates;
    return filled(text_of_part(folder / "page.html"), [&](const std::string& name) {
        if (name == "TITLE") return html_text(page.title);
        if (name == "VERSION") return program_version();
        if (name == "SOURCES") return std::string(page.asks ? "; connect-src 'self'" : "");
        if (name == "STYLE") return text_of_part(folder / "style.css");
        if (name == "DATA") return data_text(page.data);
        if (name == "LIBRARY") return script_text(text_of_part(files.library));
        std::string scripts;
        if (name == "SCRIPT")
            for (const std::string& script : page.scripts) scripts += script_text(text_of_part(folder / script)) + "\n";
        return scripts;
    });
}

void write_report_file(const std::string& path, const std::string& text) {
    WholeFile file(path, "report " + path);
    file.out() << text;
    file.keep();
}

} // namespace numavp
