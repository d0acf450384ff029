// One run: where it stands, its curves as they grow, what happened to it, its steps and its plugins.
import * as api from "../api";
import { Chart, type Drawing, type Ground, type Line } from "../chart";
import { fill, h, prose, type Child } from "../dom";
import { between, bytes, moment, number, percent, plural, seconds } from "../format";
import { to, toEpisode, toRun, toStep } from "../route";
import { csvOf, headline, labelOf, meaningOf, others, type ChartOf } from "../series";
import type { About, Gpu, LiveEvent, Mark, Plugin, Points, RunDetail, Step, Tool, Wait, Waits } from "../types";
import { copier, fold, load, pairs, panel, table, type View } from "../view";
import { findings, observed } from "./findings";
import { status, success } from "./runs";

const stepsPerPage = 25;

export async function showRun(view: View, name: string): Promise<void> {
  view.title({ text: name });
  const run = await api.run(name, view.signal);
  const head = h("div", null);
  const waits = h("div", null);
  const progress = h("div", null);
  const curves = new Curves(view, run);
  const steps = new Steps(view, run);
  const about = h("div", null);
  const notes = h("div", null);
  const said = h("div", null);
  const draw = (r: RunDetail) => {
    fill(head, heading(r));
    fill(said, warnings(r));
    fill(about, tools(r), happenings(r), plugins(r), gpus(r), checkpoints(r));
    document.querySelector(".crumbs [aria-current]")?.setAttribute("data-status", r.status);
  };
  draw(run);
  const learning = run.played ? h("p", { class: "dim" }, untrained) : [curves.element, steps.element];
  fill(view.root, head, notes, said, progress, waits, learning, about, logs(view, run), settings(view, name));
  view.key("e", "all episodes", () => {
    location.hash = to(["run", name, "episodes"]);
  });
  view.key("a", "all tasks", () => {
    location.hash = to(["run", name, "tasks"]);
  });
  view.key("v", "validations", () => {
    location.hash = to(["run", name, "validations"]);
  });
  view.key("s", "the newest step", () => {
    location.hash = toStep(name, Math.max(0, run.step));
  });
  if (!run.played) {
    void curves.load();
    void steps.load();
    void showFindings(view, run, notes);
  }
  if (!run.live) return;
  void showWaits(view, name, waits, progress);
  const timer = setInterval(() => document.hidden || void showWaits(view, name, waits, progress), lookInterval);
  view.signal.addEventListener("abort", () => clearInterval(timer));
  view.onLive(name, (events) => void hear(events));

  const hear = async (events: LiveEvent[]): Promise<void> => {
    const kinds = new Set(events.map((e) => e.kind));
    const now = await api.run(name, view.signal).catch(() => null); // the next event tries again
    if (!now || view.signal.aborted) return;
    Object.assign(run, now);
    draw(now);
    if (!run.played && (kinds.has("step") || kinds.has("state"))) {
      void curves.refresh(now, kinds.has("state"));
      void steps.refresh(now);
      void showFindings(view, now, notes);
    }
    void showWaits(view, name, waits, progress);
  };
}

const lookInterval = 2_000; // milliseconds between requests for the progress of a phase

const untrained = "Tasks of awhost debug. Nothing is trained, so the run has no curves, steps, or checkpoints.";
const looked = 50; // steps, the newest

/** Draws the findings again only if they have changed, so that what is unfolded stays so. */
async function showFindings(view: View, run: RunDetail, place: HTMLElement): Promise<void> {
  const answer = await api
    .steps(run.name, Math.max(0, run.step - looked + 1), Math.max(0, run.step), view.signal)
    .catch(
      () => null, // the steps themselves say why
    );
  if (view.signal.aborted) return;
  const steps = answer?.steps ?? [];
  const now = JSON.stringify([run.findings, run.not_checked, observed(steps)]);
  if (place.dataset.drawn === now) return;
  place.dataset.drawn = now;
  fill(place, findings(view, run, steps));
}

