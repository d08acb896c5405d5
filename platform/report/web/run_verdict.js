// What limits the run: one sentence, and a table of its kernels (docs/use/RESULTS.md, "What limits a run").

function verdictSentence(parent, {verdict}) {
    if (!verdict?.words) return;
    const known = verdict.limit !== null;
    parent.append(el("p", {class: "verdict", id: "verdict"}, el("b", {}, known ? "Limited by " : "No single limit"),
        known ? verdict.words : verdict.words.replace(/^no single limit/, ""), "."));
}

const limitText = (limit) => (limit ? `${limit.part} (${percent(limit.figure, 0)} ${limit.of})` : "no single limit");
const usesText = (uses) => uses.slice(0, 2).map(({part, use}) => `${part} ${percent(use, 0)}`).join(", ");

function verdictTable(parent, {verdict}) {
    if (!verdict?.kernels.length) return;
    const most = 50;
    const all = verdict.kernels.reduce((sum, kernel) => sum + kernel.cycles, 0);
    tableFigure(parent, {
        id: "limits", title: "What limits each kernel", rows: verdict.kernels.slice(0, most),
        caption: `A part limits a kernel if it is used to ${percent(verdict.bounds.full, 0)} or more, and ` +
            `${verdict.bounds.ahead} times as much as the next kind of part. The time of a kernel is divided where some ` +
            "sockets have no work, or slots wait for pages." +
            (verdict.kernels.length > most ? ` The ${most} longest of ${verdict.kernels.length}.` : ""),
        columns: [
            {title: "kernel", left: true, value: (row) => row.name, text: (name, row) => (name.length > 40 ? `${name.slice(0, 39)}\u2026` : name) +
                (row.launches > 1 ? ` \u00d7 ${row.launches}` : "")},
            {title: "of kernels", value: (row) => row.cycles / all, text: (share) => percent(share)},
            {title: "limit", left: true, long: true, value: (row) => limitText(row.limit)},
            {title: "for", value: (row) => (row.limit ? row.limit.share : null), text: (share) => (isNumber(share) ? percent(share) : missing)},
            {title: "most used", left: true, long: true, value: (row) => usesText(row.uses)}],
    });
}
