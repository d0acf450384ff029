// Package awhost embeds sources of its module: the SDK, for plugins started where no version of this module can be
// downloaded; specs with which to start runs; and the sources that determine a run's results, by which two builds
// are distinguished (deciding.go).
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
