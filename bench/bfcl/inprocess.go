package main

import (
	"fmt"
	"runtime"

	"github.com/awhost/awhost/plugins/bfcl-env/measure"
)

// inProcess measures the parts on one thread.
func inProcess(o options, theirs reference) error {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	data, err := measure.Open(o.source, "v4")
	if err != nil {
		return err
	}
	fmt.Printf("\nin this process, one thread, CPU time, the best of %d; %d entries\n", o.repeat, data.Entries())
	fmt.Printf("  %-34s %12s  %12s  %8s\n", "", "here", "reference", "factor")
	for _, w := range []workload{
		{"calls of the ground truth", "calls", data.Calls, theirs.Calls},
		{"entries checked", "entries", data.Checks, theirs.Checks},
	} {
		if err := w.measure(o.repeat); err != nil {
			return err
		}
	}
	if o.older == "" {
		return nil
	}
	older, err := measure.Open(o.older, "v3")
	if err != nil {
		return err
	}
	return workload{"messages in EnvTuning's dialogue", "messages", older.Dialogues, theirs.Dialogue}.measure(o.repeat)
}

// workload is a repeatable unit of work.
type workload struct {
	name, unit string
	once       func() (int, error) // runs it and returns the amount of work
	theirs     figure
}

func (w workload) measure(repeat int) error {
	best := 0.0
	for range repeat {
		began := cpuSeconds()
		done, err := w.once()
		if err != nil {
			return err
		}
		best = max(best, float64(done)/(cpuSeconds()-began))
	}
	w.theirs.printWithReference(w.name, w.unit, best)
	return nil
}
