// What goes wrong in a run: the findings of the host with their remedies, and what stands out in the newest steps.
import * as api from "../api";
import { fill, h, type Child } from "../dom";
import { number, percent, plural, seconds } from "../format";
import { to, toEpisode, toStep } from "../route";
import type { Finding, RunDetail, Setting, Step, UncheckedRule } from "../types";
import { copier, fold, panel, table, type View } from "../view";
import { shared } from "./why";

const slow = 0.7; // the share of the time of episodes that is told of one part
const slowest = 1; // seconds of an episode from which on its time is of interest

/** Something that only a look at steps, episodes and the spec shows. */
interface Observation {
  words: string;
  advice: string;
  query: Record<string, string>; // of the episodes that show it
  look?: boolean; // whether the spec may explain it
}

/** The findings of the host, the rules that it could not check, and what the newest steps show. */
export function findings(view: View, run: RunDetail, steps: Step[]): Child {
  const list = run.findings ?? [];
  const seen = observed(steps);
  const unchecked = run.not_checked ?? [];
  if (list.length + seen.length + unchecked.length === 0) return null;
  return panel(
    "Findings",
    list.length === 0
      ? h("p", { class: "dim" }, "No rule has found anything wrong. Rules do not see all faults: read some episodes.")
      : null,
    list.map((f) => findingOf(view, run, f)),
    seen.length === 0
      ? null
      : h(
          "ul",
          { class: "findings" },
          seen.map((o) => observationOf(view, run, o)),
        ),
    unchecked.length === 0 ? null : fold(`Not checked: ${plural(unchecked.length, "rule")}`, () => rules(unchecked)),
  );
}

function rules(list: UncheckedRule[]): Child {
  const needs = (r: UncheckedRule) => [...(r.needs ?? []), ...(r.any ? [r.any.join(" or ")] : [])].join(", ");
  return [
    h(
      "p",
      { class: "dim" },
      "The trainer or the spec does not provide the metrics that these rules need. ",
      list.some((r) => r.id.startsWith("scan_"))
        ? ["For those about conversations, add ", h("code", null, 'scan "rules" {}'), " to the train block."]
        : null,
    ),
    table<UncheckedRule>(
      [
        { title: "rule", cell: (r) => h("code", null, r.id) },
        { title: "what it finds", cell: (r) => r.title },
        { title: "needs", wide: true, cell: (r) => h("code", null, needs(r)) },
      ],
      list,
    ),
  ];
}

function findingOf(view: View, run: RunDetail, f: Finding): HTMLElement {
  const bad = f.severity === "error";
  const step = (n: number) => h("a", { href: toStep(run.name, n) }, number(n));
  const query = queryOf(f);
  const examples = (f.episodes ?? []).map((id, i) => [
    " ",
    h("a", { href: toEpisode(run.name, id, f.messages?.[i]), title: id }, `example ${i + 1}`),
  ]);
  return h(
    "article",
    { class: "finding item" + (bad ? " severe" : "") },
    h(
      "header",
      null,
      h("span", { class: "badge " + (bad ? "bad" : "warn") }, f.severity),
      h("b", null, f.summary),
      h(
        "span",
        { class: "dim" },
        f.first_step === f.last_step
          ? ["step ", step(f.first_step)]
          : ["steps ", step(f.first_step), " to ", step(f.last_step)],
        (run.stages ?? []).length > 1 ? `, ${f.stage}` : "",
      ),
    ),
    (f.causes ?? []).length === 0
      ? null
      : [
          h("p", { class: "dim" }, "Likely causes:"),
          h(
            "ul",
            null,
            f.causes!.map((c) => h("li", null, c)),
          ),
        ],
    h("p", null, h("b", null, "Remedy: "), f.remedy),
    examples.length === 0 ? null : alike(view, run, f),
    h(
      "p",
      { class: "more" },
      examples.length === 0 ? null : ["Episodes:", examples],
      query ? [" ", h("a", { href: to(["run", run.name, "episodes"], query) }, "all such episodes")] : null,
      " ",
      copier(`awhost docs ${f.docs}`),
    ),
  );
}

