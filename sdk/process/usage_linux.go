package process

import (
	"fmt"
	"os"
	"slices"
	"time"
)

// UsageOf looks at the processes of a run that carry the name of an instance, and at what descends from them.
func UsageOf(run, instance string) (Usage, error) {
	t, err := readTable()
	if err != nil {
		return Usage{}, fmt.Errorf("look at what %s uses: %w", instance, err)
	}
	var out Usage
	for _, f := range t.choose(selection{
		marked: func(t tag) bool { return t.run == run && t.instance == instance }, except: t.lineage(os.Getpid()),
	}) {
		out.add(f)
	}
	return out, nil
}

func (u *Usage) add(f *found) {
	u.Processes++
	u.ResidentBytes += f.resident * int64(os.Getpagesize())
	u.Processor += time.Duration(f.used) * (time.Second / ticksPerSecond)
}

// UsageOfHosts looks at processes that are hosts of runs, each with its plugins: what descends from it, and what
// carries its mark, as a trainer in a session of its own does. A host that has ended is not in what is returned.
func UsageOfHosts(pids []int) (map[int]Usage, error) {
	t, err := readTable()
	if err != nil {
		return nil, fmt.Errorf("look at what hosts use: %w", err)
	}
	out := map[int]Usage{}
	for _, f := range t {
		host, ok := t.hostOf(f, pids)
		if host, lives := t[host]; ok && lives && !host.dead() && !f.dead() {
			u := out[host.pid]
			u.add(f)
			out[host.pid] = u
		}
	}
	return out, nil
}

// hostOf is which of the processes pids something belongs to.
func (t table) hostOf(f *found, pids []int) (host int, ok bool) {
	line := t.lineage(f.pid)
	for _, pid := range pids {
		if line[pid] {
			return pid, true
		}
	}
	tag := t.tagOf(f)
	return tag.mark.host.PID, tag.marked && slices.Contains(pids, tag.mark.host.PID)
}
