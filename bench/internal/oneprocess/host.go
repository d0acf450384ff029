package oneprocess

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"sync"
	"sync/atomic"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// host serves a trainer with plain function calls.
type host struct {
	*Recipe
	order *dataset.Order
	slots chan struct{} // one per episode that may run concurrently
	turns atomic.Int64
	ended atomic.Int64 // episodes

	mu            sync.Mutex
	solved        int // of the current validation
	validated     int
	before, after float64 // success rate of the first and the last validation
	passes        int
}

func newHost(r *Recipe) *host { return &host{Recipe: r} }

// prepare initializes the host from the whole recipe.
func (h *host) prepare() {
	h.order = dataset.NewOrder(h.train.Len(), h.stage.Knobs.Seed)
	h.slots = make(chan struct{}, max(1, h.stage.Concurrency))
}

// Result is the result of training a recipe.
type Result struct {
	Counts
	Before, After float64 // success rate of the first and the last validation; 0 without one
}

// Train trains according to the spec.
func (r *Recipe) Train(ctx context.Context, emit func(sdk.TrainEvent) error) (Result, error) {
	checkpoints, err := os.MkdirTemp("", "awhost-bench-alone-")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(checkpoints)
	req := sdk.TrainRequest{
		LaunchID: "alone", Stage: r.stage.Name, Config: r.adapterConfig, Knobs: r.stage.Knobs, FirstStep: 1,
		CheckpointDir: checkpoints,
		TrainTasks:    r.train.Len(),
	}
	if r.validation != nil {
		req.ValidationTasks = r.validation.Len()
	}
	if err := r.adapter.Train(ctx, req, r.host, emit); err != nil {
		return Result{}, err
	}
	return Result{Before: r.host.before, After: r.host.after, Counts: r.host.counts()}, nil
}

func (h *host) counts() Counts {
	return Counts{Episodes: int(h.ended.Load()), Turns: int(h.turns.Load())}
}

// RunEpisode implements sdk.Host.
func (h *host) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	task, err := h.task(req)
	if err != nil {
		return nil, err
	}
	played, err := h.play(ctx, req, task)
	if err != nil {
		return nil, err
	}
	result, err := h.judge(ctx, task, played)
	if err != nil {
		return nil, err
	}
	h.ended.Add(1)
	result.EpisodeID, result.Attempt, result.TaskID = req.EpisodeID, 1, task.ID
	if req.Split == sdk.SplitValidation {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.validated++
		if result.IsSuccess != nil && *result.IsSuccess {
			h.solved++
		}
	}
	return result, nil
}

func (h *host) task(req sdk.EpisodeRequest) (sdk.Task, error) {
	if req.Split == sdk.SplitValidation {
		return h.validation.Task(req.DatasetIndex)
	}
	_, row := h.order.At(req.DatasetIndex)
	return h.train.Task(row)
}

// playedEpisode is the conversation of an episode that has ended.
type playedEpisode struct {
	messages  []sdk.Message
	chain     string
	turns     int
	truncated bool
}

// play runs the policy in the environment until the environment is done or a limit is reached.
func (h *host) play(ctx context.Context, req sdk.EpisodeRequest, task sdk.Task) (*playedEpisode, error) {
	seed := seedOf(h.stage.Knobs.Seed, req)
	shown := sdk.Task{ID: task.ID, Public: task.Public}
	opened, err := h.environment.Open(ctx, sdk.OpenRequest{EpisodeID: req.EpisodeID, Task: shown, Seed: seed,
		Split: req.Split})
	if err != nil {
		return nil, err
	}
	defer func() {
		_, _ = h.environment.Close(ctx, sdk.CloseRequest{EpisodeID: req.EpisodeID, InstanceID: opened.InstanceID})
	}()
	played := &playedEpisode{messages: opened.Messages}
	base, sent := 0, 0
	for played.turns < h.agent.MaxTurns {
		reply, err := h.adapter.Generate(ctx, sdk.GenerateRequest{
			EpisodeID: req.EpisodeID, Attempt: 1, CallID: fmt.Sprint(played.turns), Agent: "solver", Chain: played.chain,
			Base:     base,
			Messages: played.messages[sent:], Tools: opened.Tools, Sampling: h.sampling(), Trainable: true,
			Seed:       seed + uint64(played.turns) + 1,
			Validation: req.Split == sdk.SplitValidation,
		})
		var full *sdk.GenerateError
		if errors.As(err, &full) && full.Kind == sdk.GenerateContextFull {
			played.truncated = true
			return played, nil
		}
		if err != nil {
			return nil, err
		}
		h.turns.Add(1)
		played.turns++
		played.messages = append(played.messages, reply.Message)
		played.chain, base, sent = reply.Chain, reply.ChainLength, len(played.messages)
		if reply.Finish == sdk.FinishLength {
			played.truncated = true
			return played, nil
		}
		if len(reply.Message.Malformed) > 0 {
			return played, nil
		}
		step, err := h.environment.Step(ctx, sdk.StepRequest{
			EpisodeID: req.EpisodeID, InstanceID: opened.InstanceID, StepID: fmt.Sprint(played.turns), Message: reply.Message,
		})
		if err != nil {
			return nil, err
		}
		played.messages = append(played.messages, step.Messages...)
		if step.Done {
			played.truncated = step.Truncated
			return played, nil
		}
	}
	played.truncated = true
	return played, nil
}

