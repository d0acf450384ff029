package sdk

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A process must end with its host, or, if it may outlive it, when no host has called it for a while.
func TestHostWatch(t *testing.T) {
	environment := map[string]string{}
	managed := newHostWatch(func(name string) string { return environment[name] })
	ended := false
	managed.watch(strings.NewReader("never written"), func() { ended = true })
	if !ended {
		t.Error("a managed process outlives its host")
	}

	environment[EnvDetachable], environment[EnvHostAbsence] = "1", "7m"
	detached := newHostWatch(func(name string) string { return environment[name] })
	waits, over := make(chan time.Duration), make(chan time.Time)
	detached.after = func(d time.Duration) <-chan time.Time {
		waits <- d
		return over
	}
	gone := make(chan struct{})
	go detached.watch(strings.NewReader(""), func() { close(gone) })
	if d := <-waits; d != 7*time.Minute {
		t.Errorf("it waits for %s", d)
	}
	if _, err := detached.recordCall(t.Context(), nil, nil,
		func(context.Context, any) (any, error) { return nil, nil }); err != nil {
		t.Error(err)
	}
	<-waits // again, because a host has called
	over <- time.Time{}
	<-gone
}
