package rollout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/batch"
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/host/rollout/internal/queue"
	"github.com/awhost/awhost/sdk"
)

// Generator samples assistant messages: the adapter.
type Generator interface {
	Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error)
}

// Limited is a Generator that takes only so many requests at a time. Waiting for a place is no time of the episode.
type Limited interface {
	Generator
	// Enter waits for a place, or for the end of ctx; leave gives it back.
	Enter(ctx context.Context) (leave func(), err error)
}

// TaskSource holds the tasks of a stage with their private parts.
type TaskSource interface {
	// TaskAt returns the task at a position of the host's seeded order; past the end the next epoch begins.
	TaskAt(split sdk.Split, index int) (sdk.Task, error)
	// TaskByID finds a task that a caller names without its private part.
	TaskByID(split sdk.Split, id string) (sdk.Task, bool)
}

// StageSetup is everything about episodes that may differ between the stages of a run.
type StageSetup struct {
	Name         string
	Tasks        TaskSource
	Agent        agent.Agent
	AgentAddress string                   // "agent.react.solver", for records
	Trainable    func(member string) bool // which agents' chains are trained; nil: all
	Auxiliary    func(member string) bool // whose calls are no part of the task; nil: nobody's
	OneRow       bool                     // the adapter makes one row of an episode
	Generator    GeneratorBinding
	Served       map[string]*ServedBinding  // by member: who answers in the place of Generator
	Madness      map[string]*MadnessBinding // by member: what its messages are checked for; nil: nothing
	Answers      Answers                    // of served models; nil: none are kept
	Script       Script                     // of a smoke run; nil: every message is sampled
	Environment  *EnvironmentBinding        // nil: none
	Rewards      []RewardBinding            // in the order of the spec
	Compose      Compose

	Sampling           sdk.Sampling // MaxTokens bounds a message
	ValidationSampling sdk.Sampling

	Policy          Policy
	Overlong        Overlong
	OverlongPenalty float64 // taken off a truncated episode's reward where Overlong is penalise; at least 0
	// LoneSurvivor is what becomes of the only sample of a group that has a number, where the adapter would train its reward as it is:
	// drop_group or mask. Empty: the adapter makes nothing of it.
	LoneSurvivor  sdk.FailureAction
	MinGroup      int // fewest survivors that a group_relative reward is asked about; 0: all
	Concurrency   int // most episodes at work
	ActiveBudget  time.Duration
	Breaker       BreakerSettings
	BreakerWindow []sdk.FailureClass // what the breaker remembers, on resume; see Engine.BreakerWindow
	Quarantine    []Quarantined      // on resume; see Engine.Quarantine. Those of other stages do not matter
	Proven        bool               // the plugins have served a step of the run: a death may be a task's fault
}

// GeneratorBinding is the adapter and its address in the spec.
type GeneratorBinding struct {
	Address string // "adapter.local.grpo"
	Generator
	Rows func(episodeID string) []SampledRow // of an episode's conversations so far; nil: who samples keeps its tokens

	// Capabilities are the adapter's, by which the host refuses requests that it cannot serve. Nil: they are unknown.
	Capabilities *sdk.AdapterCapabilities
}

// EnvironmentBinding is a configured environment.
type EnvironmentBinding struct {
	Address      string // "environment.calculator.desk"
	Environment  sdk.Environment
	Capabilities sdk.EnvironmentCapabilities
}

// RewardBinding is a configured reward.
type RewardBinding struct {
	Address      string // "reward.gaia.answer"
	Reward       sdk.Reward
	Capabilities sdk.RewardCapabilities
}

// Compose makes one number of what the rewards say. An error means that there is none, and the episode fails.
type Compose func(ComposeInputs) (ComposeResult, error)

// ComposeInputs is what a reward expression may refer to.
type ComposeInputs struct {
	Rewards   map[string]sdk.Scored // by address; a value or a failure
	Own       map[string]agent.Own  // what agents say themselves, by their names ("python.mine")
	NumTurns  int                   // assistant messages
	Truncated bool
}

// ComposeResult is what a reward expression gives.
type ComposeResult struct {
	Reward  float64
	Success *bool // nil: unknown
}

// Overlong says what becomes of an episode that a limit cut.
type Overlong string

// The treatments of cut episodes. In validation they are always scored.
const (
	OverlongScore    Overlong = "score"
	OverlongMask     Overlong = "mask"     // not scored, nothing of it is trained
	OverlongPenalise Overlong = "penalise" // scored, less the penalty
)

