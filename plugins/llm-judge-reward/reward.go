package llmjudgereward

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

// reward calls one judge. It is safe for concurrent use: the endpoint admits max_concurrent calls.
type reward struct {
	config config
	server *openai.Endpoint
	budget *budget
	cache  *verdictCache // nil: nothing is stored
	log    *slog.Logger
	form   acceptedForm
	under  sync.WaitGroup // pending calls of Score
}

// Score judges every item separately and concurrently.
func (r *reward) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	r.under.Add(1)
	defer r.under.Done()
	out := &sdk.ScoreResponse{Items: make([]sdk.Scored, len(req.Items))}
	var spent expenses
	var all sync.WaitGroup
	for i := range req.Items {
		all.Go(func() { out.Items[i] = r.scoreItem(ctx, &req.Items[i], &spent) })
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // the caller has left: the errors are not about the items
	}
	out.Metrics = spent.metrics
	return out, nil
}

// scoreItem returns the score of an item, or a failure without a valid verdict.
func (r *reward) scoreItem(ctx context.Context, item *sdk.ScoreItem, spent *expenses) sdk.Scored {
	asked, err := r.config.prompt(item)
	var long *tooLongError
	switch {
	case errors.As(err, &long) && r.config.TooLong != nil:
		return sdk.Scored{Score: *r.config.TooLong, Notes: map[string]string{"reason": long.Error()}}
	case err != nil:
		return sdk.Scored{Failure: sdk.RewardFailure(err)}
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
		return sdk.Scored{Failure: sdk.RewardFailure(err)}
	}
	return r.config.combine(votes, item.Task.Private)
}

// Stop waits for pending verdicts as long as it is allowed to, because they are paid for. It then closes the files.
func (r *reward) Stop(ctx context.Context, progress func(string)) error {
	over := make(chan struct{})
	go func() {
		r.under.Wait()
		close(over)
	}()
	select {
	case <-over:
	case <-ctx.Done():
		progress("pending verdicts are abandoned")
		return context.Cause(ctx)
	}
	r.server.Close()
	return errors.Join(r.budget.Close(), r.cache.Close())
}

// expenses adds up the expenses of a call to Score.
type expenses struct {
	mu      sync.Mutex
	metrics map[string]float64
}

func (t *expenses) add(more map[string]float64) {
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
