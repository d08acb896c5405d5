/// A folder of results. A new one is there whole or not at all; in an old one the files of a run are replaced once the
/// new ones are complete, and nothing else is touched.
///
/// Files are written to a hidden folder and made durable first. For a new destination it lies beside that and is moved
/// there in one step. In a folder that exists it lies inside; when it is complete, it gets another name in one step,
/// and its files take the places of the earlier ones. Should the program be killed in the middle of that, whoever next
/// reads or writes the folder goes on (finish_replacing). A hidden folder that a killed run left before is removed by
/// the next run that writes to the same destination.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/files/hidden_folder.h"

namespace numavp {

class ResultsFolder {
  public:
    /// Nothing is made yet, but what can be known is checked: ConfigError if `destination` holds other things than
    /// results of a run, or can't be made. With `numbered`, a destination that exists is not overwritten: "-2", "-3"
    /// and so on is appended to its name. `companions` are other files that the run writes, anywhere: those that lie
    /// in the folder come into place with the results.
    ResultsFolder(std::string destination, bool numbered, const std::vector<std::string>& companions = {});
    ~ResultsFolder();
    ResultsFolder(const ResultsFolder&) = delete;
    ResultsFolder& operator=(const ResultsFolder&) = delete;

    /// Where to write a companion until commit(): in the hidden folder if it lies in this one, else `path` itself.
    std::string place_of(const std::string& path);
    /// Where to write a file of the run's own until commit(), in the folder itself. ConfigError, at `option`, if there
    /// is one of that name which no run wrote.
    std::string place_of_own(const std::string& name, const std::string& option);
    /// ConfigError, at `option`, if a file of that name is in the folder that numavp did not write.
    void refuse_foreign(const std::string& name, const std::string& option) const;
    /// Adds a file (to the hidden folder, which the first file makes). ConfigError if it can't be written.
    void write(const std::string& name, const std::string& content);
    /// Names of what is in the hidden folder, sorted. The caller lists them in run.json, from which the next run to the
    /// same destination knows what it may replace.
    std::vector<std::string> files() const;
    /// Moves what was written into place and returns where that is: elsewhere (numbered) if something else came to the
    /// destination since it was checked.
    std::string commit();

  private:
    void open();
    bool is_free() const;
    bool into_existing();
    void check_destination() const;
    [[noreturn]] void fail(const std::string& what) const;

    std::string destination_; ///< as it was typed
    std::string target_;      ///< the folder itself, should that be a link
    bool numbered_;
    std::vector<std::string> companions_;  ///< as seen from the folder: those in it
    std::unique_ptr<HiddenFolder> hidden_; ///< null until there is a file
};

/// ConfigError if there is something at `path` that is no report of numavp's: for names that the user did not choose.
void refuse_foreign_report(const std::string& path);
/// True if `folder` is one that a run wrote, by the names in it.
bool is_results_folder(const std::string& folder);
/// Ends the replacing of files that a killed program had begun; does nothing if there is none, or it can't be done.
void finish_replacing(const std::string& folder);

} // namespace numavp
