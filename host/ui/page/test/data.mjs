// Data for the tests of the page, in the shapes that the server answers. Drawn from a generator with a fixed start, so
// that pictures and tests are the same each time.

export const hostile = {
  script: `<script>window.pwned = 1</script><img src=x onerror="window.pwned = 2"><svg onload="window.pwned = 3">`,
  ansi: "\u001b[31mred\u001b[0m \u001b]8;;http://evil.example/\u0007link\u001b]8;;\u0007 \u001b[2J\u009b31m",
  bidi: "user \u202e\u2066admin\u2069 \u200f\u061c txt.exe",
  zalgo: "a" + "\u0301".repeat(60),
  controls:
    "nul \u0000 bell \u0007 back \b\u007f zero\u200bwidth \ufeff tags \u{e0041}\u{e0042} line\u2028sep \ud800 lone",
  kept: "नमस्ते می‌خواهم 👩‍💻 ❤️ עברית 中文",
};

let seed = 7;
function random() {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return seed / 2147483648;
}

const pick = (list) => list[Math.floor(random() * list.length)];
const curve = (step, to) => to * (1 - Math.exp(-step / 18));

export const steps = 60;
const seconds = (step) => ({ rollout: 4 + random(), update: 2 + random() / 2, validation: step % 10 === 0 ? 3 : 0 });

export const runs = [
  {
    name: "quickstart-3",
    status: "running",
    live: true,
    spec: "train.hcl",
    train: "quickstart",
    adapter: "local.grpo",
    stage: "full",
    step: steps,
    steps: 80,
    reward: 0.87,
    started: "2026-03-01T10:00:00Z",
    success_before: 0.031,
    success_after: 0.861,
    disk_bytes: 48_300_000,
  },
  {
    name: "quickstart-2",
    status: "finished",
    outcome: "finished",
    live: false,
    spec: "train.hcl",
    train: "quickstart",
    adapter: "local.grpo",
    stage: "full",
    step: 60,
    steps: 60,
    started: "2026-02-28T18:20:00Z",
    ended: "2026-02-28T18:24:31Z",
    success_before: 0.031,
    success_after: 0.934,
    disk_bytes: 51_200_000,
  },
  {
    name: "gaia-1",
    status: "failed",
    outcome: "failed",
    live: false,
    spec: "gaia.hcl",
    train: "gaia",
    adapter: "verl.grpo",
    stage: "warm",
    step: 4,
    steps: 100,
    started: "2026-02-27T08:00:00Z",
    ended: "2026-02-27T09:12:00Z",
    success_before: 0.212,
    success_after: 0.198,
    disk_bytes: 9.1e9,
    reason: "the environment failed 40 times in a row " + hostile.ansi,
  },
  {
    name: `bad ${hostile.script} ${hostile.bidi}`,
    status: "interrupted",
    live: false,
    spec: hostile.script,
    step: -1,
    started: "2026-02-26T08:00:00Z",
    disk_bytes: 12,
    problem: hostile.ansi,
  },
];

const names = [
  "train/reward",
  "validation/reward",
  "train/success_rate",
  "validation/success_rate",
  "train/loss",
  "train/kl",
  "train/entropy",
  "train/turns",
  "train/failed",
  "train/truncated",
  "train/masked",
  "train/rollout_seconds",
  "train/update_seconds",
  "train/weight_sync_seconds",
  "train/tokens_per_second",
  "train/row_tokens",
  "train/prompt_tokens",
  "train/logprob_gap",
  "train/zero_variance_groups",
  "train/grad_norm",
  "train/learning_rate",
  "train/response_tokens",
  "agent/tool_error_rate",
  "train/components/reward.math.answer/correct",
  "train/components/reward.math.answer/format",
  "gateway/rows",
  "gateway/rows_merged",
  "gpu/0/utilisation",
  "gpu/0/memory_bytes",
  "train/members/react.planner/turns",
  `evil/${hostile.script}`,
];

const found = [
  {
    id: "reward_divergence",
    severity: "error",
    stage: "full",
    first_step: 30,
    last_step: 42,
    summary: "the reward rose from 0.2 to 0.9 while success fell from 60 % to 10 %",
    causes: ["the reward pays for something that is easier than the task", hostile.script],
    remedy: "Read episodes with high rewards and without success, and change the reward",
    docs: "guides/when-it-does-not-learn#reward_divergence",
    numbers: { "train/reward": 0.9 },
    episodes: ["e-42-0-1", "e-42-0-2"],
    new: false,
  },
  {
    id: "tool_errors",
    subject: hostile.script,
    severity: "warning",
    stage: "warm",
    first_step: 12,
    last_step: 12,
    summary: `the tool ${hostile.script} answered 9 of 10 calls of step 12 with an error`,
    remedy: "Read the tool's answers " + hostile.ansi,
    docs: "guides/when-it-does-not-learn#tool_errors",
    numbers: {},
    new: true,
  },
  {
    id: "failures",
    subject: "ENVIRONMENT",
    severity: "warning",
    stage: "full",
    first_step: 42,
    last_step: 42,
    summary: "9 of 64 episodes of step 42 failed",
    remedy: "Read the failures",
    docs: "guides/when-it-does-not-learn#failures",
    numbers: {},
    new: true,
  },
];

