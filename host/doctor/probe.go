package doctor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/awhost/awhost/host/gpu"
)

// probe is one check. look must observe its context if possible. If it is blocked in a system call, for example on an
// unavailable file system, it is abandoned.
type probe struct {
	group   Group
	subject string
	timeout time.Duration
	look    func(ctx context.Context) result
}

// result is the result of a probe.
type result struct {
	findings     []Finding
	inventory    *gpu.Inventory
	environments []Environment
	ray          *Ray
	slurm        []Partition
}

// found returns a result that consists only of findings.
func found(findings ...Finding) result { return result{findings: findings} }

// runAll runs probes concurrently. The results are in the same order as the probes.
func runAll(ctx context.Context, probes []probe) []result {
	results := make([]result, len(probes))
	var all sync.WaitGroup
	for i, p := range probes {
		all.Go(func() { results[i] = run(ctx, p) })
	}
	all.Wait()
	return results
}

// patience is how long after its timeout a probe may still report a more specific error than its runner.
const patience = 1500 * time.Millisecond

// run runs a probe and returns no later than its timeout. A timeout of 0 means that the parts of the probe have their
// own timeouts.
func run(ctx context.Context, p probe) result {
	if p.timeout == 0 {
		return p.look(ctx)
	}
	r, err := within(ctx, p.timeout, p.look)
	if err != nil {
		return found(hung(p.group, p.subject, err))
	}
	return r
}

// hung returns the finding for a probe that did not return.
func hung(group Group, subject string, err error) Finding {
	return Finding{
		Group: group, Subject: subject, Status: Failed, Found: err.Error(),
		Remedy: "a file system without a server, or a driver, hangs: --timeout gives it more time",
	}
}

// within returns the result of look, or an error after the timeout even if look ignores its context.
func within[T any](ctx context.Context, timeout time.Duration, look func(ctx context.Context) T) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, fmt.Errorf("no answer within %s", timeout))
	defer cancel()
	answers := make(chan T, 1)
	go func() { answers <- look(ctx) }()
	late := time.NewTimer(timeout + patience)
	defer late.Stop()
	select {
	case answer := <-answers:
		return answer, nil
	case <-late.C:
		var none T
		return none, context.Cause(ctx)
	}
}

func (r *Report) add(one result) {
	r.Findings = append(r.Findings, one.findings...)
	r.Environments = append(r.Environments, one.environments...)
	if one.inventory != nil {
		r.Inventory = one.inventory
	}
	if one.ray != nil {
		r.Ray = one.ray
	}
	r.Slurm = append(r.Slurm, one.slurm...)
}
