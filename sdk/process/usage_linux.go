package process

import (
	"fmt"
	"os"
)

// UsageOf returns the usage of a run's processes that have an instance's name, and of their descendants.
func UsageOf(run, instance string) (Usage, error) {
	t, err := readTable()
	if err != nil {
		return Usage{}, fmt.Errorf("measure the resources of %s: %w", instance, err)
	}
	var out Usage
	for _, f := range t.choose(selection{
		marked: func(t tag) bool { return t.run == run && t.instance == instance }, except: t.selfAndAncestors(os.Getpid()),
	}) {
		out.Processes++
		out.ResidentBytes += f.resident * int64(os.Getpagesize())
	}
	return out, nil
}
