// Episodes of a step as groups of coloured samples, or episodes of the whole run as a list; filtered, a page at a time.
import * as api from "../api";
import { cell, outcome, rewarded } from "../cell";
import { rewardScale, type Scale } from "../colour";
import { fill, h, type Child } from "../dom";
import { chosen, form, isNarrow } from "../filter";
import { number, percent, plural, seconds } from "../format";
import { groupBy } from "../groupby";
import { to, toEpisode, toGroup, toStep } from "../route";
import type { Episode, EpisodePage, RunDetail, Step } from "../types";
import { clean } from "../text";
import { load, pairs, panel, table, type Column, type View } from "../view";
import { distribution } from "./distribution";
import { crumb } from "./run";

const limit = 100;

export async function showEpisodes(view: View, run: string, step: number | undefined): Promise<void> {
  const path = step === undefined ? ["run", run, "episodes"] : ["run", run, "step", step];
  view.title(crumb(run), { text: step === undefined ? "episodes" : `step ${step}` });
  const detail = await api.run(run, view.signal);
  const list = new List(view, detail, step, path);
  fill(
    view.root,
    bar(view, detail, step, path),
    step === undefined ? null : summary(view, run, step),
    api.inFile === undefined ? form(path, view.query, detail) : null,
    step === undefined || isNarrow(view.query) ? null : extremes(view, run, step),
    list.element,
    step === undefined || isNarrow(view.query) ? null : spreads(view, run, step),
  );
  await list.load();
  if (detail.live) view.onLive(run, (events) => list.hear(events.some((e) => step === undefined || e.step === step)));
}

function bar(view: View, run: RunDetail, step: number | undefined, path: (string | number)[]): HTMLElement {
  const split = view.query.get("split") ?? "";
  const query = Object.fromEntries([...view.query].filter(([k]) => k !== "cursor"));
  const link = (value: string, label: string) =>
    h(
      "a",
      {
        class: "tab" + (split === value ? " here" : ""),
        "aria-current": split === value ? "true" : undefined,
        href: to(path, { ...query, split: value }),
      },
      label,
    );
  const layout = view.query.get("layout") ?? "";
  const turn = (by: number) => {
    location.hash = toStep(run.name, Math.max(0, (step ?? 0) + by), { split });
  };
  if (step !== undefined) {
    view.key("ArrowLeft", "previous step", () => turn(-1));
    view.key("ArrowRight", "next step", () => turn(1));
  }
  return h(
    "div",
    { class: "bar" },
    h("h1", null, step === undefined ? "Episodes" : `Step ${number(step)}`),
    step === undefined
      ? null
      : h(
          "span",
          { class: "turn" },
          h(
            "button",
            {
              disabled: step === 0,
              title: "previous step (←)",
              "aria-label": "previous step",
              onclick: () => turn(-1),
            },
            "←",
          ),
          h("button", { title: "next step (→)", "aria-label": "next step", onclick: () => turn(1) }, "→"),
        ),
    run.played
      ? null
      : h("span", { class: "tabs" }, link("", "All"), link("train", "Training"), link("validation", "Held-out")),
    step === undefined
      ? null
      : h(
          "span",
          { class: "tabs" },
          h("a", { class: "tab" + (layout === "" ? " here" : ""), href: to(path, { ...query, layout: "" }) }, "Groups"),
          h(
            "a",
            { class: "tab" + (layout === "list" ? " here" : ""), href: to(path, { ...query, layout: "list" }) },
            "List",
          ),
        ),
  );
}

/** What is known of a step as a whole. */
function summary(view: View, run: string, step: number): HTMLElement {
  const place = h("div", null);
  void load(view, place, async () => {
    const s = (await api.steps(run, step, step, view.signal)).steps.find((x) => x.step === step);
    if (!s) return h("p", { class: "dim" }, "The step has not ended, or belongs to another run.");
    return pairs([
      ["stage", s.stage],
      ["episodes", number(s.episodes)],
      ["reward", number(s.reward)],
      ["success", percent(s.success)],
      ["failed", number(s.failed)],
      ["truncated", number(s.truncated)],
      ...timesOf(s),
    ]);
  });
  return place;
}

function timesOf(s: Step): [string, Child][] {
  return Object.entries(s.seconds ?? {}).map(([part, value]) => [part.replaceAll("_", " "), seconds(value)]);
}

/** How rewards and lengths of a step are distributed. */
function spreads(view: View, run: string, step: number): HTMLElement {
  const place = h("div", null);
  const split = view.query.get("split") || "train";
  void load(view, place, async () => {
    const page = await api.episodes(run, { step, split, limit: 1000 }, view.signal);
    return distribution(run, page.episodes, page.total ?? page.episodes.length);
  });
  return place;
}