function heading(r: RunDetail): Child {
  const changed = [r.step >= 0 ? `${number(r.step)}${r.steps ? ` of ${number(r.steps)}` : ""}` : "none"];
  return [
    h(
      "div",
      { class: "bar" },
      h("h1", null, r.name),
      status(r),
      h("span", { class: "grow" }),
      h("a", { class: "button", href: to(["run", r.name, "episodes"]) }, "Episodes"),
      h("a", { class: "button", href: to(["run", r.name, "tasks"]) }, "Tasks"),
      h("a", { class: "button", href: to(["run", r.name, "validations"]) }, "Validations"),
      h("a", { class: "button", href: to(["compare"], { run: [r.name] }) }, "Compare"),
    ),
    pairs([
      ["step", r.played ? null : changed],
      ["stage", r.stage],
      ["held-out success", r.played ? null : success(r)],
      ["episodes", r.episodes === undefined ? null : number(r.episodes)],
      ["adapter", r.adapter],
      ["train", r.train],
      ["dataset", r.played?.dataset],
      ["policy", r.played?.policy],
      ["spec", r.spec],
      ["machine", r.machine],
      ["started", moment(r.started)],
      ["duration", r.live || r.ended ? between(r.started, r.live ? undefined : r.ended) : null],
      ["disk", bytes(r.disk_bytes)],
      ["digest", r.digest ? h("code", null, r.digest.slice(0, 19)) : null],
    ]),
    failures(r),
  ];
}

function warnings(r: RunDetail): Child {
  return [
    r.problem || r.reason ? h("p", { class: "warning" }, r.problem ?? r.reason) : null,
    (r.warnings ?? []).map((w) => h("p", { class: "warning", role: "status" }, w)),
  ];
}

/** What the spec came to, to be searched. */
function settings(view: View, name: string): HTMLElement {
  return fold(h("b", null, "Spec"), () => {
    const place = h("div", null);
    void load(view, place, async () => {
      const all = (await api.spec(name, view.signal)).settings.map((s) => [s.path, JSON.stringify(s.value)] as const);
      const list = h("div", null);
      const words = h("input", { type: "search", placeholder: "setting or value", "aria-label": "filter settings" });
      const draw = () => {
        const wanted = words.value.trim().toLowerCase();
        const found = all.filter(([path, value]) => `${path} = ${value}`.toLowerCase().includes(wanted));
        fill(
          list,
          table(
            [
              { title: "setting", cell: ([path]) => h("code", null, path) },
              { title: "value, including defaults", wide: true, cell: ([, value]) => prose(value, 400) },
            ],
            found.slice(0, 500),
          ),
          found.length > 500
            ? h("p", { class: "dim" }, `${plural(found.length - 500, "more setting")}: refine the filter`)
            : null,
        );
      };
      words.addEventListener("input", draw);
      draw();
      return [words, list];
    });
    return place;
  });
}

function failures(r: RunDetail): Child {
  const list = Object.entries(r.failures ?? {})
    .filter(([, n]) => n > 0)
    .sort((a, b) => b[1] - a[1]);
  if (list.length === 0) return null;
  return h(
    "p",
    { class: "chips" },
    h("span", { class: "dim" }, "Failed: "),
    list.map(([kind, n]) =>
      h(
        "a",
        { class: "chip bad", href: to(["run", r.name, "episodes"], { class: kind }) },
        `${kind.toLowerCase()} `,
        h("b", null, number(n)),
      ),
    ),
  );
}

/** The charts of a run. Series are asked for when their part is opened, and then only what is new. */
class Curves {
  readonly element = h("section", { class: "curves", "aria-label": "curves" });
  private readonly charts: { of: ChartOf; chart: Chart }[] = [];
  private readonly points = new Map<string, Points>();
  private drawn = "";
  private readonly drawing: Drawing = { smoothing: 0, log: false };
  private about = new Map<string, About>();

  constructor(
    private readonly view: View,
    private run: RunDetail,
  ) {}