export function detail(run) {
  return {
    ...run,
    metrics: run.step > 0 ? names : [],
    about: [
      { name: "train/loss", label: "loss", meaning: "of the policy; smaller is not better" },
      { name: "train/grad_norm", label: "grad norm", meaning: "before clipping" },
      { name: "train/success_rate", label: "success", unit: "fraction", meaning: "of the episodes" },
    ],
    episodes: run.step > 0 ? steps * 64 : 0,
    digest: "sha256:77aa00112233",
    warnings: run.name === "gaia-1" ? ["reward is 0 for all of the last 200 episodes"] : [],
    findings: run.name === "quickstart-3" ? found : [],
    not_checked: run.step > 0 ? [{ id: "policy_gap", title: "Sampler and trainer differ", any: ["a", "b"] }] : [],
    tools:
      run.step > 0
        ? [
            { name: "python", calls: 900, errors: 9 },
            { name: hostile.script, calls: 40, errors: 30 },
          ]
        : [],
    malformed: run.step > 0 ? 17 : 0,
    failures: { ENVIRONMENT: 40, TIMEOUT: 12, POLICY: 3 },
    outcomes: { SCORED: 3000, TRUNCATED: 120, FAILED: 55 },
    stages: [
      { name: "warm", first_step: 0, last_step: 15 },
      { name: "full", first_step: 16, last_step: 80 },
    ],
    checkpoints: [10, 20, 30, 40, 50, 60].map((step) => ({
      step,
      best: step === 50,
      path: `.awhost/runs/${run.train}-3/checkpoints/step-0000${step}`,
    })),
    marks: [
      { step: 0, time: "2026-03-01T10:00:00Z", kind: "start", text: "awhost apply train.hcl" },
      { step: 15, time: "2026-03-01T10:01:00Z", kind: "stage", text: "full" },
      { step: 33, time: "2026-03-01T10:02:00Z", kind: "kill", text: "the host was killed by signal 9" },
      { step: 33, time: "2026-03-01T10:02:30Z", kind: "take_up", text: "its trainer was taken up again" },
      {
        step: 41,
        time: "2026-03-01T10:03:10Z",
        kind: "plugin_restart",
        text: "environment.code.python: " + hostile.ansi,
      },
    ],
    plugins: [
      {
        address: "environment.code.python",
        name: "code-env",
        version: "0.1.0",
        pid: 4712,
        restarts: 1,
        cpu_seconds: 31.4,
        rss_bytes: 212e6,
        last_words: 'Traceback (most recent call last):\n  File "x.py", line 3\n' + hostile.ansi,
      },
      {
        address: "adapter.local.grpo",
        name: "local",
        version: "0.1.0",
        pid: 4713,
        restarts: 0,
        cpu_seconds: 219,
        rss_bytes: 9e8,
      },
      {
        address: "reward.math.answer",
        name: "math",
        version: "0.1.0",
        pid: 4714,
        restarts: 0,
        cpu_seconds: 0.8,
        rss_bytes: 31e6,
      },
    ],
  };
}

export function series(wanted, after = -1) {
  const out = {};
  for (const name of wanted.length > 0 ? wanted : names) {
    const held = name.startsWith("validation/");
    const points = [];
    for (let step = held ? 0 : 1; step <= steps; step += held ? 10 : 1) {
      if (step > after) points.push([step, value(name, step)]);
    }
    out[name] = points;
  }
  return out;
}

function value(name, step) {
  const noise = ((step * 7919 + name.length * 104729) % 97) / 97 - 0.5;
  if (name.includes("success") || name.endsWith("reward"))
    return Math.min(1, Math.max(0, curve(step, 0.95) + noise * 0.08));
  if (name.includes("entropy")) return 1.8 * Math.exp(-step / 40) + noise * 0.05;
  if (name.includes("loss")) return -0.05 + noise * 0.1;
  if (name.includes("kl")) return 0.002 * step + noise * 0.004;
  if (name.includes("tokens_per_second")) return 4200 + noise * 900;
  if (name.includes("seconds")) return 3 + noise;
  if (name.includes("tokens")) return 180 + step + noise * 20;
  if (name.includes("failed")) return step > 40 && step < 45 ? 9 : 0;
  if (name.includes("bytes")) return 3.1e10;
  return 3 + noise;
}

