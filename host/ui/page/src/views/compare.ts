// Runs beside one another: their curves over each other, and what differs in spec, data, plugins and machine.
import * as api from "../api";
import { Chart, nothing } from "../chart";
import { fill, h, type Child } from "../dom";
import { number, plural } from "../format";
import { to, toRun } from "../route";
import { headline } from "../series";
import type { Comparison, Difference, Points, Run } from "../types";
import { fold, load, pairs, panel, table, type View } from "../view";
import { status, success } from "./runs";

const most = 6; // as many as there are colours

export async function showCompare(view: View): Promise<void> {
  const names = [...new Set(view.query.getAll("run"))].slice(0, most);
  view.title({ text: "compare " + names.join(", ") });
  const all = (await api.runs(view.signal)).runs;
  const curves = h("div", null);
  const differences = h("div", null);
  fill(
    view.root,
    h("div", { class: "bar" }, h("h1", null, "Compare"), chooser(names, all)),
    sides(names, all),
    curves,
    differences,
  );
  if (names.length < 2) {
    fill(curves, h("p", { class: "empty" }, "Select a second run."));
    return;
  }
  await Promise.all([
    load(view, differences, async () => {
      const [first, ...rest] = names;
      const found: Child[] = [];
      for (const other of rest) found.push(differ(await api.compare(first!, other, view.signal), first!, other));
      return found;
    }),
    load(view, curves, () => drawCurves(view, names)),
  ]);
}

function chooser(names: string[], all: Run[]): Child {
  const free = all.filter((r) => !names.includes(r.name));
  const list = h(
    "select",
    { "aria-label": "add a run", "data-filter": true },
    h("option", { value: "" }, "add a run …"),
    free.slice(0, 500).map((r) => h("option", { value: r.name }, r.name)),
  );
  list.disabled = names.length >= most || free.length === 0;
  list.addEventListener("change", () => {
    if (list.value !== "") location.hash = to(["compare"], { run: [...names, list.value] });
  });
  return list;
}

function sides(names: string[], all: Run[]): HTMLElement {
  return h(
    "div",
    { class: "sides" },
    names.map((name, i) => {
      const run = all.find((r) => r.name === name);
      return h(
        "section",
        { class: "panel side", vars: { "--swatch": `var(--s${i + 1})` } },
        h(
          "h2",
          null,
          h("i", { class: "swatch" }),
          h("a", { href: toRun(name) }, name),
          " ",
          run ? status(run) : null,
          h(
            "a",
            {
              class: "quiet",
              title: "remove this run",
              href: to(["compare"], { run: names.filter((n) => n !== name) }),
            },
            "×",
          ),
        ),
        run
          ? pairs([
              ["step", number(run.step)],
              ["held-out success", success(run)],
              ["adapter", run.adapter],
              ["spec", run.spec],
            ])
          : h("p", null, "No run with this name in this directory."),
      );
    }),
  );
}

/** The charts of what all have, and folded those of what only some have. */
async function drawCurves(view: View, names: string[]): Promise<Child> {
  const runs = await Promise.all(names.map((n) => api.run(n, view.signal)));
  const has = runs.map((r) => new Set(r.metrics ?? []));
  const every = [...new Set(runs.flatMap((r) => r.metrics ?? []))];
  const common = every.filter((m) => has.every((s) => s.has(m)));
  const some = every.filter((m) => !has.every((s) => s.has(m)));
  const first = headline(every).flatMap((c) => c.names);
  const grid = (metrics: string[]) => {
    const place = h("div", null);
    void load(view, place, async () => h("div", { class: "grid" }, await charts(view, names, metrics)));
    return place;
  };
  const rest = common
    .filter((m) => !first.includes(m))
    .sort()
    .slice(0, 60);
  return [
    grid(first),
    rest.length > 0 ? fold(`${plural(rest.length, "other metric")} of all runs`, () => grid(rest)) : null,
    some.filter((m) => !first.includes(m)).length > 0
      ? fold("metrics of some runs only", () =>
          grid(
            some
              .filter((m) => !first.includes(m))
              .sort()
              .slice(0, 60),
          ),
        )
      : null,
  ];
}

async function charts(view: View, names: string[], metrics: string[]): Promise<HTMLElement[]> {
  if (metrics.length === 0) return [];
  const series = await Promise.all(names.map((n) => api.metrics(n, metrics, undefined, view.signal)));
  return metrics.map(
    (m) =>
      new Chart(
        { title: m, sync: "compare", share: m.endsWith("success_rate") },
        names.map((n, i) => ({ label: n, points: series[i]!.series[m] ?? ([] as Points) })),
        nothing,
        view.signal,
      ).element,
  );
}

function differ(c: Comparison, a: string, b: string): HTMLElement {
  const sections: [string, Difference[] | undefined][] = [
    ["variables", c.variables],
    ["spec", c.spec],
    ["data", c.data],
    ["plugins", c.plugins],
    ["machine", c.machine],
  ];
  const unrecorded = new Set(c.unrecorded ?? []);
  const same = sections.filter(([k, d]) => (d ?? []).length === 0 && !unrecorded.has(k)).map(([k]) => k);
  return panel(
    `Differences between ${a} and ${b}`,
    c.same_digest ? h("p", null, "Their newest checkpoints are identical.") : null,
    same.length > 0 ? h("p", null, `Equal in both: ${same.join(", ")}.`) : null,
    unrecorded.size > 0
      ? h(
          "p",
          { class: "dim" },
          `Not compared, because a run of an earlier version does not record it: ${[...unrecorded].join(", ")}.`,
        )
      : null,
    sections
      .filter(([, d]) => (d ?? []).length > 0)
      .map(([title, list]) => [
        h("h3", null, title),
        table<Difference>(
          [
            { title: "", half: true, cell: (d) => h("code", null, d.path) },
            { title: a, half: true, cell: (d) => value(d.a) },
            { title: b, half: true, cell: (d) => value(d.b) },
          ],
          list!.slice(0, 300),
        ),
      ]),
  );
}

function value(x: unknown): Child {
  if (x === undefined) return h("span", { class: "dim" }, "–");
  const words = typeof x === "string" ? x : JSON.stringify(x);
  return h("span", { class: "value" }, words.length > 300 ? words.slice(0, 300) + " …" : words);
}
