package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/internal/processes"
	"github.com/awhost/awhost/sdk/process"
)

// runProcess is a process of a run.
type runProcess struct {
	pid  int
	role string // "host", "guard", or the kind of its block: "adapter", "environment", "reward"
}

// processes returns the run's processes, regardless of their parents.
func (r *tortured) processes(h *host) []runProcess {
	var out []runProcess
	for _, p := range processes.List() {
		environ, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.PID), "environ"))
		if err != nil {
			continue // ended, or owned by another user
		}
		variables := strings.Split(string(environ), "\x00")
		if !slices.Contains(variables, "TMPDIR="+r.temp()) {
			continue
		}
		out = append(out, runProcess{pid: p.PID, role: roleOf(p.PID, variables, h)})
	}
	return out
}

func roleOf(pid int, variables []string, h *host) string {
	if h != nil && pid == h.cmd.Process.Pid {
		return "host"
	}
	for _, v := range variables {
		if instance, ok := strings.CutPrefix(v, process.EnvInstance+"="); ok {
			kind, _, _ := strings.Cut(instance, ".")
			return kind
		}
	}
	return "guard"
}

// victim picks a role and one of its processes.
func (r *tortured) victim(h *host) (runProcess, bool) {
	byRole := map[string][]runProcess{}
	for _, p := range r.processes(h) {
		byRole[p.role] = append(byRole[p.role], p)
	}
	roles := []string{"host", "adapter", "environment", "reward", "guard"}
	role := roles[r.random.IntN(len(roles))]
	pick := r.random.Uint32()
	if len(byRole[role]) == 0 {
		return runProcess{}, false // not started yet, or just ended
	}
	return byRole[role][int(pick)%len(byRole[role])], true
}

// nothingLeft returns an error if any of the run's processes, sockets or temporary files remains after a while.
func (r *tortured) nothingLeft() error {
	var left []string
	for end := time.Now().Add(clearing); ; {
		left = nil
		for _, p := range r.processes(nil) {
			left = append(left, fmt.Sprintf("process %d (%s)", p.pid, p.role))
		}
		entries, err := os.ReadDir(r.temp())
		if err != nil {
			return err
		}
		for _, e := range entries {
			left = append(left, filepath.Join(r.temp(), e.Name()))
		}
		if len(left) == 0 {
			return os.Remove(r.temp())
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s after the run ended, these remain: %s", clearing, strings.Join(left, ", "))
		}
		time.Sleep(20 * time.Millisecond)
	}
}
