// The samples of a group side by side.
import * as api from "../api";
import { cell, outcome } from "../cell";
import { rewardScale } from "../colour";
import { fill, h, type Child } from "../dom";
import { conversation } from "../episode/conversation";
import { rewardParts } from "../episode/reward";
import { number } from "../format";
import { to, toEpisode, toStep } from "../route";
import type { Episode } from "../types";
import { load, type View } from "../view";
import { crumb } from "./run";

const columnWidth = 360; // pixels, about
const limit = 200; // samples of a group

export async function showGroup(view: View, run: string, group: string): Promise<void> {
  const step = Number(view.query.get("step") ?? 0);
  const split = view.query.get("split") ?? "train";
  view.title(crumb(run), { text: `step ${step}`, href: toStep(run, step) }, { text: `group ${group}` });
  const found = await api.episodes(run, { step, split, group, limit }, view.signal);
  const episodes = found.episodes.toSorted((a, b) => a.sample - b.sample); // the list has them as they ended
  const first = episodes[0];
  if (!first) {
    fill(view.root, h("p", { class: "empty" }, "This group has no episodes."));
    return;
  }
  const scale = rewardScale(episodes.map((e) => e.reward));
  const place = h("div", { class: "beside" });
  const cells = episodes.map((e) => cell(run, e, scale));
  let from = 0;
  const columns = () => Math.max(1, Math.min(6, Math.floor((document.documentElement.clientWidth - 32) / columnWidth)));
  const draw = () => {
    const shown = episodes.slice(from, from + columns());
    cells.forEach((c, i) => c.classList.toggle("here", i >= from && i < from + shown.length));
    fill(
      place,
      shown.map((e) => column(view, run, e)),
    );
  };
  const turn = (by: number) => {
    from = Math.min(Math.max(0, episodes.length - columns()), Math.max(0, from + by * columns()));
    draw();
  };
  view.key("ArrowLeft", "previous samples", () => turn(-1));
  view.key("ArrowRight", "next samples", () => turn(1));
  fill(
    view.root,
    h(
      "div",
      { class: "bar" },
      h("h1", null, `Group ${group}`),
      h(
        "span",
        { class: "turn" },
        h("button", { title: "previous samples (←)", "aria-label": "previous samples", onclick: () => turn(-1) }, "←"),
        h("button", { title: "next samples (→)", "aria-label": "next samples", onclick: () => turn(1) }, "→"),
      ),
    ),
    h("p", null, "Task ", h("a", { href: to(["run", run, "episodes"], { task: first.task }) }, first.task)),
    h("div", { class: "cells" }, cells),
    place,
  );
  draw();
}

function column(view: View, run: string, e: Episode): HTMLElement {
  const body = h("div", null);
  void load(view, body, async (): Promise<Child> => {
    const d = await api.episode(run, e.id, view.signal);
    return [rewardParts(d), conversation(d, 1_200)];
  });
  return h(
    "section",
    { class: "panel" },
    h("h2", null, h("a", { href: toEpisode(run, e.id) }, `sample ${number(e.sample)}`), " ", outcome(e)),
    body,
  );
}
