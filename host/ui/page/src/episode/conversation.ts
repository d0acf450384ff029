// The conversation of an episode: messages with their roles, calls together with their results and folded up, and of a
// swarm a tree, in which those who are asked stand below those who ask.
import { add, fill, h, prose, type Child } from "../dom";
import { bytes, plural } from "../format";
import { clean, line } from "../text";
import type { Attachment, EpisodeDetail, Message, Picture, ToolCall, TranscriptPart } from "../types";
import { fold } from "../view";

const perPage = 200; // messages that are drawn at once

/** Draws it; `most` is how many characters of a message are shown before a button shows more. */
export function conversation(d: EpisodeDetail, most?: number): HTMLElement {
  const parts = d.transcripts ?? (d.messages ? [{ messages: d.messages }] : []);
  const box = h("div", { class: "conversation" });
  const total = parts.reduce((n, p) => n + p.messages.length, 0);
  if (total === 0) {
    fill(box, h("p", { class: "empty" }, "No messages."));
    return box;
  }
  const units = unitsOf(parts);
  const turns = turnsOf(d, units);
  const show = (from: number) => {
    box.querySelector(":scope > button")?.remove();
    const end = Math.min(units.length, from + perPage);
    add(box, nest(units.slice(from, end), most, turns));
    if (end < units.length) {
      box.append(h("button", { onclick: () => show(end) }, `Show more: ${plural(units.length - end, "message")} left`));
    } else if (d.limit?.cut) {
      box.append(h("p", { class: "cuthere", title: clean(d.limit.words) }, "✂ cut here"));
    }
  };
  show(0);
  return box;
}

interface Unit {
  member: string;
  depth: number;
  message: Message;
  index: number; // of the message in the conversation, from 0
  results: Map<string, { message: Message; index: number }>; // of the message's calls
}

/** Messages in order; the result of a call goes with the call, also where it stands in a later part of the member's. */
function unitsOf(parts: TranscriptPart[]): Unit[] {
  const units: Unit[] = [];
  const open = new Map<string, Unit>(); // by member and call: who has no result yet
  let next = 0;
  for (const part of parts) {
    const member = part.agent ?? "";
    for (const message of part.messages) {
      const index = next++;
      const key = JSON.stringify([member, message.tool_call_id]);
      const asked = message.role === "tool" ? open.get(key) : undefined;
      if (asked) {
        asked.results.set(message.tool_call_id!, { message, index });
        open.delete(key);
        continue;
      }
      const unit: Unit = { member, depth: Math.max(0, part.depth ?? 0), message, index, results: new Map() };
      for (const c of message.tool_calls ?? []) open.set(JSON.stringify([member, c.id]), unit);
      units.push(unit);
    }
  }
  return units;
}

/** The turns of messages, where one agent spoke and every message of an assistant is a turn. */
function turnsOf(d: EpisodeDetail, units: Unit[]): Map<Unit, number> {
  const said = units.filter((u) => u.message.role === "assistant");
  const known = (d.transcripts?.length ?? 1) === 1 && said.length === d.episode.turns;
  return new Map(known ? said.map((u, i) => [u, i + 1]) : []);
}

/** Brings the message of a turn into view, and marks it; undefined where it is not known which that is. */
export function turnIn(conversation: HTMLElement): ((turn: number) => void) | undefined {
  if (!conversation.querySelector("[data-turn]")) return undefined;
  return (turn) => mark(conversation, conversation.querySelector(`[data-turn="${turn}"]`));
}

/** Brings a message into view, and marks it. The result of a call is part of the call. */
export function reveal(conversation: HTMLElement, index: string): void {
  const find = () => conversation.querySelector(`[data-message="${CSS.escape(index)}"]`);
  for (let more; !find() && (more = conversation.querySelector<HTMLElement>(":scope > button"));) more.click();
  const message = find();
  if (message instanceof HTMLDetailsElement) message.open = true;
  mark(conversation, message);
}

function mark(conversation: HTMLElement, message: Element | null): void {
  for (const other of conversation.querySelectorAll(".current")) other.classList.remove("current");
  message?.classList.add("current");
  message?.scrollIntoView({ block: "start" });
}

/** Draws the units of members as boxes within boxes, by how deep they stand. */
function nest(units: Unit[], most: number | undefined, turns: Map<Unit, number>): Node[] {
  const root = h("div", null);
  const open: { element: HTMLElement; member: string }[] = [{ element: root, member: "" }];
  for (const u of units) {
    const depth = u.member === "" ? 0 : u.depth + 1;
    while (open.length > depth + 1 || (open.length === depth + 1 && depth > 0 && open.at(-1)!.member !== u.member))
      open.pop();
    while (open.length <= depth) {
      const box = h("details", { class: "member", open: true }, h("summary", null, u.member));
      open.at(-1)!.element.append(box);
      open.push({ element: box, member: u.member });
    }
    open.at(-1)!.element.append(messageOf(u, most, turns.get(u)));
  }
  return [...root.childNodes];
}

