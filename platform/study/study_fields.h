/// The field lists of study files; included by study_file.h.
#pragma once

#include "platform/study/study_file.h"

namespace numavp {

template <class V> void describe(V& v, StudySystem& c) {
    v.text("label", c.label, "Name in results; the system's name if not given.");
    v.text("system", c.system, "Name of a system or path of its file, from this file's folder.");
    v.text("description", c.description, "One sentence on what the system stands for.");
    v.object("set", c.set, "Settings by path that differ from the system's.");
    v.object("axes", c.axes, "Names of the axes that the system is crossed with; all if not given.");
}
template <class V> void describe(V& v, StudyVariant& c) {
    v.text("label", c.label, "Name of the variant in results.");
    v.object("set", c.set, "Settings by path.");
}
template <class V> void describe(V& v, StudyAxis& c) {
    v.text("name", c.name, "Name by which systems refer to the axis.");
    v.text("path", c.path, "Path of the setting that takes the values.");
    v.object("values", c.values, "Values of 'path'.");
    v.list("variants", c.variants, "Labelled groups of settings, instead of path and values.");
}
template <class V> void describe(V& v, StudyMetric& c) {
    v.text("name", c.name, "Name by which rows of results refer to the metric.");
    v.text("path", c.path,
           "Dotted path in results.json; * stands for any part of a step: statistics.socket*.sm.blocks.");
    v.text("kernel", c.kernel,
           "Name of a kernel: the values are those of all its launches that ran alone, in the place of the run's.");
    v.text("per", c.per, "Path of a number by which the value is divided.");
    v.choice("reduce", c.reduce, kMetricReduces, "Reduction of the values that a path with * finds.");
    v.real("factor", c.factor, -1e30, 1e30, "", "Factor on the value, for units.");
    v.choice("relation", c.relation, kMetricRelations, "Relation of the value to the baseline's value.");
    v.text("baseline", c.baseline, "Configuration to normalise to, instead of the figure's.");
    v.text("baseline_path", c.baseline_path,
           "Path of the baseline's value, instead of 'path': a part beside the baseline's whole.");
    v.object("above", c.above,
             "Threshold: the metric is 1 where the value exceeds it, else 0, so that its mean is a share.");
    v.object("configurations", c.configurations, "Configurations that have the metric; all if not given.");
    v.text("unit", c.unit, "Unit of the values.");
    v.text("description", c.description, "One sentence on the metric.");
}
template <class V> void describe(V& v, StudyPaper& c) {
    v.text("metric", c.metric, "Name of a metric of this figure.");
    v.text("configuration", c.configuration, "Name of a configuration of this figure.");
    v.object("configurations", c.configurations,
             "Configurations among which the largest or smallest value is looked for, instead of one.");
    v.choice("of", c.of, kPaperOfs, "Workloads whose value is compared.");
    v.text("workload", c.workload, "Name of the workload, if the number is of one workload.");
    v.text("over", c.over, "Configuration by whose mean the mean is divided.");
    v.text("over_metric", c.over_metric,
           "Metric by whose mean the mean is divided, of the configuration in 'over' or else of the same one.");
    v.object("value", c.value, "The paper's number, in the metric's terms: +14 % is a speedup of 1.14.");
    v.object("above", c.above, "Lower bound that the value exceeds, where the paper has words instead of a number.");
    v.object("below", c.below,
             "Upper bound that the value is less than, where the paper has words instead of a number.");
    v.boolean("input", c.input, "Whether the workloads are made to have this number: it is shown, but not judged.");
    v.boolean("derived", c.derived,
              "Whether the number follows from other numbers of the paper: it is judged, but not counted.");
    v.boolean("again", c.again,
              "Whether this is another reading of a number that is there already: it is judged, but not counted.");
    v.text("section", c.section, "Section of the paper that has the number.");
    v.text("says", c.says, "Words of the paper.");
}
template <class V> void describe(V& v, StudyRule& c) {
    v.text("name", c.name, "Name by which selections refer to the rule.");
    v.text("metric", c.metric, "Name of a metric of this figure.");
    v.text("configuration", c.configuration, "Name of a configuration of this figure.");
    v.object("below", c.below, "Value below which a workload is chosen.");
    v.object("from", c.from, "Value from which on a workload is chosen.");
    v.text("description", c.description, "Reason of the rule, in one sentence.");
}
template <class V> void describe(V& v, RuleReference& c) {
    v.text("figure", c.figure, "Name of the figure (a file beside this one) that has the rule; this one if not given.");
    v.text("rule", c.rule, "Name of the rule.");
}
template <class V> void describe(V& v, StudyFile& c) {
    v.text("name", c.name, "Name of the figure; the file's if not given.");
    v.text("title", c.title, "Title of the figure, one line.");
    v.text("figure", c.figure, "The paper's figure, or what stands for it.");
    v.text("section", c.section, "Section of the paper that has the figure.");
    v.text("description", c.description, "One sentence on what the figure compares.");
    v.object(
        "workloads", c.workloads,
        "Names of workloads; name/* for all files of a folder of workloads; paths of files from this file's folder.");
    v.object("select", c.select, "Rule that chooses among the workloads; all if not given.");
    v.real("scale", c.scale, 1e-6, 1e3, "", "Factor on the workloads' problem sizes.");
    v.object(
        "scales", c.scales,
        "Factors on the problem sizes of single workloads, by their names, in the place of scale; not with --scale.");
    v.real("small_scale", c.small_scale, 1e-6, 1e3, "", "Factor on the problem sizes with --scale small.");
    v.integer(
        "instructions", c.instructions, 0, 1ULL << 50, "thread instructions",
        "Number of thread instructions at scale 1 after which each workload ends, in the place of the member of its "
        "file; 0: as the files say. Traces run whole.");
    v.integers("seeds", c.seeds, 0, ~0ULL, "",
               "Seeds with which each point runs; values are means over them. The workloads' own seed if not given.");
    v.real("time_limit_s", c.time_limit_s, 0.01, 1e7, "s", "Time after which a point is ended and counts as failed.");
    v.object("set", c.set, "Settings of all systems.");
    v.list("systems", c.systems, "Systems that the figure compares.");
    v.list("axes", c.axes, "Dimensions that systems are crossed with.");
    v.text("baseline", c.baseline, "Label of the configuration that metrics are relative to.");
    v.list("metrics", c.metrics, "Metrics that the figure shows.");
    v.list("rules", c.rules, "Rules that choose workloads by values measured here.");
    v.list("paper", c.paper, "Numbers of the paper.");
}

} // namespace numavp
