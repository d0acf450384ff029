// The tasks of a run with sums over their episodes: which are never solved, and what the policy answers to them.
import * as api from "../api";
import { fill, h, type Child } from "../dom";
import { number, percent, plural, seconds } from "../format";
import { to } from "../route";
import type { Task } from "../types";
import { load, table, type Column, type View } from "../view";
import { shorten } from "./episodes";
import { crumb } from "./run";

const perPage = 100;
const fields = ["split", "solved", "same_min", "sort"] as const;

export async function showTasks(view: View, run: string): Promise<void> {
  view.title(crumb(run), { text: "tasks" });
  const place = h("div", null);
  fill(view.root, h("div", { class: "bar" }, h("h1", null, "Tasks")), form(view, run), place);
  await load(view, place, () => page(view, run));
}

const path = (run: string) => ["run", run, "tasks"];

function chosen(view: View): Record<string, string> {
  return Object.fromEntries(fields.flatMap((f) => (view.query.get(f) ? [[f, view.query.get(f)!]] : [])));
}

function form(view: View, run: string): HTMLElement {
  const value = (name: string) => view.query.get(name) ?? "";
  const choice = (name: string, options: [string, string][]) => {
    const select = h(
      "select",
      { name, "aria-label": name },
      options.map(([v, label]) => h("option", { value: v }, label)),
    );
    select.value = value(name);
    return select;
  };
  const element = h(
    "form",
    { class: "filter", role: "search" },
    choice("split", [
      ["", "training and held-out"],
      ["train", "training"],
      ["validation", "held-out"],
    ]),
    choice("solved", [
      ["", "solved or not"],
      ["never", "never solved"],
      ["always", "always solved"],
    ]),
    h(
      "label",
      { class: "range" },
      h("span", null, "same wrong answer, times"),
      h("input", { name: "same_min", value: value("same_min"), type: "number", min: 0, placeholder: "from" }),
    ),
    h("button", null, "Filter"),
  );
  const go = () => {
    const next: Record<string, string> = value("sort") ? { sort: value("sort") } : {};
    for (const [name, v] of new FormData(element)) if (typeof v === "string" && v.trim() !== "") next[name] = v.trim();
    location.hash = to(path(run), next);
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

async function page(view: View, run: string): Promise<Child> {
  const cursor = Number(view.query.get("cursor") ?? 0);
  const found = await api.tasks(run, { ...chosen(view), limit: perPage, cursor: cursor || undefined }, view.signal);
  if (found.all === 0) return h("p", { class: "empty" }, "No tasks: no episode has ended.");
  const turn = (to_: string | undefined) => {
    if (to_ !== undefined) location.hash = to(path(run), { ...chosen(view), cursor: to_ });
  };
  view.key("n", "next page", () => turn(found.next));
  const split = view.query.get("split") ?? "";
  const href = (t: Task) => to(["run", run, "episodes"], { task: t.task, split });
  return [
    h(
      "p",
      { class: "legend" },
      found.total === found.all ? plural(found.all, "task") : `${number(found.total)} of ${plural(found.all, "task")}`,
    ),
    found.tasks.length === 0
      ? h("p", { class: "empty" }, "No matching tasks.")
      : table(columns(view, run, href), found.tasks, href),
    found.total > found.tasks.length
      ? h(
          "div",
          { class: "pager" },
          h("button", { disabled: cursor === 0, onclick: () => turn(String(Math.max(0, cursor - perPage))) }, "←"),
          h("span", null, `${number(cursor + 1)} to ${number(cursor + found.tasks.length)} of ${number(found.total)}`),
          h("button", { disabled: !found.next, onclick: () => turn(found.next) }, "→"),
        )
      : null,
  ];
}

function columns(view: View, run: string, href: (t: Task) => string): Column<Task>[] {
  const now = view.query.get("sort") ?? "task";
  const sorted = (by: string, label: string): Child => {
    const next = now === by ? `-${by}` : by;
    const arrow = now === by ? " ↑" : now === `-${by}` ? " ↓" : "";
    return h("a", { class: "quiet", href: to(path(run), { ...chosen(view), sort: next }) }, label + arrow);
  };
  return [
    { title: sorted("task", "task"), cell: (t) => h("a", { class: "short", title: t.task, href: href(t) }, t.task) },
    { title: sorted("tries", "tries"), right: true, cell: (t) => number(t.tries) },
    { title: sorted("solved", "solved"), right: true, cell: (t) => (t.judged > 0 ? number(t.solved) : "–") },
    { title: sorted("success", "success"), right: true, cell: (t) => percent(t.success) },
    { title: sorted("reward", "reward"), right: true, cell: (t) => number(t.reward) },
    { title: sorted("seconds", "duration"), right: true, cell: (t) => seconds(t.seconds) },
    {
      title: sorted("same", "same wrong answer"),
      right: true,
      cell: (t) => (t.same_wrong > 1 ? `${t.same_wrong} ×` : "–"),
    },
    {
      title: "last answers",
      wide: true,
      cell: (t) => t.answers.map((a) => h("span", { class: "short" }, shorten(a))),
    },
  ];
}
