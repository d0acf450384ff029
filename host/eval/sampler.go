package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

// Loaded describes the model that generates the messages.
type Loaded struct {
	Name    string // for users
	Step    int    // of a checkpoint
	Version int64  // version in its messages
	Digest  string // of a checkpoint
}

// sampler generates messages for the engine instead of a trainer.
type sampler interface {
	rollout.Generator
	address() string // in failures: of the adapter, or "model"
	loaded() Loaded
	reload(ctx context.Context) error // after its process was lost
	release(episodeID string)
}

// Time limits for calls to an adapter.
const (
	loadTimeout    = 30 * time.Minute // weights may be large
	releaseTimeout = 10 * time.Second
)

func (c Config) sampler(ctx context.Context, r *hostServices) (sampler, error) {
	if c.Player != nil {
		return player{c.Player}, nil
	}
	if c.Unasked {
		return noPolicy{c.servedNames()}, nil
	}
	if c.Policy == nil {
		return served{c.Endpoint}, c.Endpoint.Prepare(ctx)
	}
	address := c.stage().Adapter
	instance, _ := r.plugins.Find(address)
	adapter, ok := instance.Adapter().(sdk.AdapterWithLoad)
	if !ok || !c.Plan.Component(address).Description.Adapter.Serve {
		return nil, fmt.Errorf("%s responds only during training: export the checkpoint, serve it with an inference "+
			"server, and pass its address with --base-url", address)
	}
	s := &checkpoint{
		AdapterWithLoad: adapter, where: address, processes: func() int { return r.starts(address) },
		request: sdk.LoadRequest{Checkpoint: c.Policy.Checkpoint, Seed: uint64(c.stage().Knobs.Seed)},
	}
	if b := c.Plan.Spec.Blocks[c.Plan.Train.Policy]; b != nil && c.Policy.Checkpoint == "" {
		s.request.Policy = b.Config
	}
	if err := s.reload(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// checkpoint is a policy loaded by an adapter. A new adapter process must load it again.
type checkpoint struct {
	sdk.AdapterWithLoad
	where     string
	request   sdk.LoadRequest
	processes func() int // number of processes that the adapter has had

	mu      sync.Mutex
	now     *sdk.LoadResponse
	process int // the process that has loaded it
}

func (s *checkpoint) address() string { return s.where }

func (s *checkpoint) loaded() Loaded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Loaded{Name: s.now.Policy, Step: s.now.Step, Version: s.now.PolicyVersion, Digest: s.now.Digest}
}

// reload loads the policy into the adapter's process, unless a concurrent episode has already done so.
func (s *checkpoint) reload(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	process := s.processes()
	if s.now != nil && s.process == process {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	out, err := s.Load(ctx, s.request)
	if err != nil {
		return fmt.Errorf("%s: %w", s.where, err)
	}
	s.now, s.process = out, process
	return nil
}

// Generate implements rollout.Generator. Results from a process that has not loaded the policy are discarded: the
// episode was lost with the previous process.
func (s *checkpoint) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	s.mu.Lock()
	process := s.process
	s.mu.Unlock()
	lost := func() bool { return s.processes() != process }
	if lost() {
		return nil, fmt.Errorf("%w: the process of %s was lost", sdk.ErrUnavailable, s.where)
	}
	out, err := s.AdapterWithLoad.Generate(ctx, req)
	if err != nil && lost() {
		return nil, fmt.Errorf("%w: %s", sdk.ErrUnavailable, err.Error())
	}
	return out, err
}

func (s *checkpoint) release(episodeID string) {
	ctx, cancel := context.WithTimeout(context.Background(), releaseTimeout)
	defer cancel()
	_ = s.Release(ctx, episodeID) // a process that has exited does not hold it
}

// served is a model that is accessed through an endpoint.
type served struct{ *openai.Endpoint }

func (s served) address() string              { return "model" }
func (s served) loaded() Loaded               { return Loaded{Name: s.Name()} }
func (s served) reload(context.Context) error { return nil }
func (s served) release(episodeID string)     { s.Release(episodeID) }

// player generates the messages in place of a policy.
type player struct{ rollout.Generator }

func (player) address() string              { return "player" }
func (p player) loaded() Loaded             { return Loaded{Name: p.name()} }
func (player) reload(context.Context) error { return nil }
func (player) release(string)               {}

// name returns the player's own name.
func (p player) name() string {
	if named, ok := p.Generator.(interface{ Name() string }); ok {
		return named.Name()
	}
	return "the player"
}

// noPolicy is used if no policy is needed.
type noPolicy struct{ name string }

func (noPolicy) Generate(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	return nil, errors.New("an agent without a served model sent a request, but this evaluation has no policy")
}

func (noPolicy) address() string              { return "model" }
func (n noPolicy) loaded() Loaded             { return Loaded{Name: n.name} }
func (noPolicy) reload(context.Context) error { return nil }
func (noPolicy) release(string)               {}

// servedNames lists the served models' blocks, for display to users.
func (c Config) servedNames() string {
	actor, err := c.Plan.Spec.Actor(c.stage().Agent)
	if err != nil {
		return ""
	}
	var names []string
	for _, a := range actor.Agents() {
		if !slices.Contains(names, a.Body.Model) {
			names = append(names, a.Body.Model)
		}
	}
	return strings.Join(names, ", ")
}

var (
	_ sampler = (*checkpoint)(nil)
	_ sampler = served{}
	_ sampler = noPolicy{}
	_ sampler = player{}
)
