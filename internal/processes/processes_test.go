package processes

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestBelow_FollowsParents(t *testing.T) {
	all := []Process{{PID: 30, Parent: 20}, {PID: 1}, {PID: 20, Parent: 10}, {PID: 10, Parent: 1}, {PID: 40, Parent: 1}}
	var pids []int
	for _, p := range Below(10, all) {
		pids = append(pids, p.PID)
	}
	if diff := cmp.Diff([]int{10, 20, 30}, pids); diff != "" {
		t.Error(diff)
	}
}

func TestList_HasThisOne(t *testing.T) {
	for _, p := range List() {
		if p.PID == os.Getpid() {
			if p.Parent != os.Getppid() || p.RSS < 1<<20 || p.Started.After(time.Now()) ||
				p.Started.Before(time.Now().Add(-24*time.Hour)) {
				t.Errorf("got parent %d, %d bytes and a start at %s; want parent %d, at least 1 MiB, and a start today",
					p.Parent, p.RSS, p.Started, os.Getppid())
			}
			return
		}
	}
	t.Error("this process is not listed")
}

func TestCommand_ReturnsTheArguments(t *testing.T) {
	if diff := cmp.Diff(os.Args, Command(os.Getpid())); diff != "" {
		t.Error(diff)
	}
}
