/// Bad inputs as a table: what is typed, which files are there, and the sentence that is said.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/platform/cli/cli_fixture.h"

namespace numavp::test {

struct BadEntry {
    Args words;
    std::string sentence; ///< how it begins, behind "numavp: "; SOURCE stands for the checkout
    std::map<std::string, std::string> files = {};
};

class BadList : public Cli {
  protected:
    /// Each has status 2 and one line that begins with its sentence, and leaves nothing behind.
    void expect_sentences(const std::vector<BadEntry>& entries) const;
};

} // namespace numavp::test
