// Which metrics stand in which chart, and in which order. Names and meanings: docs/reference/metrics.md.

import type { About, Points } from "./types";

export interface ChartOf {
  title: string;
  names: string[];
  unit?: string;
  share?: boolean;
}

const known: ChartOf[] = [
  { title: "reward", names: ["train/reward", "validation/reward"] },
  { title: "success", names: ["train/success_rate", "validation/success_rate"], share: true },
  { title: "response length", names: ["train/response_tokens"], unit: "tokens per episode" },
  { title: "tool errors", names: ["agent/tool_error_rate"], unit: "of the calls", share: true },
  { title: "loss", names: ["train/loss"] },
  { title: "learning rate", names: ["train/learning_rate"] },
  { title: "KL", names: ["train/kl", "train/approx_kl"], unit: "nats per token" },
  { title: "entropy", names: ["train/entropy"], unit: "nats per token" },
  { title: "length", names: ["train/row_tokens", "train/prompt_tokens"], unit: "tokens per row" },
  { title: "turns", names: ["train/turns"], unit: "per episode" },
  { title: "failed, truncated, masked", names: ["train/failed", "train/truncated", "train/masked", "train/dropped"] },
  {
    title: "time by part",
    unit: "s",
    names: ["train/rollout_seconds", "train/update_seconds", "train/weight_sync_seconds", "train/save_seconds"],
  },
  { title: "speed", names: ["train/tokens_per_second"], unit: "trained tokens/s" },
  { title: "log-probability gap", names: ["train/logprob_gap"], unit: "nats, maximum" },
  { title: "groups with equal rewards", names: ["train/zero_variance_groups"], unit: "groups" },
];

/** The charts that stand open, of the metrics that a run has. */
export function headline(metrics: string[]): ChartOf[] {
  const has = new Set(metrics);
  const charts = known
    .map((c) => ({ ...c, names: c.names.filter((n) => has.has(n)) }))
    .filter((c) => c.names.length > 0);
  return charts;
}

/** The other metrics by what their names begin with: a folded part for each. */
export function others(metrics: string[]): Map<string, string[]> {
  const shown = new Set(known.flatMap((c) => c.names));
  const parts = new Map<string, string[]>();
  for (const name of metrics.filter((n) => !shown.has(n)).sort()) {
    const part = partOf(name);
    parts.set(part, [...(parts.get(part) ?? []), name]);
  }
  return parts;
}

function partOf(name: string): string {
  const words = name.split("/");
  if (words.length > 2 && (words[1] === "components" || words[1] === "members")) return `${words[0]}/${words[1]}`;
  return words.length > 1 ? words[0]! : "other";
}

/** How a series is called in the legend of its chart. */
export function labelOf(name: string, chart: ChartOf, about: Map<string, About>): string {
  const both = chart.names.some((n) => n.startsWith("validation/"));
  if (both && chart.names.length > 1) return name.startsWith("validation/") ? "held-out" : "training";
  const label =
    about.get(name)?.label ?? (chart.names.length === 1 ? name : name.replace(/^[^/]*\//, "").replaceAll("_", " "));
  return chart.names.length === 1 ? label : label.replace(/ seconds$/, "");
}

/** What a chart shows, in a sentence; empty for metrics that only their trainer explains. */
export function meaningOf(chart: ChartOf, about: Map<string, About>): string {
  const known = chart.names.flatMap((n) => about.get(n) ?? []);
  if (known.length === 0) return "";
  const both = chart.names.some((n) => n.startsWith("validation/"));
  if (both || known.length === 1) return known[0]!.meaning;
  return known.map((m) => `${labelOf(m.name, chart, about)}: ${m.meaning}`).join("; ");
}

/** Smooths values by a weighted mean of the earlier ones, from 0 for none to almost 1. Unknown values stay unknown. */
export function smoothed(values: (number | null | undefined)[], weight: number): (number | null | undefined)[] {
  let [sum, share] = [0, 0];
  return values.map((v) => {
    if (v === null || v === undefined) return v;
    sum = weight * sum + (1 - weight) * v;
    share = weight * share + (1 - weight);
    return sum / share;
  });
}

/** Curves as CSV with a row for each step. A name that a spreadsheet would evaluate gets an apostrophe. */
export function csvOf(series: Record<string, Points>): string {
  const names = Object.keys(series).sort();
  const rows = new Map<number, Map<string, number>>();
  for (const name of names)
    for (const [step, value] of series[name]!) {
      if (!rows.has(step)) rows.set(step, new Map());
      if (value !== null) rows.get(step)!.set(name, value);
    }
  const quoted = (s: string) => `"${s.replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;
  const lines = [...rows].sort((a, b) => a[0] - b[0]);
  const line = ([step, values]: [number, Map<string, number>]) => [step, ...names.map((n) => values.get(n) ?? "")];
  return [["step", ...names.map(quoted)], ...lines.map(line)].map((cells) => cells.join(",") + "\r\n").join("");
}

/** Where a line has ended earlier than its run: the next value was due by now. */
export function stoppedAt(points: Points, last: number | undefined): number | undefined {
  const steps = points.filter((p) => p[1] !== null).map((p) => p[0]);
  const end = steps.at(-1);
  if (end === undefined || last === undefined) return undefined;
  const usual = Math.max(1, ...steps.slice(1).map((s, i) => s - steps[i]!));
  return last - end >= usual ? end : undefined;
}
