package verl

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
)

// episodes relays what verl's workers ask for to the host, and fills in what they do not know.
type episodes struct {
	stage  string
	base   int
	steps  *steps
	host   sdk.Host
	groups *groups // nil: verl numbers steps and samples itself, and takes an episode without a reward as nothing
	hello  func()  // called when a worker comes, or asks

	versions sync.Map // of the policy, by id of an episode that runs
}

// RunEpisode implements bridge.Handler.
func (e *episodes) RunEpisode(ctx context.Context, _ bridge.Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	e.hello()
	// A worker that leaves meanwhile must not cut a report short: what was said of a step cannot be said again.
	current, err := e.steps.catchUp(context.WithoutCancel(ctx))
	if err != nil { // it ends this life of the adapter, and says nothing of the episode
		return nil, fmt.Errorf("%w: %v", sdk.ErrUnavailable, err)
	}
	req.Stage = e.stage
	if e.groups == nil {
		req.Step += e.base
	} else {
		req.Step = current
		if req.SampleIndex, err = e.groups.slot(req); err != nil {
			return nil, err
		}
	}
	req.PolicyVersion = int64(req.Step)
	if req.Split == sdk.SplitTrain {
		req.PolicyVersion--
	}
	e.versions.Store(req.EpisodeID, req.PolicyVersion)
	defer e.versions.Delete(req.EpisodeID)
	result, err := e.host.RunEpisode(ctx, req)
	if err != nil {
		return nil, errors.Join(err, bridge.Abandon(ctx, e.host, req.EpisodeID))
	}
	if req.Split != sdk.SplitTrain {
		return result, nil
	}
	f := finished{Step: req.Step, ID: req.EpisodeID, Index: req.DatasetIndex, Slot: req.SampleIndex, Use: use(result), Group: req.GroupID, Reward: result.Reward}
	if err := e.steps.add(f); err != nil {
		return nil, err
	}
	result = e.steps.tokens.Ask(req, result)
	if e.groups == nil {
		return result, nil
	}
	return e.groups.settle(ctx, req.GroupSize, f, result)
}

// Joined implements bridge.Watcher. After a restart of the adapter the workers come back at once, and may ask much later: verl is
// in the middle of an update.
func (e *episodes) Joined(bridge.Worker) { e.hello() }

// Left implements bridge.Watcher.
func (e *episodes) Left(bridge.Worker, string) {}

// use is what verl does with an episode.
func use(r *sdk.EpisodeResult) sdk.Consumption {
	switch {
	case r.Reward == nil && r.Outcome == sdk.OutcomeDropped, r.DropGroup:
		return sdk.ConsumedFiltered
	case r.Reward == nil || r.Masked:
		return sdk.ConsumedMasked
	}
	for _, c := range r.Chains {
		if c.Train {
			return sdk.ConsumedTrained
		}
	}
	return sdk.ConsumedMasked
}

// Boundary implements bridge.Handler.
func (e *episodes) Boundary(context.Context, bridge.Worker, sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	return nil, errNoReports
}

// Event implements bridge.Handler: a worker can only take back what became of an episode, and tell its tokens.
func (e *episodes) Event(_ context.Context, _ bridge.Worker, event sdk.TrainEvent) error {
	if event.Tokens != nil {
		e.steps.tokens.Keep(event.Tokens)
		return nil
	}
	if event.Consumed == nil {
		return errNoReports
	}
	for _, c := range event.Consumed.Episodes {
		if err := e.steps.amend(c); err != nil {
			return err
		}
	}
	return nil
}

var (
	_ bridge.Handler = (*episodes)(nil)
	_ bridge.Watcher = (*episodes)(nil)
)
