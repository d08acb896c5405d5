// What the pages of runs and of studies that go on share: status, progress, numbers, tables that are filled anew, and
// asking the server of the page for the state.
let state = data;

const lookPeriod = 1000; // ms from a look to the next

function durationText(seconds) {
    if (seconds < 10) return `${fixed(seconds, 1)} s`;
    if (seconds < 60) return `${fixed(seconds, 0)} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
    return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}
const durationOrNone = (seconds) => (isNumber(seconds) ? durationText(seconds) : missing);

const statusLine = el("p", {id: "status", role: "status", class: "verdict"}, "Waiting for the first look.");
const progressBar = el("progress", {id: "progress", max: 1, value: 0});
const tileValues = {};

// `share`: what the bar is the share of.
function head(share, tileNames) {
    progressBar.setAttribute("aria-label", share);
    for (const name of tileNames) tileValues[name] = [el("b", {}, missing), el("span", {}, name)];
    main.append(statusLine, progressBar, el("div", {class: "tiles", id: "tiles"},
        ...tileNames.map((name) => el("div", {class: "tile"}, ...tileValues[name]))));
}

function setTile(name, value, text) {
    tileValues[name][0].textContent = value;
    tileValues[name][1].textContent = text;
}

// Screen readers hear it when it changes.
function setStatus(text) {
    if (statusLine.textContent !== text) statusLine.textContent = text;
}

const drawn = []; // what is done for each answer

// The list of contents anew, for a figure that came later.
function listContents() {
    document.querySelector(".contents")?.remove();
    contents();
}

// Rows stay the same list, so that the order that a reader chose stays too.
function liveTable(parent, spec, rowsOf) {
    const rows = [];
    const section = tableFigure(parent, {...spec, rows});
    const fill = () => {
        rows.splice(0, rows.length, ...rowsOf());
        section.fill();
    };
    drawn.push(fill);
    return fill;
}

// A table that is made when it has rows for the first time.
function liveTableLater(parent, spec, rowsOf) {
    const place = parent.appendChild(el("div", {class: "card-place"}));
    let made = false;
    drawn.push(() => {
        if (made || rowsOf().length === 0) return;
        made = true;
        const holder = el("div");
        liveTable(holder, spec, rowsOf)();
        place.replaceWith(...holder.children);
        listContents();
    });
}

const isOver = () => state.status === "ended" || state.status === "failed";

// The server waits, so that a question is open at the end.
async function ask(rest) {
    const answer = await fetch(`state${window.location.search}&rest_ms=${rest}`, {cache: "no-store"});
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    return answer.json();
}

// A page that nobody sees asks for nothing.
const visible = () => new Promise((resolve) => {
    const look = () => {
        if (document.hidden) return;
        document.removeEventListener("visibilitychange", look);
        resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
});

// `texts`: for each status, and for "gone", a function that makes its sentence; `show` is called for each answer.
async function follow(texts, show) {
    for (let rest = 0; !isOver(); rest = lookPeriod) {
        await visible();
        try {
            state = await ask(rest);
        } catch (fault) {
            setStatus(texts.gone());
            return;
        }
        show();
        setStatus(texts[state.status]());
        drawn.forEach((draw) => draw());
    }
}
