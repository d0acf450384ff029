package doctor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/awhost/awhost/host/gpu"
)

// probe looks at one thing. look must heed its context where it can; where it cannot, in a system call of a file system
// that is gone, it is left behind.
type probe struct {
	group   Group
	subject string
	timeout time.Duration
	look    func(ctx context.Context) result
}

// result is what a probe came to.
type result struct {
	findings     []Finding
	inventory    *gpu.Inventory
	environments []Environment
	ray          *Ray
	slurm        []Partition
}

// found is a result of findings alone.
func found(findings ...Finding) result { return result{findings: findings} }

// runAll runs probes side by side. The results are in the order of the probes.
func runAll(ctx context.Context, probes []probe) []result {
	results := make([]result, len(probes))
	var all sync.WaitGroup
	for i, p := range probes {
		all.Go(func() { results[i] = run(ctx, p) })
	}
	all.Wait()
	return results
}

// patience is how long a probe may take to notice that its time is up, and to say so better than its runner can.
const patience = 1500 * time.Millisecond

// run runs a probe for no longer than its timeout, whatever it does. A timeout of 0 is that of a probe whose parts have
// theirs.
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

// hung is the finding of a probe that never came back.
func hung(group Group, subject string, err error) Finding {
	return Finding{
		Group: group, Subject: subject, Status: Failed, Found: err.Error(),
		Remedy: "something below it hangs: a file system whose server is gone, or a driver. --timeout gives it more time",
	}
}

// within waits for an answer for as long as the timeout says, whatever look does.
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
