// The report of a network under load: curves, the drawing with the use of channels, tables.

const pointColumns = [
    {title: `offered (${rateUnit})`, value: (p) => p.rate},
    {title: "latency (cycles)", value: (p) => p.latency_cycles, text: (value) => fixed(value, 2)},
    ...(data.requests ? [
        {title: "request (cycles)", value: (p) => p.request_cycles, text: (value) => fixed(value, 2)},
        {title: "reply (cycles)", value: (p) => p.reply_cycles, text: (value) => fixed(value, 2)}] : []),
    {title: "latency (ns)", value: (p) => (isNumber(p.latency_cycles) ? p.latency_cycles * 1e6 / data.noc_khz : undefined),
        text: (value) => fixed(value, 1)},
    {title: "accepted", value: (p) => p.accepted_rate, text: (value) => fixed(value, 4)},
    {title: "routers passed", value: (p) => p.hops, text: (value) => fixed(value, 3)},
    {title: "packets", value: (p) => p.packets},
    {title: "latency known to", value: (p) => (p.saturated ? undefined : p.precision), text: (value) => percent(value)},
    {title: "status", left: true, value: (p) => (p.saturated ? "saturated" : p.precise ? "ok" : "not precise"),
        kind: (value) => (value === "ok" ? "near" : "far")},
];

const channelColumns = [
    {title: "from", left: true, value: (c) => c.from},
    {title: "to", left: true, value: (c) => c.to},
    {title: "cycles", value: (c) => c.cycles},
    {title: "use", value: (c) => c.use, text: (value) => percent(value)},
    {title: "GB/s", value: (c) => c.use * c.gbps, text: (value) => fixed(value, 2)},
    {title: "packets (mW)", value: (c) => c.packets_mw, text: (value) => fixed(value, 1)},
    {title: "idle (mW)", value: (c) => c.idle_mw, text: (value) => fixed(value, 1)},
    {title: "in all (mW)", value: (c) => c.packets_mw + c.idle_mw, text: (value) => fixed(value, 1)},
];

// The rate of saturation if it was looked for, else what the measured rates say of it.
function saturationTile() {
    if (isNumber(data.saturation)) return [plain(data.saturation), "saturated: three times the idle latency"];
    if (overloaded.length)
        return [`\u2264 ${plain(Math.min(...overloaded.map((p) => p.rate)))}`, "saturated, of the rates measured"];
    return [`> ${plain(Math.max(...data.points.map((p) => p.rate)))}`, "saturation: at no rate measured"];
}

function networkTiles() {
    const tile = ([value, name]) => el("div", {class: "tile"}, el("b", {}, value), el("span", {}, name));
    const uses = data.channels.map((c) => c.use);
    const power = data.channels.reduce((sum, c) => sum + c.packets_mw + c.idle_mw, 0) / 1000;
    const tiles = [[grouped(data.routers), data.routers === 1 ? "router" : "routers"],
        [grouped(data.channels.length / 2), `channels of ${data.channel_gbps} GB/s each way`],
        [grouped(data.terminals), "terminals that send"],
        [`${plain(data.idle_cycles)} cycles`, `idle, ${plain(data.idle_cycles * 1e6 / data.noc_khz)} ns`],
        saturationTile()];
    if (uses.length)
        tiles.push([percent(Math.max(...uses), 0), `of the most used channel, at ${plain(data.use_rate)}`],
            [`${plain(power, 3)} W`, `of channels between routers, at ${plain(data.use_rate)}`]);
    main.append(el("div", {class: "tiles"}, ...tiles.map(tile)));
}

function networkPage() {
    const packets = `${data.requests ? "requests of one flit, answered by " : ""}packets of ${data.packet_bytes} B ` +
        `(${data.packet_flits} ${data.packet_flits === 1 ? "flit" : "flits"})`;
    document.getElementById("subtitle").append(`${data.description} ${data.traffic} traffic, ${packets}.`.trim());
    networkTiles();
    const cards = cardsOf(main);
    const csv = () => tableCsv(pointColumns, data.points);
    figure(cards, {id: "latency", title: "Latency over injection rate", height: 320, csv, option: latencyOption,
        caption: "From generation to the last flit's arrival, mean over packets; dashed: a packet that meets nobody, and three times that."});
    figure(cards, {id: "accepted", title: "Accepted over offered rate", height: 320, csv, option: acceptedOption,
        caption: "On the dashed line everything that is offered goes through."});
    const at = `At ${plain(data.use_rate)} ${rateUnit}${data.use_saturated ? ", the lowest rate measured, which is saturated" :
        ", the highest rate measured that is not saturated"}.`;
    if (data.layout && data.channels.length)
        networkFigure(cards, `${at} The two directions of a channel lie beside each other, on the right hand of who goes along them. ` +
            "Point at a channel or a router for its name and numbers.");
    tableFigure(cards, {id: "points", title: "Rates", columns: pointColumns, rows: data.points});
    if (data.channels.length)
        foldedTable(main, {id: "channels", title: `Channels: use and power at ${plain(data.use_rate)}`, columns: channelColumns,
            rows: data.channels});
}

networkPage();
startTheme();
