package process_test

import (
	"os"
	"testing"

	"github.com/awhost/awhost/sdk/process"
)

func TestUsageOf_CountsWhatAnInstanceHasStarted(t *testing.T) {
	instance := t.TempDir() // a unique name
	p, err := process.New(process.Config{
		Name: "a shell", Run: "usage", Instance: instance, OnlyEnv: true, Grace: -1,
		Command: []string{"/bin/sh", "-c", "/bin/sleep 600 & setsid /bin/sleep 600 & echo two >&2; wait"},
		Env:     map[string]string{"PATH": os.Getenv("PATH")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Linux updates a process's memory counters with a delay: a new process reads as 0.
	for u := (process.Usage{}); u.Processes != 3 || u.ResidentBytes <= 0; {
		select {
		case <-p.Done():
			t.Fatal(p.Exit())
		default:
		}
		if u, err = process.UsageOf("usage", instance); err != nil {
			t.Fatal(err)
		}
	}
	if u, err := process.UsageOf("usage", "another"); err != nil || u.Processes != 0 {
		t.Errorf("another instance: %+v, %v", u, err)
	}
	if err := p.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	mine := func(name string) bool { return name == instance }
	if _, err := process.EndInstances(t.Context(), "usage", mine); err != nil {
		t.Fatal(err)
	}
	if u, err := process.UsageOf("usage", instance); err != nil || u.Processes != 0 {
		t.Errorf("after its end: %+v, %v", u, err)
	}
}
