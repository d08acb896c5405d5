#include "base/waves/vcd_stream.h"

#include <algorithm>
#include <sstream>

#include "base/values/error.h"

namespace numavp {

namespace {
std::vector<std::string> words_of(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

/// "[63:6]" says 6.
unsigned low_of(const std::string& range) {
    return static_cast<unsigned>(std::stoul(range.substr(range.find(':') + 1)));
}
} // namespace

void VcdStream::take(const char* text, std::size_t bytes) {
    for (const char* end = text + bytes; text != end;) {
        const char* stop = std::find(text, end, '\n');
        partial_.append(text, stop);
        if (stop == end) return;
        line(partial_);
        partial_.clear();
        text = stop + 1;
    }
}

void VcdStream::line(const std::string& line) {
    if (!declared_)
        declaration(words_of(line));
    else if (!line.empty() && line[0] != '#' && line[0] != '$')
        value(line);
}

void VcdStream::declaration(const std::vector<std::string>& words) {
    if (words.empty()) return;
    if (words[0] == "$scope" && words.size() > 2) modules_.push_back(words[2]);
    if (words[0] == "$upscope" && !modules_.empty()) modules_.pop_back();
    if (words[0] == "$var") variable(words);
    if (words[0] == "$enddefinitions") declared_ = true;
}

/// $var wire 57 4 busy_in [56:0] $end
void VcdStream::variable(const std::vector<std::string>& words) {
    if (words.size() < 6) throw ModelError("a VCD declares what is no variable");
    Code& code = codes_[words[3]];
    code.bits = static_cast<unsigned>(std::stoul(words[2]));
    if (modules_.size() < 2) {
        if (words[4] == clock_) clock_code_ = words[3];
        return;
    }
    WaveSignal signal{top_, words[4], code.bits, radix_, top_ + "." + modules_[1]};
    for (std::size_t m = 1; m < modules_.size(); ++m) signal.scope += (signal.scope.empty() ? "" : ".") + modules_[m];
    if (words.size() > 6 && code.bits > 1) signal.low = low_of(words[5]);
    signal.same_as = code.signal;
    const Waves::Signal made = waves_.declare(std::move(signal));
    if (!code.signal) code.signal = made;
}

/// "1#" or "b0101 #".
void VcdStream::value(const std::string& line) {
    const bool scalar = line[0] != 'b';
    const std::size_t end = scalar ? 1 : std::min(line.find(' '), line.size());
    const auto found = codes_.find(line.substr(std::min(line.size(), scalar ? 1 : end + 1)));
    if (found == codes_.end()) throw ModelError("a VCD has the value of what it did not declare: " + line);
    const Code& code = found->second;
    if (!code.signal || found->first == clock_code_) return;
    std::string bits = scalar ? line.substr(0, 1) : line.substr(1, end - 1);
    if (bits.size() < code.bits) bits.insert(0, code.bits - bits.size(), bits[0] == '1' ? '0' : bits[0]);
    waves_.set(*code.signal, at_ps_, std::move(bits));
}

void VcdStream::pulse(std::uint64_t rise_ps, std::uint64_t fall_ps) {
    const auto found = codes_.find(clock_code_);
    if (found == codes_.end() || !found->second.signal) return;
    waves_.set(*found->second.signal, rise_ps, 1);
    waves_.set(*found->second.signal, fall_ps, 0);
}

} // namespace numavp
