// All runs of the folder, with boxes to choose which are compared.
import * as api from "../api";
import { fill, h, type Child } from "../dom";
import { between, bytes, moment, number, percent } from "../format";
import { to, toRun } from "../route";
import type { Run } from "../types";
import { copier, load, panel, table, type View } from "../view";

const perPage = 50;
const again = 5_000; // milliseconds, while a run is live

export async function showRuns(view: View): Promise<void> {
  view.title();
  const chosen = new Set<string>();
  const place = h("div", null);
  const filter = h("input", {
    type: "search",
    placeholder: "run, spec, adapter, status",
    "aria-label": "filter runs",
    "data-filter": true,
  });
  const button = h("button", { disabled: true, onclick: () => compare() }, "Compare");
  fill(view.root, h("div", { class: "bar" }, h("h1", null, "Runs"), filter, button), place);

  const compare = () => {
    const oldest = runs
      .filter((r) => chosen.has(r.name))
      .sort((a, b) => (a.started ?? "").localeCompare(b.started ?? ""));
    if (oldest.length > 1) location.hash = to(["compare"], { run: oldest.map((r) => r.name) }); // with the oldest
  };
  view.key("c", "compare the selected runs", compare);
  view.key("x", "select the run for a comparison", () => {
    document.querySelector<HTMLInputElement>("tr.current input")?.click();
  });

  let runs: Run[] = [];
  let page = 0;
  const draw = () => fill(place, drawn());
  const drawn = (): Child => {
    const words = filter.value.trim().toLowerCase();
    const found = runs.filter((r) => words === "" || searched(r).includes(words));
    page = Math.min(page, Math.max(0, Math.ceil(found.length / perPage) - 1));
    const box = (r: Run) => {
      const input = h("input", { type: "checkbox", "aria-label": `compare ${r.name}`, checked: chosen.has(r.name) });
      input.addEventListener("change", () => {
        if (input.checked) chosen.add(r.name);
        else chosen.delete(r.name);
        button.disabled = chosen.size < 2;
        fill(button, chosen.size < 2 ? "Compare" : `Compare ${chosen.size} runs`);
      });
      return input;
    };
    const turn = (by: number) => {
      page += by;
      draw();
    };
    return [
      found.length === 0 ? nothing(runs.length) : runsTable(found.slice(page * perPage, (page + 1) * perPage), box),
      found.length > perPage
        ? h(
            "div",
            { class: "pager" },
            h("button", { disabled: page === 0, onclick: () => turn(-1) }, "← Newer"),
            h(
              "span",
              null,
              `${page * perPage + 1} to ${Math.min(found.length, (page + 1) * perPage)} of ${found.length}`,
            ),
            h("button", { disabled: (page + 1) * perPage >= found.length, onclick: () => turn(1) }, "Older →"),
          )
        : null,
    ];
  };
  filter.addEventListener("input", () => {
    page = 0;
    draw();
  });

  const fetchAll = async (): Promise<void> => {
    runs = (await api.runs(view.signal)).runs;
  };
  await load(view, place, async () => {
    await fetchAll();
    return drawn();
  });
  const timer = setInterval(() => {
    if (!runs.some((r) => r.live) || document.hidden || place.contains(document.activeElement)) return;
    fetchAll().then(
      () => keepCursor(draw),
      () => undefined,
    ); // the next try may succeed
  }, again);
  view.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** Draws anew, and puts the cursor of the keyboard back onto its row. */
function keepCursor(draw: () => void): void {
  const href = document.querySelector<HTMLElement>("tr.current")?.dataset.href;
  draw();
  if (!href) return;
  for (const row of document.querySelectorAll<HTMLElement>("tr.item")) {
    if (row.dataset.href === href) row.classList.add("current");
  }
}

function searched(r: Run): string {
  return [r.name, r.spec, r.train, r.adapter, r.status, r.outcome, r.stage, r.machine].join(" ").toLowerCase();
}

function nothing(all: number): HTMLElement {
  if (all > 0) return h("p", { class: "empty" }, "No matching runs.");
  return panel("No runs yet", h("p", null, "Start a run in this directory: "), copier("awhost apply"));
}

function runsTable(runs: Run[], box: (r: Run) => Child): HTMLElement {
  const where = runs.some((r) => r.machine);
  return table<Run>(
    [
      { title: "", cell: box },
      { title: "run", cell: (r) => h("a", { class: "short", href: toRun(r.name), title: r.name }, r.name) },
      {
        title: "status",
        cell: (r) => [status(r), r.reason ? h("div", { class: "reason dim", title: r.reason }, r.reason) : null],
      },
      { title: "step", right: true, cell: progress },
      { title: "reward", right: true, cell: (r) => number(r.reward) },
      { title: "held-out success", right: true, cell: success },
      { title: "stage", cell: (r) => r.stage ?? "–" },
      { title: "adapter", cell: (r) => r.adapter ?? "–" },
      { title: "spec", wide: true, cell: (r) => (r.problem ? h("span", { class: "bad" }, r.problem) : r.spec) },
      ...(where ? [{ title: "machine", cell: (r: Run) => r.machine ?? "–" }] : []),
      { title: "started", cell: (r) => moment(r.started) },
      {
        title: "duration",
        right: true,
        cell: (r) => (r.live || r.ended ? between(r.started, r.live ? undefined : r.ended) : "–"),
      },
      { title: "disk", right: true, cell: (r) => bytes(r.disk_bytes) },
    ],
    runs,
    (r) => toRun(r.name),
  );
}

export function status(r: Run): HTMLElement {
  const bad = r.status === "failed" || r.outcome === "failed";
  const kind = r.live ? "live" : bad ? "bad" : r.status === "finished" ? "good" : "warn";
  const word = r.live ? "running" : r.outcome && r.outcome !== r.status ? `${r.status}, ${r.outcome}` : r.status;
  return h("span", { class: "badge " + kind }, word);
}

function progress(r: Run): Child {
  if (r.step < 0) return "–";
  const bar = r.steps ? h("progress", { value: r.step, max: r.steps, "aria-hidden": "true" }) : null;
  return [h("span", null, number(r.step), r.steps ? h("span", { class: "dim" }, ` of ${number(r.steps)}`) : null), bar];
}

export function success(r: Run): Child {
  if (r.success_after === undefined && r.success_before === undefined) return "–";
  if (r.success_after === undefined) return [percent(r.success_before), h("span", { class: "dim" }, " before")];
  if (r.success_before === undefined) return percent(r.success_after);
  const learned = r.live || r.success_after > r.success_before || r.success_after === 1;
  const after = percent(r.success_after);
  return [
    h("span", { class: "dim" }, `${percent(r.success_before)} → `),
    learned ? after : h("span", { class: "badge warn", title: "not better than at the first validation" }, after),
  ];
}
