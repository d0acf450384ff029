package plugin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
)

// calls holds an instance's calls that are in progress.
type calls struct {
	mu    sync.Mutex
	under map[*underway]struct{}
}

type underway struct {
	rpc   string
	since time.Time
}

func (c *calls) begin(rpc string) (end func()) {
	call := &underway{rpc: rpc, since: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.under == nil {
		c.under = map[*underway]struct{}{}
	}
	c.under[call] = struct{}{}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.under, call)
	}
}

func (c *calls) any() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.under) > 0
}

// maxNamedCalls limits the number of calls listed in a diagnostic.
const maxNamedCalls = 3

// named lists the calls for users, longest waiting first: "Score for 61s".
func (c *calls) named() []string {
	c.mu.Lock()
	all := make([]*underway, 0, len(c.under))
	for call := range c.under {
		all = append(all, call)
	}
	c.mu.Unlock()
	slices.SortFunc(all, func(a, b *underway) int { return cmp.Or(a.since.Compare(b.since), cmp.Compare(a.rpc, b.rpc)) })
	var out []string
	for _, call := range all[:min(len(all), maxNamedCalls)] {
		out = append(out, fmt.Sprintf("%s for %s", call.rpc, time.Since(call.since).Round(time.Second)))
	}
	if more := len(all) - maxNamedCalls; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return out
}

// watchdog monitors one process while calls wait for it.
type watchdog struct {
	*Instance
	process   *client.Plugin
	policy    HealthPolicy
	silent    time.Duration // total of the consecutive failed checks
	published bool
	idle      time.Duration // part of silent without use of processor time
	used      time.Duration // processor time at the last check
}

// startWatchdog checks the process until it has exited or stop is called, which waits for the watchdog to end. A
// debugged process is not checked.
func (i *Instance) startWatchdog(p *client.Plugin) (stop func()) {
	if _, ok := i.debugged(); ok {
		return func() {} // it may be stopped at a breakpoint for any time
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		v := &watchdog{Instance: i, process: p, policy: i.supervisor.config.Health}
		v.run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}
}

func (v *watchdog) run(ctx context.Context) {
	for {
		select {
		case <-v.policy.Tick(v.policy.Check):
		case <-v.process.Done():
			return
		case <-ctx.Done():
			return
		}
		if v.silent == 0 && !v.calls.any() {
			continue
		}
		v.check(ctx)
	}
}

// check pings the process and handles the result.
func (v *watchdog) check(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, v.policy.Check)
	defer cancel()
	err := v.process.Ping(asking)
	activity := process.Observe(v.process.PID())
	switch {
	case err == nil:
		v.recordResponse(activity)
	case ctx.Err() != nil || !alive(v.process):
	case asking.Err() == nil: // it is broken rather than slow, which its calls detect: see examine
	default:
		v.recordSilence(activity)
	}
}

func (v *watchdog) recordResponse(now process.Activity) {
	if v.published {
		v.publishSilence(Silence{State: now.State, Recovered: true})
	}
	v.silent, v.idle, v.published, v.used = 0, 0, false, now.Used
}

// workingShare is the reciprocal of the minimum share of a processor (1/workingShare) that a working process uses, even
// on a busy machine.
const workingShare = 100

// recordSilence records a check without a response: it counts the interval before the check and an equal time spent
// waiting for the response.
func (v *watchdog) recordSilence(now process.Activity) {
	lasted := 2 * v.policy.Check
	v.silent += lasted
	if now.Used-v.used < lasted/workingShare {
		v.idle += lasted
	}
	v.used = now.Used
	if v.silent >= v.policy.Warn && !v.published {
		v.published = true
		v.publishSilence(Silence{State: now.State})
	}
	if now.State != process.StateTraced && (v.idle >= v.policy.End || v.silent >= v.policy.EndBusy) {
		v.endUnusable(v.process, v.process.Unresponsive(v.silent, v.idle < v.policy.End, v.calls.named()))
	}
}

func (v *watchdog) publishSilence(s Silence) {
	if v.supervisor.config.Silent == nil {
		return
	}
	s.Block, s.PID, s.For, s.Calls = v.block, v.process.PID(), v.silent, v.calls.named()
	v.supervisor.config.Silent(s)
}
