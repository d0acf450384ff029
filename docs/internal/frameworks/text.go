package frameworks

const intro = `# Frameworks

The test results of each version of each training framework. This page is generated from the results of tests that
train with the real
framework, on machines without a GPU: [verl](../guides/verl.md), [AReaL](../guides/areal.md),
[TRL](../../examples/plugins/trl/README.md), [ms-swift](../../examples/plugins/swift/README.md), and awhost's own
trainer, local.

| | |
|---|---|
| tier | *first class*: tested; failures are bugs of awhost. *Best effort*: expected to work, with a warning. *Refused*: does not start. *An example's*: its plugin is an example, not bundled. *Embedded*: awhost's own |
| plan | a spec is planned against the installed version, and every key is one that it has |
| two steps | its real trainer samples, updates, hands the weights to the sampler, saves and ends, with nothing left running |
| learns | success on held-out tasks before and after, of a model of 116,544 weights (local's has its own) on the quick start's tasks, 16 × 8 episodes a step |
| masters | the same of a long run, 32 × 8 episodes a step: at least 85 % after it |
| largest gap | between sampler and trainer, over all steps and tokens: verl's of probabilities, AReaL's of their logarithms. A token or a mask in a wrong place shows here, where the reward may rise nevertheless; the tests demand less than 1e-4 |
| faults survived | the run continues to its end and trains each step once |
| smoke run | [` + "`apply --smoke`" + `](../guides/smoke.md) passes |

Frameworks other than verl and AReaL need a plugin that is not bundled ([doctor](doctor.md#supported-versions)). The
plugins for TRL and ms-swift are [examples](../../examples/plugins); [Writing an
adapter](../guides/writing-an-adapter.md) describes how to write another.

`

const curvesIntro = `## The same spec, side by side

Percent of the training episodes that succeed, step by step, in the runs of the column *learns*: data, environment,
agent, rewards, batch (16 × 8), seed and optimiser are
the same, and only the adapter differs. TRL and ms-swift begin with the weights of the reference data's tiny model,
and local with its own after 400 steps of imitation. The losses differ in
details (dapo in TRL and ms-swift) and so does arithmetic: the curves are alike, not equal.
`

const notShownIntro = `## Missing results and their reasons
`

const outro = `
## What to test on GPUs

None of this was run yet. On a CPU, a sampler of awhost replaces the engine, one worker replaces many, and gloo
replaces NCCL.
TRL has trained the tiny model on one H100, a killed and resumed run among its runs; its README has the numbers.

| | what could differ |
|---|---|
| vLLM, SGLang | log-probabilities of their kernels, tool-call parsers, aborts, sleep and wake between sampling and training |
| NCCL, several GPUs | weights on their way to the engines, tensor and sequence parallelism, Megatron |
| several machines | Ray and Slurm with GPUs, the bridge and shared file systems over a real network |
| memory | what fits, and whether the engine gets its memory back |
| speed | episodes and tokens per second, how busy the GPUs are |
| real models | chat templates and tool calls of models that speak, long contexts |

The specs for GPUs, [examples/verl-bfcl](../../examples/verl-bfcl/README.md) and
[examples/areal-math](../../examples/areal-math/README.md), are planned
against real installations, so that their keys are right; they have not been trained.

## Measure it yourself

` + "```sh" + `
export AWHOST_TESTDATA=…                                   # the reference data: the tiny model is in it
venv=$(.ci/frameworks/env verl-0.9.1)                      # makes an environment, once
AWHOST_SLOW=1 AWHOST_RESULTS=/tmp/results.jsonl AWHOST_VERL_PYTHON=$venv/bin/python go test -timeout 90m ./examples/...
AWHOST_RESULTS=/tmp/results.jsonl go test ./docs/internal/frameworks -update
` + "```" + `

Each test adds a line with its results; the last command copies the lines to
[results.json](../internal/frameworks/results.json) and regenerates this page.
`