func (h *host) sampling() sdk.Sampling {
	k := h.stage.Knobs
	out := sdk.Sampling{Temperature: k.Sampling.Temperature, TopP: k.Sampling.TopP}
	if k.Limits.MessageTokens != nil {
		out.MaxTokens = *k.Limits.MessageTokens
	}
	return out
}

// seedOf derives an episode's seed from its ID.
func seedOf(run int64, req sdk.EpisodeRequest) uint64 {
	sum := fnv.New64a()
	fmt.Fprintf(sum, "%d/%s", run, req.EpisodeID)
	return sum.Sum64()
}

// judge scores an episode with the spec's expressions.
func (h *host) judge(ctx context.Context, task sdk.Task, played *playedEpisode) (*sdk.EpisodeResult, error) {
	item := sdk.ScoreItem{EpisodeID: "alone", Task: task, Messages: played.messages,
		FinalAnswer: lastAnswer(played.messages)}
	in := spec.Inputs{Rewards: map[string]sdk.Scored{}, NumTurns: played.turns, Truncated: played.truncated}
	for address, reward := range h.rewards {
		scored, err := reward.Score(ctx, sdk.ScoreRequest{Items: []sdk.ScoreItem{item}})
		if err != nil {
			return nil, fmt.Errorf("score by %s: %w", address, err)
		}
		in.Rewards[address] = scored.Items[0]
	}
	judgement, err := h.stage.Judge(in)
	if err != nil {
		return nil, err
	}
	out := &sdk.EpisodeResult{Outcome: sdk.OutcomeScored, Reward: &judgement.Reward, IsSuccess: judgement.Success,
		NumTurns: played.turns}
	if played.chain != "" {
		out.Chains = []sdk.ChainResult{{Chain: played.chain, Agent: "solver", Train: true}}
	}
	return out, nil
}

func lastAnswer(messages []sdk.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == sdk.RoleAssistant {
			return messages[i].Content
		}
	}
	return ""
}

// CancelEpisode implements sdk.Host.
func (h *host) CancelEpisode(context.Context, string, string) error { return nil }

// Tasks implements sdk.Host.
func (h *host) Tasks(_ context.Context, req sdk.TasksRequest, yield func(sdk.Task) bool) error {
	d := h.data[req.Dataset]
	if d == nil {
		return fmt.Errorf("the spec has no dataset %q", req.Dataset)
	}
	for i := range d.Len() {
		task, err := d.Task(i)
		if err != nil {
			return err
		}
		task.Private = nil
		if !yield(task) {
			return nil
		}
	}
	return nil
}

// StepBoundary implements sdk.Host.
func (h *host) StepBoundary(_ context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	if h.config.Boundary != nil {
		h.config.Boundary(req.Step, h.counts())
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if req.Validated && h.validated > 0 {
		rate := float64(h.solved) / float64(h.validated)
		if h.passes == 0 {
			h.before = rate
		}
		h.after, h.solved, h.validated = rate, 0, 0
		h.passes++
	}
	return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveContinue}, nil
}

var _ sdk.Host = (*host)(nil)
