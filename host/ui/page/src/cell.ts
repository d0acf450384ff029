// An episode as a coloured cell, and small things that several views say of one.
import { paint, type Scale } from "./colour";
import { h, type Child } from "./dom";
import { number, plural, word } from "./format";
import { toEpisode } from "./route";

interface Sample {
  id: string;
  sample?: number;
  reward?: number | null;
  outcome?: string;
  success?: boolean | null;
  class?: string;
  malformed?: number;
}

export function cell(run: string, e: Sample, scale: Scale, current = false): HTMLElement {
  const lost = ["FAILED", "DROPPED", "CANCELLED"].includes(e.outcome ?? "") && typeof e.reward !== "number";
  const element = h(
    "a",
    {
      class: "cell" + (current ? " here" : ""),
      href: toEpisode(run, e.id),
      title: describe(e),
      "aria-current": current ? "true" : undefined,
    },
    lost ? word(e.outcome) : e.reward === null || e.reward === undefined ? "none" : number(e.reward, 3),
    e.success === true ? h("span", { class: "tick", "aria-label": "solved" }, "✓") : null,
    e.outcome === "TRUNCATED" ? h("span", { class: "cut", "aria-label": "truncated" }, "✂") : null,
    e.malformed ? h("span", { class: "cut", "aria-label": "malformed calls" }, "≠") : null,
  );
  return paint(element, e.outcome === "FAILED" ? null : e.reward, scale);
}

function describe(e: Sample): string {
  const success = e.success === true ? ", solved" : e.success === false ? ", not solved" : "";
  const why = e.class ? ` (${word(e.class)})` : "";
  const unread = e.malformed ? `, ${plural(e.malformed, "malformed call")}` : "";
  return `${e.id}: ${word(e.outcome)}${why}, reward ${number(e.reward)}${success}${unread}`;
}

export function outcome(e: { outcome?: string; class?: string; malformed?: number }): Child {
  const well = e.outcome === "SCORED" && !e.malformed;
  const kind = e.outcome === "FAILED" ? "bad" : well ? "good" : "warn";
  return h(
    "span",
    { class: "badge " + kind },
    e.outcome ? word(e.outcome) : "given up",
    e.class ? `: ${word(e.class)}` : "",
    e.malformed ? `, ${plural(e.malformed, "malformed call")}` : "",
  );
}

export function rewarded(e: { reward?: number | null }, scale: Scale): HTMLElement {
  return paint(h("span", { class: "cell small" }, number(e.reward, 3)), e.reward, scale);
}
