// What a view gets: a place to draw into, a signal that ends with it, and ways to hear of keys and of the run.
import { add, fill, h, type Child } from "./dom";
import { Refusal } from "./api";
import type { LiveEvent } from "./types";

export interface View {
  root: HTMLElement;
  signal: AbortSignal; // aborted when the next view opens
  query: URLSearchParams;
  /** Calls a function when a key is pressed outside a field. */
  key(key: string, what: string, act: () => void): void;
  /** Calls a function when the run has changed, at most once a second, with all that happened since. */
  onLive(run: string, hear: (events: LiveEvent[]) => void): void;
  /** Names the view in the title and above it. */
  title(...crumbs: { text: string; href?: string }[]): void;
}

/** Draws what a server refused, with a way to try again. */
export function trouble(e: unknown, again: () => void): HTMLElement {
  const [summary, detail] =
    e instanceof Refusal
      ? [e.summary, e.detail]
      : ["This part of the page cannot be displayed.", e instanceof Error ? e.message : String(e)];
  return h(
    "section",
    { class: "trouble", role: "alert" },
    h("h2", null, summary),
    h("p", null, detail),
    h("button", { onclick: again }, "Try again"),
  );
}

/** Fills a part of a view with what a promise brings; until then it says that it waits. */
export async function load(view: View, place: HTMLElement, work: () => Promise<Child>): Promise<void> {
  place.setAttribute("aria-busy", "true");
  const late = setTimeout(() => fill(place, h("p", { class: "dim" }, "Loading …")), 200);
  try {
    const child = await work();
    if (!view.signal.aborted) fill(place, child);
  } catch (e) {
    if (!view.signal.aborted)
      fill(
        place,
        trouble(e, () => void load(view, place, work)),
      );
  } finally {
    clearTimeout(late);
    place.removeAttribute("aria-busy");
  }
}

export function panel(title: Child, ...children: Child[]): HTMLElement {
  const section = h("section", { class: "panel" }, h("h2", null, title));
  add(section, children);
  return section;
}

/** A part that is folded up; its content is made when it is opened first. */
export function fold(summary: Child, make: () => Child, open = false, kind = ""): HTMLDetailsElement {
  const details = h("details", { class: "fold " + kind }, h("summary", null, summary));
  let made = false;
  const draw = () => {
    if (made || !details.open) return;
    made = true;
    add(details, [make()]);
  };
  details.addEventListener("toggle", draw);
  if (open) {
    details.open = true;
    draw();
  }
  return details;
}

export interface Column<T> {
  title: Child;
  right?: boolean;
  wide?: boolean; // takes what room is left
  half?: boolean; // shares it with others, and breaks its lines
  cell: (row: T) => Child;
}

/** A table; rows with an address are links as a whole for the keyboard. */
export function table<T>(columns: Column<T>[], rows: T[], href?: (row: T) => string): HTMLElement {
  const kind = (c: Column<T>) =>
    [c.right ? "right" : "", c.wide ? "wide" : "", c.half ? "half" : ""].join(" ").trim() || undefined;
  const body = h(
    "tbody",
    null,
    rows.map((row) => {
      const tr = h(
        "tr",
        null,
        columns.map((c) => h("td", { class: kind(c) }, c.cell(row))),
      );
      if (href) {
        tr.classList.add("item");
        tr.dataset.href = href(row);
      }
      return tr;
    }),
  );
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          columns.map((c) => h("th", { class: kind(c) }, c.title)),
        ),
      ),
      body,
    ),
  );
}

export function pairs(list: [string, Child][]): HTMLElement {
  return h(
    "dl",
    { class: "pairs" },
    list
      .filter(([, value]) => value !== undefined && value !== null && value !== "" && value !== false)
      .map(([key, value]) => h("div", null, h("dt", null, key), h("dd", null, value))),
  );
}

/** A button that copies a text. */
export function copier(text: string, label: Child = text): HTMLButtonElement {
  const said = h("span", null, label);
  const button = h("button", { class: "copy", title: "copy: " + text }, said);
  button.addEventListener("click", () => {
    void copy(text).then((done) => {
      button.classList.add("done");
      fill(said, done ? "copied" : "not copied: select the text");
      setTimeout(() => {
        fill(said, label);
        button.classList.remove("done");
      }, 1_200);
    });
  });
  return button;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
