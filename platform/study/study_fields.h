/// The field lists of study files; included by study_file.h.
#pragma once

#include "platform/study/study_file.h"

namespace numavp {

template <class V> void describe(V& v, StudySystem& c) {
    v.text("label", c.label, "How results call it; the system's name if not given.");
    v.text("system", c.system, "Name of a system or path of its file, from this file's folder.");
    v.text("description", c.description, "What it stands for.");
    v.object("set", c.set, "Settings by path that differ from the system's.");
    v.object("axes", c.axes, "Names of the axes that it is crossed with; all if not given.");
}
template <class V> void describe(V& v, StudyVariant& c) {
    v.text("label", c.label, "How results call it.");
    v.object("set", c.set, "Settings by path.");
}
template <class V> void describe(V& v, StudyAxis& c) {
    v.text("name", c.name, "How systems call it.");
    v.text("path", c.path, "The setting that takes the values.");
    v.object("values", c.values, "Values of 'path'.");
    v.list("variants", c.variants, "Labelled groups of settings, instead of path and values.");
}
template <class V> void describe(V& v, StudyMetric& c) {
    v.text("name", c.name, "How rows call it.");
    v.text("path", c.path,
           "Dotted path in results.json; * stands for any part of a step: statistics.socket*.sm.blocks.");
    v.text("per", c.per, "A path to divide by.");
    v.choice("reduce", c.reduce, kMetricReduces, "What becomes of the values that a path with * finds.");
    v.real("factor", c.factor, -1e30, 1e30, "", "Multiplies the value, for units.");
    v.choice("relation", c.relation, kMetricRelations, "What is taken of the value and the baseline's.");
    v.text("baseline", c.baseline, "Configuration to normalise to, instead of the figure's.");
    v.text("baseline_path", c.baseline_path,
           "The baseline's value is of this path, instead of 'path': a part beside the baseline's whole.");
    v.object("above", c.above, "The metric is 1 where the value exceeds this, else 0: its mean is a share.");
    v.object("configurations", c.configurations, "Those that have the metric; all if not given.");
    v.text("unit", c.unit, "Unit of the values.");
    v.text("description", c.description, "One sentence.");
}
template <class V> void describe(V& v, StudyPaper& c) {
    v.text("metric", c.metric, "A metric of this figure.");
    v.text("configuration", c.configuration, "A configuration of this figure.");
    v.object("configurations", c.configurations,
             "Instead: the largest or smallest value is looked for on all of these.");
    v.choice("of", c.of, kPaperOfs, "Which workloads' value it is.");
    v.text("workload", c.workload, "The one, if it is of one workload.");
    v.text("over", c.over, "The mean is divided by this configuration's mean.");
    v.object("value", c.value, "The paper's number, in the metric's terms: +14 % is a speedup of 1.14.");
    v.object("above", c.above, "Instead of a number: the value exceeds this, where the paper has words alone.");
    v.object("below", c.below, "Instead of a number: the value is less than this.");
    v.boolean("input", c.input, "The workloads are made to have this number: it is shown, but not judged.");
    v.boolean("derived", c.derived, "It follows from other numbers of the paper: it is judged, but not counted.");
    v.boolean("again", c.again, "Another reading of a number that is there already: it is judged, but not counted.");
    v.text("section", c.section, "Where the paper says so.");
    v.text("says", c.says, "Its words.");
}
template <class V> void describe(V& v, StudyRule& c) {
    v.text("name", c.name, "How selections call it.");
    v.text("metric", c.metric, "A metric of this figure.");
    v.text("configuration", c.configuration, "A configuration of this figure.");
    v.object("below", c.below, "Workloads whose value is below this.");
    v.object("from", c.from, "Workloads whose value is at least this.");
    v.text("description", c.description, "Why.");
}
template <class V> void describe(V& v, RuleReference& c) {
    v.text("figure", c.figure, "Name of the figure (a file beside this one) that has the rule; this one if not given.");
    v.text("rule", c.rule, "Name of the rule.");
}
template <class V> void describe(V& v, StudyFile& c) {
    v.text("name", c.name, "Name of the figure; the file's if not given.");
    v.text("title", c.title, "One line.");
    v.text("figure", c.figure, "The paper's figure, or what stands for it.");
    v.text("section", c.section, "The paper's section.");
    v.text("description", c.description, "What is compared.");
    v.object("workloads", c.workloads,
             "Names; name/* for all files of a folder of workloads; paths of files from this file's folder.");
    v.object("select", c.select, "The rule that chooses among the workloads; all if not given.");
    v.real("scale", c.scale, 1e-6, 1e3, "", "Factor on the workloads' problem sizes.");
    v.object("scales", c.scales, "In the place of scale, of single workloads by their names; not with --scale.");
    v.real("small_scale", c.small_scale, 1e-6, 1e3, "", "The factor of --scale small.");
    v.real("time_limit_s", c.time_limit_s, 0.01, 1e7, "s", "A point that runs longer is ended and counts as failed.");
    v.object("set", c.set, "Settings of all systems.");
    v.list("systems", c.systems, "What is compared.");
    v.list("axes", c.axes, "Dimensions that systems are crossed with.");
    v.text("baseline", c.baseline, "Label of the configuration that metrics are relative to.");
    v.list("metrics", c.metrics, "What is measured.");
    v.list("rules", c.rules, "Choices of workloads, by what was measured here.");
    v.list("paper", c.paper, "What the paper says.");
}

} // namespace numavp
