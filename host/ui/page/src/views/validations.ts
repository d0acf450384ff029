// What the policy answered to the same held-out tasks at each validation, beside one another.
import * as api from "../api";
import { rewardScale, paint } from "../colour";
import { fill, h, type Child } from "../dom";
import { number } from "../format";
import { to, toEpisode, toStep } from "../route";
import type { Validations } from "../types";
import { load, type View } from "../view";
import { crumb } from "./run";
import { shorten } from "./episodes";

const columnWidth = 240; // pixels, about

export async function showValidations(view: View, run: string): Promise<void> {
  view.title(crumb(run), { text: "validations" });
  const place = h("div", null);
  fill(view.root, h("div", { class: "bar" }, h("h1", null, "Validations"), turns(view)), place);
  await load(view, place, () => page(view, run));
}

/** Which steps are shown: the last ones that fit, until somebody pages. */
let turn: (by: number) => void = () => undefined;

function turns(view: View): HTMLElement {
  view.key("ArrowLeft", "previous validations", () => turn(-1));
  view.key("ArrowRight", "next validations", () => turn(1));
  return h(
    "span",
    { class: "turn" },
    h(
      "button",
      { title: "previous validations (←)", "aria-label": "previous validations", onclick: () => turn(-1) },
      "←",
    ),
    h("button", { title: "next validations (→)", "aria-label": "next validations", onclick: () => turn(1) }, "→"),
  );
}

async function page(view: View, run: string): Promise<Child> {
  const cursor = view.query.get("cursor") ?? undefined;
  const v = await api.validations(run, cursor, view.signal);
  if (v.tasks.length === 0) return h("p", { class: "empty" }, "This run has no validations.");
  const place = h("div", null);
  const fits = () => Math.max(1, Math.floor((document.documentElement.clientWidth - 200) / columnWidth));
  let from = Math.max(0, v.steps.length - fits());
  const draw = () => fill(place, grid(run, v, v.steps.slice(from, from + fits())));
  turn = (by) => {
    from = Math.min(Math.max(0, v.steps.length - fits()), Math.max(0, from + by * fits()));
    draw();
  };
  draw();
  const path = ["run", run, "validations"];
  const next = () => {
    if (v.next) location.hash = to(path, { cursor: v.next });
  };
  view.key("n", "next page", next);
  return [
    place,
    v.next || cursor
      ? h(
          "div",
          { class: "pager" },
          h(
            "button",
            {
              disabled: !cursor,
              onclick: () => {
                location.hash = to(path);
              },
            },
            "First page",
          ),
          h("button", { disabled: !cursor, onclick: () => history.back() }, "← Back"),
          h("button", { disabled: !v.next, onclick: next }, "Next page →"),
        )
      : null,
  ];
}

function grid(run: string, v: Validations, steps: number[]): HTMLElement {
  const scale = rewardScale(v.tasks.flatMap((t) => t.episodes.map((e) => e.reward)));
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "answers" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", null, "task"),
          steps.map((s) =>
            h("th", null, h("a", { href: toStep(run, s, { split: "validation" }) }, `after step ${number(s)}`)),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        v.tasks.map((t) =>
          h(
            "tr",
            { class: "item", data: { href: taskHref(run, t.task) } },
            h("th", null, h("a", { href: taskHref(run, t.task) }, t.task)),
            steps.map((s) =>
              h(
                "td",
                null,
                t.episodes
                  .filter((e) => e.step === s)
                  .map((e) =>
                    paint(
                      h(
                        "a",
                        { class: "cell answer", href: toEpisode(run, e.id) },
                        h("b", null, number(e.reward, 3), e.success === true ? " ✓" : ""),
                        h("span", null, shorten(e.answer) || "no answer"),
                      ),
                      e.reward,
                      scale,
                    ),
                  ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

const taskHref = (run: string, task: string) => to(["run", run, "episodes"], { task, split: "validation" });