/** The best and the worst of a step. */
function extremes(view: View, run: string, step: number): HTMLElement {
  const place = h("div", null);
  const split = view.query.get("split") ?? undefined;
  const some = (sort: string) => api.episodes(run, { step, split, sort, limit: 3 }, view.signal);
  void load(view, place, async () => {
    const [best, worst] = await Promise.all([some("-reward"), some("reward")]);
    const known = (p: EpisodePage) => p.episodes.filter((e) => typeof e.reward === "number");
    if (known(best).length === 0 || known(best)[0]!.reward === known(worst)[0]!.reward) return null;
    const scale = rewardScale([...known(best), ...known(worst)].map((e) => e.reward));
    return h("div", { class: "extremes" }, column("Best", known(best), scale), column("Worst", known(worst), scale));
  });
  const column = (title: string, list: Episode[], scale: Scale) =>
    panel(
      title,
      list.map((e) =>
        h(
          "p",
          { class: "answer" },
          cell(run, e, scale),
          " ",
          h("a", { href: toEpisode(run, e.id), class: "quiet" }, shorten(e.answer) || "no answer"),
        ),
      ),
    );
  return place;
}

class List {
  readonly element = h("div", null);
  private readonly place = h("div", null);
  private readonly news = h("div", null);

  constructor(
    private readonly view: View,
    private readonly run: RunDetail,
    private readonly step: number | undefined,
    private readonly path: (string | number)[],
  ) {
    this.element.append(this.news, this.place);
  }

  load(): Promise<void> {
    fill(this.news);
    return load(this.view, this.place, () => this.draw());
  }

  /** Draws anew when there is more, unless somebody is at work in the list. */
  hear(concerned: boolean): void {
    if (!concerned) return;
    const busy =
      this.view.query.has("cursor") ||
      this.element.contains(document.activeElement) ||
      this.element.querySelector(".current, :hover") !== null;
    if (!busy) void this.load();
    else
      fill(this.news, h("p", { class: "news" }, h("button", { onclick: () => void this.load() }, "Show new episodes")));
  }

  private async draw(): Promise<Child> {
    const cursor = this.view.query.get("cursor") ?? undefined;
    const inGroups =
      this.step !== undefined && this.view.query.get("layout") !== "list" && !this.view.query.get("sort");
    const sort = inGroups ? { sort: "group" } : {}; // whole groups on each page
    const page = await api.episodes(
      this.run.name,
      { ...chosen(this.view.query), ...sort, step: this.step, limit, cursor },
      this.view.signal,
    );
    if (page.episodes.length === 0) return h("p", { class: "empty" }, this.emptiness());
    const scale = rewardScale(page.episodes.map((e) => e.reward));
    const total = page.total === undefined ? "" : `${plural(page.total, "episode")}`;
    return [
      h("p", { class: "legend" }, h("b", null, total), legend(scale), this.asks(inGroups)),
      this.strip(page.episodes, scale),
      inGroups ? this.groups(page.episodes, scale) : this.list(page.episodes, scale),
      this.pager(page, cursor),
    ];
  }

  private emptiness(): string {
    if (isNarrow(this.view.query)) return "No matching episodes.";
    return this.run.live ? "No episodes yet. The list updates automatically." : "No episodes.";
  }

  /** One task through time. */
  private strip(list: Episode[], scale: Scale): Child {
    if (this.step !== undefined || !this.view.query.get("task")) return null;
    const bySteps = groupBy(
      [...list].sort((a, b) => a.step - b.step),
      (e) => e.step,
    );
    return panel(
      "All episodes of this task",
      h(
        "div",
        { class: "strip" },
        [...bySteps].map(([step, episodes]) =>
          h(
            "div",
            null,
            h("a", { class: "dim", href: toStep(this.run.name, step) }, `step ${step}`),
            episodes.map((e) => cell(this.run.name, e, scale)),
          ),
        ),
      ),
    );
  }

  private groups(list: Episode[], scale: Scale): HTMLElement {
    const groups = [...groupBy(list, (e) => JSON.stringify([e.split, e.group])).values()].sort(byName);
    return h(
      "div",
      { class: "groups" },
      groups.map((members) => {
        const episodes = members.toSorted((a, b) => a.sample - b.sample); // the list has them as they ended
        const first = episodes[0]!;
        const href = toGroup(this.run.name, first.group, first.step, first.split);
        return h(
          "section",
          { class: "group item", data: { href } },
          h(
            "div",
            { class: "of" },
            h(
              "a",
              { href, title: "side by side" },
              first.split === "validation" ? "held-out " : "",
              `group ${first.group}`,
            ),
            h(
              "a",
              {
                class: "task",
                title: "all episodes of this task",
                href: to(["run", this.run.name, "episodes"], { task: first.task }),
              },
              first.task,
            ),
            h("span", { class: "dim" }, spread(episodes)),
          ),
          h(
            "div",
            { class: "cells" },
            episodes.map((e) => cell(this.run.name, e, scale)),
          ),
        );
      }),
    );
  }

