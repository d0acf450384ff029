// The parts of the page that need no browser.
import assert from "node:assert/strict";
import test from "node:test";
import { hostile } from "./data.mjs";
import { load } from "./source.mjs";

globalThis.sessionStorage = { getItem: () => null, setItem: () => undefined };
globalThis.document = { getElementById: () => null };

const text = await load("text.ts");
const route = await load("route.ts");
const format = await load("format.ts");
const live = await load("live.ts");
const series = await load("series.ts");
const archive = await load("archive.ts");
const findings = await load("views/findings.ts");
const distribution = await load("views/distribution.ts");
const why = await load("views/why.ts");

/** Characters that a browser would obey, or that show nothing. */
const obeyed =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800]/;

test("foreign text: what would be obeyed is written as an escape", () => {
  for (const [name, words] of Object.entries(hostile)) {
    if (name !== "kept") assert.doesNotMatch(text.clean(words), obeyed, name);
  }
  assert.equal(text.clean("\u001b[31mred\u001b[0m"), "\\x1b[31mred\\x1b[0m");
  assert.equal(text.clean("a\u202eb"), "a\\u202eb");
  assert.equal(text.clean("a\ud800b"), "a\\ud800b");
  assert.equal(text.clean("\u{e0041}"), "\\U000e0041");
  assert.equal(text.line("one\ntwo"), "one⏎two");
});

test("foreign text: a sequence for a terminal is one escape, and the text after it stays", () => {
  assert.deepEqual(text.pieces("x\u001b]8;;http://evil.example/\u0007link"), [
    { text: "x", escaped: false },
    { text: "\\x1b]8;;http://evil.example/\\x07", escaped: true },
    { text: "link", escaped: false },
  ]);
});

test("foreign text: what the spelling of a language or a picture needs is kept", () => {
  assert.equal(text.clean(hostile.kept), hostile.kept);
});

test("foreign text: no more than four accents sit on a character", () => {
  const [first, second] = text.pieces(hostile.zalgo);
  assert.equal(first.text, "a" + "\u0301".repeat(4));
  assert.equal(second.text, "\\u0301".repeat(56));
});

test("addresses: what is written is what is read", () => {
  const { path, query } = route.parse(route.to(["run", "a/b #?%", "step", 3], { task: "x&y=z", none: "" }));
  assert.deepEqual(path, ["run", "a/b #?%", "step", "3"]);
  assert.deepEqual([...query], [["task", "x&y=z"]]);
  assert.deepEqual(route.parse("#/run/%E0%A4%A").path, ["run", "%E0%A4%A"]);
});

test("addresses: the token is taken out, and the rest stays", () => {
  const of = (hash) => route.takeToken(hash);
  assert.deepEqual(of("#token=abc"), { token: "abc", rest: "#/" });
  assert.deepEqual(of("#token=abc&to=/run/a"), { token: "abc", rest: "#/run/a" });
  assert.deepEqual(of("#/run/a/step/3?class=X&token=abc"), { token: "abc", rest: "#/run/a/step/3?class=X" });
  assert.equal(of("#/run/token"), null);
});

test("numbers: what was not measured is never 0", () => {
  assert.equal(format.number(null), "–");
  assert.equal(format.number(undefined), "–");
  assert.equal(format.percent(Number.NaN), "–");
  assert.equal(format.number(0), "0");
  assert.equal(format.number(-0.123456), "−0.1235");
  assert.equal(format.number(1234567), "1,234,567");
  assert.equal(format.percent(0.934), "93.4 %");
  assert.equal(format.bytes(48_300_000), "46.1 MiB");
  assert.equal(format.seconds(3725), "1 h 2 min");
});

