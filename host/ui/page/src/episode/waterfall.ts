// Where the time of an episode went: a bar for each wait, and their sums by part.
import { fill, h, type Child } from "../dom";
import { millis, plural } from "../format";
import type { Span } from "../types";

const perPage = 150;
const parts = ["queue", "model", "tool", "reward", "siblings", "host"];

/**
 * `are` says what the times are; "sums" have no beginning of their own: they stand one behind the other. `toTurn` shows
 * what was said in a turn.
 */
export function waterfall(times: Span[], are?: "spans" | "sums", toTurn?: (turn: number) => void): Child {
  if (times.length === 0) return h("p", { class: "dim" }, "No times recorded.");
  const begin = Math.min(...times.slice(0, 50_000).map((t) => t.start_ms));
  const end = Math.max(...times.slice(0, 50_000).map((t) => t.start_ms + t.ms));
  const whole = Math.max(end - begin, 1e-9);
  const box = h("div", { class: "waterfall" });
  const show = (most: number) =>
    fill(
      box,
      times.slice(0, most).map((t) => bar(t, begin, whole, toTurn)),
      times.length > most
        ? h("button", { onclick: () => show(most + perPage) }, `Show more: ${plural(times.length - most, "bar")} left`)
        : null,
    );
  show(perPage);
  return [
    sums(times),
    box,
    h("p", { class: "axis dim" }, h("span", null, "0"), h("span", null, millis(whole))),
    are === "sums" ? h("p", { class: "dim" }, "Only total times are recorded, without their beginnings.") : null,
  ];
}

function kind(part: string): string {
  return parts.includes(part) ? part : "other";
}

function sums(times: Span[]): HTMLElement {
  const byPart = new Map<string, number>();
  for (const t of times) byPart.set(t.part, (byPart.get(t.part) ?? 0) + t.ms);
  const all = [...byPart.values()].reduce((a, b) => a + b, 0) || 1;
  const list = [...byPart].sort((a, b) => b[1] - a[1]);
  return h(
    "div",
    null,
    h(
      "div",
      { class: "stack", "aria-hidden": "true" },
      list.map(([part, ms]) => h("i", { class: "part " + kind(part), vars: { "--share": `${(100 * ms) / all}%` } })),
    ),
    h(
      "p",
      { class: "chips" },
      list.map(([part, ms]) =>
        h(
          "span",
          { class: "key" },
          h("i", { class: "swatch part " + kind(part) }),
          `${part === "tool" ? "environment" : part} `,
          h("b", null, millis(ms)),
          h("span", { class: "dim" }, ` ${Math.round((100 * ms) / all)} %`),
        ),
      ),
    ),
  );
}

function bar(t: Span, begin: number, whole: number, toTurn?: (turn: number) => void): HTMLElement {
  const name = (t.turn ? `turn ${t.turn}: ` : "") + (t.label || t.part);
  const left = (100 * (t.start_ms - begin)) / whole;
  const width = Math.max(0.3, (100 * t.ms) / whole);
  return h(
    "div",
    { class: "wait", title: `${t.part}: ${name}, ${millis(t.ms)} from ${millis(t.start_ms - begin)}` },
    t.turn && toTurn
      ? h("button", { class: "name quiet", onclick: () => toTurn(t.turn!) }, name)
      : h("span", { class: "name" }, name),
    h(
      "span",
      { class: "lane" },
      h("i", {
        class: "part " + kind(t.part),
        vars: { "--left": `${Math.min(left, 99.7)}%`, "--share": `${Math.min(width, 100)}%` },
      }),
    ),
    h("span", { class: "ms" }, millis(t.ms)),
  );
}
