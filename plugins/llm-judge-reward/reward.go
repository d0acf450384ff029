package llmjudgereward

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/endpoint"
)

// reward asks one judge. It may be called by many at a time: the endpoint lets in as many as max_concurrent says.
type reward struct {
	config config
	server *endpoint.Endpoint
	purse  *purse
	memory *memory // nil: nothing is remembered
	log    *slog.Logger
	form   learned
	under  sync.WaitGroup // calls of Score
}

// Score judges every item by itself, all at a time.
func (r *reward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	r.under.Add(1)
	defer r.under.Done()
	out := &sdk.ScoreResponse{Items: make([]sdk.Scored, len(req.Items))}
	var spent tally
	var all sync.WaitGroup
	for i := range req.Items {
		all.Go(func() { out.Items[i] = r.scoreItem(ctx, &req.Items[i], &spent) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // nobody waits: the errors say nothing of the items
	}
	out.Metrics = spent.metrics
	return out, nil
}

// scoreItem never makes a number of what is no verdict.
func (r *reward) scoreItem(ctx context.Context, item *sdk.ScoreItem, spent *tally) sdk.Scored {
	asked, err := r.config.prompt(item)
	var long *tooLongError
	switch {
	case errors.As(err, &long) && r.config.TooLong != nil:
		return sdk.Scored{Score: *r.config.TooLong, Notes: map[string]string{"reason": long.Error()}}
	case err != nil:
		return sdk.Scored{Failure: failureOf(err)}
	}
	votes := make([]verdict, r.config.Votes)
	group, ctx := errgroup.WithContext(ctx)
	for n := range votes {
		group.Go(func() (err error) {
			votes[n], err = r.vote(ctx, asked, n, spent)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return sdk.Scored{Failure: failureOf(err)}
	}
	return r.config.combine(votes, item.Task.Private)
}

// failureOf is the failure that an error is, or one of class REWARD.
func failureOf(err error) *sdk.Failure {
	var failure *sdk.Failure
	if errors.As(err, &failure) {
		return failure
	}
	return &sdk.Failure{Class: sdk.FailureReward, Detail: err.Error()}
}

func failf(format string, args ...any) *sdk.Failure {
	return &sdk.Failure{Class: sdk.FailureReward, Detail: fmt.Sprintf(format, args...)}
}

// Stop waits for verdicts that are under way, as long as it may: they are paid for. Then it closes the files.
func (r *reward) Stop(ctx context.Context, progress func(string)) error {
	over := make(chan struct{})
	go func() {
		r.under.Wait()
		close(over)
	}()
	select {
	case <-over:
	case <-ctx.Done():
		progress("verdicts that are under way are given up")
		return context.Cause(ctx)
	}
	r.server.Close()
	return errors.Join(r.purse.Close(), r.memory.Close())
}

// tally adds up what a call of Score has taken.
type tally struct {
	mu      sync.Mutex
	metrics map[string]float64
}

func (t *tally) add(more map[string]float64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.metrics == nil {
		t.metrics = map[string]float64{}
	}
	for name := range maps.Keys(more) {
		t.metrics[name] += more[name]
	}
}

var (
	_ sdk.Reward  = (*reward)(nil)
	_ sdk.Stopper = (*reward)(nil)
)
