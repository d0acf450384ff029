package llmjudgereward

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// purse is what the judge of a run may spend, and has spent, in all lives of the process. A call is written down before
// it is made, at the most that it can cost, and put right after its answer: what a killed process had under way counts
// at its most, so that the budget is never exceeded.
type purse struct {
	maxCalls int      // 0: no limit
	maxCost  *float64 // in US dollars; nil: no limit
	file     *lines

	mu      sync.Mutex
	calls   int
	cost    float64       // of calls that are over, and the most that those under way can cost
	pending float64       // of cost: the most that those under way can cost
	changed chan struct{} // closed when a call is over
}

// entry is a line of the file: what it adds.
type entry struct {
	Calls int     `json:"calls"`
	Cost  float64 `json:"cost_usd"`
}

func openPurse(path string, maxCalls int, maxCost *float64) (*purse, error) {
	p := &purse{maxCalls: maxCalls, maxCost: maxCost, changed: make(chan struct{})}
	var err error
	p.file, err = openLines(path, func(line []byte) {
		var e entry
		if json.Unmarshal(line, &e) == nil {
			p.calls, p.cost = p.calls+e.Calls, p.cost+e.Cost
		}
	})
	return p, err
}

// begin takes what a call can cost at most. Where others under way hold what it needs, it waits for them. The error is
// a failure that stops the run.
func (p *purse) begin(ctx context.Context, most float64) error {
	for {
		wait, err := p.take(most)
		if wait == nil {
			return err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// take takes what a call can cost, or returns what to wait for.
func (p *purse) take(most float64) (wait chan struct{}, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.maxCalls > 0 && p.calls >= p.maxCalls:
		return nil, p.spent(fmt.Sprintf("all %d calls (max_calls) are made", p.maxCalls), "max_calls")
	case p.maxCost != nil && p.cost-p.pending+most > *p.maxCost:
		return nil, p.spent(fmt.Sprintf("$%.4f of $%.4f (max_cost) are spent, and the next call may cost $%.4f",
			p.cost-p.pending, *p.maxCost, most), "max_cost")
	case p.maxCost != nil && p.cost+most > *p.maxCost:
		return p.changed, nil
	}
	if err := p.file.add(entry{1, most}); err != nil {
		return nil, failf("write down what the judge costs: %v", err)
	}
	p.calls, p.cost, p.pending = p.calls+1, p.cost+most, p.pending+most
	return nil, nil
}

// spent is the end of a budget.
func (p *purse) spent(what, attribute string) error {
	return &sdk.Failure{Class: sdk.FailureReward, StopRun: true, Detail: fmt.Sprintf("the judge's budget is spent: %s. "+
		"The verdicts that were paid for are kept: raise %s and resume the run", what, attribute)}
}

// end puts right what a call has cost. One that was not served counts for nothing.
func (p *purse) end(most, cost float64, served bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := entry{Cost: cost - most}
	if !served {
		e.Calls = -1
	}
	p.calls, p.cost, p.pending = p.calls+e.Calls, p.cost+e.Cost, p.pending-most
	close(p.changed)
	p.changed = make(chan struct{})
	if e == (entry{}) {
		return nil
	}
	if err := p.file.add(e); err != nil {
		return failf("write down what the judge costs: %v", err)
	}
	return nil
}

// Close closes the file.
func (p *purse) Close() error { return p.file.Close() }
