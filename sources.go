// Package awhost carries sources of its module: the SDK, for plugins that are begun where no version of this module
// can be downloaded, an example that runs are begun with, and what decides the results of a run, by which two builds
// are told apart.
package awhost

import (
	"embed"
	"io/fs"
)

// SDK is this module as far as plugins in Go need it: go.mod and the packages below sdk, tests included.
//
//go:embed go.mod sdk/*.go sdk/answertext sdk/client sdk/conformance sdk/internal sdk/metric sdk/placeholder sdk/ownerfile sdk/process sdk/proto sdk/pytext sdk/schema sdk/sdktest sdk/toolargs sdk/traceparent sdk/chat
var SDK embed.FS

// example holds what Example shows.
//
//go:embed examples/math-agent/laptop.hcl examples/math-agent/agents.py examples/math-agent/data/*.jsonl
var example embed.FS

// Example is the training run that `awhost new spec` writes: laptop.hcl and what it names.
func Example() fs.FS {
	below, err := fs.Sub(example, "examples/math-agent")
	if err != nil {
		panic(err) // the path is no path
	}
	return below
}

// Deciding are the sources that decide what a run comes to: the bundled plugins, the SDK, and the packages of the
// host that choose, drive, score and count episodes. host/build hashes them; internal/architecture sees that no
// package of a run is forgotten.
//
//go:embed all:plugins all:sdk
//go:embed all:host/agent all:host/hostserver all:host/participants all:host/dataset all:host/gateway all:host/plan
//go:embed all:host/plugin all:host/madness all:host/lockfile all:host/internal/wholefile all:host/internal/jsonscan
//go:embed all:host/internal/hclsource all:host/rollout all:host/run
//go:embed all:host/runstore all:host/spec
var Deciding embed.FS
