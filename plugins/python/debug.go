package pythonplugin

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"github.com/awhost/awhost/plugins/python/internal/interpreter"
	"github.com/awhost/awhost/sdk"
)

// debugTimeout is the time limit of a debugging session.
const debugTimeout = 365 * 24 * time.Hour

// limit extends a deadline while the user's code is debugged.
func limit(d time.Duration) time.Duration {
	if sdk.Debugged() {
		return debugTimeout
	}
	return d
}

// processes returns the number of concurrent processes. There is only one during debugging, because the debugger
// listens in that process.
func processes(wanted int) int {
	if sdk.Debugged() {
		return 1
	}
	return max(1, wanted)
}

// debug starts the debugger, if debugging is requested, in a process that has not loaded anything yet.
func debug(ctx context.Context, p *interpreter.Interpreter) error {
	debugger := os.Getenv(sdk.EnvDebug)
	if debugger != "debugpy" && debugger != "pdb" {
		return nil
	}
	body, err := json.Marshal(struct {
		Debugger string `json:"debugger"`
		Listen   string `json:"listen"`
		Wait     bool   `json:"wait"`
	}{debugger, os.Getenv(sdk.EnvDebugListen), os.Getenv(sdk.EnvDebugWait) == "1"})
	if err == nil {
		_, err = p.Call(ctx, "debug", body[1:len(body)-1])
	}
	return err
}
