// Package codeenv is the plugin "code": an environment with a single tool, which runs Python code.
//
//	environment "code" "python" {
//	  imports = ["numpy"]
//	}
//
// Each episode has a separate interpreter in a sandbox, with a separate folder. If the kernel supports namespace
// sandboxes, the interpreter is a copy of a process that has imported everything, and its sandbox is reset for the next
// episode (sandbox.Box.Reset). One file for each part:
//
//	config.go       the attributes of a block, and checks of its requirements
//	environment.go  episodes: open, step, snapshot, close
//	session.go      one episode: its calls, and their results for the model
//	server.go       a Python process in its sandbox, which serves one episode after the other
//	interpreter.go  the Python of one episode: requests, end
//	worker.py       the Python code of both
//	pool.go         idle servers
//	files.go        files in and out
//
// The package does not depend on the host, trainers or tokens.
package codeenv

import (
	"context"

	"github.com/awhost/awhost/sdk"
)

// The metrics at the end of an episode.
const (
	metricCalls  = "calls"        // calls of the tool
	metricFailed = "calls_failed" // calls whose code ended with an error
	metricLate   = "calls_late"   // calls that exceeded the time limit
	metricEnded  = "calls_ended"  // calls that ended the interpreter: a limit, a crash
)

// Plugin describes the plugin.
func Plugin() sdk.Plugin {
	return sdk.Plugin{
		Name:    "code",
		Version: "0.1.0",
		Environments: []sdk.EnvironmentComponent{
			{
				Component: sdk.Component{
					Type: "code", Description: "A tool that runs Python code in a sandbox.", Schema: configSchema(),
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
