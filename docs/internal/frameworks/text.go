package frameworks

const intro = `# Frameworks

Test results of each version of each training framework, generated from tests that train with the real framework on
machines without a GPU: [verl](../guides/verl.md), [AReaL](../guides/areal.md),
[TRL](../../plugins/trl/README.md), [ms-swift](../../plugins/swift/README.md), and awhost's own
trainer, local ([versions](doctor.md#supported-versions)). Other frameworks need a
[plugin](../guides/writing-an-adapter.md). [Missing results](#missing-results) explains each –.

| column | meaning |
|---|---|
| tier | *first class*: tested; failures are bugs of awhost. *Best effort*: expected to work, with a warning. *Refused*: does not start. *Embedded*: part of awhost |
| plan | a spec is planned against the installed version, which has all of its keys |
| two steps | the real trainer samples, updates, passes the weights to the sampler, saves, and ends without leftover processes |
| learns | held-out success before and after training a model of 116,544 weights (local: its own) on the quick start's tasks, 16 × 8 episodes a step |
| masters | the same with 32 × 8 episodes a step; at least 85 % afterwards |
| largest gap | largest difference between sampler and trainer over all steps and tokens: of probabilities for verl, of log-probabilities for AReaL. A misplaced token or mask raises it, even if the reward rises. The tests require less than 1e-4 |
| faults survived | the run continues to its end and trains each step once |
| smoke run | [` + "`apply --smoke`" + `](../guides/smoke.md) passes |

`

const curvesIntro = `## The same spec, side by side

Percentage of successful training episodes at every second step, in the runs of the column *learns*. Data, environment,
agent, rewards, batch, seed, and optimizer are equal. TRL and ms-swift start with the weights of the reference data's
tiny model, local with its own after 400 steps of imitation. The losses differ in details (dapo in TRL and ms-swift).
`

const notShownIntro = `## Missing results
`

const outro = `
## What to test on GPUs

No adapter has trained a real model on a GPU: gap, tokens per second, and memory were not measured there. On a CPU, a
sampler of awhost replaces the engine, one worker replaces many, and gloo replaces NCCL. Only TRL has trained the tiny
model on an H100; its README has the numbers.

These could differ: log-probabilities, tool-call parsers, aborts, and sleep and wake of vLLM and SGLang; weight transfer
over NCCL, tensor and sequence parallelism, Megatron; Ray, Slurm, the bridge, and shared file systems on several
machines; memory and speed; chat templates and long contexts of real models.

The specs for GPUs, [examples/verl-bfcl](../../examples/verl-bfcl/README.md) and
[examples/areal-math](../../examples/areal-math/README.md), are planned against real installations, not trained.

## Measure it yourself

` + "```sh" + `
export AWHOST_TESTDATA=…                                   # the reference data: the tiny model is in it
venv=$(.ci/frameworks/env verl-0.9.1)                      # makes an environment, once
AWHOST_SLOW=1 AWHOST_RESULTS=/tmp/results.jsonl AWHOST_VERL_PYTHON=$venv/bin/python go test -timeout 90m ./examples/...
AWHOST_RESULTS=/tmp/results.jsonl go test ./docs/internal/frameworks -update
` + "```" + `

The last command copies the results to [results.json](../internal/frameworks/results.json) and regenerates this page.
`
