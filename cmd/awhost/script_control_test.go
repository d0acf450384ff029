//go:build linux

package main

import (
	"encoding/json"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// signalHost sends a signal to the process that owns a run in the script's current directory.
func signalHost(ts *testscript.TestScript, neg bool, args []string) {
	known := map[string]syscall.Signal{"STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT, "KILL": syscall.SIGKILL}
	want(ts, !neg && len(args) == 2 && known[args[1]] != 0, "signalhost RUN STOP|CONT|KILL")
	var owner struct{ PID int }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(".awhost/runs/"+args[0]+"/owner.json")), &owner))
	ts.Check(syscall.Kill(owner.PID, known[args[1]]))
}
