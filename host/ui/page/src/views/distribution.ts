// How the rewards and lengths of a step are distributed, and whether the reward follows the length.
import { fill, h, type Child } from "../dom";
import { number, plural } from "../format";
import { toEpisode } from "../route";
import type { Episode } from "../types";
import { panel } from "../view";

const most = 20; // bars

interface Bar {
  from: number;
  to: number;
  count: number;
}

/** Counts values in bars of equal width, or one bar for each of a few distinct values. Exported for tests. */
export function bars(values: number[]): Bar[] {
  const distinct = [...new Set(values)].sort((a, b) => a - b);
  if (distinct.length === 0) return [];
  if (distinct.length <= most / 2)
    return distinct.map((v) => ({ from: v, to: v, count: values.filter((x) => x === v).length }));
  const [low, high] = [distinct[0]!, distinct.at(-1)!];
  const width = (high - low) / most;
  const out = Array.from({ length: most }, (_, i) => ({ from: low + i * width, to: low + (i + 1) * width, count: 0 }));
  for (const v of values) out[Math.min(most - 1, Math.floor((v - low) / width))]!.count++;
  return out;
}

/** Draws the episodes of a step; `total` is how many it has, of which only the first ones may be given. */
export function distribution(run: string, episodes: Episode[], total: number): Child {
  const scored = episodes.filter((e) => typeof e.reward === "number");
  if (scored.length < 2) return null;
  return panel(
    "Distribution",
    h(
      "p",
      { class: "dim" },
      `${plural(scored.length, "episode")} with a reward`,
      total > episodes.length ? `, among the first ${number(episodes.length)} of ${number(total)}` : "",
    ),
    h(
      "div",
      { class: "grid" },
      histogram(
        "reward",
        scored.map((e) => e.reward!),
      ),
      histogram(
        "length, in sampled tokens",
        scored.map((e) => e.tokens ?? 0),
      ),
      scatter(run, scored),
    ),
  );
}

function histogram(title: string, values: number[]): HTMLElement {
  const list = bars(values);
  const highest = Math.max(...list.map((b) => b.count));
  const words = (b: Bar) => (b.from === b.to ? number(b.from, 3) : `${number(b.from, 3)} to ${number(b.to, 3)}`);
  const legend = h("figcaption", null);
  const told = (b: Bar | undefined) =>
    fill(legend, b ? [h("b", null, words(b)), plural(b.count, "episode")] : ends(list[0]!.from, list.at(-1)!.to));
  told(undefined);
  return h(
    "figure",
    { class: "chart" },
    h("h3", null, title),
    h(
      "div",
      { class: "histogram", role: "img", "aria-label": list.map((b) => `${words(b)}: ${b.count}`).join("; ") },
      list.map((b) => {
        const bar = h("span", { title: `${words(b)}: ${plural(b.count, "episode")}` });
        bar.append(h("i", { vars: { "--share": String(b.count / highest) } }));
        bar.addEventListener("mouseenter", () => told(b));
        bar.addEventListener("mouseleave", () => told(undefined));
        return bar;
      }),
    ),
    legend,
  );
}

function ends(low: number, high: number): Child {
  return [h("span", null, number(low, 3)), h("span", { class: "grow" }), h("span", null, number(high, 3))];
}

/** Each episode is a dot that leads to it: its length to the right, its reward upward. */
function scatter(run: string, episodes: Episode[]): HTMLElement {
  const lengths = episodes.map((e) => e.tokens ?? 0);
  const rewards = episodes.map((e) => e.reward!);
  const place = (list: number[]) => {
    const [low, high] = [Math.min(...list), Math.max(...list)];
    return (x: number) => (high > low ? (x - low) / (high - low) : 0.5);
  };
  const [right, up] = [place(lengths), place(rewards)];
  return h(
    "figure",
    { class: "chart" },
    h("h3", null, "reward against length"),
    h(
      "div",
      { class: "scatter" },
      episodes.map((e) =>
        h("a", {
          href: toEpisode(run, e.id),
          title: `reward ${number(e.reward)}, ${plural(e.tokens ?? 0, "token")}`,
          vars: { "--x": String(right(e.tokens ?? 0)), "--y": String(up(e.reward!)) },
        }),
      ),
    ),
    h(
      "figcaption",
      null,
      ends(Math.min(...lengths), Math.max(...lengths)),
      h(
        "span",
        { class: "dim" },
        `tokens; reward ${number(Math.min(...rewards), 3)} to ${number(Math.max(...rewards), 3)}`,
      ),
    ),
  );
}
