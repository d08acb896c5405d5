/// A folder of results that is there whole or not at all.
///
/// Files are written to a hidden folder beside the destination, made durable, and moved into place in one step; an
/// earlier folder of results is exchanged in that step. A hidden folder that a killed run left is removed by the next
/// run that writes to the same destination.
#pragma once

#include <memory>
#include <string>

#include "platform/hidden_folder.h"

namespace numavp {

class ResultsFolder {
  public:
    /// Nothing is made yet, but what can be known is checked: ConfigError if `destination` is something else than a
    /// folder of results, or can't be made. With `numbered`, a destination that exists is not overwritten: "-2",
    /// "-3" and so on is appended to its name.
    ResultsFolder(std::string destination, bool numbered);
    ~ResultsFolder();
    ResultsFolder(const ResultsFolder&) = delete;
    ResultsFolder& operator=(const ResultsFolder&) = delete;

    /// Adds a file (to the hidden folder, which the first file makes). ConfigError if it can't be written.
    void write(const std::string& name, const std::string& content);
    /// Moves all into place and returns where that is.
    std::string commit();

  private:
    void open();
    void check_destination() const;
    [[noreturn]] void fail(const std::string& what) const;

    std::string destination_;
    bool numbered_;
    std::unique_ptr<HiddenFolder> hidden_; ///< null until there is a file
};

/// True if `folder` is one that a run wrote.
bool is_results_folder(const std::string& folder);

} // namespace numavp
