package rollout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout/internal/batch"
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/host/rollout/internal/queue"
	"github.com/awhost/awhost/sdk"
)

// Generator samples assistant messages. The adapter implements it.
type Generator interface {
	Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error)
}

// Limited is a Generator with a limited number of concurrent requests. Time spent waiting for a place does not count as
// the episode's time.
type Limited interface {
	Generator
	// Enter waits until a place is free or ctx is done. leave releases it.
	Enter(ctx context.Context) (leave func(), err error)
}

// TaskSource holds a stage's tasks, including their private parts.
type TaskSource interface {
	// TaskAt returns the task at a given position in the host's seeded order. After the last position, the next epoch
	// begins.
	TaskAt(split sdk.Split, index int) (sdk.Task, error)
	// TaskByID finds a task that a caller specifies without its private part.
	TaskByID(split sdk.Split, id string) (sdk.Task, bool)
}

// StageSetup holds all episode settings that may differ between the stages of a run.
type StageSetup struct {
	Name         string
	Tasks        TaskSource
	Agent        agent.Agent
	AgentAddress string                   // "agent.react.solver", for records
	Trainable    func(member string) bool // reports whether an agent's chains are trained; nil: all
	Auxiliary    func(member string) bool // reports whether a member's calls are outside the task; nil: none
	OneRow       bool                     // the adapter makes one row of an episode
	Generator    GeneratorBinding
	Served       map[string]*ServedBinding  // models that replace Generator, by member
	Madness      map[string]*MadnessBinding // checks of the messages, by member; nil: none
	Answers      Answers                    // of served models; nil: none are stored
	Script       Script                     // of a smoke run; nil: every message is sampled
	Environment  *EnvironmentBinding        // nil: none
	Rewards      []RewardBinding            // in the order of the spec
	Compose      Compose

	// TemplateKwargs returns the arguments of the chat template for a member, as a JSON object or nil. Nil: none.
	TemplateKwargs     func(member string) json.RawMessage
	Sampling           sdk.Sampling // MaxTokens bounds a message
	ValidationSampling sdk.Sampling

	Policy   Policy
	Overlong Overlong
	// Mask returns the rule of findings that excludes an attempt from training, or an empty string. May be nil.
	Mask func(*AttemptRecord) string

	OverlongPenalty float64 // deducted from a truncated episode's reward for OverlongPenalise; at least 0
	// LoneSurvivor is the action for the only sample in a group that has a reward, if the adapter would train on that
	// reward unchanged: drop_group or mask. It is empty if the adapter would not.
	LoneSurvivor  sdk.FailureAction
	MinGroup      int // fewest survivors for a call of a group_relative reward; 0: all
	Concurrency   int // most running episodes
	ActiveBudget  time.Duration
	Breaker       BreakerSettings
	BreakerWindow []sdk.FailureClass // the breaker's window, on resume; see Engine.BreakerWindow
	Codec         *Codec             // of the run's earlier messages; nil: any
	Quarantine    []Quarantined      // on resume; see Engine.Quarantine. Tasks of other stages are ignored
	Proven        bool               // the plugins have served a step of the run, so a death may be caused by a task
}

// GeneratorBinding is the adapter together with its address in the spec.
type GeneratorBinding struct {
	Address string // "adapter.local.grpo"
	Generator
	Rows func(episodeID string) []SampledRow // of an episode so far; nil: the sampling server keeps its tokens

	// Capabilities are the adapter's capabilities. The host rejects requests that they rule out. Nil means unknown.
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

// Compose computes one number from the rewards' scores. If it returns an error, the episode fails.
type Compose func(ComposeInputs) (ComposeResult, error)

// ComposeInputs holds the values that a reward expression may reference.
type ComposeInputs struct {
	Rewards    map[string]sdk.Scored       // by address; a value or a failure
	SelfReport map[string]agent.SelfReport // the agents' own results, by agent name ("python.mine")
	NumTurns   int                         // assistant messages
	Truncated  bool
}

// ComposeResult is the result of a reward expression.
type ComposeResult struct {
	Reward  float64
	Success *bool // nil: unknown
}

// Overlong determines how an episode that was cut off by a limit is treated.
type Overlong string

// The treatments of episodes that were cut off. In validation, such episodes are always scored.
const (
	OverlongScore    Overlong = "score"
	OverlongMask     Overlong = "mask"     // not scored, not trained
	OverlongPenalise Overlong = "penalise" // scored, less the penalty
)

// stage is an active StageSetup.
type stage struct {
	StageSetup
	queue       *queue.Queue
	batchers    map[string]*batch.Batcher // by address, for rewards that take batches
	environment string                    // address; empty: none
	parties     Parties
	terms       group.Terms // for comparing samples by a reward
	grouped     bool        // a reward compares the samples of a group
	dropsGroups bool        // a failed sample may drop its siblings
	holdsFirst  bool        // the first rewarded sample of a group is not trained before there is a second
	needsState  bool        // a reward needs the environment's state
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
		// A reward that calls a model takes as long as the model does. In a batch, all items would wait for the slowest
		// one.
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
		return errors.New("tasks, agent, generator and compose are required")
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
			return fmt.Errorf("reward %s reads the environment's state, but the agent has no environment", r.Address)
		}
		if _, ok := setup.Environment.Environment.(sdk.EnvironmentWithSnapshot); !ok ||
			!setup.Environment.Capabilities.Snapshot {
			return fmt.Errorf("reward %s reads the environment's state, which %s does not provide",
				r.Address, setup.Environment.Address)
		}
	}
	return nil
}

// templateKwargs returns the arguments of the chat template for a member.
func (s *stage) templateKwargs(member string) json.RawMessage {
	if s.TemplateKwargs == nil {
		return nil
	}
	return s.TemplateKwargs(member)
}

// checkTemplateKwargs rejects arguments of the chat template in a request that differ from the spec's.
func (s *stage) checkTemplateKwargs(req agent.Request) error {
	if len(req.TemplateKwargs) == 0 {
		return nil
	}
	var asked, own map[string]any
	if err := json.Unmarshal(req.TemplateKwargs, &asked); err != nil {
		return &sdk.GenerateError{
			Kind: sdk.GenerateRefused, Detail: "chat_template_kwargs is not a JSON object: " + err.Error(),
		}
	}
	if allowed := s.templateKwargs(req.Member); len(allowed) > 0 {
		if err := json.Unmarshal(allowed, &own); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if value, ok := own[name]; !ok || !reflect.DeepEqual(value, asked[name]) {
			return &sdk.GenerateError{Kind: sdk.GenerateRefused, Detail: fmt.Sprintf("chat_template_kwargs.%s = %v is not the "+
				"spec's value: set chat_template_kwargs in the agent block, or omit it from the request", name, asked[name])}
		}
	}
	return nil
}

// sampling returns the sampling settings for a call, which are the values in the spec. The agent may only reduce the
// length and add stop strings.
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