function messageOf(u: Unit, most: number | undefined, turn: number | undefined): HTMLElement {
  const m = u.message;
  const role = m.role || "unknown";
  const long = (m.content ?? "").length;
  return h(
    "article",
    {
      class: `message item ${knownRole(role)}${m.is_error ? " error" : ""}`,
      data: { message: String(u.index), ...(turn ? { turn: String(turn) } : {}) },
    },
    h(
      "header",
      null,
      h("b", null, role),
      h("span", { class: "dim", title: "number of the message" }, String(u.index)),
      m.name ? h("span", { class: "dim" }, m.name) : null,
      m.is_error ? h("span", { class: "badge bad" }, "error") : null,
      long > 2_000 ? h("span", { class: "dim" }, `${long.toLocaleString("en")} characters`) : null,
    ),
    m.reasoning
      ? fold(
          [h("b", null, "reasoning"), h("span", { class: "dim" }, " " + excerpt(m.reasoning))],
          () => prose(m.reasoning!),
          false,
          "thinks",
        )
      : null,
    m.content ? prose(m.content, most) : null,
    (m.images ?? []).map(picture),
    (m.attachments ?? []).map((a) => attachment(a, m.content ?? "")),
    (m.tool_calls ?? []).map((c) => call(c, u.results.get(c.id))),
    (m.malformed ?? []).map((bad) =>
      h(
        "div",
        { class: "malformed" },
        h("span", { class: "badge warn" }, "malformed call"),
        " ",
        bad.reason,
        (m.content ?? "").includes(bad.text) ? null : fold("text of the call", () => prose(bad.text)),
      ),
    ),
    isEmpty(m) ? h("p", { class: "dim" }, "(nothing)") : null,
  );
}

const roles = new Set(["system", "user", "assistant", "tool"]);

function knownRole(role: string): string {
  return roles.has(role) ? role : "other";
}

function isEmpty(m: Message): boolean {
  return (
    !m.content &&
    !m.reasoning &&
    !m.images?.length &&
    !m.attachments?.length &&
    !m.tool_calls?.length &&
    !m.malformed?.length
  );
}

function call(c: ToolCall, answer: { message: Message; index: number } | undefined): HTMLElement {
  const result = answer?.message;
  const summary = [
    h("span", { class: "arrow" }, "→"),
    h("b", null, c.name || "(no name)"),
    h("span", { class: "dim oneline" }, excerpt(c.arguments)),
    result?.is_error ? h("span", { class: "badge bad" }, "error") : null,
    h(
      "span",
      { class: result && !result.is_error ? "result oneline" : "oneline bad" },
      result ? "← " + excerpt(result.content ?? "") : "no result",
    ),
  ];
  const drawn = fold(
    summary,
    () =>
      h(
        "div",
        { class: "body" },
        h("h4", null, "arguments"),
        prose(pretty(c.arguments)),
        h("h4", null, "result"),
        result
          ? [
              result.content ? prose(result.content) : h("p", { class: "dim" }, "(nothing)"),
              (result.images ?? []).map(picture),
              (result.attachments ?? []).map((a) => attachment(a, result.content ?? "")),
            ]
          : h("p", { class: "dim" }, "The episode ended before the result."),
      ),
    false,
    result?.is_error ? "call failed" : "call",
  );
  if (answer) drawn.dataset.message = String(answer.index);
  return drawn;
}

export function pretty(s: string): string {
  if (s.length > 1_000_000) return s;
  try {
    return JSON.stringify(JSON.parse(s), null, 2);
  } catch {
    return s;
  }
}

function excerpt(s: string): string {
  return line(s.slice(0, 300).replace(/\s+/g, " ").trim());
}

const shownTypes = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const largestPicture = 8 << 20; // characters of base64

function picture(p: Picture): Child {
  const words = ["picture", p.mime_type, p.url, p.data ? bytes(Math.floor((p.data.length * 3) / 4)) : ""];
  return shown(words.filter((w) => w).join(", "), p.mime_type, p.data);
}

/** What stands beside a text; pictures are drawn when somebody asks, and only those that the browser decodes itself. */
function shown(words: string, type: string | undefined, data: string | undefined): HTMLElement {
  if (!data || !type || !shownTypes.has(type) || data.length > largestPicture || !/^[A-Za-z0-9+/]+=*$/.test(data)) {
    return h("p", { class: "attachment" }, "+ " + words);
  }
  return fold(
    "+ " + words,
    () => {
      const image = document.createElement("img");
      image.alt = clean(words);
      image.src = `data:${type};base64,${data}`;
      return image;
    },
    false,
    "attachment",
  );
}

function attachment(a: Attachment, content: string): Child {
  const words = [
    a.kind || "attachment",
    a.mime_type,
    a.name,
    a.uri,
    a.size ? bytes(a.size) : "",
    a.file ? `kept as ${a.file}` : a.sha256 ? `not kept, sha256 ${a.sha256}` : "",
  ]
    .filter((w) => w)
    .join(", ");
  if (a.data) return shown(words, a.mime_type, a.data);
  const text = a.json !== undefined ? JSON.stringify(a.json, null, 2) : (a.text ?? "");
  if (text === "" || text === content) return h("p", { class: "attachment" }, "+ " + words);
  return fold("+ " + words, () => prose(text), false, "attachment");
}