// stage is a StageSetup at work.
type stage struct {
	StageSetup
	queue       *queue.Queue
	batchers    map[string]*batch.Batcher // by address, for rewards that take batches
	environment string                    // its address; empty: none
	parties     Parties
	terms       group.Terms // on which a reward compares samples
	grouped     bool        // some reward compares the samples of a group
	dropsGroups bool        // a sample that fails may take its siblings with it
	holdsFirst  bool        // nor is the first of a group with a number trained before there is a second
	needsState  bool        // some reward looks at the environment's state
}

func newStage(setup StageSetup, calls batch.Calls) (*stage, error) {
	setup = withDefaults(setup)
	if err := checkSetup(setup); err != nil {
		return nil, fmt.Errorf("set up stage %q: %w", setup.Name, err)
	}
	s := &stage{StageSetup: setup, batchers: map[string]*batch.Batcher{}}
	sessions := 0
	if setup.Environment != nil {
		sessions, s.environment = setup.Environment.Capabilities.MaxSessions, setup.Environment.Address
	}
	s.parties = Parties{Agent: setup.AgentAddress, Environment: s.environment, Model: setup.Generator.Address}
	s.dropsGroups, s.holdsFirst = setup.Policy.drops(), setup.LoneSurvivor != ""
	s.queue = queue.New(setup.Concurrency, sessions)
	for _, r := range setup.Rewards {
		s.grouped = s.grouped || r.Capabilities.GroupRelative
		s.needsState = s.needsState || slices.Contains(r.Capabilities.Needs, sdk.NeedEnvironmentState)
		// One that asks a model takes as long as its model: in a batch all would wait for the slowest.
		if r.Capabilities.BatchSize > 1 && !r.Capabilities.GroupRelative && !r.Capabilities.ModelJudge {
			s.batchers[r.Address] = batch.New(r.Reward, r.Capabilities.BatchSize, calls)
		}
	}
	return s, nil
}

func withDefaults(setup StageSetup) StageSetup {
	if setup.Overlong == "" {
		setup.Overlong = OverlongScore
	}
	if setup.OverlongPenalty == 0 {
		setup.OverlongPenalty = 1
	}
	if setup.ActiveBudget == 0 {
		setup.ActiveBudget = 5 * time.Minute
	}
	if setup.Policy == nil {
		setup.Policy = DefaultPolicy()
	}
	if setup.Trainable == nil {
		setup.Trainable = func(string) bool { return true }
	}
	trainable, s := setup.Trainable, &stage{StageSetup: setup}
	setup.Trainable = func(member string) bool { return s.servedBy(member) == nil && trainable(member) }
	return setup
}

func checkSetup(setup StageSetup) error {
	switch {
	case setup.Tasks == nil, setup.Agent == nil, setup.Generator.Generator == nil, setup.Compose == nil:
		return errors.New("tasks, agent, generator and compose must be given")
	case setup.Concurrency < 1:
		return fmt.Errorf("concurrency is %d; it must be at least 1", setup.Concurrency)
	case setup.Overlong != OverlongScore && setup.Overlong != OverlongMask && setup.Overlong != OverlongPenalise:
		return fmt.Errorf("overlong is %q; it must be score, mask or penalise", setup.Overlong)
	case setup.OverlongPenalty < 0:
		return fmt.Errorf("the overlong penalty is %g; it must not be negative", setup.OverlongPenalty)
	}
	return checkRewards(setup)
}

func checkRewards(setup StageSetup) error {
	seen := map[string]bool{}
	for _, r := range setup.Rewards {
		if seen[r.Address] {
			return fmt.Errorf("reward %s is listed twice", r.Address)
		}
		seen[r.Address] = true
		if !slices.Contains(r.Capabilities.Needs, sdk.NeedEnvironmentState) {
			continue
		}
		if setup.Environment == nil {
			return fmt.Errorf("reward %s looks at the environment's state, but the agent has no environment", r.Address)
		}
		if _, ok := setup.Environment.Environment.(sdk.EnvironmentWithSnapshot); !ok || !setup.Environment.Capabilities.Snapshot {
			return fmt.Errorf("reward %s looks at the environment's state, which %s does not show",
				r.Address, setup.Environment.Address)
		}
	}
	return nil
}

// sampling is what a call samples with: the spec's values; the agent may only lower the length and add stops.
func (s *stage) sampling(split sdk.Split, req agent.Request) sdk.Sampling {
	sampling := s.Sampling
	if split == sdk.SplitValidation {
		sampling = s.ValidationSampling
	}
	if req.MaxTokens > 0 && (sampling.MaxTokens == 0 || req.MaxTokens < sampling.MaxTokens) {
		sampling.MaxTokens = req.MaxTokens
	}
	if len(req.Stop) > 0 {
		sampling.Stop = slices.Concat(sampling.Stop, req.Stop)
	}
	return sampling
}
