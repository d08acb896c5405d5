/// Results of a study as rows, each beside the paper's number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/study/study_store.h"

namespace numavp {

/// One number. The rows of a figure are sorted by metric and configuration: first the means over its workloads, then
/// the paper's other numbers, then each workload. Each number of the paper has a row, measured or not.
struct StudyRow {
    std::string figure;        ///< "Figure 6"
    std::string name;          ///< of its file: "figure-6"
    std::string section;       ///< of the paper's number; else of the figure
    std::string metric;        ///< such as "speedup"
    std::string configuration; ///< such as "lanes / 5000"
    std::string over;          ///< the mean is divided by this configuration's mean
    std::string mean;          ///< "arithmetic", "geometric"; "harmonic", "max", "min" of the workloads; "" for one
    std::string workload;      ///< "" if of all
    std::size_t workloads = 0; ///< how many have a value
    std::string unit;
    double scale = 1.0; ///< of the workload; else that of the figure
    std::string kind;   ///< of the paper's number: "claim", "derived", "again" or "input"; "" if there is none
    std::optional<double> paper, above, below, measured; ///< the paper has a number or bounds
    std::optional<double> difference;                    ///< measured over paper, less 1
    std::string verdict;   ///< "agrees", "differs" or "open" for one of the paper (not measured, or not on all
                           ///< workloads); "" for inputs and geometric means
    std::string reason;    ///< why nothing is measured, or why it is not judged
    std::string says;      ///< the paper's words
    std::size_t seeds = 1; ///< over which `measured` is a mean
    std::optional<double> least, most; ///< of the seeds; none of a single one, and of quotients and extremes
};

/// Rows of the figures that are shown. Points that have not run give rows without a measured value.
std::vector<StudyRow> study_rows(const StudyPlan& plan, const PointResults& results);

/// The rows of one figure.
std::vector<StudyRow> figure_rows(const StudyPlan& plan, const PlannedFigure& figure, const PointResults& results);

ordered_json rows_json(const std::vector<StudyRow>& rows);
/// CSV of rows, with a line of column names.
std::string rows_csv(const std::vector<StudyRow>& rows);

} // namespace numavp