  async load(): Promise<void> {
    this.drawn = (this.run.metrics ?? []).join("\n");
    this.about = new Map((this.run.about ?? []).map((m) => [m.name, m]));
    const charts = headline(this.run.metrics ?? []);
    const grid = h("div", { class: "grid" });
    await load(this.view, this.element, async () => {
      await this.fetch(charts.flatMap((c) => c.names));
      fill(
        grid,
        charts.map((c) => this.chart(c)),
      );
      if (charts.length === 0) return h("p", { class: "empty" }, "No curves: no step has ended.");
      return [
        this.controls(),
        grid,
        [...others(this.run.metrics ?? [])].map(([part, names]) => this.part(part, names)),
      ];
    });
  }

  /** What changes all charts. A zoom is a drag over steps. */
  private controls(): HTMLElement {
    const redraw = () => this.charts.forEach(({ chart }) => chart.redraw());
    const smoothing = h(
      "select",
      { "aria-label": "smoothing" },
      [0, 0.6, 0.9, 0.97].map((w) => h("option", { value: w }, w === 0 ? "no smoothing" : `smoothing ${w}`)),
    );
    smoothing.value = String(this.drawing.smoothing);
    smoothing.addEventListener("change", () => {
      this.drawing.smoothing = Number(smoothing.value);
      redraw();
    });
    const log = h("input", { type: "checkbox", checked: this.drawing.log });
    log.addEventListener("change", () => {
      this.drawing.log = log.checked;
      redraw();
    });
    const trouble = h("span", { class: "bad", role: "status" });
    const download = () =>
      api.metrics(this.run.name, [], undefined, this.view.signal).then(
        ({ series }) => save(`${this.run.name}.csv`, csvOf(series)),
        (e: unknown) => fill(trouble, e instanceof Error ? e.message : String(e)),
      );
    return h(
      "div",
      { class: "bar controls" },
      smoothing,
      h("label", null, log, " log scale"),
      h("button", { onclick: redraw, title: "drag over steps of a curve to zoom" }, "Reset zoom"),
      h("button", { onclick: () => void download() }, "Download CSV"),
      trouble,
    );
  }

  private part(part: string, names: string[]): HTMLElement {
    const summary = [h("b", null, part), h("span", { class: "dim" }, ` ${plural(names.length, "metric")}`)];
    return fold(summary, () => {
      const grid = h("div", null);
      const perPage = 24;
      const show = (from: number) =>
        load(this.view, grid, async () => {
          const now = names.slice(from, from + perPage);
          await this.fetch(now);
          return [
            h(
              "div",
              { class: "grid" },
              now.map((n) => this.chart(this.alone(n))),
            ),
            names.length > perPage
              ? h(
                  "div",
                  { class: "pager" },
                  h("button", { disabled: from === 0, onclick: () => void show(from - perPage) }, "←"),
                  h("span", null, `${from + 1} to ${from + now.length} of ${names.length}`),
                  h(
                    "button",
                    { disabled: from + perPage >= names.length, onclick: () => void show(from + perPage) },
                    "→",
                  ),
                )
              : null,
          ];
        });
      void show(0);
      return grid;
    });
  }

  /** The chart of a metric that has none among the first ones. */
  private alone(name: string): ChartOf {
    const m = this.about.get(name);
    return { title: m?.label ?? name, names: [name], unit: m?.unit, share: m?.unit === "fraction" };
  }

  private chart(of: ChartOf): HTMLElement {
    const chart = new Chart(
      {
        title: of.title,
        about: meaningOf(of, this.about),
        unit: of.unit,
        share: of.share,
        sync: "run",
        open: (step) => {
          location.hash = toStep(this.run.name, step);
        },
      },
      this.lines(of),
      this.ground(),
      this.view.signal,
      this.drawing,
    );
    this.charts.push({ of, chart });
    return chart.element;
  }

  private lines(of: ChartOf): Line[] {
    return of.names.map((n) => ({ label: labelOf(n, of, this.about), points: this.points.get(n) ?? [] }));
  }

  private ground(): Ground {
    return {
      stages: this.run.stages ?? [],
      checkpoints: this.run.checkpoints ?? [],
      marks: this.run.marks ?? [],
      last: this.run.step,
    };
  }

  private async fetch(names: string[], after?: number): Promise<void> {
    if (names.length === 0) return;
    const { series } = await api.metrics(this.run.name, names, after, this.view.signal);
    for (const [name, points] of Object.entries(series)) {
      const before = after === undefined ? [] : (this.points.get(name) ?? []).filter((p) => p[0] <= after);
      this.points.set(name, [...before, ...points]);
    }
  }

