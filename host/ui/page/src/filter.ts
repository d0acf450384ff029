// The filters of a list of episodes. They stand in the address, so that a filtered list can be sent to somebody.
import { h } from "./dom";
import { number, word } from "./format";
import { to } from "./route";
import type { Query } from "./api";

export const fields = [
  "split",
  "group",
  "task",
  "outcome",
  "class",
  "member",
  "reward_min",
  "reward_max",
  "turns_min",
  "turns_max",
  "malformed_min",
  "q",
  "sort",
] as const;

const sorts: [string, string][] = [
  ["", "in order"],
  ["-reward", "best first"],
  ["reward", "worst first"],
  ["-turns", "most turns first"],
  ["turns", "fewest turns first"],
  ["-seconds", "longest first"],
  ["seconds", "shortest first"],
];

interface Counts {
  outcomes?: Record<string, number>;
  failures?: Record<string, number>;
}

/** What of an address narrows the list down. */
export function chosen(query: URLSearchParams): Query {
  const out: Query = {};
  for (const name of fields) {
    const value = query.get(name);
    if (value) out[name] = value;
  }
  return out;
}

export function isNarrow(query: URLSearchParams): boolean {
  return fields.some((f) => f !== "split" && (query.get(f) ?? "") !== "");
}

/** The form. `path` is the view's own address; `counts` are how many episodes of the run there are of each. */
export function form(path: (string | number)[], query: URLSearchParams, counts: Counts): HTMLElement {
  const value = (name: string) => query.get(name) ?? "";
  const options = (name: "outcome" | "class", of: Record<string, number> = {}): [string, string][] =>
    [...new Set([...Object.keys(of), value(name)])]
      .filter((x) => x !== "")
      .map((x) => [x, `${word(x)} (${number(of[x] ?? 0)})`]);
  const more = ["member", "task", "group", "turns_min", "turns_max", "malformed_min"].some((n) => value(n) !== "");
  const element = h(
    "form",
    { class: "filter", role: "search" },
    text("q", "text", value("q"), { "data-filter": true, placeholder: "text in the conversation", type: "search" }),
    choice("outcome", value("outcome"), [["", "any outcome"], ...options("outcome", counts.outcomes)]),
    choice("class", value("class"), [["", "any failure"], ...options("class", counts.failures)]),
    choice("sort", value("sort"), sorts),
    range("reward", value),
    h(
      "details",
      { class: "more", open: more },
      h("summary", null, "more"),
      h(
        "div",
        { class: "filter" },
        range("turns", value),
        minimum("malformed", "malformed calls", value),
        text("task", "task", value("task")),
        text("group", "group", value("group")),
        text("member", "member", value("member")),
      ),
    ),
    h("button", null, "Filter"),
    isNarrow(query) ? h("a", { class: "button quiet", href: to(path, keep(query)) }, "Clear") : null,
  );
  const go = () => {
    const next: Record<string, string> = keep(query);
    for (const [name, v] of new FormData(element)) if (typeof v === "string" && v.trim() !== "") next[name] = v.trim();
    location.hash = to(path, next);
  };
  element.addEventListener("submit", (e) => {
    e.preventDefault();
    go();
  });
  element.addEventListener("change", (e) => {
    if (e.target instanceof HTMLSelectElement) go();
  });
  return element;
}

/** What stays when a filter changes. */
function keep(query: URLSearchParams): Record<string, string> {
  const out: Record<string, string> = {};
  for (const name of ["split", "layout", "expected"]) {
    const value = query.get(name);
    if (value) out[name] = value;
  }
  return out;
}

function text(name: string, label: string, value: string, more: Record<string, unknown> = {}): HTMLElement {
  return h(
    "label",
    null,
    h("span", null, label),
    h("input", { name, value, type: "text", autocomplete: "off", ...more }),
  );
}

function minimum(name: string, label: string, value: (name: string) => string): HTMLElement {
  const field = { name: `${name}_min`, value: value(`${name}_min`), type: "number", min: 0, placeholder: "from" };
  return h("label", { class: "range" }, h("span", null, label), h("input", field));
}

function range(name: string, value: (name: string) => string): HTMLElement {
  const field = (end: string, label: string) =>
    h("input", {
      name: `${name}_${end}`,
      value: value(`${name}_${end}`),
      type: "number",
      step: "any",
      placeholder: label,
      "aria-label": `${name} ${label}`,
    });
  return h("label", { class: "range" }, h("span", null, name), field("min", "from"), field("max", "to"));
}

function choice(name: string, value: string, options: [string, string][]): HTMLElement {
  const select = h(
    "select",
    { name, "aria-label": name },
    options.map(([v, label]) => h("option", { value: v }, label)),
  );
  select.value = value;
  return select;
}