export const stepList = Array.from({ length: steps + 1 }, (_, step) => ({
  step,
  stage: step < 16 ? "warm" : "full",
  episodes: 64,
  reward: step === 0 ? null : value("train/reward", step),
  success: step === 0 ? null : value("train/success", step),
  failed: step === 42 ? 9 : 0,
  truncated: step % 13 === 0 ? 2 : 0,
  seconds: seconds(step),
}));

const answers = ["126", "The answer is 126.", "I do not know", "<answer>126</answer>", ""];

/** The episodes of a step: 8 groups of 8, and held-out ones at each tenth. */
export function episodesOf(step) {
  const list = [];
  for (let g = 0; g < 8; g++) {
    for (let sample = 0; sample < 8; sample++) list.push(episode(step, "train", g, sample));
  }
  if (step % 10 === 0) for (let g = 0; g < 12; g++) list.push(episode(step, "validation", g, 0));
  return list;
}

function episode(step, split, g, sample) {
  const n = step * 1000 + g * 10 + sample;
  const failed = n % 23 === 0;
  const good = ((n * 2654435761) % 100) / 100 < curve(step, 0.9) || g === 3;
  const evil = g === 1 && sample === 2;
  return {
    id: `${split === "train" ? "e" : "v"}-${step}-${g}-${sample}`,
    step,
    split,
    group: String(g),
    sample,
    task: evil ? `task ${hostile.bidi}` : `task-${(g * 31 + (split === "train" ? step : 0)) % 200}`,
    outcome: failed ? "FAILED" : n % 17 === 0 ? "TRUNCATED" : "SCORED",
    ...(failed ? { class: "ENVIRONMENT" } : {}),
    reward: failed ? null : good ? 1 : n % 3 === 0 ? 0.25 : 0,
    success: failed ? null : good,
    turns: 1 + (n % 6),
    tokens: 120 + (n % 700),
    seconds: 1.2 + (n % 50) / 10,
    attempt: 1 + (n % 29 === 0 ? 1 : 0),
    malformed: n % 37 === 0 ? 2 : undefined,
    answer: evil ? hostile.script + hostile.ansi : answers[n % answers.length],
  };
}

const longMessage = ("A line of a very long message, 1 MB of it. " + hostile.script + "\n")
  .repeat(8000)
  .slice(0, 1 << 20);

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const limits = {
  tokens: {
    name: "message_tokens",
    value: 60,
    words: "the last message reached message_tokens = 60",
    cut: true,
  },
  turns: {
    name: "max_turns",
    value: 4,
    of: "agent.react.solver",
    words: "the conversation reached max_turns = 4, of agent.react.solver",
  },
};

export function episodeDetail(id) {
  const [kind, step, g, sample] = id.split("-");
  const e = episode(Number(step), kind === "v" ? "validation" : "train", Number(g), Number(sample));
  const siblings = kind === "v" ? [] : episodesOf(Number(step)).filter((x) => x.group === g && x.split === "train");
  return {
    episode: e,
    ...(g === "2" ? swarm() : { messages: conversation(g === "1") }),
    attempts:
      e.outcome === "FAILED"
        ? [
            {
              attempt: 1,
              outcome: "FAILED",
              class: "INFRASTRUCTURE",
              detail: "the plugin died " + hostile.ansi,
              started: "2026-03-01T10:01:00Z",
              seconds: 1.2,
            },
            {
              attempt: 2,
              outcome: "FAILED",
              class: "ENVIRONMENT",
              detail: "Step: no such file",
              started: "2026-03-01T10:01:02Z",
              seconds: 0.4,
            },
          ]
        : [{ attempt: 1, outcome: e.outcome, started: "2026-03-01T10:01:00Z", seconds: e.seconds }],
    ...(e.outcome === "FAILED"
      ? { failure: { class: "ENVIRONMENT", detail: "Step: no such file " + hostile.script } }
      : {}),
    ...(e.outcome === "TRUNCATED" ? { limit: e.sample % 2 === 0 ? limits.tokens : limits.turns } : {}),
    reward: {
      total: e.reward,
      parts: {
        "reward.math.answer/correct": e.reward ?? 0,
        "reward.math.answer/format": 0.25,
        "reward.judge.tone": -0.1,
      },
      notes: { "reward.judge.tone": "It is rude. " + hostile.script },
      expression: "0.8 * reward.math.answer + 0.2 * reward.judge.tone",
      turn_rewards: [
        { call_id: "c0", reward: 0 },
        { call_id: "c1", reward: 0.5 },
      ],
    },
    use: e.outcome === "FAILED" ? undefined : "TRAINED",
    madness: [
      {
        agent: "react.solver",
        turn: 2,
        check: "nonsense",
        reason: "repeated_words",
        part: "content",
        near: hostile.bidi,
      },
    ],
    times: times(),
    state: { rooms: 3, note: hostile.script },
    siblings,
    tokens: Number(g) === 5 ? undefined : tokens(Number(g)),
    calls: g === "3" ? calls() : undefined,
    chains:
      g === "3"
        ? [
            { chain: "k0", train: true, digest: "sha256:1234", reward: 1 },
            { chain: "k1", train: false, digest: "sha256:5678" },
          ]
        : undefined,
    commands: [`awhost show quickstart-3 --episode ${id}`, `awhost debug quickstart-3 --episode ${id}`],
  };
}

