package local

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// rig is a configured plugin, served over the real protocol, with a scripted host.
type rig struct {
	t       *testing.T
	adapter sdk.Adapter // as seen by the host
	inner   *adapter    // the implementation
	host    *scriptedHost
	dir     string // of checkpoints
	events  []sdk.TrainEvent
}

func newRig(t *testing.T, config map[string]any) *rig {
	t.Helper()
	r := &rig{t: t, host: &scriptedHost{}, dir: t.TempDir()}
	r.host.play = func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		return twoTurns(ctx, r.host, req)
	}
	plugin := Plugin()
	construct := plugin.Adapters[0].New
	plugin.Adapters[0].New = func(ctx context.Context, setup sdk.Setup) (sdk.Adapter, error) {
		made, err := construct(ctx, setup)
		if err == nil {
			r.inner = made.(*adapter)
		}
		return made, err
	}
	full := map[string]any{"context": 64}
	for name, v := range config {
		full[name] = v
	}
	r.adapter = sdktest.Adapter(t, plugin, "local", full, r.host)
	r.host.adapter = r.adapter
	t.Cleanup(r.host.playing.Lock) // before the connection closes: an aborted stage ends before its episodes
	return r
}

// knobsOf returns knobs for steps that take milliseconds; change may be nil.
func knobsOf(steps int, change func(*sdk.Knobs)) sdk.Knobs {
	k := sdk.Knobs{Seed: 7, Steps: &steps, Concurrency: 8}
	k.Batch.Prompts, k.Batch.GroupSize = ptr(2), ptr(4)
	if change != nil {
		change(&k)
	}
	return k
}

func ptr[T any](v T) *T { return &v }

func (r *rig) request(k sdk.Knobs) sdk.TrainRequest {
	return sdk.TrainRequest{
		LaunchID: "run/launch", Stage: "only", Knobs: k, FirstStep: 1, CheckpointDir: r.dir, TrainTasks: 6,
		ValidationTasks: 2, Incarnation: 1,
	}
}

// tryTrain runs a stage and returns its final event.
func (r *rig) tryTrain(ctx context.Context, req sdk.TrainRequest) (*sdk.FinishedEvent, error) {
	r.t.Helper()
	r.events = nil
	err := r.adapter.Train(ctx, req, nil, func(e sdk.TrainEvent) error { r.events = append(r.events, e); return nil })
	if err != nil {
		return nil, err
	}
	if n := len(r.events); n == 0 || r.events[n-1].Finished == nil {
		r.t.Fatalf("the stage did not end with a finished event: %d events", n)
	}
	return r.events[len(r.events)-1].Finished, nil
}

// train runs a stage that must end with the outcome.
func (r *rig) train(req sdk.TrainRequest, want sdk.FinishedOutcome) *sdk.FinishedEvent {
	r.t.Helper()
	finished, err := r.tryTrain(r.t.Context(), req)
	if err != nil {
		r.t.Fatalf("train: %v", err)
	}
	if finished.Outcome != want {
		r.t.Fatalf("the stage ended as %s (%s), want %s", finished.Outcome, finished.Reason, want)
	}
	return finished
}

func (r *rig) checkpoints() map[int]sdk.CheckpointEvent {
	out := map[int]sdk.CheckpointEvent{}
	for _, e := range r.events {
		if e.Checkpoint != nil {
			out[e.Checkpoint.Step] = *e.Checkpoint
		}
	}
	return out
}

// stepDigest identifies a step of equal runs. The digest alone does not identify the step, because a step without an
// update keeps it.
type stepDigest struct {
	Step   int
	Digest string
}

// digests returns the checkpoints' steps and digests in order, starting at a step.
func (r *rig) digests(from int) []stepDigest {
	var out []stepDigest
	for _, e := range r.events {
		if e.Checkpoint != nil && e.Checkpoint.Step >= from {
			out = append(out, stepDigest{e.Checkpoint.Step, e.Checkpoint.Digest})
		}
	}
	return out
}

