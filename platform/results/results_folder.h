/// A folder of results. A new one appears completely or not at all; in an existing one the files of a run are replaced
/// once the new ones are complete, and no other file is touched.
///
/// Files are first written to a hidden folder and flushed to disk. For a new destination the hidden folder lies beside
/// it and is renamed in one step. For an existing folder it lies inside; when it is complete it is renamed in one step,
/// and its files then replace the earlier ones. If the program is killed meanwhile, the next program that reads or
/// writes the folder completes the replacement (finish_replacing). A hidden folder that a killed run left is removed by
/// the next run that writes to the same destination.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/files/hidden_folder.h"

namespace numavp {

class ResultsFolder {
  public:
    /// Creates nothing yet, but checks as far as possible: ConfigError if `destination` has other files than results of
    /// a run, or can't be created. With `numbered`, an existing destination is not overwritten: "-2", "-3" and so on is
    /// appended to its name. `companions` are other files that the run writes, at any path: those inside the folder
    /// appear together with the results.
    ResultsFolder(std::string destination, bool numbered, const std::vector<std::string>& companions = {});
    ~ResultsFolder();
    ResultsFolder(const ResultsFolder&) = delete;
    ResultsFolder& operator=(const ResultsFolder&) = delete;

    /// Path at which to write a companion before commit(): in the hidden folder if `path` is in this one, else `path`.
    std::string place_of(const std::string& path);
    /// Path at which to write another file of the run before commit(), in the folder itself. ConfigError, at `option`,
    /// if a file of that name exists that no run wrote.
    std::string place_of_own(const std::string& name, const std::string& option);
    /// ConfigError, at `option`, if the folder has a file of that name that numavp did not write.
    void refuse_foreign(const std::string& name, const std::string& option) const;
    /// Adds a file to the hidden folder, which the first file creates. ConfigError if it can't be written.
    void write(const std::string& name, const std::string& content);
    /// Names of the files in the hidden folder, sorted. The caller lists them in run.json, so that the next run to the
    /// same destination knows which files it may replace.
    std::vector<std::string> files() const;
    /// Moves the files to their destination and returns its path: a numbered one if another file or folder has appeared
    /// there since it was checked.
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

/// ConfigError if `path` exists and is not a report of numavp, for names that the user did not choose.
void refuse_foreign_report(const std::string& path);
/// True if a run wrote `folder`, judged by the names in it.
bool is_results_folder(const std::string& folder);
/// Completes the replacement that a killed program had begun; does nothing if there is none, or if it can't.
void finish_replacing(const std::string& folder);

} // namespace numavp
