/// The program run as a user runs it, in a folder of its own.
#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace numavp::test {

using Args = std::vector<std::string>;

class Cli : public ::testing::Test {
  protected:
    /// Runs `numavp words` in the folder.
    Ended numavp(const Args& words) const;
    /// The same where no file may grow beyond so many KiB: a full disk, for who is not root.
    Ended numavp_in_files_of(unsigned kib, const Args& words) const;
    /// `numavp run` of something that takes a fraction of a second, and `more`.
    Ended small_run(const Args& more) const;
    /// The words of it.
    static Args small_run_words(const Args& more);
    /// Whole command line and environment, for a Process.
    static Args program(const Args& words);
    static Args environment();

    bool exists(const std::string& name) const;
    std::string text_of(const std::string& name) const;
    nlohmann::ordered_json json_of(const std::string& name) const;
    /// Names in a folder of the test's, hidden ones too, sorted.
    std::vector<std::string> names_in(const std::string& folder) const;

    /// Exit status 2, nothing on stdout, and one line on stderr that holds `part`; nothing left on disk.
    void expect_fault(const Args& words, const std::string& part) const;

    TempDir dir_;
};

} // namespace numavp::test
