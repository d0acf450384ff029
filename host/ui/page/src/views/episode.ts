// One episode: what was said, who took part, what it was worth and why, where the time went, and its tokens.
import * as api from "../api";
import { cell, outcome } from "../cell";
import { rewardScale } from "../colour";
import { fill, h, prose, type Child } from "../dom";
import { conversation, reveal, turnIn } from "../episode/conversation";
import { forest, members } from "../episode/members";
import { rewardParts } from "../episode/reward";
import { tokenRows } from "../episode/tokens";
import { waterfall } from "../episode/waterfall";
import { moment, number, seconds, word } from "../format";
import { to, toEpisode, toGroup, toStep } from "../route";
import type { Attempt, EpisodeDetail, Hit, Limit, Madness, Sibling } from "../types";
import { copier, fold, load, pairs, panel, type View } from "../view";
import { nameOf } from "./episodes";
import { crumb } from "./run";

export async function showEpisode(view: View, run: string, id: string): Promise<void> {
  view.title(crumb(run), { text: `episode ${id}` });
  const d = await api.episode(run, id, view.signal);
  const e = d.episode;
  const above = d.played
    ? { text: "episodes", href: to(["run", run, "episodes"]) }
    : { text: `step ${e.step}`, href: toStep(run, e.step, { split: e.split }) };
  view.title(crumb(run), above, { text: nameOf(e) });
  const siblings = d.siblings ?? [];
  const said = conversation(d);
  bindKeys(view, run, d);
  fill(
    view.root,
    h(
      "div",
      { class: "bar" },
      h("h1", { title: id }, d.played ? nameOf(e) : `Step ${number(e.step)}, ${nameOf(e)}`),
      outcome(e),
      h("span", { class: "grow" }),
      (d.commands ?? []).map((c) => copier(c)),
    ),
    d.failure
      ? h("div", { class: "trouble" }, h("h2", null, `Failed: ${word(d.failure.class)}`), prose(d.failure.detail ?? ""))
      : null,
    d.limit ? truncated(d.limit) : null,
    siblings.length > 1 ? group(run, d, siblings) : null,
    h(
      "div",
      { class: "episode" },
      h(
        "div",
        null,
        panel("Conversation", said),
        own(d),
        taken(d),
        calls(d),
        late(panel("Tokens", tokenRows(d.tokens?.rows, d.played !== undefined))),
      ),
      h(
        "aside",
        null,
        panel("Reward", rewardParts(d), training(d)),
        findings(d.madness ?? []),
        scanned(run, d),
        facts(run, d),
        panel("Time", waterfall(d.times ?? [], d.times_are, turnIn(said))),
        attempts(d.attempts ?? []),
        extra("Environment's state", d.state),
        extra("Metadata", d.metadata),
        api.inFile === undefined ? secret(view, run, id) : null,
      ),
    ),
  );
  const message = view.query.get("message");
  if (message !== null) reveal(said, message);
}

/** The messages for which rules of a scan hold. */
function scanned(run: string, d: EpisodeDetail): Child {
  if (!d.scan?.length) return null;
  const hit = (s: Hit) =>
    h(
      "p",
      null,
      h("span", { class: "badge warn" }, s.rule),
      " ",
      h("a", { href: toEpisode(run, d.episode.id, s.message) }, `message ${s.message}`),
      s.quote ? [" ", h("code", null, s.quote)] : null,
    );
  return panel("Scan", d.scan.map(hit));
}

function truncated(l: Limit): HTMLElement {
  return h(
    "div",
    { class: "trouble truncated" },
    h("h2", null, `Truncated: ${l.name}${l.value ? ` = ${l.value}` : ""}`),
    prose(`${l.words[0]?.toUpperCase() ?? ""}${l.words.slice(1)}.`),
  );
}

function bindKeys(view: View, run: string, d: EpisodeDetail): void {
  const siblings = d.siblings ?? [];
  const now = siblings.findIndex((s) => s.id === d.episode.id);
  const go = (by: number) => {
    const next = siblings[now + by];
    if (next) location.hash = toEpisode(run, next.id);
  };
  view.key("ArrowLeft", "previous sample", () => go(-1));
  view.key("ArrowRight", "next sample", () => go(1));
  view.key("b", "the group side by side", () => {
    location.hash = toGroup(run, d.episode.group, d.episode.step, d.episode.split);
  });
  view.key("o", "expand or collapse all calls", () => {
    const all = [...document.querySelectorAll<HTMLDetailsElement>(".conversation .message details")];
    const open = !all.some((x) => x.open);
    for (const x of all) x.open = open;
  });
  view.key("c", "copy the terminal command for this episode", () => {
    document.querySelector<HTMLElement>("main button.copy")?.click();
  });
}

