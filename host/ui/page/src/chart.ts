// Curves over steps, with stages, checkpoints and marks. Draws with uPlot; numbers under the cursor stand below.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { fill, h } from "./dom";
import { number, percent } from "./format";
import { smoothed, stoppedAt } from "./series";
import { clean } from "./text";
import { colour, onTheme } from "./theme";
import type { Checkpoint, Mark, Points, Stage } from "./types";

export interface Line {
  label: string;
  points: Points;
}

export interface Ground {
  stages: Stage[];
  checkpoints: Checkpoint[];
  marks: Mark[];
  last?: number; // the step that all charts of a run reach to, from 0 on
}

export const nothing: Ground = { stages: [], checkpoints: [], marks: [] };

export interface Options {
  title: string;
  about?: string; // what it shows, in a sentence
  unit?: string;
  share?: boolean; // a fraction: from 0 to 1, shown in percent
  sync?: string; // charts of one name share their cursor
  open?: (step: number) => void; // what a click on a step does
}

/** How all charts of a view are drawn. */
export interface Drawing {
  smoothing: number; // see smoothed
  log: boolean; // a logarithmic scale, without the values that it cannot show
}

const height = 170;
const colours = ["--s1", "--s2", "--s3", "--s4", "--s5", "--s6"];

export class Chart {
  readonly element = h("figure", { class: "chart" });
  private plot: uPlot | undefined;
  private readonly place = h("div", { class: "plot" });
  private readonly legend = h("figcaption", null);
  private data: uPlot.AlignedData = [[]];
  private zoomed = false;

  constructor(
    private readonly options: Options,
    private lines: Line[],
    private ground: Ground,
    private readonly signal: AbortSignal,
    private readonly drawing: Drawing = { smoothing: 0, log: false },
  ) {
    fill(
      this.element,
      h("h3", null, options.title, options.unit ? h("span", { class: "dim" }, " " + options.unit) : null),
      options.about ? h("p", { class: "about dim", title: options.about }, options.about) : null,
      this.place,
      this.legend,
    );
    this.data = align(lines);
    this.values(null);
    const size = new ResizeObserver(() => this.fit());
    size.observe(this.place);
    signal.addEventListener(
      "abort",
      () => {
        size.disconnect();
        this.plot?.destroy();
      },
      { once: true },
    );
    onTheme(() => this.make(), signal);
  }

  update(lines: Line[], ground: Ground): void {
    const same = lines.length === this.lines.length && lines.every((l, i) => l.label === this.lines[i]!.label);
    this.lines = lines;
    this.ground = ground;
    this.data = align(lines);
    if (same && this.plot) this.plot.setData(this.drawn(), !this.zoomed);
    else this.make();
    this.values(null);
  }

  /** Draws again, with another drawing, and all of the steps. */
  redraw(): void {
    this.make();
    this.values(null);
  }

  /** The columns as they are drawn: the lines, and behind them, if they are smoothed, the lines as they are. */
  private drawn(): uPlot.AlignedData {
    const [steps, ...columns] = this.data;
    const shown = this.drawing.log ? columns.map((c) => [...c].map((v) => (v && v > 0 ? v : null))) : columns;
    if (this.drawing.smoothing === 0) return [steps, ...shown];
    return [steps, ...shown.map((c) => smoothed([...c], this.drawing.smoothing)), ...shown];
  }

  private fit(): void {
    const width = this.place.clientWidth;
    if (width === 0 || this.signal.aborted) return;
    if (this.plot) this.plot.setSize({ width, height });
    else this.make();
  }