  /** Asks for what is new; after a resume steps may have been cut off, so that all of it is asked for. */
  async refresh(run: RunDetail, all: boolean): Promise<void> {
    this.run = run;
    if (this.drawn === "" || (this.charts.length === 0 && (run.metrics ?? []).length > 0)) return this.load();
    const names = [...new Set(this.charts.flatMap((c) => c.of.names))];
    const last = Math.max(-1, ...names.flatMap((n) => (this.points.get(n) ?? []).slice(-1).map((p) => p[0])));
    try {
      await this.fetch(names, all || last < 1 ? undefined : last - 1);
    } catch {
      return; // the next event tries again
    }
    for (const { of, chart } of this.charts) chart.update(this.lines(of), this.ground());
  }
}

/** Lets the browser save a text as a file. */
function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The steps of a run, the newest first, a page at a time. */
class Steps {
  readonly element = panel("Steps");
  private readonly place = h("div", null);
  private top: number | undefined; // the first that is shown; undefined: the newest

  constructor(
    private readonly view: View,
    private run: RunDetail,
  ) {
    this.element.append(this.place);
  }

  load(): Promise<void> {
    return load(this.view, this.place, () => this.draw());
  }

  async refresh(run: RunDetail): Promise<void> {
    this.run = run;
    if (this.top === undefined && !this.place.contains(document.activeElement)) {
      const child = await this.draw().catch(() => null);
      if (child && !this.view.signal.aborted) fill(this.place, child);
    }
  }

  private async draw(): Promise<Child> {
    const top = this.top ?? this.run.step;
    const from = Math.max(0, top - stepsPerPage + 1);
    const { steps } = await api.steps(this.run.name, from, Math.max(0, top), this.view.signal);
    if (steps.length === 0) return h("p", { class: "empty" }, "No steps: none has ended.");
    const turn = (by: number) => {
      const next = top + by * stepsPerPage;
      this.top = next >= this.run.step ? undefined : next;
      void this.load();
    };
    return [
      stepsTable(
        this.run.name,
        [...steps].sort((a, b) => b.step - a.step),
      ),
      from > 0 || this.top !== undefined
        ? h(
            "div",
            { class: "pager" },
            h("button", { disabled: this.top === undefined, onclick: () => turn(1) }, "← Newer"),
            h("span", null, `steps ${from} to ${top}`),
            h("button", { disabled: from === 0, onclick: () => turn(-1) }, "Older →"),
          )
        : null,
    ];
  }
}

function stepsTable(run: string, steps: Step[]): HTMLElement {
  const parts = [...new Set(steps.flatMap((s) => Object.keys(s.seconds ?? {})))];
  return table<Step>(
    [
      { title: "step", right: true, cell: (s) => h("a", { href: toStep(run, s.step) }, number(s.step)) },
      { title: "stage", cell: (s) => s.stage ?? "–" },
      { title: "episodes", right: true, cell: (s) => number(s.episodes) },
      { title: "reward", right: true, cell: (s) => number(s.reward) },
      { title: "success", right: true, cell: (s) => percent(s.success) },
      { title: "failed", right: true, cell: (s) => some(s.failed) },
      { title: "truncated", right: true, cell: (s) => some(s.truncated) },
      ...parts.map((p) => ({
        title: p.replaceAll("_", " "),
        right: true,
        cell: (s: Step) => seconds(s.seconds?.[p]),
      })),
      { title: "", wide: true, cell: () => "" },
    ],
    steps,
    (s) => toStep(run, s.step),
  );
}

function some(n: number | undefined): Child {
  return n ? h("span", { class: "bad" }, number(n)) : number(n);
}

const markWords: Record<string, string> = {
  start: "started",
  resume: "resumed",
  kill: "killed",
  end: "ended",
  take_up: "trainer reattached",
  stage: "stage",
  plugin_restart: "plugin restarted",
};