test("events of the server: torn ones wait for their rest", () => {
  const heard = [];
  const rest = live.parse(': hello\n\ndata: {"kind":"step","step":3}\n\ndata: {"kin', (e) => heard.push(e));
  assert.deepEqual(heard, [{ kind: "step", step: 3 }]);
  assert.equal(
    live.parse(rest + 'd":"plugin"}\r\n\r\n', (e) => heard.push(e)),
    "",
  );
  assert.deepEqual(heard[1], { kind: "plugin" });
  live.parse("data: of another version\n\n", (e) => heard.push(e));
  assert.deepEqual(heard[2], { kind: "state" });
});

test("charts: every metric of a run is in one of them", () => {
  const metrics = [
    "train/reward",
    "validation/reward",
    "train/grad_norm",
    "gpu/0/memory",
    "mine",
    "train/components/a/b",
  ];
  const open = series.headline(metrics).flatMap((c) => c.names);
  const folded = [...series.others(metrics).values()].flat();
  assert.deepEqual([...open, ...folded].sort(), [...metrics].sort());
});

const episodes = [
  { id: "a/1", step: 1, split: "train", group: "0", task: "x", outcome: "SCORED", reward: 0.5, turns: 2 },
  { id: "a/2", step: 1, split: "train", group: "0", task: "x", outcome: "FAILED", class: "TIMEOUT", reward: null },
  { id: "b/1", step: 2, split: "validation", group: "0", task: "y", outcome: "SCORED", reward: 1, turns: 1 },
];
const file = archive.archive({
  route: "#/run/r@1/step/1",
  "GET /api/runs/r@1/episodes": { episodes },
  "GET /api/runs/r@1/episodes/a/1": { episode: episodes[0] },
  "GET /api/runs/r@1/steps": { steps: [{ step: 1 }, { step: 2 }] },
  "GET /api/runs/r@1/metrics": { series: { "train/reward": [[1, 0.5]], "train/loss": [[1, 2]] } },
});
const ids = (query) => file.answer("api/runs/r%401/episodes", query).episodes.map((e) => e.id);

test("a file: lists are chosen from as the server does", () => {
  assert.deepEqual(ids({ step: 1, limit: 100 }), ["a/1", "a/2"]);
  assert.deepEqual(ids({ step: 1, sort: "reward", limit: 3 }), ["a/1", "a/2"]);
  assert.deepEqual(ids({ sort: "-reward" }), ["b/1", "a/1", "a/2"]);
  assert.deepEqual(ids({ split: "train", class: "TIMEOUT" }), ["a/2"]);
  const first = file.answer("api/runs/r%401/episodes", { limit: 2 });
  assert.deepEqual([first.total, first.next, ids({ limit: 2, cursor: first.next })], [3, "2", ["b/1"]]);
  assert.deepEqual(file.answer("api/runs/r%401/steps", { from: 2, to: 9 }), { steps: [{ step: 2 }] });
  assert.deepEqual(Object.keys(file.answer("api/runs/r%401/metrics", { name: ["train/loss"] }).series), ["train/loss"]);
});

test("a file: what is in it is found by its path, and what is not is missing", () => {
  assert.equal(file.open, "#/run/r@1/step/1");
  assert.equal(file.answer("api/runs/r%401/episodes/a%2F1").episode.id, "a/1");
  assert.equal(file.answer("api/runs/r%401/episodes/a%2F2"), undefined);
  assert.equal(file.answer("api/runs"), undefined);
});

test("what stands out: the part of the time that is most of it, unless it is the model's or of the queue", () => {
  const of = (parts) =>
    findings.observed([{ step: 1, episodes: 10, reward: 0.5, parts }]).map((o) => [o.words, o.query.sort]);
  assert.deepEqual(of({ queue: 90, model: 20, tool: 80 }), [
    ["80.0 % of the episodes' time went into the environment", "-seconds"],
  ]);
  assert.deepEqual(of({ queue: 90, model: 0.2, tool: 0.8 }), [], "80 ms an episode");
  assert.deepEqual(of({ queue: 90, model: 8, tool: 2 }), []);
  assert.deepEqual(of({ model: 4, tool: 6 }), []);
  assert.deepEqual(of({}), []);
});

