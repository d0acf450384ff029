// The token row: every token of a row, coloured by what is chosen: whether it was trained, its log-probability at the
// sampler and the trainer, their gap, its advantage. What a column does not say is unknown, and hatched.
import { paint, symmetrical, type Scale } from "../colour";
import { fill, h, type Child } from "../dom";
import { number, plural, unknown } from "../format";
import { line } from "../text";
import type { TokenRow } from "../types";

const perPage = 1_500;
const overviewFrom = 150; // tokens: shorter rows are seen at once
const overviewParts = 240;

interface Measure {
  name: string;
  label: string;
  value: (r: TokenRow, i: number) => number | null;
  scale: (values: number[]) => Scale;
}

const at = (column: (number | null)[] | undefined, i: number) => column?.[i] ?? null;

function trained(r: TokenRow, i: number): number | null {
  const m = r.loss_mask?.[i];
  return m === null || m === undefined ? null : m ? 1 : 0;
}

/** A log-probability; records have 0 for tokens that are not trained, which is no value. */
function logprob(column: (number | null)[] | undefined, r: TokenRow, i: number): number | null {
  const value = at(column, i);
  return value === 0 && trained(r, i) === 0 ? null : value;
}

function gap(r: TokenRow, i: number): number | null {
  const [sampler, trainer] = [logprob(r.logprobs, r, i), logprob(r.trainer_logprobs, r, i)];
  return sampler === null || trainer === null ? null : trainer - sampler;
}

const widest = (values: number[], least: number) => values.reduce((m, v) => Math.max(m, Math.abs(v)), least);
const fromZero = (values: number[]): Scale => ({ low: -widest(values, 1), high: 0 });

const measures: Measure[] = [
  { name: "mask", label: "trained", value: trained, scale: () => symmetrical(1) }, // what is not trained is plain
  { name: "sampler", label: "log-probability, sampler", value: (r, i) => logprob(r.logprobs, r, i), scale: fromZero },
  {
    name: "trainer",
    label: "log-probability, trainer",
    value: (r, i) => logprob(r.trainer_logprobs, r, i),
    scale: fromZero,
  },
  { name: "gap", label: "gap", value: gap, scale: (v) => symmetrical(widest(v, 1e-6)) },
  {
    name: "advantage",
    label: "advantage",
    value: (r, i) => logprob(r.advantages, r, i),
    scale: (v) => symmetrical(widest(v, 1e-6)),
  },
];

const notGiven = {
  trained:
    "The tokens of this episode are not recorded. Adapters report the tokens of some groups at the steps that " +
    "tokens_every selects.",
  played: "The model of this episode returned no tokens. Served models return them if their block sets tokens.",
};

export function tokenRows(rows: TokenRow[] | undefined, played = false): Child {
  if (!rows || rows.length === 0) return h("p", { class: "dim" }, played ? notGiven.played : notGiven.trained);
  const place = h("div", null);
  const show = (i: number) => fill(place, new Row(rows[i]!).element);
  show(0);
  if (rows.length === 1) return place;
  const list = h(
    "select",
    { "aria-label": "row" },
    rows
      .slice(0, 500)
      .map((r, i) =>
        h("option", { value: String(i) }, `row ${i + 1} of ${rows.length}${r.chain ? `: ${r.chain}` : ""}`),
      ),
  );
  list.addEventListener("change", () => show(Number(list.value)));
  return [list, place];
}

class Row {
  readonly element = h("div", { class: "tokens" });
  private measure = measures[0]!;
  private from = 0;
  private readonly text = h("div", { class: "row", dir: "auto", tabindex: 0, role: "group", "aria-label": "tokens" });
  private readonly readout = h("div", { class: "readout", role: "status" });
  private readonly tabs = h("div", { class: "tabs" });
  private readonly overview = h("div", { class: "overview", "aria-hidden": "true" });
  private readonly pager = h("div", { class: "pager" });
  private readonly legend = h("div", { class: "legend" });
  private at = -1;

