package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// stage is a training run: the adapter's request and what the suite, as its host, observes.
type stage struct {
	t       *T
	process *client.Plugin // in which it is trained
	adapter awhostv1.AdapterServiceClient
	request *awhostv1.TrainRequest
	total   int64 // steps
	tasks   []*awhostv1.Task

	decide func(*awhostv1.StepBoundaryRequest) awhostv1.StepBoundaryResponse_Directive // nil: all steps are run
	// changes a result; may be nil
	changeResult func(*awhostv1.RunEpisodeRequest, *awhostv1.EpisodeResult)
	// called per event; may be nil
	onEvent func(*awhostv1.TrainEvent)
	probes  *probes // nil: no probing

	announced map[string]string // the files of each checkpoint at its announcement; nil: not recorded

	ctx     context.Context // for the episodes: until the stream has ended
	playing sync.WaitGroup

	mu       sync.Mutex
	ended    bool                                    // the stream has ended
	answered int                                     // calls of Generate
	answers  map[string][]*awhostv1.GenerateResponse // by episode, in order
	arrived  map[string]int64                        // samples per group, if the adapter does not number them
	numbers  map[string]int64                        // numbers of these samples, by episode
	events   []*awhostv1.TrainEvent
	last     uint64                        // seq of the last event
	newEvent chan struct{}                 // closed at the next event
	episodes []*awhostv1.RunEpisodeRequest // in order of arrival, including repeats
	results  map[string]*episodeRun
	problems []problem // failed calls of the suite as the host
}

// stageName is the name of the stage that the suite trains.
const stageName = "conformance"

// steps is the number of steps in a stage.
const steps = 2

// knobs returns the stage's knobs, which are small defaults overridden by the fixture's knobs, and the number of steps.
func (t *T) knobs() (*awhostv1.Knobs, int64) {
	k := sdk.Knobs{Seed: 1, Concurrency: 4, Set: []string{"steps", "batch.prompts", "batch.group_size"}}
	n, prompts, group, prompt, response, message, every := steps, 2, 2, 96, 64, 8, 1
	k.Steps, k.Batch.Prompts, k.Batch.GroupSize = &n, &prompts, &group
	k.Checkpoint.Every = &every // a checkpoint to resume from
	k.Limits.PromptTokens, k.Limits.ResponseTokens, k.Limits.MessageTokens = &prompt, &response, &message
	if f := t.component.fixture.Train; f != nil && len(f.Knobs) > 0 {
		t.need(json.Unmarshal(f.Knobs, &k), "read the knobs of the fixtures")
	}
	text, err := json.Marshal(k)
	t.need(err, "write the knobs")
	if k.Steps == nil {
		t.fatalf("the knobs of the fixtures lack steps, the number of steps that the suite trains")
	}
	return &awhostv1.Knobs{Json: text}, int64(*k.Steps)
}

// planRequest returns a request to plan the stage that the suite trains.
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

// trainTasks returns the tasks in the fixtures, or else a few minimal ones.
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
		out = append(out, &awhostv1.Task{Id: fmt.Sprintf("conformance-%d", i),
			PublicJson: fmt.Appendf(nil, `{"prompt":"conformance %d"}`, i)})
	}
	return out
}

// stage creates a training run in a process. Each run has a new launch ID.
func (t *T) stage(p *client.Plugin) *stage {
	dir, err := os.MkdirTemp(t.suite.dir, "checkpoints-")
	t.need(err, "make a directory")
	knobs, _ := t.knobs()
	t.suite.launches++
	launch := fmt.Sprintf("conformance/%d", t.suite.launches)
	if t.component.has(NeedRecover) { // otherwise its trainer would remain after a failed check
		// Has an effect only where process marks are readable.
		t.cleanup(func() { _, _ = process.EndLaunch(context.WithoutCancel(t.ctx), launch) })
	}
	return t.stageOf(p, &awhostv1.TrainRequest{
		LaunchId: launch, Stage: stageName, ConfigJson: t.component.config, Knobs: knobs, FirstStep: 1,
		CheckpointDir: dir, Data: &awhostv1.DataSummary{TrainTasks: int64(len(t.trainTasks()))}, Incarnation: 1,
		PolicyJson: t.policy(),
	})
}

// stageOf creates a training run from a request, in a process that is to train or recover it.
func (t *T) stageOf(p *client.Plugin, req *awhostv1.TrainRequest) *stage {
	_, total := t.knobs()
	return &stage{
		t: t, process: p, adapter: adapterOf(p), request: req, total: total, tasks: t.trainTasks(),
		answers: map[string][]*awhostv1.GenerateResponse{},
		results: map[string]*episodeRun{}, arrived: map[string]int64{}, numbers: map[string]int64{},
		newEvent: make(chan struct{}),
	}
}

