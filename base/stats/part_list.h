/// All parts of a machine in the order in which they are reported, and the reports over all of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/stats/model_part.h"

namespace numavp {

class SeriesRecorder;

/// The owner of parts: one of several ("socket", 3), a single one ("host"), or the machine itself ("").
struct PartOwner {
    std::string name;
    std::optional<unsigned> index;
    std::string path() const { return index ? name + std::to_string(*index) : name; }
    /// "socket3.l2" of "l2"; the machine's parts have their plain names.
    std::string path_of(const std::string& part) const { return name.empty() ? part : path() + "." + part; }
};

/// List of references: the parts must outlive it.
class PartList {
  public:
    /// Appends a part; `title` is its name in reports, such as "socket3.l2.slice7".
    void add(PartOwner owner, std::string title, ModelPart& part);

    void add_statistics(StatGroup& machine) const;
    void add_series(SeriesRecorder& series) const;
    void add_waves(WaveSet& waves) const;
    /// Calls `see` for each part, with its name in reports.
    void each(const std::function<void(const std::string& title, const ModelPart& part)>& see) const;
    /// Report of all parts that wait for or hold something: each line begins with a line break and two spaces.
    std::string report() const;
    /// One sentence for each part that is not drained or whose accounts do not agree; empty if all is well.
    std::vector<std::string> open_accounts() const;

  private:
    struct Entry {
        PartOwner owner;
        std::string title;
        ModelPart* part;
    };
    std::vector<Entry> entries_;
};

} // namespace numavp
