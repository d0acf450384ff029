// Makes five runs of forty episodes, each broken in another way, for somebody who shall find out from the page what is
// wrong with each: node test/broken/make.mjs DIR, with the program in AWHOST. causes.json says what it is.
//
//   cd DIR && awhost ui
import { execFile } from "node:child_process";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const sums = [
  { asked: "1+2=", tool: "add", a: 1, b: 2, answer: "3", word: "three" },
  { asked: "2*2=", tool: "mul", a: 2, b: 2, answer: "4", word: "four" },
];
const tag = (s) => `<answer>${s}</answer>`;
const call = (s) => ({
  role: "assistant",
  tool_calls: [{ id: "1", name: s.tool, arguments: JSON.stringify({ a: s.a, b: s.b }) }],
});
const result = (content) => ({ role: "tool", tool_call_id: "1", content });
const says = (content) => ({ role: "assistant", content });
const plainly = (s) => [call(s), result(s.answer), says(tag(s.answer))];

const contents = (e) => e.transcripts.flatMap((t) => t.messages).map((m) => m.content ?? "");

/** What the five runs are made of, and what each of their episodes then is. What is left out is as it should be. */
const runs = {
  alder: { truth: (s) => s.word, is: (e) => e.reward === 0 && /^<answer>\d<.answer>$/.test(e.final_answer) },
  birch: {
    desk: `env = { DESK_SLOW = "mul" }`,
    is: (e) => (e.task_id.startsWith("mul") ? e.failure?.class === "TIMEOUT" : e.reward === 1),
  },
  cedar: {
    is: (e) => e.outcome === "TRUNCATED" && e.reward === 0,
    shows: (s) => [
      call(s),
      result(s.answer),
      says(`I have asked the desk, and the desk has told me that it is ${tag(s.answer)}`),
    ],
  },
  dogwood: {
    is: (e) => e.malformed_calls > 0 && e.reward === 0,
    shows: (s) => [
      says(`<tool_call>{"name":"${s.tool}","arguments":{"a":${s.a},"b":${s.b}}</tool_call>`),
      says(tag("0")),
    ],
  },
  elm: {
    is: (e) => e.reward === 1 && contents(e).some((text) => text.includes("expected: ")),
    desk: `env = { DESK_EXPECTED = "yes" }`,
    block: `ground_truth = true
  setup {
    tool      = "desk/begin"
    arguments = { answer = "{{task.private.ground_truth}}" }
  }`,
    shows: (s) => [call({ ...s, a: 0, b: 0 }), result(`0 (expected: ${s.answer})`), says(tag(s.answer))],
  },
};

function spec(name, { desk = "", block = "" }) {
  return `dataset "jsonl" "train" { path = "${name}.train.jsonl" }
dataset "jsonl" "demonstrations" { path = "${name}.demos.jsonl" }

environment "mcp" "desk" {
  server "desk" {
    command = ["node", "desk.mjs"]
    warm    = 4
    ${desk}
  }
  max_turns = 4
  ${block || 'deny = ["desk/begin"]'}
}

agent "react" "solver" {
  environment = environment.mcp.desk
  max_turns   = 4
}

reward "gaia" "answer" {}

adapter "local" "grpo" {
  warm_start {
    dataset       = dataset.jsonl.demonstrations
    steps         = 150
    batch         = 2
    learning_rate = 5e-3
  }
}

train "${name}" {
  agent           = agent.react.solver
  dataset         = dataset.jsonl.train
  adapter         = adapter.local.grpo
  reward          = reward.gaia.answer.score
  success         = reward.gaia.answer.score == 1
  steps           = 5
  seed            = 1
  episode_timeout = "5s"

  batch {
    prompts    = 2
    group_size = 4
  }
  sampling { temperature = 0.5 }
  limits {
    message_tokens = 60
    overlong       = "score"
  }
}
`;
}

const lines = (list) => list.map((x) => JSON.stringify(x) + "\n").join("");

async function make(dir) {
  await mkdir(dir, { recursive: true });
  await copyFile(join(here, "desk.mjs"), join(dir, "desk.mjs"));
  const awhost = (...args) => promisify(execFile)(process.env.AWHOST, args, { cwd: dir, maxBuffer: 1 << 28 });
  for (const [name, run] of Object.entries(runs)) {
    const truth = run.truth ?? ((s) => s.answer);
    const tasks = [0, 1, 2, 3, 4].flatMap((i) =>
      sums.map((s) => ({ id: `${s.tool}-${i}`, prompt: s.asked, ground_truth: truth(s) })),
    );
    const demos = sums.map((s) => ({
      messages: [{ role: "user", content: s.asked }, ...(run.shows ?? plainly)(s)],
    }));
    await writeFile(join(dir, `${name}.hcl`), spec(name, run));
    await writeFile(join(dir, `${name}.train.jsonl`), lines(tasks));
    await writeFile(join(dir, `${name}.demos.jsonl`), lines(demos));
    await awhost("apply", `${name}.hcl`, "--plain").catch(() => null); // a run that learns nothing ends as failed
    const shown = await awhost("show", `${name}-1`, "--episodes");
    const episodes = shown.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const so = episodes.filter(run.is).length;
    if (episodes.length < 40 || so < episodes.length)
      throw new Error(`${name} has ${episodes.length} episodes, of forty, and ${so} are broken as they should be`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await make(process.argv[2] ?? "broken");
