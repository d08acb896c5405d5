/// Reads VCD, in a few lines of its own, so that what is written is not checked by who wrote it.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace numavp::test {

struct Vcd {
    using Changes = std::vector<std::pair<std::uint64_t, std::string>>; ///< ps and bits
    std::map<std::string, Changes> signals;                             ///< by path with range, "a.b.name[7:0]"
    std::string timescale;
    std::uint64_t begin = 0, end = 0;
    std::vector<std::string> faults; ///< what is no VCD

    /// The bits from `ps` on; empty if there are none.
    std::string at(const std::string& signal, std::uint64_t ps) const {
        std::string bits;
        for (const auto& [time, value] : signals.at(signal)) {
            if (time > ps) break;
            bits = value;
        }
        return bits;
    }
    std::uint64_t number_at(const std::string& signal, std::uint64_t ps) const {
        const std::string bits = at(signal, ps);
        return bits.empty() || bits[0] == 'x' ? ~0ULL : std::stoull(bits, nullptr, 2);
    }
};

inline Vcd read_vcd(const std::string& path) {
    Vcd vcd;
    std::ifstream in(path);
    if (!in) vcd.faults.push_back(path + " can't be read");
    std::map<std::string, std::vector<std::string>> names; ///< by code
    std::map<std::string, std::size_t> bits;               ///< by name
    std::vector<std::string> scopes;
    std::uint64_t now = 0;
    bool timed = false;
    const auto change = [&](const std::string& code, std::string value) {
        if (names.count(code) == 0) vcd.faults.push_back("no signal has the code " + code);
        for (const std::string& name : names[code]) {
            if (value.size() < bits[name]) value.insert(0, bits[name] - value.size(), value[0] == 'x' ? 'x' : '0');
            Vcd::Changes& changes = vcd.signals[name];
            if (changes.empty() || changes.back().second != value) changes.emplace_back(now, value);
        }
    };
    for (std::string word; in >> word;) {
        if (word == "$scope") {
            std::string kind, name;
            in >> kind >> name;
            scopes.push_back(name);
        } else if (word == "$upscope") {
            scopes.pop_back();
        } else if (word == "$timescale") {
            for (in >> word; word != "$end"; in >> word) vcd.timescale += word;
        } else if (word == "$var") {
            std::string kind, width, code, name;
            in >> kind >> width >> code >> name;
            for (in >> word; word != "$end"; in >> word) name += word;
            for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) name.insert(0, *scope + ".");
            names[code].push_back(name);
            bits[name] = std::stoul(width);
            vcd.signals[name];
        } else if (word[0] == '#') {
            const std::uint64_t time = std::stoull(word.substr(1));
            if (timed && time < now) vcd.faults.push_back("time goes back at " + word);
            if (!timed) vcd.begin = time;
            timed = true;
            vcd.end = now = time;
        } else if (word[0] == 'b') {
            std::string code;
            in >> code;
            change(code, word.substr(1));
        } else if (word[0] == '0' || word[0] == '1' || word[0] == 'x') {
            change(word.substr(1), word.substr(0, 1));
        } else if (word == "$version" || word == "$date" || word == "$comment") {
            while (in >> word && word != "$end") {}
        }
    }
    return vcd;
}

} // namespace numavp::test