  private list(list: Episode[], scale: Scale): HTMLElement {
    const run = this.run.name;
    return table<Episode>(
      [
        ...(this.step === undefined && !this.run.played
          ? [
              {
                title: "step",
                right: true,
                cell: (e: Episode) => h("a", { href: toStep(run, e.step) }, number(e.step)),
              },
            ]
          : []),
        { title: "episode", cell: (e) => h("a", { href: toEpisode(run, e.id), title: e.id }, nameOf(e)) },
        { title: "reward", right: true, cell: (e) => rewarded(e, scale) },
        { title: "success", cell: (e) => (e.success === true ? "solved" : e.success === false ? "not solved" : "–") },
        { title: "outcome", cell: outcome },
        {
          title: "task",
          cell: (e) => h("a", { class: "short", href: to(["run", run, "episodes"], { task: e.task }) }, e.task),
        },
        { title: "answer", wide: true, cell: (e) => h("div", { class: "short", title: e.answer }, answerOf(e)) },
        ...this.expected(),
        { title: "turns", right: true, cell: (e) => number(e.turns) },
        { title: "tokens", right: true, cell: (e) => number(e.tokens) },
        { title: "duration", right: true, cell: (e) => seconds(e.seconds) },
        { title: "attempt", right: true, cell: (e) => number(e.attempt) },
      ],
      list,
      (e) => toEpisode(run, e.id),
    );
  }

  /** The column of the tasks' private parts, for who has asked for it; each task's is asked for once. */
  private expected(): Column<Episode>[] {
    if (!this.view.query.get("expected")) return [];
    const said = new Map<string, Promise<string>>();
    let before: Promise<unknown> = Promise.resolve(); // one request at a time
    const of = (e: Episode) => {
      const key = JSON.stringify([e.split, e.task]);
      const asked =
        said.get(key) ??
        before.then(
          () => api.privatePart(this.run.name, e.id, this.view.signal).then(privateText),
          () => "",
        );
      said.set(key, asked);
      before = asked.catch(() => undefined);
      const place = h("div", { class: "private" }, "…");
      asked.then(
        (text) => {
          place.title = clean(text);
          fill(place, shorten(text));
        },
        (problem: unknown) => fill(place, h("span", { class: "bad" }, problem instanceof Error ? problem.message : "")),
      );
      return place;
    };
    return [{ title: "private part", cell: of }];
  }

  /** Shows or hides that column. */
  private asks(inGroups: boolean): Child {
    if (inGroups || api.inFile !== undefined) return null;
    const query = Object.fromEntries([...this.view.query]);
    const shown = Boolean(query.expected);
    return h(
      "a",
      { class: "button quiet", href: to(this.path, { ...query, expected: shown ? "" : "1" }) },
      shown ? "Hide private parts" : "Show private parts (expected answers)",
    );
  }

  private pager(page: EpisodePage, cursor: string | undefined): Child {
    if (!page.next && !cursor) return null;
    const query = Object.fromEntries([...this.view.query].filter(([k]) => k !== "cursor"));
    const next = () => {
      if (page.next) location.hash = to(this.path, { ...query, cursor: page.next });
    };
    this.view.key("n", "next page", next);
    return h(
      "div",
      { class: "pager" },
      h(
        "button",
        {
          disabled: !cursor,
          onclick: () => {
            location.hash = to(this.path, query);
          },
        },
        "First page",
      ),
      h("button", { disabled: !cursor, onclick: () => history.back() }, "← Back"),
      h("button", { disabled: !page.next, onclick: next }, "Next page →"),
    );
  }
}

/** Groups stand in the order of their names, training first. */
/** What a person calls an episode, where its step stands beside it. */
export function nameOf(e: { group: string; sample: number }): string {
  return `${e.group}, sample ${number(e.sample)}`;
}

function privateText(said: Record<string, unknown>): string {
  const part = "private" in said ? said.private : said;
  if (typeof part !== "object" || part === null || Array.isArray(part)) return JSON.stringify(part);
  return Object.entries(part)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

/** Of an answer that was cut, its end. */
function answerOf(e: Episode): string {
  const answer = e.answer ?? "";
  const whole = answer.length < 200; // more of it is not in the list
  return e.outcome === "TRUNCATED" && answer.length > 60 && whole ? "… " + shorten(answer.slice(-60)) : shorten(answer);
}

function byName([a]: Episode[], [b]: Episode[]): number {
  return a!.split.localeCompare(b!.split) || a!.group.localeCompare(b!.group, "en", { numeric: true });
}

function legend(scale: Scale): HTMLElement {
  return h(
    "span",
    { class: "ramp" },
    h("span", null, number(scale.low)),
    h("i", null),
    h("span", null, number(scale.high)),
    h("i", { class: "hatched" }),
    h("span", null, "no reward"),
  );
}

function spread(list: Episode[]): string {
  const known = list.map((e) => e.reward).filter((r): r is number => typeof r === "number");
  if (known.length === 0) return "no rewards";
  const mean = known.reduce((a, b) => a + b, 0) / known.length;
  if (known.length > 1 && known.every((r) => r === known[0])) return `all ${number(mean, 3)}: teaches nothing`;
  return `mean ${number(mean, 3)}`;
}

export function shorten(s: string | undefined): string {
  const words = (s ?? "").replace(/\s+/g, " ").trim();
  return words.length > 160 ? words.slice(0, 160) + " …" : words;
}
