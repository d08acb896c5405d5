/// Fuzz target of configuration: any text is either refused by a ConfigError or read, dumped and read again alike.
///
/// Input: a JSON file; after a line "%%", one `--set` assignment a line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "base/config/config.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

enum class Kind : std::uint8_t { one, two };
constexpr NameTable<Kind> kKindNames{"kind", {{Kind::one, "one", "The first."}, {Kind::two, "two", "The second."}}};

struct Inner {
    std::uint32_t ways = 4;
    std::int16_t offset = 0;
    void validate(const Place& place) const {
        if (offset > 0 && ways == 1) throw ConfigError(place, "offset needs more ways; 2 or more are expected");
    }
};
template <class V> void describe(V& v, Inner& c) {
    v.integer("ways", c.ways, 1, 64, "ways", "Ways.");
    v.integer("offset", c.offset, -100, 100, "B", "Offset.");
}

struct Outer {
    std::uint64_t seed = 1;
    double energy = 10;
    bool functional = false;
    std::string name = "x";
    Kind kind = Kind::one;
    Inner inner;
    std::vector<Inner> list;
    std::vector<std::uint8_t> sizes;
};
template <class V> void describe(V& v, Outer& c) {
    v.integer("seed", c.seed, 0, ~std::uint64_t{0}, "", "Seed.");
    v.real("energy", c.energy, -1e300, 1e300, "pJ/b", "Energy.");
    v.boolean("functional", c.functional, "Functional.");
    v.text("name", c.name, "Name.");
    v.choice("kind", c.kind, kKindNames, "Kind.");
    v.object("inner", c.inner, "Inner.");
    v.list("list", c.list, "List.");
    v.integers("sizes", c.sizes, 0, 255, "B", "Sizes.");
}

void read_back(const std::string& input) {
    const std::size_t mark = input.find("\n%%\n");
    ConfigDocument document{"fuzz.json", parse_json(input.substr(0, mark), "fuzz.json"), {}};
    if (mark != std::string::npos) {
        std::istringstream assignments(input.substr(mark + 4));
        for (std::string line; std::getline(assignments, line);) set_path(document, line);
    }
    const ordered_json dump = dump_config(read_config<Outer>(document));
    const ordered_json again = dump_config(read_config<Outer>(parse_json(dump.dump(2), "dump"), "dump"));
    if (dump != again) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, read_back);
}
