#include "common/words/fit_width.h"

#include <sys/ioctl.h>

namespace numavp {
namespace {

constexpr std::size_t kLeastColumn = 24, kOtherwise = 4;

/// Columns that a text takes: UTF-8's further bytes and escape sequences take none.
std::size_t shown_columns(const std::string& text) {
    std::size_t columns = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\033') {
            i = text.find('m', i);
            if (i == std::string::npos) break;
        } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
            ++columns;
        }
    }
    return columns;
}

/// A row of boxes, or the wire below them: after blanks it begins with a box's corner or side.
bool is_drawn(const std::string& line) {
    const std::size_t begin = line.find_first_not_of(' ');
    return begin != std::string::npos && (line[begin] == '|' || line.compare(begin, 3, "+--") == 0);
}

/// Where the last column of a table's row begins; 0: nowhere.
std::size_t begin_of_last_column(const std::string& line) {
    const std::size_t gap = line.rfind("  ");
    return gap == std::string::npos ? 0 : shown_columns(line.substr(0, gap + 2));
}

std::string broken_line(const std::string& line, std::size_t width) {
    std::size_t hang = begin_of_last_column(line);
    if (hang == 0 || hang + kLeastColumn > width) hang = kOtherwise;
    std::string out, row;
    bool empty = true; // but for what it begins with
    for (std::size_t at = 0; at < line.size();) {
        std::size_t end = line.find_first_not_of(' ', at);
        end = line.find(' ', end == std::string::npos ? line.size() : end);
        if (end == std::string::npos) end = line.size();
        std::string word = line.substr(at, end - at); // with the spaces before it
        if (!empty && shown_columns(row) + shown_columns(word) > width) {
            out += row + "\n";
            row = std::string(hang, ' ');
            word.erase(0, word.find_first_not_of(' '));
        }
        row += word;
        empty = false;
        at = end;
    }
    return out + row;
}

} // namespace

std::size_t terminal_width(int descriptor) {
    winsize size{};
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string fit_width(const std::string& text, std::size_t width) {
    if (width == 0) return text;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find('\n', at);
        const bool ends = end != std::string::npos;
        if (!ends) end = text.size();
        const std::string line = text.substr(at, end - at);
        out += shown_columns(line) <= width || is_drawn(line) ? line : broken_line(line, width);
        if (ends) out += '\n';
        at = end + 1;
    }
    return out;
}

} // namespace numavp