  constructor(private readonly row: TokenRow) {
    this.text.addEventListener("mouseover", (e) => this.point(e.target));
    this.text.addEventListener("click", (e) => this.point(e.target));
    this.text.addEventListener("keydown", (e) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
      if (by === undefined) return;
      e.preventDefault();
      e.stopPropagation();
      this.stand(this.at < 0 ? this.from : this.at + by);
    });
    fill(this.element, this.tabs, this.legend, this.overview, this.readout, this.text, this.pager);
    this.draw();
    this.tell(-1);
  }

  private get length(): number {
    return this.row.ids.length;
  }

  private draw(): void {
    const { row, measure } = this;
    const values: number[] = [];
    let missing = 0;
    for (let i = 0; i < this.length; i++) {
      const v = measure.value(row, i);
      if (v === null) missing++;
      else values.push(v);
    }
    const scale = measure.scale(values);
    fill(
      this.tabs,
      measures.map((m) =>
        h(
          "button",
          {
            class: "tab" + (m === measure ? " here" : ""),
            "aria-pressed": m === measure ? "true" : "false",
            onclick: () => {
              this.measure = m;
              this.draw();
            },
          },
          m.label,
        ),
      ),
    );
    fill(
      this.legend,
      values.length === 0
        ? h("p", { class: "unknown" }, `${measure.label}: unknown, because this framework does not report it.`)
        : this.ramp(scale, values, missing),
    );
    const end = Math.min(this.length, this.from + perPage);
    const spans: HTMLElement[] = [];
    for (let i = this.from; i < end; i++) spans.push(this.token(i, measure.value(row, i), scale));
    fill(this.text, spans);
    this.text.children.item(this.at - this.from)?.classList.add("here");
    this.drawOverview(scale, end);
    this.drawPager(end);
  }

  /** The whole row as a strip: of each part the value that is farthest from 0. What is shown below is underlined. */
  private drawOverview(scale: Scale, end: number): void {
    if (this.length < overviewFrom) return;
    const size = Math.ceil(this.length / overviewParts);
    const parts: HTMLElement[] = [];
    for (let from = 0; from < this.length; from += size) {
      const i = this.extreme(from, Math.min(this.length, from + size));
      const part = h("i", { class: from < end && from + size > this.from ? "shown" : "" });
      part.addEventListener("click", () => this.stand(Math.max(i, from)));
      parts.push(paint(part, i < 0 ? null : this.measure.value(this.row, i), scale));
    }
    fill(this.overview, parts);
  }

  /** The token of a part whose value is farthest from 0; -1: none has one. */
  private extreme(from: number, end: number): number {
    let [best, most] = [-1, -1];
    for (let i = from; i < end; i++) {
      const v = this.measure.value(this.row, i);
      if (v !== null && Math.abs(v) > most) [best, most] = [i, Math.abs(v)];
    }
    return best;
  }

  private ramp(scale: Scale, values: number[], missing: number): Child {
    if (this.measure.name === "mask") {
      const sum = values.reduce((a, b) => a + b, 0);
      return h(
        "p",
        { class: "ramp" },
        h("i", { class: "one high" }),
        `${number(sum)} trained`,
        h("i", { class: "one plain" }),
        `${number(values.length - sum)} not trained`,
        missing > 0 ? [h("i", { class: "hatched" }), `${number(missing)} unknown`] : null,
        this.cutWords(),
      );
    }
    return h(
      "p",
      { class: "ramp" },
      number(scale.low, 3),
      h("i", null),
      number(scale.high, 3),
      missing > 0 ? [h("i", { class: "hatched" }), `${number(missing)} without a value`] : null,
      this.cutWords(),
    );
  }

  private cutWords(): Child {
    const { total } = this.row;
    if (!total || total <= this.length) return null;
    return h("span", { class: "badge warn" }, `the first ${number(this.length)} of ${number(total)} tokens`);
  }

  private token(i: number, value: number | null, scale: Scale): HTMLElement {
    const text = this.row.text?.[i];
    const span = h(
      "span",
      { class: "token", data: { i: String(i) } },
      text === null || text === undefined ? `⟨${this.row.ids[i]}⟩` : picture(text),
    );
    if (text?.includes("\n")) span.classList.add("ends");
    if (i === this.row.prompt_length) span.classList.add("first");
    return paint(span, value, scale);
  }

  private drawPager(end: number): void {
    const to = (from: number) => {
      this.from = Math.max(0, Math.min(from, this.length - 1));
      this.draw();
    };
    const largest = this.extreme(0, this.length);
    fill(
      this.pager,
      h("button", { disabled: this.from === 0, onclick: () => to(this.from - perPage) }, "←"),
      h("span", null, `tokens ${number(this.from + 1)} to ${number(end)} of ${number(this.length)}`),
      h("button", { disabled: end >= this.length, onclick: () => to(this.from + perPage) }, "→"),
      h(
        "button",
        { disabled: this.firstTrained() < 0, onclick: () => this.stand(this.firstTrained()) },
        "First trained",
      ),
      largest >= 0 && this.measure.name !== "mask"
        ? h(
            "button",
            { onclick: () => this.stand(largest) },
            `Largest ${this.measure.name === "gap" ? "gap" : "value"}`,
          )
        : null,
    );
  }

  private firstTrained(): number {
    for (let i = 0; i < this.length; i++) if (trained(this.row, i) === 1) return i;
    return -1;
  }

  private point(target: EventTarget | null): void {
    if (target instanceof HTMLElement && target.dataset.i) this.mark(Number(target.dataset.i));
  }

  /** Moves to a token, onto its page if need be. */
  private stand(i: number): void {
    if (i < 0 || i >= this.length) return;
    if (i < this.from || i >= this.from + perPage) {
      this.from = Math.floor(i / perPage) * perPage;
      this.draw();
    }
    this.mark(i);
    this.text.querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }

  private mark(i: number): void {
    this.text.querySelector(".here")?.classList.remove("here");
    this.text.children.item(i - this.from)?.classList.add("here");
    this.at = i;
    this.tell(i);
  }

  private tell(i: number): void {
    const { row } = this;
    const shown = (v: number | null) =>
      v === null ? h("span", { class: "unknown" }, unknown) : h("b", null, number(v));
    const mask = i < 0 ? null : trained(row, i);
    const turn = i < 0 ? null : at(row.turn_ids, i);
    fill(
      this.readout,
      i < 0
        ? h("span", { class: "dim" }, `${plural(this.length, "token")}: point at a token for its values`)
        : [
            h(
              "span",
              null,
              "token ",
              h("b", null, number(i)),
              " ",
              h("code", null, line(row.text?.[i] ?? "")),
              h("span", { class: "dim" }, ` id ${row.ids[i]}`),
            ),
            h(
              "span",
              null,
              mask === null ? h("span", { class: "unknown" }, "trained: unknown") : mask ? "trained" : "not trained",
            ),
            turn === null || turn < 0 ? null : h("span", null, "turn ", h("b", null, number(turn + 1))),
            h("span", null, "sampler ", shown(logprob(row.logprobs, row, i))),
            h("span", null, "trainer ", shown(logprob(row.trainer_logprobs, row, i))),
            h("span", null, "gap ", shown(gap(row, i))),
            h("span", null, "advantage ", shown(logprob(row.advantages, row, i))),
          ],
    );
  }
}

/** Text of a token, with what has no picture made visible. */
function picture(s: string): string {
  if (s === "") return "∅";
  if (/^ +$/.test(s)) return "␣".repeat(s.length);
  return line(s);
}