/** The filter that selects all episodes that show a finding, for rules that have one. */
function queryOf(f: Finding): Record<string, string> | null {
  const split = "train";
  switch (f.id) {
    case "failures":
      return f.subject ? { split, class: f.subject } : { split, outcome: "FAILED" };
    case "cut":
      return { split, outcome: "TRUNCATED" };
    case "malformed_calls":
      return { split, malformed_min: "1" };
  }
  return null;
}

/** What the examples of a finding have in common. */
function alike(view: View, run: RunDetail, f: Finding): HTMLElement {
  const place = h("div", { class: "dim", "aria-live": "polite" });
  void shared(run.name, f.episodes!, view.signal).then((words) => {
    if (words && !view.signal.aborted) fill(place, words);
  });
  return place;
}

function observationOf(view: View, run: RunDetail, o: Observation): HTMLElement {
  const place = h("div", { class: "dim", "aria-live": "polite" });
  if (o.look)
    void api.spec(run.name, view.signal).then(
      (s) => {
        const words = givesAnswers(s.settings);
        if (words && !view.signal.aborted) fill(place, words);
      },
      () => undefined, // the spec is only an explanation
    );
  const href = to(["run", run.name, "episodes"], o.query);
  return h(
    "li",
    { class: "item", data: { href } },
    h("b", null, o.words),
    " ",
    o.advice,
    " ",
    h("a", { href }, "Show episodes"),
    place,
  );
}

/** Which settings give the private part of tasks to an environment; exported for tests. */
export function givesAnswers(settings: Setting[]): string | null {
  const giving = settings.filter(
    (s) =>
      s.path.startsWith("environment.") &&
      ((s.path.endsWith(".ground_truth") && s.value === true) || JSON.stringify(s.value).includes("task.private")),
  );
  if (giving.length === 0) return null;
  const words = giving.slice(0, 5).map((s) => `${s.path} = ${JSON.stringify(s.value)}`);
  return `The spec gives the private part of tasks to the environment: ${words.join("; ")}.`;
}

/** Exported for tests. */
export function observed(steps: Step[]): Observation[] {
  return [...ofSuccess(steps), ...ofTimes(steps)];
}

function ofSuccess(steps: Step[]): Observation[] {
  const success = steps.map((s) => s.success).filter((r): r is number => typeof r === "number");
  if (success.length < 2 || success.some((s) => s !== 1)) return [];
  return [
    {
      words: "All tasks are solved from the first step on.",
      advice: "Check whether a tool or the prompt contains the answer.",
      query: { split: "train" },
      look: true,
    },
  ];
}

const partWords: Record<string, string> = {
  model: "messages of the policy",
  tool: "the environment",
  reward: "rewards",
  siblings: "waiting for other samples of the group",
  host: "awhost",
};

function ofTimes(steps: Step[]): Observation[] {
  const parts = new Map<string, number>();
  for (const s of steps)
    for (const [part, value] of Object.entries(s.parts ?? {}))
      if (part !== "queue") parts.set(part, (parts.get(part) ?? 0) + value); // a step has more episodes than places
  const whole = sum([...parts.values()]);
  const [part, most] = [...parts].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
  const each = most / Math.max(1, sum(steps.map((s) => s.episodes)));
  if (whole === 0 || most < slow * whole || part === "model" || each < slowest) return [];
  return [
    {
      words: `${percent(most / whole)} of the episodes' time went into ${partWords[part] ?? part}`,
      advice: `(${seconds(each)} per episode).`,
      query: { split: "train", sort: "-seconds" },
    },
  ];
}

function sum(list: (number | null | undefined)[]): number {
  return list.reduce<number>((a, b) => a + (b ?? 0), 0);
}