function conversation(evil) {
  return [
    { role: "system", content: "You solve word problems. Use the tool python." },
    { role: "user", content: evil ? longMessage : "93 pens cost 66 cents more. How much is it?\n" + hostile.kept },
    {
      role: "assistant",
      reasoning: "I should add the two numbers. " + (evil ? hostile.script : ""),
      content: "Let me compute that.",
      tool_calls: [
        {
          id: "c1",
          name: "python",
          arguments: JSON.stringify({ code: "print(93 + 66)", why: evil ? hostile.script : "sum" }),
        },
        { id: "c2", name: evil ? hostile.script : "lookup", arguments: "{not json" },
      ],
    },
    { role: "tool", tool_call_id: "c1", name: "python", content: "159\n" + (evil ? hostile.ansi : "") },
    {
      role: "tool",
      tool_call_id: "c2",
      name: "lookup",
      content: "no such thing " + hostile.ansi,
      is_error: true,
      images: [{ mime_type: "image/png", data: png }],
    },
    {
      role: "assistant",
      content: evil
        ? [hostile.script, hostile.ansi, hostile.bidi, hostile.zalgo, hostile.controls].join("\n")
        : "The answer is 159.",
      malformed: [{ text: "<tool_call>{", reason: "the JSON ends too early" }],
      attachments: [
        { kind: "resource", mime_type: "text/plain", uri: "javascript:alert(1)", text: "a text beside it" },
      ],
    },
  ];
}

function swarm() {
  return {
    transcripts: [
      { agent: "react.planner", depth: 0, messages: conversation(false).slice(0, 3) },
      {
        agent: "react.searcher",
        depth: 1,
        messages: [
          { role: "user", content: "Find the price of a pen." },
          { role: "assistant", content: "It is 66 cents." },
        ],
      },
      {
        agent: "react.checker",
        depth: 2,
        messages: [
          { role: "user", content: "Is 66 right?" },
          { role: "assistant", content: "Yes." },
        ],
      },
      { agent: "react.searcher", depth: 1, messages: [{ role: "assistant", content: "It is right." }] },
      { agent: "react.planner", depth: 0, messages: [{ role: "assistant", content: "The answer is 159." }] },
    ],
    members: [
      { agent: "react.planner", turns: 2, prompt_tokens: 812, output_tokens: 96, model_ms: 812.5 },
      {
        agent: "react.searcher",
        turns: 2,
        prompt_tokens: 401,
        output_tokens: 40,
        model_ms: 310,
        model: "model.openai.big",
        cost_usd: 0.0021,
      },
      { agent: "react.checker", turns: 1, prompt_tokens: 120, output_tokens: 4, model_ms: 80 },
    ],
  };
}

function calls() {
  const list = [];
  for (let i = 0; i < 12; i++) {
    list.push({
      call_id: `c${i}`,
      parent: i === 0 || i === 9 ? undefined : i === 6 ? "c2" : `c${i - 1}`,
      chain: i < 6 ? "k0" : "k1",
      agent: i > 8 ? "python.mine/sub_agent" : "python.mine",
      train: i !== 9 && i !== 10,
      auxiliary: i === 10,
      finish: i === 5 ? "LENGTH" : "STOP",
      prompt_tokens: 100 + 40 * i,
      output_tokens: 20 + i,
      text: i === 4 ? hostile.script : "I look at the file, and then I write the patch.",
    });
  }
  return list;
}

