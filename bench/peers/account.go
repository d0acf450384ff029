package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/internal/processes"
)

// account measures all processes of a system. They are the descendants of this program, which adopts the orphans.
//
// The CPU time of a process that has ended is in the record of the process that waited for it: an ancestor that is
// running, or this program. So the sum over the descendants and what they and this program waited for is complete, and
// counts every second once. A child whose parent ignores SIGCHLD is the exception: its time is lost.
type account struct {
	before float64 // CPU seconds that this program had waited for when the account was opened
	peaks  peaks
}

// peaks are the largest sums over all processes at one moment.
type peaks struct {
	RSS       int64 `json:"rss_bytes"`
	PSS       int64 `json:"pss_bytes"` // shared memory counts once
	Processes int   `json:"processes"`
}

// snapshot is the CPU time that a system has used so far.
type snapshot struct {
	at    time.Time
	turns int
	cpu   float64         // seconds
	live  map[int]process // by ID
}

type process struct {
	name string
	cpu  float64 // seconds, including the children that it waited for
}

func openAccount() *account {
	own, _ := descendants()
	return &account{before: own.Waited}
}

// descendants returns this program and the processes below it. It reads the list until two readings agree: a process
// that ends during a reading would count twice or not at all.
func descendants() (own processes.Process, below []processes.Process) {
	var before []int
	for range 5 {
		tree := processes.Tree(os.Getpid())
		var ids []int
		for _, p := range tree {
			ids = append(ids, p.PID)
		}
		own, below = tree[0], tree[1:]
		if slices.Equal(before, ids) {
			break
		}
		before = ids
	}
	return own, below
}

// take returns the CPU time so far.
func (a *account) take(turns int) snapshot {
	own, below := descendants()
	s := snapshot{at: time.Now(), turns: turns, cpu: own.Waited - a.before, live: map[int]process{}}
	for _, p := range below {
		s.cpu += p.CPU + p.Waited
		s.live[p.PID] = process{commandName(processes.Command(p.PID)), p.CPU + p.Waited}
	}
	return s
}

// watchMemory updates the peaks and waits for the orphans that have ended. root is waited for elsewhere. Reading the
// proportional memory takes long, so it is optional.
func (a *account) watchMemory(root int, proportional bool) {
	var now peaks
	tree := processes.Tree(os.Getpid())
	for _, p := range tree[1:] {
		if p.RSS == 0 { // it has ended
			if p.Parent == tree[0].PID && p.PID != root {
				reap(p.PID)
			}
			continue
		}
		now.Processes++
		now.RSS += p.RSS
		if proportional {
			now.PSS += processes.Proportional(p.PID)
		}
	}
	a.peaks = peaks{max(a.peaks.RSS, now.RSS), max(a.peaks.PSS, now.PSS), max(a.peaks.Processes, now.Processes)}
}

// endAll ends all processes below this program by ID: with SIGTERM, and with SIGKILL after the given time. root is
// waited for elsewhere.
func (a *account) endAll(root int, patience time.Duration) error {
	asked := map[int]bool{}
	killAt := time.Now().Add(patience)
	for giveUp := killAt.Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		tree := processes.Tree(os.Getpid())
		if len(tree) == 1 {
			return nil
		}
		if time.Now().After(giveUp) {
			return fmt.Errorf("%d processes are still running, such as %d", len(tree)-1, tree[1].PID)
		}
		for _, p := range tree[1:] {
			if p.RSS == 0 {
				if p.Parent == tree[0].PID && p.PID != root {
					reap(p.PID)
				}
				continue
			}
			if kill := time.Now().After(killAt); kill || !asked[p.PID] {
				signal(p.PID, kill)
				asked[p.PID] = true
			}
		}
	}
}

// kill kills the processes whose command line contains a text, and returns their number.
func (a *account) kill(text string) (killed int) {
	_, below := descendants()
	for _, p := range below {
		if strings.Contains(strings.Join(processes.Command(p.PID), " "), text) {
			signal(p.PID, true)
			killed++
		}
	}
	return killed
}

// commandName shortens a command line to the names of its first files and options, and of its virtual environment.
func commandName(args []string) string {
	const most = 4
	var short []string
	if environment, _, ok := strings.Cut(strings.Join(args, " "), "/.venv/bin/python"); ok {
		short = append(short, filepath.Base(environment))
	}
	for _, arg := range args[:min(len(args), most)] {
		if words := strings.Fields(arg); len(words) > 0 { // the argument may be a whole program
			short = append(short, filepath.Base(words[0]))
		}
	}
	name := []rune(strings.Join(short, " "))
	return string(name[:min(len(name), 40)])
}

// share is the part of one or more processes of the same name in a system's CPU time.
type share struct {
	Name   string  `json:"name"`
	Number int     `json:"number"`
	CPU    float64 `json:"cpu_seconds"`
}

// split returns the processes that used at least a twentieth of the CPU time between two snapshots, largest first.
func split(from, to snapshot) []share {
	shares := map[string]share{}
	for pid, p := range to.live {
		s := shares[p.name]
		shares[p.name] = share{p.name, s.Number + 1, s.CPU + p.cpu - from.live[pid].cpu}
	}
	var out []share
	for _, s := range slices.SortedFunc(maps.Values(shares), func(a, b share) int { return cmp.Compare(b.CPU, a.CPU) }) {
		if s.CPU*20 >= to.cpu-from.cpu && s.CPU > 0 {
			out = append(out, s)
		}
	}
	return out
}