test("what stands out: all tasks are solved from the first step on", () => {
  const of = (...success) => findings.observed(success.map((s, step) => ({ step, episodes: 10, success: s })));
  assert.match(of(1, 1)[0].words, /^All tasks are solved/);
  assert.deepEqual(of(1, 0.9), []);
  assert.deepEqual(of(1), []);
});

test("what stands out: a spec that gives the private part to the environment", () => {
  const settings = [
    { path: "environment.mcp.desk.ground_truth", value: true },
    { path: "environment.mcp.desk.max_turns", value: 4 },
    { path: "reward.llm_judge.a.prompt", value: "{{task.private.ground_truth}}" },
    { path: "environment.mcp.desk.setup[0].arguments.answer", value: "{{task.private.ground_truth}}" },
  ];
  const words = findings.givesAnswers(settings);
  assert.match(words, /desk.ground_truth = true; environment.mcp.desk.setup\[0\].arguments.answer = "{{task.private/);
  assert.doesNotMatch(words, /llm_judge|max_turns/);
  assert.equal(findings.givesAnswers(settings.slice(1, 3)), null);
});

test("what episodes have in common: what most of them say, and nothing where they differ", () => {
  const of = (detail, name, result) => ({
    episode: {},
    failure: detail && { detail },
    transcripts: [
      {
        messages: [{ role: "assistant", tool_calls: [{ id: "1", name }] }, ...(result ? [{ tool_call_id: "1" }] : [])],
      },
    ],
  });
  assert.equal(
    why.sentence([of("late", "mul"), of("late", "mul"), of("late", "add", true)]),
    "In a sample of 3: “late”; the call of mul has no result (2 of them).",
  );
  assert.equal(why.sentence([of("a", "mul", true), of("b", "mul", true)]), null);
  assert.equal(
    why.sentence([{ episode: {}, limit: { words: "the last message reached message_tokens = 60" } }]),
    "In a sample of 1: the last message reached message_tokens = 60.",
  );
  assert.equal(why.sentence([]), null);
});

test("charts: smoothing starts at the first value and skips unknown ones", () => {
  assert.deepEqual(series.smoothed([4, 4, null, 4], 0.9), [4, 4, null, 4]);
  const [first, second] = series.smoothed([0, 1], 0.5);
  assert.equal(first, 0);
  assert.ok(Math.abs(second - 2 / 3) < 1e-12, String(second));
  assert.deepEqual(series.smoothed([1, 5, undefined, 2], 0), [1, 5, undefined, 2]);
});

test("charts: curves as CSV, in which no name is a formula and unknown values are empty", () => {
  const text = series.csvOf({ '=a"b': [[10, 0.5]], loss: [[2, 1], [10, null]] }); // prettier-ignore
  assert.equal(text, 'step,"\'=a""b","loss"\r\n2,,1\r\n10,0.5,\r\n');
});

test("distribution: each of few values has a bar, and many share bars of equal width", () => {
  assert.deepEqual(distribution.bars([]), []);
  assert.deepEqual(distribution.bars([1, 0, 1]), [
    { from: 0, to: 0, count: 1 },
    { from: 1, to: 1, count: 2 },
  ]);
  const many = distribution.bars(Array.from({ length: 101 }, (_, i) => i));
  assert.equal(many.length, 20);
  assert.equal(
    many.reduce((n, b) => n + b.count, 0),
    101,
  );
  assert.deepEqual(many.at(-1), { from: 95, to: 100, count: 6 });
});

test("charts: a line that has ended before its run says where", () => {
  const points = (...steps) => steps.map((s) => [s, 1]);
  assert.equal(series.stoppedAt(points(1, 2, 3, 4), 5), 4);
  assert.equal(series.stoppedAt(points(1, 2, 3, 4, 5), 5), undefined);
  assert.equal(series.stoppedAt(points(0, 10, 20), 25), undefined);
  assert.equal(series.stoppedAt(points(0, 10, 20), 30), 20);
  assert.equal(series.stoppedAt([], 30), undefined);
});
