package local

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/plugins/local/tinylm"
	"github.com/awhost/awhost/sdk"
)

// Load implements sdk.AdapterWithLoad. It loads the policy from a checkpoint, regardless of the block's preset and
// context, or the block's untrained policy.
func (a *adapter) Load(_ context.Context, req sdk.LoadRequest) (*sdk.LoadResponse, error) {
	if req.Checkpoint == "" {
		return a.loadUntrained(req)
	}
	policy, err := tinylm.Load(req.Checkpoint, tinylm.Options{})
	if err != nil {
		return nil, err
	}
	state, err := readState(req.Checkpoint)
	if err != nil {
		return nil, err
	}
	return a.serve(policy, fmt.Sprintf("local, %d weights", policy.Weights()), state.Step), nil
}

func (a *adapter) loadUntrained(req sdk.LoadRequest) (*sdk.LoadResponse, error) {
	policy, err := exportedPolicy(req.Policy, a.model, tinylm.Options{})
	if err != nil {
		return nil, err
	}
	if policy != nil {
		return a.serve(policy, fmt.Sprintf("local, preset %s, exported", a.config.Preset), 0), nil
	}
	policy, err = tinylm.New(a.model, req.Seed, tinylm.Options{})
	if err != nil {
		return nil, err
	}
	return a.serve(policy, fmt.Sprintf("local, preset %s, untrained", a.config.Preset), 0), nil
}

// serve uses this policy for all further episodes.
func (a *adapter) serve(policy *tinylm.Policy, name string, step int) *sdk.LoadResponse {
	a.episodes.serve(policy)
	return &sdk.LoadResponse{
		Policy: name, Step: step, MaxContext: policy.Config().MaxLen,
		PolicyVersion: policy.Snapshot().Version, Digest: "sha256:" + policy.Digest(),
	}
}

// Release implements sdk.AdapterWithLoad.
func (a *adapter) Release(_ context.Context, episodeID string) error {
	a.episodes.close(episodeID)
	return nil
}

// serve uses a policy for every episode that is not open, and drops the previous policy's episodes.
func (e *episodes) serve(policy *tinylm.Policy) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.served, e.byID = policy, map[string]*episode{}
}

var _ sdk.AdapterWithLoad = (*adapter)(nil)
