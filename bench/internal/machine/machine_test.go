package machine

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDescendants_FollowParents(t *testing.T) {
	all := []Process{{PID: 30, Parent: 20}, {PID: 1}, {PID: 20, Parent: 10}, {PID: 10, Parent: 1}, {PID: 40, Parent: 1}}
	var pids []int
	for _, p := range descendants(10, all) {
		pids = append(pids, p.PID)
	}
	if diff := cmp.Diff([]int{10, 20, 30}, pids); diff != "" {
		t.Error(diff)
	}
}

func TestProcesses_HasThisOne(t *testing.T) {
	for _, p := range Processes() {
		if p.PID == os.Getpid() {
			if p.Parent != os.Getppid() || p.RSS < 1<<20 {
				t.Errorf("got parent %d and %d bytes, want parent %d and at least 1 MiB", p.Parent, p.RSS, os.Getppid())
			}
			return
		}
	}
	t.Error("this process is not listed")
}
