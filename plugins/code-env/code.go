// Package codeenv is the plugin "code": an environment with one tool, which runs code in Python.
//
//	environment "code" "python" {
//	  imports = ["numpy"]
//	}
//
// An episode has an interpreter of its own in a sandbox, with a folder of its own. Where the kernel makes sandboxes of
// namespaces, it is a copy of a process that has imported everything, and its sandbox is reset for the next episode
// (sandbox.Box.Reset). How it is done, one file each:
//
//	config.go       what a block may say, and whether it will work here
//	environment.go  episodes: open, step, snapshot, close
//	session.go      one episode: its calls, and what the model is told
//	server.go       a process of Python in its sandbox, which serves one episode after the other
//	interpreter.go  the Python of one episode: asked, ended
//	worker.py       what runs in both
//	pool.go         servers that no episode waits for
//	files.go        files in and out
//
// The package knows nothing of the host, of trainers or of tokens.
package codeenv

import (
	"context"

	"github.com/awhost/awhost/sdk"
)

// The numbers that an episode ends with.
const (
	metricCalls  = "calls"        // calls of the tool
	metricFailed = "calls_failed" // those whose code ended with an error
	metricLate   = "calls_late"   // those that ran out of time
	metricEnded  = "calls_ended"  // those that cost the interpreter: a limit, a crash
)

// Plugin describes the plugin.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "code",
		Version: "0.1.0",
		Environments: []sdk.EnvironmentComponent{
			{
				Component: sdk.Component{
					Type: "code", Description: "A tool that runs code in Python, in a sandbox.", Schema: configSchema(),
					Metrics: []string{metricCalls, metricFailed, metricLate, metricEnded}, Validate: validate, Probe: probe,
				},
				Capabilities: sdk.EnvironmentCapabilities{GroupSafe: true, Snapshot: true},
				New: func(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
					return newEnvironment(ctx, setup)
				},
			},
		},
	}
}
