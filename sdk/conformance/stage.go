package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// stage is a training run: what an adapter is asked for, and what the suite, as its host, saw of it.
type stage struct {
	t       *T
	process *client.Plugin // that trains it
	adapter awhostv1.AdapterServiceClient
	request *awhostv1.TrainRequest
	total   int64 // steps
	tasks   []*awhostv1.Task

	decide func(*awhostv1.StepBoundaryRequest) awhostv1.StepBoundaryResponse_Directive // nil: go on, until the last step
	judge  func(*awhostv1.RunEpisodeRequest, *awhostv1.EpisodeResult)                  // changes a result; may be nil
	seen   func(*awhostv1.TrainEvent)                                                  // is told of each event; may be nil
	probes *probes                                                                     // nil: Generate is only used

	ctx     context.Context // of the episodes: until the stream has ended
	playing sync.WaitGroup

	mu         sync.Mutex
	over       bool           // the stream has ended
	answered   int            // calls of Generate
	arrived    map[string]int // samples of each group, where the adapter does not number them
	events     []*awhostv1.TrainEvent
	episodes   []*awhostv1.RunEpisodeRequest // in the order in which they came, repeats included
	results    map[string]*played
	boundaries []*awhostv1.StepBoundaryRequest
	problems   []string // of calls that the suite made as the host
}

// played is an episode that runs or has run.
type played struct {
	done   chan struct{}
	result *awhostv1.EpisodeResult
}

// stageName is that of the stage that the suite has trained.
const stageName = "conformance"

// steps is how many a stage has.
const steps = 2

// knobs are those of the stage: the fixture's over small ones.
func (t *T) knobs() (*awhostv1.Knobs, int64) {
	k := sdk.Knobs{Seed: 1, Concurrency: 4, Set: []string{"steps", "batch.prompts", "batch.group_size"}}
	n, prompts, group, prompt, response, message := steps, 2, 2, 96, 64, 8
	k.Steps, k.Batch.Prompts, k.Batch.GroupSize = &n, &prompts, &group
	k.Limits.PromptTokens, k.Limits.ResponseTokens, k.Limits.MessageTokens = &prompt, &response, &message
	if f := t.component.fixture.Train; f != nil && len(f.Knobs) > 0 {
		t.need(json.Unmarshal(f.Knobs, &k), "read the knobs of the fixtures")
	}
	text, err := json.Marshal(k)
	t.need(err, "write the knobs")
	if k.Steps == nil {
		t.fatalf("the knobs of the fixtures leave out steps: the suite trains so many and no more")
	}
	return &awhostv1.Knobs{Json: text}, int64(*k.Steps)
}

// planRequest is about the stage that the suite trains.
func (t *T) planRequest() *awhostv1.PlanRequest {
	knobs, _ := t.knobs()
	dir, err := os.MkdirTemp(t.suite.dir, "run-")
	t.need(err, "make a directory")
	data := &awhostv1.DataSummary{TrainTasks: int64(len(t.trainTasks()))}
	return &awhostv1.PlanRequest{
		ConfigJson: t.component.config, PolicyJson: t.policy(), Data: data, RunDir: dir,
		Agent:  &awhostv1.AgentSummary{Type: "conformance", MaxTurns: 2, Members: 1},
		Stages: []*awhostv1.StagePlan{{Name: stageName, Knobs: knobs, Data: data}},
	}
}

func (t *T) policy() []byte {
	if f := t.component.fixture.Train; f != nil {
		return f.Policy
	}
	return nil
}

// trainTasks are those of the fixtures, else some that say little.
func (t *T) trainTasks() []*awhostv1.Task {
	var out []*awhostv1.Task
	if f := t.component.fixture.Train; f != nil {
		for i, task := range f.Tasks {
			made := task.wire()
			if task.ID == "" {
				made.Id = fmt.Sprintf("task-%d", i+1)
			}
			out = append(out, made)
		}
	}
	for i := len(out); i < 4; i++ {
		out = append(out, &awhostv1.Task{Id: fmt.Sprintf("conformance-%d", i), PublicJson: fmt.Appendf(nil, `{"prompt":"conformance %d"}`, i)})
	}
	return out
}

