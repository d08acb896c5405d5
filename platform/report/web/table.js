// Tables that sort by a click on a column, filter as one types, and save as CSV.

function compared(a, b) {
    const emptyA = a === null || a === undefined || a === "";
    const emptyB = b === null || b === undefined || b === "";
    if (emptyA || emptyB) return emptyA - emptyB; // what is not there comes last
    if (isNumber(a) && isNumber(b)) return a - b;
    return String(a).localeCompare(String(b), "en", {numeric: true});
}

function tableCell(column, row) {
    const value = column.value(row);
    const text = column.text ? column.text(value, row) : isNumber(value) ? plain(value) : value || missing;
    const kind = column.kind ? column.kind(value, row) : "";
    const href = column.link ? column.link(row) : "";
    const inner = href ? el("a", {href, target: "_blank", rel: "noopener noreferrer"}, text) : text;
    const shown = kind ? el("span", {class: kind}, inner) : inner;
    const title = isNumber(value) ? String(value) : undefined;
    return el("td", {class: [column.left ? "left" : "", column.long ? "long" : ""].join(" ").trim() || undefined, title},
        shown);
}

function sortButton(columns, state, index, fill) {
    const turn = () => {
        state.descending = state.column === index ? !state.descending : !columns[index].left;
        state.column = index;
        fill();
    };
    return el("th", {class: columns[index].left ? "left" : undefined, scope: "col", tabindex: "0", onclick: turn,
        onkeydown: (event) => { if (event.key === "Enter") turn(); }}, columns[index].title);
}

// columns: [{title, value(row), text(value, row), left, long, kind(value, row), link(row)}]. The element's fill() shows rows that have changed.
function tableOf(columns, rows, filter) {
    const state = {column: -1, descending: false};
    const body = el("tbody");
    const heads = columns.map((_, i) => sortButton(columns, state, i, () => fill()));
    const shown = () => {
        const words = filter ? filter.value.toLowerCase().split(/\s+/).filter(Boolean) : [];
        const matches = (row) => {
            const text = columns.map((column) => column.value(row)).join(" ").toLowerCase();
            return words.every((word) => text.includes(word));
        };
        const found = words.length ? rows.filter(matches) : rows.slice();
        if (state.column < 0) return found;
        const value = columns[state.column].value;
        return found.sort((a, b) => (state.descending ? -1 : 1) * compared(value(a), value(b)));
    };
    const fill = () => {
        body.replaceChildren(...shown().map((row) => el("tr", {}, ...columns.map((column) => tableCell(column, row)))));
        heads.forEach((head, i) => {
            if (i === state.column) head.setAttribute("aria-sort", state.descending ? "descending" : "ascending");
            else head.removeAttribute("aria-sort");
        });
    };
    fill();
    if (filter) filter.addEventListener("input", fill);
    return Object.assign(el("div", {class: "scroll"}, el("table", {class: columns.length > 14 ? "dense" : undefined}, el("thead", {}, el("tr", {}, ...heads)), body)), {fill});
}

const tableCsv = (columns, rows) =>
    [columns.map((column) => column.title)].concat(rows.map((row) => columns.map((column) => column.value(row))));

// spec: {id, title, caption, columns, rows, filter}
function tableFigure(parent, spec) {
    const csv = () => tableCsv(spec.columns, spec.rows);
    const section = card(parent, {...spec, wide: true}, [csvButton({...spec, csv})]);
    const filter = spec.filter ? section.appendChild(el("input", {type: "search", placeholder: spec.filter})) : null;
    const table = tableOf(spec.columns, spec.rows, filter);
    section.append(table);
    window.report.figures[spec.id] = {rows: spec.rows, csv: () => csvText(csv())};
    return Object.assign(section, {fill: table.fill});
}

// A long table that is made when it is opened.
function foldedTable(parent, spec) {
    const csv = () => tableCsv(spec.columns, spec.rows);
    const details = el("details", {class: "card wide", id: spec.id}, el("summary", {}, spec.title));
    let open = false;
    details.addEventListener("toggle", () => {
        if (open || !details.open) return;
        open = true;
        const filter = el("input", {type: "search", placeholder: "words to look for"});
        const [name, title, action] = csvButton({...spec, csv});
        details.append(el("header", {class: "page-head"}, filter,
            el("div", {class: "buttons"}, el("button", {type: "button", title, onclick: action}, name))),
        tableOf(spec.columns, spec.rows, filter));
    });
    parent.append(details);
    window.report.figures[spec.id] = {rows: spec.rows, csv: () => csvText(csv())};
}
