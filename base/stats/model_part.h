/// Interface of a part of a machine: its statistics, what it holds and waits for, and whether its accounts close.
///
/// Results, waveforms, the report of a simulation that is stuck and the check at its end reach parts through a PartList
/// and know no part by name. So a new statistic, column of the series, signal or line of the report is one edit, in the
/// module that has it, and two instances of a module may show different ones.
#pragma once

#include <string>

namespace numavp {

class SeriesGroup;
class StatGroup;
class WaveSet;

/// Contract. Each `add_` function is called at most once, after the machine is built and before it runs. What they
/// register is read until the last dump, so the part must live until then. Names are relative to the part's owner (a
/// socket, the host, the machine). Parts of one owner that keep the same count register it as the same `total()`.
/// The other functions are called between edges and do not change the state of the simulation.
class ModelPart {
  public:
    /// Registers counters and values derived from them, each with unit and description.
    virtual void add_statistics(StatGroup& owner) const;
    /// Registers columns of the time series.
    virtual void add_series(SeriesGroup& owner) const;
    /// Registers signals of the waveforms under the scope `owner`.
    virtual void add_waves(WaveSet& waves, const std::string& owner);

    /// Describes what the part waits for, in words that follow "waits for"; empty if it waits for nothing.
    virtual std::string waiting_for() const { return ""; }
    /// Describes what the part holds of others, such as packets, in words that follow "holds"; empty if nothing.
    virtual std::string holding() const { return ""; }
    /// True if no transaction is inside the part or on its way to or from it.
    virtual bool drained() const { return waiting_for().empty() && holding().empty(); }
    /// Describes which counts of the part disagree at the end of a run; empty if all agree. Called once.
    virtual std::string disagreement() { return ""; }

  protected:
    ModelPart() = default;
    ModelPart(const ModelPart&) = default;
    ModelPart& operator=(const ModelPart&) = default;
    ~ModelPart() = default;
};

} // namespace numavp
