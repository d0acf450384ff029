// Who took part: the members of a swarm with what they took, and the calls of a program as a forest of chains.
import { fill, h, prose, type Child } from "../dom";
import { millis, number, plural, word } from "../format";
import { groupBy } from "../groupby";
import type { Call, Chain, EpisodeDetail, Member } from "../types";
import { fold, table } from "../view";

export function members(list: Member[]): HTMLElement {
  const served = list.some((m) => m.model);
  return table<Member>(
    [
      { title: "member", cell: (m) => h("code", null, m.agent) },
      { title: "turns", right: true, cell: (m) => number(m.turns) },
      { title: "prompt tokens", right: true, cell: (m) => number(m.prompt_tokens) },
      { title: "output tokens", right: true, cell: (m) => number(m.output_tokens) },
      { title: "model's time", right: true, cell: (m) => millis(m.model_ms) },
      ...(served
        ? [
            { title: "model", cell: (m: Member) => m.model ?? "the policy" },
            { title: "cost", right: true, cell: (m: Member) => (m.cost_usd ? `$${number(m.cost_usd)}` : "") },
          ]
        : []),
      { title: "", wide: true, cell: () => "" },
    ],
    list,
  );
}

const perPage = 200;

/** The calls as trees: a call goes on from its parent; two that go on from one are branches; one without is a root. */
export function forest(d: EpisodeDetail): Child {
  const calls = d.calls ?? [];
  if (calls.length === 0) return (d.chains ?? []).length > 1 ? chains(d.chains!) : null;
  const ids = new Set(calls.map((c) => c.call_id));
  const below = groupBy(calls, (c) => (c.parent && ids.has(c.parent) && c.parent !== c.call_id ? c.parent : ""));
  const rows: { call: Call; depth: number; branch: boolean }[] = [];
  const seen = new Set<string>();
  // A chain goes straight down; only branches and roots move to the right. A stack, since a chain may be very long.
  const stack = (below.get("") ?? []).map((call) => ({ call, depth: 0, branch: false })).reverse();
  while (stack.length > 0) {
    const row = stack.pop()!;
    if (seen.has(row.call.call_id)) continue;
    seen.add(row.call.call_id);
    rows.push(row);
    const next = below.get(row.call.call_id) ?? [];
    const branch = next.length > 1;
    for (const call of next.toReversed()) stack.push({ call, depth: row.depth + (branch ? 1 : 0), branch });
  }
  for (const call of calls) if (!seen.has(call.call_id)) rows.push({ call, depth: 0, branch: false }); // of a circle
  const box = h("div", { class: "forest" });
  const show = (end: number) =>
    fill(
      box,
      rows.slice(0, end).map(callRow),
      rows.length > end
        ? h("button", { onclick: () => show(end + perPage) }, `Show more: ${plural(rows.length - end, "call")} left`)
        : null,
    );
  show(perPage);
  const roots = (below.get("") ?? []).length;
  return [
    h(
      "p",
      { class: "dim" },
      `${plural(calls.length, "call")} in ${plural(roots, "tree")}. A branch continues an ` +
        "earlier answer. Untrained calls are marked.",
    ),
    box,
    (d.chains ?? []).length > 0 ? chains(d.chains!) : null,
  ];
}

function callRow({ call: c, depth, branch }: { call: Call; depth: number; branch: boolean }): HTMLElement {
  const root = !c.parent;
  const summary: Child = [
    h("span", { class: "twig" }, root ? "●" : branch ? "├" : "│"),
    h("code", null, c.call_id),
    c.agent ? h("span", null, c.agent) : null,
    c.auxiliary ? h("span", { class: "badge warn" }, "auxiliary") : null,
    c.train === false && !c.auxiliary ? h("span", { class: "badge" }, "not trained") : null,
    c.finish && c.finish !== "STOP" ? h("span", { class: "dim" }, word(c.finish)) : null,
    h("span", { class: "dim" }, `${number(c.prompt_tokens)} + ${number(c.output_tokens)} tokens`),
    h("span", { class: "oneline dim" }, (c.text ?? "").slice(0, 200)),
  ];
  const row = fold(
    summary,
    () => (c.text ? prose(c.text) : h("p", { class: "dim" }, "(no words)")),
    false,
    "callrow item" + (c.train === false || c.auxiliary ? " untrained" : ""),
  );
  row.style.setProperty("--depth", String(Math.min(depth, 24)));
  return row;
}

function chains(list: Chain[]): HTMLElement {
  return fold([h("b", null, "chains"), h("span", { class: "dim" }, ` ${list.length}`)], () =>
    table<Chain>(
      [
        { title: "chain", cell: (c) => h("code", null, c.chain) },
        { title: "agent", cell: (c) => c.agent ?? "" },
        { title: "trained", cell: (c) => (c.train === undefined ? "unknown" : c.train ? "yes" : "no") },
        { title: "reward", right: true, cell: (c) => number(c.reward) },
        { title: "digest", wide: true, cell: (c) => h("code", { class: "short" }, c.digest ?? "") },
      ],
      list.slice(0, 500),
    ),
  );
}