function times() {
  const list = [{ part: "queue", start_ms: 0, ms: 140, label: "slot" }];
  let at = 140;
  for (let i = 0; i < 6; i++) {
    list.push({ part: "model", start_ms: at, ms: 320 + 20 * i, label: "message", turn: i + 1 });
    at += 320 + 20 * i;
    const label = i === 3 ? hostile.script : "python";
    list.push({ part: "tool", start_ms: at, ms: 30 * (i + 1), label, turn: i + 1 });
    at += 30 * (i + 1);
  }
  list.push(
    { part: "reward", start_ms: at, ms: 64, label: "reward.math.answer" },
    { part: "host", start_ms: at + 64, ms: 3, label: "record" },
  );
  return list;
}

function tokens(g) {
  const n = g === 4 ? 30_000 : 640;
  const words = [
    " the",
    " answer",
    " is",
    " 159",
    ".",
    "\n",
    " ",
    "<|im_start|>",
    "pen",
    "s",
    hostile.script,
    "\u202e",
    "\u001b[31m",
  ];
  const column = (f) => Array.from({ length: n }, (_, i) => f(i));
  const trained = (i) => i > 90 && i % 120 > 40;
  const row = {
    chain: "k0",
    prompt_length: 90,
    ids: column((i) => 1000 + (i % 900)),
    text: column((i) => words[(i * 31 + (i >> 3)) % words.length]),
    loss_mask: column(trained),
    turn_ids: column((i) => (trained(i) ? Math.floor(i / 120) : -1)),
    logprobs: column((i) => (trained(i) ? -((i * 37) % 100) / 40 : null)),
    trainer_logprobs:
      g === 6 ? undefined : column((i) => (trained(i) ? -((i * 37) % 100) / 40 + (((i * 13) % 11) - 5) / 900 : null)),
    advantages: g === 6 ? undefined : column((i) => (trained(i) ? (g % 2 ? 0.8 : -0.6) * (1 - i / n) : null)),
    total: g === 4 ? 41_000 : undefined,
  };
  return { rows: g === 0 ? [row, { ...row, chain: "k1" }] : [row] };
}

export function validations() {
  const at = [0, 10, 20, 30, 40, 50, 60];
  return {
    steps: at,
    total: 12,
    next: "12",
    tasks: Array.from({ length: 12 }, (_, g) => ({
      task: g === 2 ? hostile.bidi : `held-${g}`,
      episodes: at.map((step) => {
        const e = episode(step, "validation", g, 0);
        return {
          step,
          id: e.id,
          reward: e.reward,
          success: e.success,
          answer: g === 2 ? hostile.script : `After some thought I say ${e.answer} because it fits.`,
        };
      }),
    })),
  };
}

export const tasks = Array.from({ length: 240 }, (_, i) => ({
  task: i === 3 ? hostile.bidi + hostile.script : `task-${String(i).padStart(3, "0")}`,
  tries: 8,
  judged: i === 4 ? 0 : 8,
  solved: i % 9,
  success: i === 4 ? null : (i % 9) / 8,
  reward: i === 4 ? null : (i % 9) / 8,
  seconds: 1 + (i % 7),
  same_wrong: i % 5,
  answers: i === 3 ? [hostile.script, hostile.ansi] : ["126", "The answer is " + "very ".repeat(40) + "long.", "7"],
}));

export function comparison(a, b) {
  const run = (name) => ({ type: "run", run: name });
  return {
    type: "comparison",
    a: run(a),
    b: run(b),
    metrics: [],
    variables: [{ path: "var.steps", a: 60, b: 80 }],
    spec: [
      { path: "adapter.local.grpo.learning_rate", a: 1e-4, b: 3e-4 },
      { path: `reward.x.${hostile.script}`, b: hostile.ansi },
    ],
    data: [],
    plugins: [{ path: "environment.code.python", a: "sha256:aa", b: "sha256:bb" }],
    machine: [],
    unrecorded: ["machine"],
    same_digest: false,
  };
}

export const waits = {
  type: "stuck",
  run: "quickstart-3",
  status: "running",
  live: true,
  stage: "full",
  phase: "rollout",
  phase_done: 64,
  phase_total: 256,
  phase_seconds: 4,
  step: 60,
  waits: [
    {
      who: "episodes",
      for: "environment",
      address: "environment.code.python",
      call: "Step",
      episodes: 7,
      seconds: 12.4,
      episode: "e-60-2-1",
      task: "task-2",
    },
    { who: "trainer", for: "episodes", seconds: 12.9 },
  ],
};

export { pick };

export const settings = [
  { path: "train.steps", value: 60 },
  { path: "train.limits.message_tokens", value: 60 },
  { path: "environment.calculator.desk.note", value: hostile.script },
];