function happenings(r: RunDetail): Child {
  const marks = [...(r.marks ?? [])].sort((a, b) => b.time.localeCompare(a.time));
  if (marks.length === 0) return null;
  const draw = (list: Mark[]) =>
    table<Mark>(
      [
        { title: "time", cell: (m) => moment(m.time) },
        { title: "step", right: true, cell: (m) => number(m.step) },
        {
          title: "what",
          cell: (m) =>
            h(
              "span",
              { class: "badge " + (m.kind === "kill" ? "bad" : "") },
              markWords[m.kind] ?? m.kind.replaceAll("_", " "),
            ),
        },
        { title: "", wide: true, cell: (m) => m.text },
      ],
      list,
    );
  const newest = 10;
  return panel(
    "Events",
    draw(marks.slice(0, newest)),
    marks.length > newest
      ? fold(`${plural(Math.min(marks.length, 500) - newest, "earlier entry").replace("entrys", "entries")}`, () =>
          draw(marks.slice(newest, 500)),
        )
      : null,
  );
}

function tools(r: RunDetail): Child {
  const list = [...(r.tools ?? [])].sort((a, b) => b.errors - a.errors || b.calls - a.calls);
  if (list.length === 0 && !r.malformed) return null;
  return panel(
    "Tools",
    list.length === 0
      ? null
      : table<Tool>(
          [
            { title: "tool", cell: (t) => h("code", { class: "short", title: t.name }, t.name) },
            { title: "calls", right: true, cell: (t) => number(t.calls) },
            { title: "errors", right: true, cell: (t) => some(t.errors) },
            { title: "error share", right: true, cell: (t) => (t.calls > 0 ? percent(t.errors / t.calls) : "–") },
            { title: "per call", right: true, cell: (t) => (t.seconds ? seconds(t.seconds / t.calls) : "–") },
            { title: "", wide: true, cell: () => "" },
          ],
          list,
        ),
    r.malformed
      ? h(
          "p",
          null,
          h("b", null, plural(r.malformed, "malformed call")),
          " could not be parsed, so that their tools are unknown. ",
          h("a", { href: to(["run", r.name, "episodes"], { split: "train", malformed_min: "1" }) }, "Show episodes"),
        )
      : null,
  );
}

function plugins(r: RunDetail): Child {
  if ((r.plugins ?? []).length === 0) return null;
  return panel(
    "Plugins",
    table<Plugin>(
      [
        { title: "address", cell: (p) => h("code", null, p.address) },
        { title: "plugin", cell: (p) => `${p.name ?? ""} ${p.version ?? ""}` },
        { title: "pid", right: true, cell: (p) => (p.pid ? String(p.pid) : "–") },
        { title: "restarts", right: true, cell: (p) => some(p.restarts) },
        { title: "CPU", right: true, cell: cpu },
        { title: "memory", right: true, cell: (p) => bytes(p.rss_bytes) },
        ...(r.plugins!.some((p) => p.gpus)
          ? [{ title: "GPU memory", right: true, cell: (p: Plugin) => gpuMemory(p) }]
          : []),
        {
          title: "last output",
          wide: true,
          cell: (p) => (p.last_words ? h("div", { class: "words" }, prose(p.last_words, 400)) : ""),
        },
      ],
      r.plugins!,
    ),
  );
}

/** The end of each plugin's output. It is requested when it is unfolded. */
function logs(view: View, r: RunDetail): Child {
  if (r.played || (r.plugins ?? []).length === 0) return null;
  return panel(
    "Logs",
    r.plugins!.map((p) =>
      fold(h("code", null, p.address), () => {
        const place = h("div", null);
        const show = () =>
          void load(view, place, async () => {
            const { text, cut } = await api.log(r.name, p.address, view.signal);
            return [
              h("button", { onclick: show }, "Refresh"),
              cut
                ? h(
                    "p",
                    { class: "dim" },
                    "The last 64 KiB. All: ",
                    copier(`awhost logs ${r.name} --plugin ${p.address}`),
                  )
                : null,
              h("div", { class: "log" }, prose(text, text.length)),
            ];
          });
        show();
        return place;
      }),
    ),
  );
}

