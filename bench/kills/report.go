package main

import (
	"fmt"
	"slices"
	"time"
)

// target is the maximum recovery time; see docs/explain/performance.md.
const target = 10 * time.Second

// report prints the recoveries by role.
func (b *bench) report() {
	byRole := map[string][]time.Duration{}
	counts := map[string]int{}
	for _, k := range b.done {
		counts[k.role]++
		if k.recovery > 0 {
			byRole[k.role] = append(byRole[k.role], k.recovery)
			byRole["all"] = append(byRole["all"], k.recovery)
		}
	}
	counts["all"] = len(b.done)
	fmt.Printf("\n%d kills: every digest equal, every slot counted once, nothing left behind; %d starts found the run still held, %d runs\nwere resumed because a plugin was killed before it had started\n\n", len(b.done), b.refused, b.stopped)
	fmt.Println("from the kill to the next progress, where no other kill came first (target: at most 10 s)")
	fmt.Printf("%-12s %6s %6s %9s %9s\n", "killed", "kills", "timed", "median", "longest")
	for _, role := range []string{"host", "adapter", "environment", "reward", "guard", "all"} {
		times := byRole[role]
		if len(times) == 0 {
			fmt.Printf("%-12s %6d %6d\n", role, counts[role], 0)
			continue
		}
		slices.Sort(times)
		longest := times[len(times)-1]
		fmt.Printf("%-12s %6d %6d %7.2f s %7.2f s%s\n", role, counts[role], len(times), times[len(times)/2].Seconds(),
			longest.Seconds(), beyond(longest))
	}
}

func beyond(longest time.Duration) string {
	if longest > target {
		return "  beyond the target"
	}
	return ""
}
