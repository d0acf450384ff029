// Package awhost embeds sources of its module: the SDK, for plugins started where no version of this module can be
// downloaded; specs with which to start runs; and the sources that determine a run's results, by which two builds
// are distinguished.
package awhost

import "embed"

// SDK contains the part of this module that Go plugins need: go.mod and the packages below sdk, including tests.
//
//go:embed go.mod sdk/*.go sdk/answertext sdk/client sdk/conformance sdk/internal sdk/metric sdk/placeholder sdk/ownerfile sdk/process sdk/proto sdk/pytext sdk/schema sdk/sdktest sdk/toolargs sdk/traceparent sdk/chat
var SDK embed.FS

// Examples holds the specs that `awhost new spec` writes, without the quick start's data, which the program generates.
//
//go:embed train.hcl
//go:embed examples/math-agent/*.hcl examples/math-agent/agents.py examples/math-agent/data/*.jsonl
//go:embed examples/python-reward/*.hcl examples/python-reward/*.py examples/mcp/*.hcl examples/mcp/*.py
//go:embed examples/python-tools/*.hcl examples/python-tools/desk/*.py examples/python-tools/desk/*.toml
//go:embed examples/harness/*.hcl examples/harness/*.py examples/harness/*.jsonl examples/harness/workspace
//go:embed examples/envtuning/tiny.hcl examples/envtuning/demos.jsonl
var Examples embed.FS

// Deciding lists the sources that determine a run's results: the bundled plugins, the SDK, and the host packages that
// choose, drive, score, and count episodes. host/build hashes them, and internal/architecture ensures that no package
// used by a run is omitted.
//
//go:embed all:plugins all:sdk
//go:embed all:host/agent all:host/hostserver all:host/participants all:host/dataset all:host/gateway all:host/plan
//go:embed all:host/plugin all:host/madness all:host/lockfile all:host/internal/wholefile all:host/internal/jsonscan
//go:embed all:host/internal/hclsource all:host/rollout all:host/run
//go:embed all:host/runstore all:host/spec
var Deciding embed.FS