function cpu(p: Plugin): Child {
  if (p.cpu_percent === undefined) return seconds(p.cpu_seconds);
  return [seconds(p.cpu_seconds), h("span", { class: "dim" }, ` ${Math.round(p.cpu_percent)} %`)];
}

function gpuMemory(p: Plugin): Child {
  return (p.gpus ?? []).map((g) => h("div", null, h("span", { class: "dim" }, `${g.index}: `), bytes(g.bytes)));
}

function gpus(r: RunDetail): Child {
  if ((r.gpus ?? []).length === 0) return null;
  return panel(
    "GPUs",
    table<Gpu>(
      [
        { title: "", right: true, cell: (g) => String(g.index) },
        { title: "name", cell: (g) => g.name ?? "–" },
        {
          title: "memory",
          cell: (g) => [
            `${bytes(g.used_bytes)} of ${bytes(g.total_bytes)}`,
            g.total_bytes
              ? h("progress", { value: g.used_bytes ?? 0, max: g.total_bytes, "aria-hidden": "true" })
              : null,
          ],
        },
        { title: "", wide: true, cell: () => "" },
      ],
      r.gpus!,
    ),
  );
}

function checkpoints(r: RunDetail): Child {
  const list = [...(r.checkpoints ?? [])].sort((a, b) => b.step - a.step).slice(0, 200);
  if (list.length === 0) return null;
  return panel(
    "Checkpoints",
    table(
      [
        { title: "step", right: true, cell: (c) => h("a", { href: toStep(r.name, c.step) }, number(c.step)) },
        { title: "", cell: (c) => (c.best ? h("span", { class: "badge good" }, "best") : "") },
        { title: "path", wide: true, cell: (c) => (c.path ? copier(c.path) : "") },
      ],
      list,
    ),
  );
}

/** The state of a phase, such as "Warm start: 120 of 400, about 8 s left". */
export function phase(w: Waits): string {
  const { phase_done: done = 0, phase_total: total = 0, phase_seconds: spent = 0 } = w;
  if (!w.live || !w.phase || total === 0) return "";
  const name = w.phase.charAt(0).toUpperCase() + w.phase.slice(1).replaceAll("_", " ");
  const left = done > 0 ? `, about ${seconds((spent * (total - done)) / done)} left` : "";
  return `${name}: ${number(done)} of ${number(total)}${left}`;
}

async function showWaits(view: View, name: string, place: HTMLElement, progress: HTMLElement): Promise<void> {
  const w = await api.waits(name, view.signal).catch(() => null); // an older server does not know
  if (view.signal.aborted) return;
  const text = w ? phase(w) : "";
  fill(
    progress,
    text === ""
      ? null
      : h(
          "p",
          { class: "dim" },
          h("progress", { value: w!.phase_done ?? 0, max: w!.phase_total, "aria-label": text }),
          ` ${text}`,
        ),
  );
  if (!w || !w.live) return fill(place);
  if (w.waits.length === 0) return fill(place);
  const summary = w.waits[0]!;
  fill(
    place,
    fold(
      [h("b", null, "Waits: "), sentence(summary), w.waits.length > 1 ? `, and ${w.waits.length - 1} more` : ""],
      () =>
        table<Wait>(
          [
            { title: "who", cell: (x) => (x.episodes ? plural(x.episodes, "episode") : "the " + x.who) },
            { title: "waits for", cell: (x) => [x.for, " ", x.address ?? "", x.call ? `, ${x.call}` : ""] },
            { title: "since", right: true, cell: (x) => seconds(x.seconds) },
            {
              title: "longest",
              cell: (x) => (x.episode ? h("a", { href: toEpisode(name, x.episode) }, x.episode) : ""),
            },
            { title: "", wide: true, cell: (x) => x.detail ?? "" },
          ],
          w.waits,
        ),
      place.querySelector("details")?.open ?? false,
    ),
  );
}

function sentence(w: Wait): string {
  const who = w.episodes ? `${plural(w.episodes, "episode")} wait` : `the ${w.who} waits`;
  return `${who} for ${w.for}${w.address ? ` of ${w.address}` : ""}, ${seconds(w.seconds)}`;
}

export const crumb = (run: string) => ({ text: run, href: toRun(run) });
