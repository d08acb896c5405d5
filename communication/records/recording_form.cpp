#include "communication/records/recording_form.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "communication/graph/graph_file.h"
#include "communication/records/chakra_trace.h"
#include "communication/records/cprof_record.h"

namespace numavp {

namespace {

constexpr std::size_t kBeginning = std::size_t{1} << 20; // metadata of a trace, and many records, are shorter

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

/// Whether a line begins with the name of a record, so that one that is damaged does not hide the others.
bool has_records(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (begins_like_record(text.substr(at, end - at))) return true;
        at = end + 1;
    }
    return false;
}

/// Stops a parser of JSON at the first member of the outermost object that tells the form.
class FormTeller : public nlohmann::json_sax<nlohmann::json> {
  public:
    std::optional<RecordingForm> form() const { return form_; }

    bool null() override { return plain(); }
    bool boolean(bool /*value*/) override { return plain(); }
    bool number_integer(number_integer_t /*value*/) override { return plain(); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return plain(); }
    bool number_float(number_float_t /*value*/, const string_t& /*digits*/) override { return plain(); }
    bool string(string_t& /*value*/) override { return plain(); }
    bool binary(binary_t& /*value*/) override { return plain(); }
    bool start_object(std::size_t /*count*/) override {
        kernels_ = false;
        return ++depth_ <= kMostDepth;
    }
    bool start_array(std::size_t /*count*/) override {
        if (kernels_) form_ = RecordingForm::workload; // results of a run have an object called so
        return !form_ && ++depth_ <= kMostDepth;
    }
    bool end_object() override { return --depth_ > 0; }
    bool end_array() override { return --depth_ > 0; }
    bool key(string_t& name) override {
        if (depth_ != 1) return true;
        kernels_ = name == "kernels";
        if (name == "values" || name == "steps") form_ = RecordingForm::graph;
        if (name == "phases") form_ = RecordingForm::workload;
        return !form_;
    }
    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::json::exception& /*fault*/) override {
        return false;
    }

  private:
    static constexpr unsigned kMostDepth = 64; // as files are read
    bool plain() {
        kernels_ = false;
        return depth_ > 0;
    }
    unsigned depth_ = 0;
    bool kernels_ = false; ///< the value of that member is next
    std::optional<RecordingForm> form_;
};

} // namespace

std::optional<RecordingForm> recording_form(std::istream& in) {
    std::string read(kBeginning, '\0');
    in.read(read.data(), static_cast<std::streamsize>(read.size()));
    read.resize(static_cast<std::size_t>(in.gcount()));
    constexpr std::string_view kDatabase = "SQLite format 3";
    if (read.compare(0, kDatabase.size(), kDatabase) == 0) return RecordingForm::database;
    if (has_records(read)) return RecordingForm::records;
    if (const std::string_view text = without_blanks(read); text.empty() || text.front() != '{') {
        const bool whole = read.size() < kBeginning;
        return looks_like_chakra(read, whole) ? std::optional(RecordingForm::chakra) : std::nullopt;
    }
    in.clear();
    in.seekg(0, std::ios::end);
    const auto size = static_cast<std::streamoff>(in.tellg());
    if (size > static_cast<std::streamoff>(kMostGraphBytes)) return std::nullopt; // one text may fill it
    in.seekg(0);
    FormTeller teller;
    nlohmann::json::sax_parse(in, &teller);
    return teller.form();
}

} // namespace numavp