// receiver reads the stream returned by Train or Recover.
type receiver func() (*awhostv1.TrainEvent, error)

// train runs the stage to its end. The error is from the stream.
func (s *stage) train(ctx context.Context) error {
	defer s.begin(ctx)()
	stream, err := s.adapter.Train(ctx, s.request)
	if err != nil {
		return err
	}
	began := time.Now()
	err = s.readEvents(func() (*awhostv1.TrainEvent, error) {
		m, err := stream.Recv()
		return m.GetEvent(), err
	})
	if status.Code(err) == codes.DeadlineExceeded {
		err = fmt.Errorf("%w%s", err, s.t.newestLog(began))
	}
	return err
}

// maxLogEnd is the number of bytes that are read from the end of a log.
const maxLogEnd = 64 << 10

// newestLog returns the last lines of the file *.log that was written last, or "" if none was written since a time. A
// trainer that reached its time limit tells there what it does.
func (t *T) newestLog(since time.Time) string {
	newest, size := "", int64(0)
	_ = filepath.WalkDir(t.suite.dir, func(path string, entry fs.DirEntry, err error) error { // skips what it cannot read
		if err != nil || filepath.Ext(path) != ".log" {
			return nil
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(since) {
			newest, size, since = path, info.Size(), info.ModTime()
		}
		return nil
	})
	f, err := os.Open(newest)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, size-maxLogEnd), maxLogEnd))
	if err != nil {
		return ""
	}
	return outputSection("newest log, "+filepath.Base(newest), strings.Split(strings.TrimSpace(string(text)), "\n"))
}

// recover continues the launch in a different process. Episodes that are requested again are run again, as the protocol
// requires: their earlier results are dropped.
func (s *stage) recover(ctx context.Context, req *awhostv1.RecoverRequest) error {
	s.mu.Lock()
	s.results, s.last = map[string]*episodeRun{}, req.GetAfterSeq()
	s.mu.Unlock()
	defer s.begin(ctx)()
	stream, err := s.adapter.Recover(ctx, req)
	if err != nil {
		return err
	}
	return s.readEvents(func() (*awhostv1.TrainEvent, error) {
		m, err := stream.Recv()
		return m.GetEvent(), err
	})
}

// begin makes the suite this stage's host. end reverts that and waits until no episodes are running.
func (s *stage) begin(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.ctx, s.ended = ctx, false
	s.mu.Unlock()
	s.t.suite.host.setStage(s)
	return func() {
		s.t.suite.host.setStage(nil)
		s.mu.Lock()
		s.ended = true
		s.mu.Unlock()
		cancel()
		s.playing.Wait()
	}
}

// Bounds for a stage of a few steps, so that a stage without end does not fill the memory.
const (
	maxEvents     = 100_000
	maxEventBytes = 64 << 20
)

func (s *stage) readEvents(next receiver) error {
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
		if size += proto.Size(e); size > maxEventBytes {
			return fmt.Errorf("the events of %s have more than %d MiB", plural(s.total, "step"), maxEventBytes>>20)
		}
		if n > maxEvents {
			return fmt.Errorf("more than %d events of %s", maxEvents, plural(s.total, "step"))
		}
		if c := e.GetCheckpoint(); c != nil && s.announced != nil {
			if _, again := s.announced[c.GetPath()]; !again {
				s.announced[c.GetPath()] = filesOf(c.GetPath())
			}
		}
		if s.onEvent != nil {
			s.onEvent(e)
		}
		s.mu.Lock()
		s.last = max(s.last, e.GetSeq())
		close(s.newEvent)
		s.newEvent = make(chan struct{})
		s.mu.Unlock()
	}
}

// finished returns the event that ended the stage, or nil.
func (s *stage) finished() *awhostv1.FinishedEvent {
	if n := len(s.events); n > 0 {
		return s.events[n-1].GetFinished()
	}
	return nil
}

// checkpoints returns the announced checkpoints, in order.
func (s *stage) checkpoints() []*awhostv1.CheckpointEvent {
	var out []*awhostv1.CheckpointEvent
	for _, e := range s.events {
		if c := e.GetCheckpoint(); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// lastDigest returns the digest of the last checkpoint, or an empty string.
func (s *stage) lastDigest() string {
	all := s.checkpoints()
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1].GetDigest()
}

// consumed returns the steps that used episodes, in order.
func (s *stage) consumed() []*awhostv1.ConsumedEvent {
	var out []*awhostv1.ConsumedEvent
	for _, e := range s.events {
		if c := e.GetConsumed(); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// requestedSteps returns the steps of the training episodes that were requested, if the adapter specifies them.
func (s *stage) requestedSteps() []int64 {
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

// requested reports whether an episode with the given ID was requested.
func (s *stage) requested(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.episodes, func(e *awhostv1.RunEpisodeRequest) bool { return e.GetEpisodeId() == id })
}
