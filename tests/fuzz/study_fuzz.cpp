/// Fuzz target of studies: any text is refused by a sentence, or is a figure whose configurations can be listed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "platform/study/study_file.h"
#include "tests/fuzz/input_file.h"
#include "tests/fuzz/one_sentence.h"

namespace {

using namespace numavp;

void load_figure_file(const std::string& input) {
    const Study study = load_study(test::input_file("study.json", input));
    if (study.figures.empty() || !study.figures[0].shown) std::abort();
    for (const StudyFigure& figure : study.figures)
        for (const StudyCombination& one : combinations(figure.file))
            if (one.system >= figure.file.systems.size()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return numavp::test::read_or_one_sentence(data, size, load_figure_file);
}
