// The page of a study that goes on: its progress, and a row with the live page of each point that runs.

const statusTexts = {
    preparing: () => "The points are being planned.",
    running: () => "The study goes on; this page follows it.",
    ended: () => `The study has ended: ${state.message}. This page keeps what it showed last.`,
    failed: () => `The study has failed: ${state.message}. This page keeps what it showed last.`,
    gone: () => `The study has ended or was stopped: nothing answers any more. Its results go to ${state.results}.`,
};

function showHead() {
    const {progress} = state;
    progressBar.value = progress.share;
    setTile("done", `${grouped(progress.done)} of ${grouped(progress.points)}`, "points have results");
    setTile("running", grouped(progress.running), "run");
    setTile("waiting", grouped(progress.waiting), "wait");
    setTile("failed", grouped(progress.failed), "have failed");
    setTile("time", durationText(progress.elapsed_s), "since it began");
    setTile("left", durationOrNone(progress.left_s), "time left, about");
}

const pointColumns = [{title: "workload", left: true, value: (row) => row.workload},
    {title: "system", left: true, value: (row) => row.system},
    {title: "seed", value: (row) => row.seed, text: (v) => (isNumber(v) ? String(v) : missing)}];
const durationColumn = (title, key) => ({title, value: (row) => row[key], text: durationOrNone});

function runningTable(parent) {
    liveTable(parent, {
        id: "running", title: "Points that run",
        caption: "Each has a live page of its own, with its links, memories, issue slots and who waits for whom. Where points run on other machines they have none.",
        columns: [...pointColumns, {title: "done", value: (row) => row.share, text: (v) => percent(v)},
            durationColumn("after", "elapsed_s"), durationColumn("left", "left_s"),
            {title: "page", left: true, value: (row) => row.address, text: (v) => (v ? "live page" : missing), link: (row) => row.address}],
    }, () => state.running);
}

function failedTable(parent) {
    liveTableLater(parent, {
        id: "failed", title: "Points that have failed", caption: "The latest first, at most 200 of this run of the study.",
        columns: [...pointColumns, durationColumn("after", "seconds"), {title: "why", left: true, long: true, value: (row) => row.message}],
    }, () => state.failed);
}

function waitingTable(parent) {
    liveTable(parent, {
        id: "waiting", title: "Points that wait", caption: "The next ones first, at most 50. Their times follow from points that have ended.",
        columns: [...pointColumns, durationColumn("expected", "expected_s")],
    }, () => state.waiting);
}

function endedTable(parent) {
    liveTable(parent, {
        id: "ended", title: "Points that have ended", caption: "The latest first, at most 200 of this run of the study.",
        columns: [...pointColumns, durationColumn("took", "seconds"), {title: "machine", left: true, value: (row) => row.host}],
    }, () => state.ended);
}

document.getElementById("subtitle").textContent =
    `Process ${data.process}, of ${data.file}; results go to ${data.results}. Nothing here changes the study or its results.`;
head("Share of the study that is done", ["done", "running", "waiting", "failed", "time", "left"]);
const cards = cardsOf(main);
runningTable(cards);
failedTable(cards);
waitingTable(cards);
endedTable(cards);
startTheme();
follow(statusTexts, showHead);
