// The keyboard: keys of the page and of the view, and a cursor that j and k move over the items of the view.
import { h } from "./dom";

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
    if (isField(e.target)) return;
    const binding = ofView.get(e.key) ?? ofPage.get(e.key);
    if (!binding) return;
    e.preventDefault();
    binding.act();
  });
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
  const rows = [...ofView, ...ofPage, ["Esc", { what: "leave a field, close this" }] as const];
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    h("h2", null, "Keys"),
    h(
      "table",
      null,
      h(
        "tbody",
        null,
        rows.map(([key, b]) => h("tr", null, h("td", null, h("kbd", null, names[key] ?? key)), h("td", null, b.what))),
      ),
    ),
    h("button", { onclick: () => closeHelp() }, "Close"),
  );
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
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
