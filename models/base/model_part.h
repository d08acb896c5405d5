/// A part of a machine: what it counts, what it holds and waits for, and whether its accounts close.
///
/// Whoever shows a machine (results, waveforms, the report of one that is stuck, the check at its end) goes through a
/// PartList and knows no part by name. So a statistic, a column of the series, a signal or a line of the report is one
/// edit, in the module that has it, and two instances of a module may differ in what they show.
#pragma once

#include <string>

namespace numavp {

class SeriesGroup;
class StatGroup;
class WaveSet;

/// Contract. The three `add_` functions are called at most once each, after the machine is built and before it runs;
/// what they register is read until the last dump, so the part lives as long. Names are relative to the part's owner
/// (a socket, the host, the machine). Several parts of an owner that count alike register the same `total()`.
/// The other functions are called between edges and change nothing that is simulated.
class ModelPart {
  public:
    /// Counters and what follows from them, each with unit and description.
    virtual void add_statistics(StatGroup& owner) const;
    /// Columns of the time series.
    virtual void add_series(SeriesGroup& owner) const;
    /// Signals, under the scope `owner`.
    virtual void add_waves(WaveSet& waves, const std::string& owner);

    /// What it waits for, in words that follow "waits for"; empty if for nothing.
    virtual std::string waiting_for() const { return ""; }
    /// What it holds of others, in words that follow "holds"; empty if nothing.
    virtual std::string holding() const { return ""; }
    /// Nothing is inside and nothing on its way.
    virtual bool drained() const { return waiting_for().empty() && holding().empty(); }
    /// What of its accounts does not agree at the end of a run, in words; empty if all does. Called once.
    virtual std::string disagreement() { return ""; }

  protected:
    ModelPart() = default;
    ModelPart(const ModelPart&) = default;
    ModelPart& operator=(const ModelPart&) = default;
    ~ModelPart() = default;
};

} // namespace numavp
