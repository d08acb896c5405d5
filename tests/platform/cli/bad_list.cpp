#include "tests/platform/cli/bad_list.h"

#include <filesystem>

#include "tests/support/places.h"

namespace numavp::test {

void BadList::expect_sentences(const std::vector<BadEntry>& entries) const {
    const std::string source = "SOURCE";
    for (const BadEntry& entry : entries) {
        SCOPED_TRACE(::testing::PrintToString(entry.words));
        for (const std::string& name : names_in("")) std::filesystem::remove_all(dir_.path(name));
        for (const auto& [name, content] : entry.files) dir_.write(name, content);
        std::string sentence = entry.sentence;
        if (const std::size_t at = sentence.find(source); at != std::string::npos)
            sentence.replace(at, source.size(), source_dir());
        expect_fault(entry.words, "numavp: " + sentence);
    }
}

} // namespace numavp::test