function group(run: string, d: EpisodeDetail, siblings: Sibling[]): HTMLElement {
  const e = d.episode;
  const scale = rewardScale(siblings.map((s) => s.reward));
  return h(
    "div",
    { class: "siblings" },
    h("a", { href: toGroup(run, e.group, e.step, e.split) }, `group ${e.group}`),
    h(
      "div",
      { class: "cells" },
      siblings.slice(0, 300).map((s) => cell(run, s, scale, s.id === e.id)),
    ),
  );
}

function facts(run: string, d: EpisodeDetail): HTMLElement {
  const e = d.episode;
  return panel(
    "About",
    pairs([
      [
        "task",
        h("a", { href: to(["run", run, "episodes"], { task: e.task }), title: "all episodes of this task" }, e.task),
      ],
      ...place(d),
      ["turns", number(e.turns)],
      ["tokens", number(e.tokens)],
      ["duration", seconds(e.seconds)],
      ["status", d.played || !e.standing ? null : word(e.standing)],
    ]),
  );
}

/** Where in its run the episode stands. */
function place(d: EpisodeDetail): [string, Child][] {
  const e = d.episode;
  if (d.played) {
    return [
      ["dataset", d.played.dataset],
      ["policy", d.played.policy],
      ["try", number(e.sample + 1)],
      ["environment's seed", d.seeds?.environment],
    ];
  }
  return [
    ["split", e.split === "validation" ? "held-out" : "training"],
    ["step", number(e.step)],
    ["sample", number(e.sample)],
  ];
}

/** Whether the episode was trained on, and why not. */
function training(d: EpisodeDetail): Child {
  const words: string[] = [];
  if (d.played) return null;
  if (d.use) words.push(`In training: ${word(d.use)}.`);
  if (d.why) words.push(`Not trained: ${word(d.why)}.`);
  if (d.masked && !d.use) words.push("Masked: counts in its group and is not trained.");
  if (d.drop_group) words.push("Group dropped.");
  return words.length > 0 ? h("p", { class: "dim" }, words.join(" ")) : null;
}

function findings(list: Madness[]): Child {
  if (list.length === 0) return null;
  return panel(
    "Failed checks",
    list
      .slice(0, 100)
      .map((f) =>
        h(
          "p",
          null,
          h("span", { class: "badge warn" }, f.check),
          ` turn ${f.turn} of ${f.agent}: ${word(f.reason)} in its ${f.part}`,
          f.near ? [", near ", h("code", null, f.near)] : null,
        ),
      ),
  );
}

function taken(d: EpisodeDetail): Child {
  return (d.members ?? []).length > 0 ? panel("Members", members(d.members!)) : null;
}

function calls(d: EpisodeDetail): Child {
  const drawn = forest(d);
  return drawn === null ? null : late(panel("Calls of the program", drawn));
}

/** Marks what stands last where there is one column. */
function late(part: HTMLElement): HTMLElement {
  part.classList.add("late");
  return part;
}

function own(d: EpisodeDetail): Child {
  const steps = d.own_steps ?? [];
  if (steps.length === 0) return null;
  return panel(
    "Steps of the agent itself",
    steps
      .slice(0, 200)
      .map((s, i) => fold(`step ${i + 1}`, () => conversation({ episode: d.episode, messages: s.messages }))),
  );
}

function attempts(list: Attempt[]): Child {
  if (list.length < 2 && !list.some((a) => a.class)) return null;
  return panel(
    "Attempts",
    list
      .slice(0, 100)
      .map((a) =>
        h(
          "div",
          { class: "attempt" },
          h(
            "p",
            null,
            h("b", null, number(a.attempt)),
            " ",
            outcome(a),
            h(
              "span",
              { class: "dim" },
              a.started ? ` from ${moment(a.started)}` : "",
              a.seconds === undefined ? "" : `, ${seconds(a.seconds)}`,
            ),
          ),
          a.detail ? prose(a.detail, 600) : null,
        ),
      ),
  );
}

function extra(title: string, value: unknown): Child {
  if (value === undefined || value === null) return null;
  return panel(
    title,
    fold("show", () => prose(JSON.stringify(value, null, 2))),
  );
}

/** The private part of the task: asked for when somebody wants to see it, and kept nowhere. */
function secret(view: View, run: string, id: string): HTMLElement {
  return panel(
    "Private part of the task",
    fold("Show the private part, which can contain the answer", () => {
      const place = h("div", null);
      void load(view, place, async () => {
        const said = await api.privatePart(run, id, view.signal);
        return prose(JSON.stringify("private" in said ? said.private : said, null, 2));
      });
      return place;
    }),
  );
}
