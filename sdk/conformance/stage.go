package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"google.golang.org/protobuf/proto"

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

	announced map[string]string // the files of each checkpoint when it was announced; nil: nobody looks

	ctx     context.Context // of the episodes: until the stream has ended
	playing sync.WaitGroup

	mu       sync.Mutex
	over     bool             // the stream has ended
	answered int              // calls of Generate
	arrived  map[string]int64 // samples of each group, where the adapter does not number them
	numbers  map[string]int64 // those of such samples, by episode
	events   []*awhostv1.TrainEvent
	heard    uint64                        // the seq of the last event
	news     chan struct{}                 // closed with the next event
	episodes []*awhostv1.RunEpisodeRequest // in the order in which they came, repeats included
	results  map[string]*played
	problems []problem // of calls that the suite made as the host
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
	knobs, _ := t.knobs()
	t.suite.launches++
	launch := fmt.Sprintf("conformance/%d", t.suite.launches)
	if t.component.has(NeedRecover) { // its trainer would live on where a check fails
		t.cleanup(func() { _, _ = process.EndLaunch(context.WithoutCancel(t.ctx), launch) }) // where marks can be read
	}
	return t.stageOf(p, &awhostv1.TrainRequest{
		LaunchId: launch, Stage: stageName, ConfigJson: t.component.config, Knobs: knobs, FirstStep: 1,
		CheckpointDir: dir, Data: &awhostv1.DataSummary{TrainTasks: int64(len(t.trainTasks()))}, Incarnation: 1, PolicyJson: t.policy(),
	})
}

// stageOf is a training run by its request, in a process that is to train it or to take it up.
func (t *T) stageOf(p *client.Plugin, req *awhostv1.TrainRequest) *stage {
	_, total := t.knobs()
	return &stage{
		t: t, process: p, adapter: adapterOf(p), request: req, total: total, tasks: t.trainTasks(),
		results: map[string]*played{}, arrived: map[string]int64{}, numbers: map[string]int64{}, news: make(chan struct{}),
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

// recover goes on with the launch in another process. Episodes that are asked for once more run anew, as the protocol says: what became
// of those before counts for nothing.
func (s *stage) recover(ctx context.Context, req *awhostv1.RecoverRequest) error {
	s.mu.Lock()
	s.results, s.heard = map[string]*played{}, req.GetAfterSeq()
	s.mu.Unlock()
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

// What a stage of a few steps may have; one that never ends would fill the memory.
const (
	mostEvents     = 100_000
	mostEventBytes = 64 << 20
)

func (s *stage) follow(next receiver) error {
	size := 0
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
		if size += proto.Size(e); size > mostEventBytes {
			return fmt.Errorf("the events of %s hold more than %d MiB", plural(s.total, "step"), mostEventBytes>>20)
		}
		if n > mostEvents {
			return fmt.Errorf("there are more than %d events of %s", mostEvents, plural(s.total, "step"))
		}
		if c := e.GetCheckpoint(); c != nil && s.announced != nil {
			if _, again := s.announced[c.GetPath()]; !again {
				s.announced[c.GetPath()] = filesOf(c.GetPath())
			}
		}
		if s.seen != nil {
			s.seen(e)
		}
		s.mu.Lock()
		s.heard = max(s.heard, e.GetSeq())
		close(s.news)
		s.news = make(chan struct{})
		s.mu.Unlock()
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

// asked are the steps of the training episodes that were asked for, as far as the adapter knows them.
func (s *stage) asked() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []int64
	for _, e := range s.episodes {
		if e.GetSplit() != awhostv1.Split_SPLIT_VALIDATION && e.Step != nil {
			out = append(out, e.GetStep())
		}
	}
	return out
}

// ran says whether an episode was asked for by id.
func (s *stage) ran(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.episodes, func(e *awhostv1.RunEpisodeRequest) bool { return e.GetEpisodeId() == id })
}
