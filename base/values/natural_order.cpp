#include "base/values/natural_order.h"

#include <cstddef>

namespace numavp {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the run of digits at the front of `text`, without leading zeros.
std::string_view take_number(std::string_view& text) {
    std::size_t zeros = 0;
    while (zeros < text.size() && text[zeros] == '0') ++zeros;
    std::size_t end = zeros;
    while (end < text.size() && digit(text[end])) ++end;
    const std::string_view number = text.substr(zeros, end - zeros);
    text.remove_prefix(end);
    return number;
}

} // namespace

int compare_natural(std::string_view a, std::string_view b) {
    std::string_view x = a;
    std::string_view y = b;
    while (!x.empty() && !y.empty()) {
        if (digit(x.front()) && digit(y.front())) {
            const std::string_view m = take_number(x);
            const std::string_view n = take_number(y);
            if (m.size() != n.size()) return m.size() < n.size() ? -1 : 1;
            if (const int order = m.compare(n); order != 0) return order;
        } else {
            if (x.front() != y.front()) return x.front() < y.front() ? -1 : 1;
            x.remove_prefix(1);
            y.remove_prefix(1);
        }
    }
    if (x.empty() != y.empty()) return x.empty() ? -1 : 1;
    return a.compare(b);
}

} // namespace numavp
