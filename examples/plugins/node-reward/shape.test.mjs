import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { description } from "./description.mjs";
import { judge, problems } from "./shape.mjs";

const city = { type: "object", required: ["city"], properties: { city: { type: "string", pattern: "^[A-Z]" }, code: { type: "string", pattern: "^[a-z]+$" } } };

const answers = [
  // config, answer, components
  [{ pattern: "[A-D]" }, " B\n", { found: 1, pattern: 1 }],
  [{ pattern: "[A-D]" }, "B or C", { found: 1, pattern: 0 }],
  [{ pattern: "[A-D]", tag: "answer" }, "I think <answer>B</answer>.", { found: 1, pattern: 1 }],
  [{ pattern: "[A-D]", tag: "answer" }, "<answer>A</answer><answer>B</answer>", { found: 0, pattern: 0 }],
  [{ pattern: "[A-D]", tag: "answer" }, "</answer><answer>B</answer>", { found: 0, pattern: 0 }],
  [{ pattern: "[A-D]", tag: "answer" }, "<answer>B", { found: 0, pattern: 0 }],
  [{ pattern: "[A-D]", max_bytes: 2 }, "B  ", { found: 0, pattern: 0 }],
  [{ json_schema: city }, '{"city": "Paris"}', { found: 1, json: 1, schema: 1 }],
  [{ json_schema: city }, '{"city": "Paris", "code": "P"}', { found: 1, json: 1, schema: 0 }],
  [{ json_schema: city }, '{"city": "paris"}', { found: 1, json: 1, schema: 0 }],
  [{ json_schema: city }, "Paris", { found: 1, json: 0, schema: 0 }],
  [{ json_schema: true }, "null", { found: 1, json: 1, schema: 1 }],
  [{ json_schema: true, pattern: "\\d+" }, "17", { found: 1, json: 1, schema: 1, pattern: 1 }],
];

for (const [config, answer, components] of answers) {
  test(`${JSON.stringify(config)} judges ${JSON.stringify(answer)}`, () => {
    const score = Math.min(...Object.values(components));
    assert.deepEqual(judge(config)({ finalAnswer: answer }), { score, components, isSuccess: score === 1 });
  });
}

test("every component is described", () => {
  const { components } = judge({ json_schema: true, pattern: "1" })({ finalAnswer: "1" });
  assert.deepEqual(Object.keys(components), description.components[0].rewardComponents);
});

test("a pattern that makes backtracking engines hang takes no time to speak of", () => {
  const answer = "a".repeat(60_000) + "!";
  assert.equal(judge({ pattern: "(a+)+" })({ finalAnswer: answer }).score, 0);
  assert.equal(judge({ json_schema: { type: "string", pattern: "^(a+)+$" } })({ finalAnswer: JSON.stringify(answer) }).score, 0);
});

test("a value nested so deeply that a recursive schema overflows the stack does not fit", () => {
  const list = { $defs: { list: { type: "array", items: { $ref: "#/$defs/list" } } }, $ref: "#/$defs/list" };
  assert.equal(judge({ json_schema: list })({ finalAnswer: "[[],[]]" }).score, 1);
  assert.equal(judge({ json_schema: list, max_bytes: 1 << 20 })({ finalAnswer: "[".repeat(200_000) + "]".repeat(200_000) }).score, 0);
});

const wrong = [
  [{}, []],
  [{ pattern: null, json_schema: null }, []],
  [{ pattern: "(" }, ["pattern"]],
  [{ pattern: 7 }, ["pattern"]],
  [{ pattern: "a(?=b)" }, ["pattern"]],
  [{ json_schema: { type: "objekt" } }, ["json_schema"]],
  [{ json_schema: { $ref: "https://example.com/schema" } }, ["json_schema"]],
  [{ json_schema: { type: "string", format: "no-such-format" } }, ["json_schema"]],
  [{ json_schema: true, tag: "<answer>" }, ["tag"]],
  [{ json_schema: true, max_bytes: 2 ** 21 }, ["max_bytes"]],
  [{ json_schema: true, max_bytes: 1.5 }, ["max_bytes"]],
  [{ json_schema: true, no_such: 1 }, ["no_such"]],
];

for (const [config, attribute] of wrong) {
  test(`${JSON.stringify(config)} is refused`, () => {
    assert.deepEqual(problems(config).map((p) => p.attribute), [attribute]);
  });
}

test("what is not known yet is not missing", () => {
  assert.deepEqual(problems({}, new Set(["pattern"])), []);
});

const run = promisify(execFile);

test("describe prints the description, and anything else without the cookie explains and fails", async () => {
  const { AWHOST_PLUGIN_MAGIC_COOKIE: _, ...env } = process.env;
  const { stdout } = await run("./plugin.mjs", ["describe"], { cwd: import.meta.dirname, env });
  assert.deepEqual(JSON.parse(stdout), description);
  await assert.rejects(run("./plugin.mjs", { cwd: import.meta.dirname, env }), { code: 1, stderr: /plugin of awhost/ });
});
