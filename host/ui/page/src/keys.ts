// The keyboard: keys of the page and of the view, and a cursor that j and k move over the items of the view.
import { h, type Child } from "./dom";

interface Binding {
  what: string;
  act: () => void;
}

const ofView = new Map<string, Binding>();
const ofPage = new Map<string, Binding>();

export function bindView(key: string, what: string, act: () => void): void {
  ofView.set(key, { what, act });
}

export function bindPage(key: string, what: string, act: () => void): void {
  ofPage.set(key, { what, act });
}

export function clearView(): void {
  ofView.clear();
}

export function listenToKeys(): void {
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape") {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      closeHelp();
      return;
    }
    if (isField(e.target) || (e.key === "Enter" && isFocusable(e.target))) return;
    const binding = ofView.get(e.key) ?? ofPage.get(e.key);
    if (!binding) return;
    e.preventDefault();
    binding.act();
  });
}

/** Whether the browser itself does something with Enter. */
function isFocusable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("a, button, summary");
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea, dialog *"))
  );
}

/** Moves the cursor by some items; they are the elements of class item. */
export function move(by: number): void {
  const items = [...document.querySelectorAll<HTMLElement>("main .item")].filter((i) => i.offsetParent !== null);
  if (items.length === 0) return;
  const now = items.findIndex((i) => i.classList.contains("current"));
  const next = now < 0 ? (by > 0 ? 0 : items.length - 1) : Math.min(items.length - 1, Math.max(0, now + by));
  items[now]?.classList.remove("current");
  items[next]!.classList.add("current");
  items[next]!.scrollIntoView({ block: "nearest" });
}

/** Opens what the cursor stands on: a link, or a part that is folded. */
export function enter(): void {
  const item = document.querySelector<HTMLElement>("main .item.current");
  if (!item) return;
  if (item.dataset.href) location.hash = item.dataset.href;
  else if (item instanceof HTMLDetailsElement) item.open = !item.open;
  else
    item.querySelectorAll("details").forEach((d) => {
      d.open = !d.open;
    });
}

export function help(): void {
  if (closeHelp()) return;
  const rows = [...ofView, ...ofPage, ["Esc", { what: "leave a field, close this dialog" }] as const];
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keys and symbols" },
    h("h2", null, "Keys"),
    list(rows.map(([key, b]) => [h("kbd", null, names[key] ?? key), b.what])),
    h("h2", null, "Symbols and terms"),
    list(signs),
    h("button", { onclick: () => closeHelp() }, "Close"),
  );
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

const signs: [string, string][] = [
  ["✓", "solved"],
  ["✂", "truncated: a limit of tokens, turns, or time ended the episode"],
  ["≠", "malformed calls: invalid calls of the policy, which were not executed"],
  ["hatched", "no reward, or unknown"],
  ["▲", "in a chart: a checkpoint, the best one in another color; dashed lines are kills and resumes"],
  ["dropped", "no usable attempt: the episode is not trained"],
  ["masked", "counts in its group and is not trained"],
  ["filtered", "excluded from the update: all samples of its group have the same reward"],
  ["digest", "checksum of the newest checkpoint: equal digests mean identical checkpoints"],
];

function list(rows: [Child, string][]): HTMLElement {
  return h(
    "table",
    null,
    h(
      "tbody",
      null,
      rows.map(([sign, what]) => h("tr", null, h("td", null, sign), h("td", null, what))),
    ),
  );
}

const names: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "Enter",
};

function closeHelp(): boolean {
  const open = document.querySelector("dialog.help") as HTMLDialogElement | null;
  open?.close();
  return open !== null;
}