func (r *rig) metrics(step int) map[string]float64 {
	r.t.Helper()
	for _, e := range r.events {
		if e.Metrics != nil && e.Metrics.Step == step {
			return e.Metrics.Values
		}
	}
	r.t.Fatalf("no metrics of step %d", step)
	return nil
}

// uses returns the uses of a step's episodes, in slot order.
func (r *rig) uses(step int) []sdk.Consumption {
	r.t.Helper()
	for _, e := range r.events {
		if e.Consumed != nil && e.Consumed.Step == step {
			var out []sdk.Consumption
			for _, ep := range e.Consumed.Episodes {
				out = append(out, ep.Use)
			}
			return out
		}
	}
	r.t.Fatalf("step %d consumed nothing", step)
	return nil
}

func (r *rig) checkpoint(step int) string {
	return filepath.Join(r.dir, fmt.Sprintf("step-%06d", step))
}

// scriptedHost implements the host's side of the protocol.
type scriptedHost struct {
	adapter  sdk.Adapter
	datasets map[string][]sdk.Task
	play     func(context.Context, sdk.EpisodeRequest) (*sdk.EpisodeResult, error)
	decide   func(sdk.StepBoundaryRequest) (sdk.Directive, string) // nil: continue

	calls   atomic.Int64 // of Generate
	playing sync.RWMutex // read-locked by each episode

	mu         sync.Mutex
	episodes   []sdk.EpisodeRequest
	boundaries []sdk.StepBoundaryRequest
}

// RunEpisode implements sdk.Host.
func (h *scriptedHost) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	if !h.playing.TryRLock() {
		return nil, errors.New("the test has ended")
	}
	defer h.playing.RUnlock()
	h.mu.Lock()
	h.episodes = append(h.episodes, req)
	h.mu.Unlock()
	return h.play(ctx, req)
}

// CancelEpisode implements sdk.Host.
func (h *scriptedHost) CancelEpisode(context.Context, string, string) error { return nil }

// Tasks implements sdk.Host.
func (h *scriptedHost) Tasks(_ context.Context, req sdk.TasksRequest, yield func(sdk.Task) bool) error {
	tasks, ok := h.datasets[req.Dataset]
	if !ok {
		return fmt.Errorf("unknown dataset %q", req.Dataset)
	}
	for _, task := range tasks {
		if !yield(task) {
			return nil
		}
	}
	return nil
}

// StepBoundary implements sdk.Host.
func (h *scriptedHost) StepBoundary(_ context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.boundaries = append(h.boundaries, req)
	if h.decide == nil {
		return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveContinue}, nil
	}
	directive, reason := h.decide(req)
	return &sdk.StepBoundaryResponse{Directive: directive, Reason: reason}, nil
}

// asked returns the requested episodes of a split and step, in slot order.
func (h *scriptedHost) asked(split sdk.Split, step int) []sdk.EpisodeRequest {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := slices.DeleteFunc(slices.Clone(h.episodes), func(r sdk.EpisodeRequest) bool {
		return r.Split != split ||
			r.Step != step
	})
	slices.SortFunc(out, func(a, b sdk.EpisodeRequest) int {
		return cmp.Or(cmp.Compare(a.GroupID, b.GroupID), cmp.Compare(a.SampleIndex, b.SampleIndex))
	})
	return out
}

var _ sdk.Host = (*scriptedHost)(nil)

// conversation is one chain of an episode, as seen by the host.
type conversation struct {
	host     *scriptedHost
	episode  sdk.EpisodeRequest
	attempt  int
	sampling sdk.Sampling
	frozen   bool // not trainable

	chain   string
	base    int
	calls   int
	sampled int // tokens
	last    *sdk.GenerateResponse
}

func converse(h *scriptedHost, req sdk.EpisodeRequest) *conversation {
	return &conversation{host: h, episode: req, attempt: 1, sampling: sdk.Sampling{MaxTokens: 6}}
}

