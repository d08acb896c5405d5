#include "communication/import/terminal_words.h"

#include <sstream>

namespace numavp {

std::string without_colours(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\x1b') {
            out += text[i];
        } else if (i + 1 < text.size() && text[i + 1] == '[') {
            i += 2;
            while (i < text.size() && (text[i] < '@' || text[i] > '~')) ++i;
        }
    }
    return out;
}

std::vector<std::string> words_in(const std::string& line) {
    std::vector<std::string> words;
    std::istringstream text(line);
    for (std::string word; text >> word;) words.push_back(word);
    return words;
}

} // namespace numavp
