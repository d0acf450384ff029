// What stands out in the steps of a run: things that keep a policy from learning, with a way to the episodes that show it.
import * as api from "../api";
import { fill, h, type Child } from "../dom";
import { number, percent, seconds } from "../format";
import { to } from "../route";
import type { RunDetail, Setting, Step } from "../types";
import { panel, type View } from "../view";
import { shared } from "./why";

const many = 0.2; // the share of episodes from which on something is told
const slow = 0.7; // the share of the time of episodes that is told of one part
const slowest = 1; // seconds of an episode from which on its time is of interest

interface Finding {
  words: string;
  advice: string;
  query?: Record<string, string>; // of the episodes that show it
  look?: "episodes" | "spec"; // where more about it is found
}

export function findings(view: View, run: RunDetail, steps: Step[]): Child {
  const list = found(run, steps);
  if (list.length === 0) return null;
  return panel(
    "Findings",
    h(
      "ul",
      { class: "findings" },
      list.map((f) =>
        h(
          "li",
          { class: "item", data: f.query ? { href: to(["run", run.name, "episodes"], f.query) } : undefined },
          h("b", null, f.words),
          " ",
          f.advice,
          f.query ? [" ", h("a", { href: to(["run", run.name, "episodes"], f.query) }, "Show episodes")] : null,
          more(view, run, f),
        ),
      ),
    ),
  );
}

/** What a look at some of the episodes, or at the spec, adds. */
function more(view: View, run: RunDetail, f: Finding): Child {
  if (!f.look) return null;
  const place = h("div", { class: "dim", "aria-live": "polite" });
  const told =
    f.look === "episodes"
      ? shared(run.name, f.query ?? {}, view.signal)
      : api.spec(run.name, view.signal).then(
          (s) => givesAnswers(s.settings),
          () => null,
        );
  void told.then((words) => {
    if (words && !view.signal.aborted) fill(place, words);
  });
  return place;
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

/** Looks for it in steps that have ended; exported for tests. */
export function found(run: RunDetail, steps: Step[]): Finding[] {
  const all = sum(steps.map((s) => s.episodes));
  if (all === 0) return [];
  const share = (n: number) => `${number(n)} of ${number(all)} episodes (${percent(n / all)})`;
  const out: Finding[] = [];
  const failed = sum(steps.map((s) => s.failed));
  if (failed >= many * all) {
    const [kind] = Object.entries(run.failures ?? {}).sort((a, b) => b[1] - a[1])[0] ?? [];
    out.push({
      words: `${share(failed)} failed`,
      advice: kind ? `most often with class ${kind.toLowerCase()}. They are not trained.` : "and are not trained.",
      query: kind ? { class: kind, split: "train" } : { outcome: "FAILED", split: "train" },
      look: "episodes",
    });
  }
  const truncated = sum(steps.map((s) => s.truncated));
  if (truncated >= many * all) {
    out.push({
      words: `${share(truncated)} were cut by a limit`,
      advice: "of tokens or turns. Their conversations show where.",
      query: { outcome: "TRUNCATED", split: "train" },
      look: "episodes",
    });
  }
  const malformed = sum(steps.map((s) => s.malformed));
  if (malformed >= many * all) {
    out.push({
      words: `${number(malformed)} tool calls of ${number(all)} episodes are malformed`,
      advice: "and were not executed. The conversations show the reasons.",
      query: { split: "train", malformed_min: "1" },
      look: "episodes",
    });
  }
  if (out.length === 0) out.push(...ofRewards(steps)); // what is above explains them
  out.push(...ofTimes(steps));
  return out;
}

function ofRewards(steps: Step[]): Finding[] {
  const rewards = steps.map((s) => s.reward).filter((r): r is number => typeof r === "number");
  if (rewards.length < 2) return [];
  const success = steps.map((s) => s.success).filter((r): r is number => typeof r === "number");
  const query = { split: "train" };
  if (success.length > 1 && success.every((s) => s === 1))
    return [
      {
        words: "All tasks are solved from the first step on.",
        advice: "Check whether a tool or the prompt contains the answer.",
        query,
        look: "spec",
      },
    ];
  if (rewards.every((r) => r === rewards[0]))
    return [
      {
        words: `The mean reward is ${number(rewards[0])} in every step.`,
        advice:
          "A group whose samples have equal rewards teaches nothing. Check whether correct answers get a higher reward, " +
          "and whether the expected answers have the right form.",
        query: { ...query, expected: "1" },
      },
    ];
  return [];
}

const partWords: Record<string, string> = {
  model: "messages of the policy",
  tool: "the environment",
  reward: "rewards",
  siblings: "waiting for other samples of the group",
  host: "awhost",
};

function ofTimes(steps: Step[]): Finding[] {
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