  private make(): void {
    const width = this.place.clientWidth;
    if (width === 0 || this.signal.aborted) return;
    this.plot?.destroy();
    this.place.replaceChildren();
    this.zoomed = false;
    const short = this.data[0].length < 40;
    const axis = {
      stroke: colour("--dim"),
      grid: { stroke: colour("--grid"), width: 1 },
      ticks: { stroke: colour("--grid"), width: 1 },
      font: "11px system-ui, sans-serif",
    };
    this.plot = new uPlot(
      {
        width,
        height,
        legend: { show: false },
        padding: [this.ground.stages.length > 1 ? 16 : 8, 8, 0, 0],
        cursor: {
          y: false,
          points: { size: 6 },
          drag: { x: true, y: false },
          ...(this.options.sync ? { sync: { key: this.options.sync, setSeries: false } } : {}),
        },
        scales: {
          x: { time: false, range: (u, low, high) => this.reach(u, low, high) },
          y: {
            distr: this.drawing.log ? 3 : 1,
            range: (_, low, high) => this.range(low, high),
          },
        },
        axes: [
          { ...axis, size: 26, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5] },
          { ...axis, size: widthOf, values: (_, ticks) => ticks.map((t) => this.text(t)) },
        ],
        series: [
          {},
          ...this.lines.map((l, i) => ({
            label: l.label,
            stroke: colour(colours[i % colours.length]!),
            width: 1.5,
            spanGaps: true,
            points: { show: short, size: 4 },
          })),
          ...(this.drawing.smoothing === 0 ? [] : this.lines).map((l, i) => ({
            label: l.label,
            stroke: colour(colours[i % colours.length]!) + "55",
            width: 1,
            spanGaps: true,
            points: { show: false },
          })),
        ],
        hooks: {
          drawClear: [(u) => drawStages(u, this.ground)],
          draw: [(u) => drawMarks(u, this.ground)],
          setScale: [
            (u, key) => {
              if (key === "x") u.over.dataset.steps = `${u.scales.x!.min} ${u.scales.x!.max}`;
            },
          ],
          setSelect: [
            (u) => {
              this.zoomed ||= u.select.width > 0;
            },
          ],
          setCursor: [(u) => this.values(u.cursor.idx ?? null)],
        },
      },
      this.drawn(),
      this.place,
    );
    this.plot.over.addEventListener("dblclick", () => {
      this.zoomed = false;
    });
    this.plot.over.addEventListener("click", () => this.click());
  }

  /** All of a chart begins and ends where the others of its run do, so that their cursors stand alike. */
  private reach(u: uPlot, low: number, high: number): [number, number] {
    const steps = u.data[0];
    const whole = low === steps[0] && high === steps.at(-1);
    const last = this.ground.last;
    return whole && last !== undefined && last > 0 ? [Math.min(0, low), Math.max(last, high)] : [low, high];
  }

  private range(low: number | null, high: number | null): [number, number] {
    if (this.drawing.log)
      return low === null || high === null ? [0.1, 1] : (uPlot.rangeLog(low, high, 10, false) as [number, number]);
    if (this.options.share && (high ?? 0) <= 1 && (low ?? 0) >= 0) return [0, 1.02];
    if (low === null || high === null) return [0, 1];
    const room = (high - low) * 0.06 || Math.abs(high) * 0.1 || 1;
    return [low >= 0 && low - room < 0 ? 0 : low - room, high + room];
  }

  private text(x: number): string {
    return this.options.share ? percent(x).replace(/\.0 %$/, " %") : number(x, 3);
  }

  private click(): void {
    const index = this.plot?.cursor.idx;
    if (index === null || index === undefined || !this.options.open) return;
    const step = this.data[0][index];
    if (step !== undefined) this.options.open(step);
  }

  /** Writes the values at a step, or the last ones. */
  private values(index: number | null): void {
    const steps = this.data[0];
    const at = index !== null && index < steps.length ? index : null;
    fill(
      this.legend,
      h("span", { class: "dim" }, at !== null ? `step ${number(steps[at])}` : "last"),
      this.lines.map((l, i) => {
        const column = [...(this.data[i + 1] ?? [])];
        const value = at !== null ? column[at] : column.findLast((v) => v !== null && v !== undefined);
        const behind = at === null ? stoppedAt(l.points, this.ground.last) : undefined;
        return h(
          "span",
          { class: "key" },
          h("i", { class: "swatch", vars: { "--swatch": `var(${colours[i % colours.length]})` } }),
          l.label === this.options.title ? null : l.label + " ",
          h("b", null, this.exactly(value)),
          this.drawing.log && column.some((v) => typeof v === "number" && v <= 0)
            ? h("span", { class: "dim" }, " (log: only values above 0)")
            : null,
          behind === undefined ? null : h("span", { class: "dim" }, ` at step ${number(behind)}`),
        );
      }),
    );
  }

  private exactly(x: number | null | undefined): string {
    return this.options.share ? percent(x) : number(x);
  }
}