// stage makes a training run in a process; each has a launch of its own.
func (t *T) stage(p *client.Plugin) *stage {
	dir, err := os.MkdirTemp(t.suite.dir, "checkpoints-")
	t.need(err, "make a directory")
	knobs, total := t.knobs()
	t.suite.launches++
	tasks := t.trainTasks()
	launch := fmt.Sprintf("conformance/%d", t.suite.launches)
	if t.component.has(NeedRecover) { // its trainer would live on where a check fails
		t.cleanup(func() { _, _ = process.EndLaunch(context.WithoutCancel(t.ctx), launch) }) // where marks can be read
	}
	return &stage{
		t: t, process: p, adapter: adapterOf(p), total: total, tasks: tasks, results: map[string]*played{}, arrived: map[string]int{},
		request: &awhostv1.TrainRequest{
			LaunchId: launch, Stage: stageName, ConfigJson: t.component.config, Knobs: knobs, FirstStep: 1,
			CheckpointDir: dir, Data: &awhostv1.DataSummary{TrainTasks: int64(len(tasks))}, Incarnation: 1, PolicyJson: t.policy(),
		},
	}
}

// receiver is the stream of Train or of Recover.
type receiver func() (*awhostv1.TrainEvent, error)

// train runs the stage to its end. The error is the stream's.
func (s *stage) train(ctx context.Context) error {
	defer s.begin(ctx)()
	stream, err := s.adapter.Train(ctx, s.request)
	if err != nil {
		return err
	}
	return s.follow(func() (*awhostv1.TrainEvent, error) {
		m, err := stream.Recv()
		return m.GetEvent(), err
	})
}

// recover goes on with the launch in another process.
func (s *stage) recover(ctx context.Context, req *awhostv1.RecoverRequest) error {
	defer s.begin(ctx)()
	stream, err := s.adapter.Recover(ctx, req)
	if err != nil {
		return err
	}
	return s.follow(func() (*awhostv1.TrainEvent, error) {
		m, err := stream.Recv()
		return m.GetEvent(), err
	})
}

// begin makes the suite the host of this stage. The function ends that, and waits until no episode is played any more.
func (s *stage) begin(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.ctx, s.over = ctx, false
	s.mu.Unlock()
	s.t.suite.host.serves(s)
	return func() {
		s.t.suite.host.serves(nil)
		s.mu.Lock()
		s.over = true
		s.mu.Unlock()
		cancel()
		s.playing.Wait()
	}
}

// mostEvents is how many a stage of a few steps may have; one that never ends would fill the memory.
const mostEvents = 100_000

func (s *stage) follow(next receiver) error {
	for {
		e, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.events = append(s.events, e)
		n := len(s.events)
		s.mu.Unlock()
		if n > mostEvents {
			return fmt.Errorf("there are more than %d events of %s", mostEvents, plural(s.total, "step"))
		}
		if s.seen != nil {
			s.seen(e)
		}
	}
}

// finished is how the stage ended; nil: nobody has said.
func (s *stage) finished() *awhostv1.FinishedEvent {
	if n := len(s.events); n > 0 {
		return s.events[n-1].GetFinished()
	}
	return nil
}

