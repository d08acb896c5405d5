/// Formats numbers and tables for people at a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace numavp {

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);
/// Bytes as "768 B", "3.5 KiB", "12 MiB".
std::string bytes_text(std::uint64_t bytes);
/// Seconds as "0.34 s", "12 s", "3 min 5 s", "2 h 10 min".
std::string seconds_text(double seconds);
/// A rate with its prefix: "950", "12.3 k", "4.56 M".
std::string rate_text(double per_second);
/// `text` as a file name: all characters but letters, digits, '-', '_' and '.' become '-'.
std::string file_name_of(const std::string& text);

/// `text` for a terminal: control characters become \\x1b and the like, line ends too unless `lines`.
std::string escaped(const std::string& text, bool lines = false);

/// A field of CSV (RFC 4180): quoted if it has a comma, a quote or a line's end; with an apostrophe before it if a
/// spreadsheet would take it for a formula.
std::string csv_field(const std::string& text);
/// A line of CSV; it ends with a single line feed.
std::string csv_line(const std::vector<std::string>& cells);

/// Emphasis for a terminal; without `colour` texts are returned unchanged.
struct Style {
    bool colour = false;
    std::string bold(const std::string& text) const;
    std::string dim(const std::string& text) const;
};
/// With colour if `descriptor` is a terminal and neither NO_COLOR nor TERM=dumb is set.
Style style_of(int descriptor);

/// Rows of cells in columns: the first column and those named left are aligned left, the others right.
class TextTable {
  public:
    explicit TextTable(std::vector<std::string> header, std::vector<bool> left = {});
    void row(std::vector<std::string> cells);
    bool empty() const { return rows_.empty(); }
    /// Each line indented by `indent` blanks; no blanks at line ends.
    std::string text(const Style& style, unsigned indent = 2) const;

  private:
    std::vector<std::string> header_;
    std::vector<bool> left_;
    std::vector<std::vector<std::string>> rows_;
};

} // namespace numavp