// next returns the request for an answer to messages.
func (c *conversation) next(messages ...sdk.Message) sdk.GenerateRequest {
	c.calls++
	// The seed depends on the slot and not on the episode's id, which differs between launches.
	seed := hashOf(c.episode.Split, c.episode.Step, c.episode.GroupID, c.episode.SampleIndex, c.attempt, c.calls)
	return sdk.GenerateRequest{
		EpisodeID: c.episode.EpisodeID, Attempt: c.attempt, CallID: fmt.Sprint(c.host.calls.Add(1)),
		Chain: c.chain, Base: c.base, Messages: messages, Sampling: c.sampling, Trainable: !c.frozen, Seed: seed,
	}
}

func hashOf(parts ...any) uint64 {
	hash := fnv.New64a()
	fmt.Fprintln(hash, parts...)
	return hash.Sum64()
}

// say adds a user's text and returns the answer's text.
func (c *conversation) say(ctx context.Context, text string) (string, error) {
	return c.send(ctx, c.next(sdk.Message{Role: sdk.RoleUser, Content: text}))
}

func (c *conversation) send(ctx context.Context, req sdk.GenerateRequest) (string, error) {
	out, err := c.host.adapter.Generate(ctx, req)
	if err != nil {
		return "", err
	}
	c.chain, c.base, c.last, c.sampled = out.Chain, out.ChainLength, out, c.sampled+out.OutputTokens
	return out.Message.Content, nil
}

// scored returns a result that trains the chains.
func scored(req sdk.EpisodeRequest, reward float64, chains ...string) *sdk.EpisodeResult {
	r := &sdk.EpisodeResult{EpisodeID: req.EpisodeID, Attempt: 1, Outcome: sdk.OutcomeScored, Reward: &reward}
	for _, c := range chains {
		r.Chains = append(r.Chains, sdk.ChainResult{Chain: c, Train: true})
	}
	return r
}

// twoTurns plays the usual episode: two questions, and a reward that depends on the answers.
func twoTurns(ctx context.Context, h *scriptedHost, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	c := converse(h, req)
	first, err := c.say(ctx, fmt.Sprintf("q%d", req.DatasetIndex%6))
	if err != nil {
		return nil, err
	}
	second, err := c.say(ctx, "and?")
	if err != nil {
		return nil, err
	}
	return scored(req, textReward(first+second), c.chain), nil
}

// textReward returns a reward that differs between most texts.
func textReward(text string) float64 { return float64(hashOf(text)%5) / 4 }

// demonstrationsOf returns tasks in which the assistant always gives the same answer to a question.
func demonstrationsOf(t *testing.T, answers map[string]string) []sdk.Task {
	t.Helper()
	var tasks []sdk.Task
	for _, question := range slices.Sorted(maps.Keys(answers)) {
		public, err := json.Marshal(map[string]any{"messages": []map[string]any{
			{"role": "user", "content": question}, {"role": "assistant", "content": answers[question]},
		}})
		if err != nil {
			t.Fatal(err)
		}
		tasks = append(tasks, sdk.Task{ID: "demo-" + question, Public: public})
	}
	return tasks
}

// kindOf returns the kind of a typed Generate error.
func kindOf(err error) sdk.GenerateErrorKind {
	var typed *sdk.GenerateError
	if errors.As(err, &typed) {
		return typed.Kind
	}
	return ""
}

// greedy plays episodes with one demonstrated question each, without randomness, and records "right" or "wrong".
func (h *scriptedHost) greedy(t *testing.T, heard *[]string, answers map[string]string) func(context.Context,
	sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	t.Helper()
	questions := slices.Sorted(maps.Keys(answers))
	return func(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
		c := converse(h, req)
		c.sampling = sdk.Sampling{Temperature: ptr(0.0)}
		question := questions[req.DatasetIndex%len(questions)]
		text, err := c.say(ctx, question)
		if err != nil {
			return nil, err
		}
		verdict := "wrong"
		if text == answers[question] && c.last.Finish == sdk.FinishStop {
			verdict = "right"
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		*heard = append(*heard, verdict)
		return scored(req, 1, c.chain), nil
	}
}
