package llmjudgereward

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// budget is the budget for a run's judge, and its expenses over all processes of the run. A call is recorded at its
// maximum cost before it is made, and its cost is corrected when the response arrives. The pending calls of a killed
// process are therefore counted at their maximum cost, and the budget is never exceeded.
type budget struct {
	maxCalls int      // 0: no limit
	maxCost  *float64 // in US dollars; nil: no limit
	file     *jsonLines

	mu      sync.Mutex
	calls   int
	cost    float64       // of finished calls, plus the maximum of pending ones
	pending float64       // part of cost: the maximum of pending calls
	changed chan struct{} // closed when a call has finished
}

// entry is a line in the file that records an addition to the totals.
type entry struct {
	Calls int     `json:"calls"`
	Cost  float64 `json:"cost_usd"`
}

func openBudget(path string, maxCalls int, maxCost *float64) (*budget, error) {
	p := &budget{maxCalls: maxCalls, maxCost: maxCost, changed: make(chan struct{})}
	var err error
	p.file, err = openJSONLines(path, func(line []byte) {
		var e entry
		if json.Unmarshal(line, &e) == nil {
			p.calls, p.cost = p.calls+e.Calls, p.cost+e.Cost
		}
	})
	return p, err
}

// begin reserves the maximum cost of a call. If pending calls have reserved the required amount, it waits for them. The
// error is a failure that stops the run.
func (p *budget) begin(ctx context.Context, most float64) error {
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

// take reserves the maximum cost of a call, or returns a channel to wait for.
func (p *budget) take(most float64) (wait chan struct{}, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.maxCalls > 0 && p.calls >= p.maxCalls:
		return nil, p.exhausted(fmt.Sprintf("all %d calls (max_calls) are used up", p.maxCalls), "max_calls")
	case p.maxCost != nil && p.cost-p.pending+most > *p.maxCost:
		return nil, p.exhausted(fmt.Sprintf("$%.4f of $%.4f (max_cost) are spent, and the next call may cost $%.4f",
			p.cost-p.pending, *p.maxCost, most), "max_cost")
	case p.maxCost != nil && p.cost+most > *p.maxCost:
		return p.changed, nil
	}
	if err := p.file.add(entry{1, most}); err != nil {
		return nil, fmt.Errorf("record the judge's costs: %v", err)
	}
	p.calls, p.cost, p.pending = p.calls+1, p.cost+most, p.pending+most
	return nil, nil
}

// exhausted returns the failure for an exhausted budget.
func (p *budget) exhausted(what, attribute string) error {
	return &sdk.Failure{Class: sdk.FailureReward, StopRun: true, Detail: fmt.Sprintf("the judge's budget is spent: "+
		"%s. Paid verdicts are kept: increase %s and resume the run", what, attribute)}
}

// end corrects the cost of a call. A call that was not served costs nothing.
func (p *budget) end(most, cost float64, served bool) error {
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
		return fmt.Errorf("record the judge's costs: %v", err)
	}
	return nil
}

// Close closes the file.
func (p *budget) Close() error { return p.file.Close() }
