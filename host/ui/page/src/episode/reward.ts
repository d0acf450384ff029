// What an episode was worth, of which parts, and by which expression of the spec.
import { h, prose, type Child } from "../dom";
import { number } from "../format";
import type { EpisodeDetail } from "../types";
import { paint, rewardScale } from "../colour";
import { table } from "../view";

export function rewardParts(d: EpisodeDetail): HTMLElement {
  const r = d.reward;
  const total = r?.total ?? d.episode.reward;
  const names = [...new Set([...Object.keys(r?.parts ?? {}), ...Object.keys(r?.notes ?? {})])].sort();
  const scale = rewardScale([total, ...Object.values(r?.parts ?? {})]);
  const success = d.episode.success;
  return h(
    "div",
    { class: "reward" },
    h(
      "p",
      { class: "total" },
      paint(h("span", { class: "cell" }, number(total)), total, scale),
      success === true ? h("span", { class: "badge good" }, "solved") : null,
      success === false ? h("span", { class: "badge" }, "not solved") : null,
      total === null || total === undefined ? h("span", { class: "dim" }, why(d)) : null,
    ),
    r?.expression
      ? h("p", null, h("span", { class: "dim" }, "expression "), h("code", { class: "expression" }, r.expression))
      : null,
    names.length === 0
      ? null
      : table<string>(
          [
            { title: "part", cell: (n) => h("code", null, n.replace(/^reward\./, "")) },
            { title: "value", right: true, cell: (n) => value(r?.parts?.[n], scale) },
            {
              title: r?.notes ? "notes" : "",
              wide: true,
              cell: (n) => (r?.notes?.[n] ? prose(r.notes[n], 400) : ""),
            },
          ],
          names,
        ),
    (r?.own_rewards ?? []).map((o) =>
      h(
        "p",
        null,
        h("code", null, `agent.${o.agent}`),
        " reports ",
        number(o.reward),
        o.is_success === undefined ? "" : o.is_success ? ", solved" : ", not solved",
      ),
    ),
    turnRewards(r?.turn_rewards ?? []),
  );
}

function value(x: number | null | undefined, scale: { low: number; high: number }): Child {
  return x === undefined ? "" : paint(h("span", { class: "cell small" }, number(x)), x, scale);
}

function why(d: EpisodeDetail): string {
  if (d.failure || d.episode.outcome === "FAILED") return "No reward: the episode failed.";
  return "No reward.";
}

function turnRewards(list: { call_id: string; reward: number }[]): Child {
  if (list.length === 0) return null;
  const scale = rewardScale(list.map((t) => t.reward));
  return h(
    "p",
    { class: "cells" },
    h("span", { class: "dim" }, "by turn "),
    list
      .slice(0, 500)
      .map((t) => paint(h("span", { class: "cell small", title: t.call_id }, number(t.reward, 3)), t.reward, scale)),
  );
}