function drawStages(u: uPlot, ground: Ground): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ground.stages.forEach((stage, i) => {
    const from = Math.max(bbox.left, u.valToPos(stage.first_step - 0.5, "x", true));
    const last = stage.last_step ?? Infinity;
    const until = Number.isFinite(last) ? u.valToPos(last + 0.5, "x", true) : bbox.left + bbox.width;
    const end = Math.min(bbox.left + bbox.width, until);
    if (end <= from) return;
    if (i % 2 === 1) {
      ctx.fillStyle = colour("--band");
      ctx.fillRect(from, bbox.top, end - from, bbox.height);
    }
    if (ground.stages.length > 1 && end - from > 40 * devicePixelRatio) {
      ctx.fillStyle = colour("--dim");
      ctx.beginPath();
      ctx.save();
      ctx.rect(from, 0, end - from - 6 * devicePixelRatio, bbox.top);
      ctx.clip();
      ctx.fillText(clean(stage.name.slice(0, 40)), from, bbox.top - 4 * devicePixelRatio);
      ctx.restore();
    }
  });
  ctx.restore();
}

const markColours: Record<string, string> = {
  kill: "--bad",
  resume: "--s1",
  take_up: "--s1",
  plugin_restart: "--warn",
};

function drawMarks(u: uPlot, ground: Ground): void {
  const { ctx, bbox } = u;
  const within = (x: number) => x >= bbox.left && x <= bbox.left + bbox.width;
  ctx.save();
  for (const m of ground.marks) {
    const name = markColours[m.kind];
    if (m.step === undefined || !name) continue;
    const x = u.valToPos(m.step + 0.5, "x", true);
    if (!within(x)) continue;
    ctx.strokeStyle = colour(name);
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  const bottom = bbox.top + bbox.height;
  for (const c of ground.checkpoints) {
    const x = u.valToPos(c.step, "x", true);
    if (!within(x)) continue;
    ctx.fillStyle = colour(c.best ? "--s2" : "--dim");
    ctx.beginPath();
    ctx.moveTo(x, bottom - (c.best ? 9 : 6) * devicePixelRatio);
    ctx.lineTo(x - 3.5 * devicePixelRatio, bottom);
    ctx.lineTo(x + 3.5 * devicePixelRatio, bottom);
    ctx.fill();
  }
  ctx.restore();
}

/** Puts lines over one list of steps. */
export function align(lines: Line[]): uPlot.AlignedData {
  const steps = [...new Set(lines.flatMap((l) => l.points.map((p) => p[0])))].sort((a, b) => a - b);
  const place = new Map(steps.map((s, i) => [s, i]));
  const columns = lines.map((l) => {
    const column: (number | null | undefined)[] = new Array(steps.length).fill(undefined);
    for (const [step, value] of l.points) column[place.get(step)!] = value;
    return column;
  });
  return [steps, ...columns];
}

/** The pixels that the labels of an axis need. */
function widthOf(_: uPlot, labels: string[] | null): number {
  return Math.max(52, 12 + 7 * Math.max(0, ...(labels ?? []).map((l) => l.length)));
}