// checkpoints are those that were announced, in order.
func (s *stage) checkpoints() []*awhostv1.CheckpointEvent {
	var out []*awhostv1.CheckpointEvent
	for _, e := range s.events {
		if c := e.GetCheckpoint(); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// consumed are the steps that used episodes, in order.
func (s *stage) consumed() []*awhostv1.ConsumedEvent {
	var out []*awhostv1.ConsumedEvent
	for _, e := range s.events {
		if c := e.GetConsumed(); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// asked are the steps of the training episodes that were asked for.
func (s *stage) asked() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []int64
	for _, e := range s.episodes {
		if e.GetSplit() != awhostv1.Split_SPLIT_VALIDATION {
			out = append(out, e.GetStep())
		}
	}
	return out
}

// ran says whether an episode was asked for by id.
func (s *stage) ran(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.results[id] != nil
}

func (s *stage) problem(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = append(s.problems, fmt.Sprintf(format, args...))
}

// episode plays one, or gives the one that a repeat joins.
func (s *stage) episode(req *awhostv1.RunEpisodeRequest) (*played, error) {
	if req.GetTask() == nil && req.GetDatasetIndex() < 0 {
		return nil, status.Errorf(codes.InvalidArgument, "the dataset_index is %d", req.GetDatasetIndex())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return nil, status.Error(codes.FailedPrecondition, "the stage is over")
	}
	first := len(s.episodes) == 0
	s.episodes = append(s.episodes, req)
	known := s.results[req.GetEpisodeId()]
	if known != nil {
		return known, nil
	}
	index := req.GetSampleIndex()
	if req.SampleIndex == nil {
		index = int64(s.arrived[req.GetGroupId()])
		s.arrived[req.GetGroupId()]++
	}
	known = &played{done: make(chan struct{})}
	s.results[req.GetEpisodeId()] = known
	ctx := s.ctx
	s.playing.Go(func() {
		defer close(known.done)
		known.result = s.play(ctx, req, index, first)
	})
	return known, nil
}

// turns is how many messages of the policy an episode has.
const turns = 2

// play asks the policy for an episode's messages. The reward tells the samples of a group apart, so that there is something to learn.
func (s *stage) play(ctx context.Context, req *awhostv1.RunEpisodeRequest, index int64, first bool) *awhostv1.EpisodeResult {
	task := req.GetTask()
	if task == nil {
		task = s.tasks[req.GetDatasetIndex()%int64(len(s.tasks))]
	}
	var chain string
	var length int64
	say := user(string(task.GetPublicJson()))
	for turn := range turns {
		call := &awhostv1.GenerateRequest{
			EpisodeId: req.GetEpisodeId(), Attempt: 1, CallId: fmt.Sprintf("%s/%d", req.GetEpisodeId(), turn), Chain: chain, Base: length,
			Messages: []*awhostv1.Message{say}, Sampling: &awhostv1.Sampling{MaxTokens: 8}, Trainable: true, Seed: uint64(turn) + 1,
			Deadline: durationpb.New(s.t.suite.config.Patience), Validation: req.GetSplit() == awhostv1.Split_SPLIT_VALIDATION,
		}
		answer, err := s.adapter.Generate(ctx, call)
		if err != nil {
			if ctx.Err() == nil && !givenUp(err) {
				s.problem("Generate, message %d of episode %s: %v", turn+1, req.GetEpisodeId(), err)
			}
			return &awhostv1.EpisodeResult{
				EpisodeId: req.GetEpisodeId(), Attempt: 1, Draw: req.GetDraw(), Outcome: awhostv1.EpisodeOutcome_EPISODE_OUTCOME_FAILED, TaskId: task.GetId(),
				Failure: &awhostv1.Failure{Class: awhostv1.FailureClass_FAILURE_CLASS_MODEL, Detail: err.Error()}, Masked: true,
			}
		}
		s.mu.Lock()
		s.answered++
		s.mu.Unlock()
		if first && s.probes != nil {
			s.probes.look(ctx, s, call, answer)
		}
		chain, length, say = answer.GetChain(), answer.GetChainLength(), user("Go on.")
	}
	reward := float64(index % 2)
	result := &awhostv1.EpisodeResult{
		EpisodeId: req.GetEpisodeId(), Attempt: 1, Draw: req.GetDraw(), Outcome: awhostv1.EpisodeOutcome_EPISODE_OUTCOME_SCORED, Reward: &reward,
		Chains: []*awhostv1.ChainResult{{Chain: chain, Train: true}}, NumTurns: turns, TaskId: task.GetId(),
	}
	if s.judge != nil {
		s.judge(req, result)
	}
	return result
}

// givenUp says whether a trainer did not want a message any more: it had asked for the episode ahead, or pauses.
func givenUp(err error) bool {
	for _, detail := range status.Convert(err).Details() {
		if d, ok := detail.(*awhostv1.GenerateError); ok {
			return d.GetKind() == awhostv1.GenerateError_KIND_ABORTED || d.GetKind() == awhostv1.GenerateError_KIND_PAUSED
		}
	}
	return false
}

// boundary answers at the end of a step.
func (s *stage) boundary(req *awhostv1.StepBoundaryRequest) awhostv1.StepBoundaryResponse_Directive {
	s.mu.Lock()
	s.boundaries = append(s.boundaries, req)
	s.mu.Unlock()
	switch {
	case s.decide != nil:
		return s.decide(req)
	case req.GetStep() >= s.total:
		return awhostv1.StepBoundaryResponse_DIRECTIVE_FINISH_STAGE
	}
	return awhostv1.StepBoundaryResponse_DIRECTIVE_CONTINUE
}

func user(text string) *awhostv1.Message {
	return &awhostv1.Message{Role: awhostv1.Role_ROLE_USER, Content: []*awhostv1.ContentPart{{Part: &awhostv1.ContentPart_Text{Text: text}}}}
}
