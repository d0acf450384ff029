package run_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) {
	fakeplugin.Main()
	if os.Getenv(envHostDir) != "" {
		fmt.Fprintln(os.Stderr, playHost())
		os.Exit(1)
	}
	testlevel.Parallel(6)
	goleak.VerifyTestMain(testlevel.InMemory(m))
}

// patience bounds every run of these tests. It is generous, because the machine may be busy. No test needs all of it.
const patience = 2 * time.Minute

// rig is a directory with a spec and its runs. Its text fields are inserted into the spec.
type rig struct {
	t   *testing.T
	dir string

	adapterType string // "scripted" by default
	adapter     string // body of the adapter block, in addition to control
	agent       string // body of an agent block of type scripted; empty: a react agent
	environment string
	reward      string
	rewardType  string
	more        string // other blocks
	train       string // additional attributes and blocks of the train block
	steps       int
	concurrency int
	data        int  // training tasks
	wrong       bool // whether their ground truths are wrong
	outputs     string
	environ     map[string]string // environment variables of the spec

	fs      disk.FS
	stop    chan struct{}
	abort   chan struct{}
	on      func(event.Event) // called for every event
	verbose bool
	control run.Control

	releaseTimeout time.Duration
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, dir: t.TempDir(), steps: 3, concurrency: 4, data: 5, adapterType: "scripted", rewardType: "scripted"}
	for _, dir := range []string{"control", "data"} {
		if err := os.Mkdir(filepath.Join(r.dir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r *rig) write(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) text() string {
	solver := "agent \"react\" \"solver\" {\n  environment = environment.scripted.desk\n  max_turns   = 3\n}"
	if r.agent != "" {
		solver = fmt.Sprintf("agent \"scripted\" \"solver\" {\n  environment = environment.scripted.desk\n  control = \"control\"\n  %s\n}", r.agent)
	}
	return fmt.Sprintf(`
dataset "jsonl" "train" { path = "data/train.jsonl" }
dataset "jsonl" "held_out" { path = "data/held_out.jsonl" }
environment "scripted" "desk" {
  control = "control"
  %s
}
%s
reward %q "answer" {
  control = "control"
  %s
}
adapter %q "trainer" {
  control = "control"
  %s
}
train "sums" {
  agent       = %s
  dataset     = dataset.jsonl.train
  validation  = dataset.jsonl.held_out
  adapter     = adapter.%s.trainer
  reward      = reward.%s.answer
  steps       = %d
  concurrency = %d
  batch {
    prompts    = 2
    group_size = 2
  }
  validate {
    every        = 2
    before_train = true
  }
  checkpoint {
    every = 2
    keep  = 2
  }
  %s
}
%s
%s
`, r.environment, solver, r.rewardType, r.reward, r.adapterType, r.adapter, r.solver(), r.adapterType, r.rewardType, r.steps, r.concurrency, r.train, r.more, r.outputs)
}

// solver returns the address of the agent.
func (r *rig) solver() string {
	if r.agent != "" {
		return "agent.scripted.solver"
	}
	return "agent.react.solver"
}

// tasks returns sums, one per line.
func tasks(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%s-%d","prompt":"what is %d + %d?","ground_truth":"%d"}`+"\n", prefix, i, i, 2*i, 3*i)
	}
	return b.String()
}

// plan writes the files and computes the plan.
func (r *rig) plan() *plan.Plan {
	r.t.Helper()
	p, problems := plan.Make(r.t.Context(), r.inputs())
	r.t.Cleanup(p.Close)
	if problems.HasErrors() {
		r.t.Fatal(problems)
	}
	return p
}

func (r *rig) inputs() plan.Inputs {
	r.t.Helper()
	r.write("train.hcl", r.text())
	train := tasks("sum", r.data)
	if r.wrong {
		train = strings.ReplaceAll(train, `"ground_truth":"`, `"ground_truth":"about `)
	}
	r.write("data/train.jsonl", train)
	r.write("data/held_out.jsonl", tasks("probe", 3))
	c, err := fakeplugin.Catalog(r.dir, "")
	if err != nil {
		r.t.Fatal(err)
	}
	s, problems := spec.Load(filepath.Join(r.dir, "train.hcl"),
		spec.Options{Schemas: c, Version: sdk.Version, Environ: func(name string) (string, bool) {
			value, ok := r.environ[name]
			return value, ok
		}})
	if problems.HasErrors() {
		r.t.Fatal(problems)
	}
	return plan.Inputs{Spec: s, Catalog: c, Store: r.store(), PassEnv: fakeplugin.PassEnv()}
}

func (r *rig) store() *runstore.Store {
	return runstore.In(r.dir, runstore.Options{Version: "0.1.0", Command: "test", FS: r.fs})
}

// ended is a run after Apply has returned.
type ended struct {
	*run.Result
	t      *testing.T
	dir    string // of the run
	store  *runstore.Store
	events []event.Event
}

// apply starts a run, or resumes the existing one.
func (r *rig) apply() *ended {
	r.t.Helper()
	p := r.plan()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	var writer *runstore.Writer
	var err error
	switch p.Mode {
	case event.ModeResume:
		writer, err = run.Resume(ctx, r.store(), p.Existing.Dir, runstore.ResumeOptions{Extension: p.Extension})
	default:
		writer, err = r.store().Create(ctx, runstore.NewRun{
			Name: p.Train.Name, Identity: p.Identity, SpecPath: p.Spec.Path, Spec: p.Spec.Resolved(),
			Protocol: sdk.ProtocolVersion,
		})
	}
	if err != nil {
		r.t.Fatal(err)
	}
	out := &ended{t: r.t, dir: writer.Dir, store: runstore.In(r.dir, runstore.Options{Version: "0.1.0"})}
	r.stop, r.abort = make(chan struct{}), make(chan struct{})
	bus := event.NewBus(event.Config{Now: time.Now}, event.HandlerFunc(func(e event.Event) {
		out.events = append(out.events, e)
		if r.on != nil {
			r.on(e)
		}
	}))
	bus.Identify(writer.Ref(), writer.Incarnation())
	out.Result = run.Apply(ctx, run.Config{
		Plan: p, Writer: writer, Bus: bus, Stop: r.stop, Abort: r.abort, PassEnv: fakeplugin.PassEnv(), Verbose: r.verbose,
		Control: r.control, ReleaseTimeout: r.releaseTimeout,
	})
	if err := bus.Close(ctx); err != nil {
		r.t.Fatal(err)
	}
	if ctx.Err() != nil {
		r.t.Fatalf("the run did not end within %s", patience)
	}
	return out
}

// once returns a function that calls f when it is first called with true.
func once(f func()) func(bool) {
	var guard sync.Once
	return func(now bool) {
		if now {
			guard.Do(f)
		}
	}
}

func (e *ended) run() *runstore.Run {
	e.t.Helper()
	opened, err := e.store.Open(e.dir)
	if err != nil {
		e.t.Fatal(err)
	}
	return opened
}

// ends checks how the run ended.
func (e *ended) ends(outcome event.RunOutcome, code run.ExitCode) *ended {
	e.t.Helper()
	if e.Outcome != outcome || e.Code != code || e.Exit != code.Name {
		e.t.Fatalf("the run ended as %s, exit %s: %s", e.Outcome, e.Exit, e.Reason)
	}
	want := runstore.Status("finished")
	if e.Outcome == event.RunFailed {
		want = runstore.StatusFailed
	} else if e.Outcome != event.RunCompleted {
		want = runstore.StatusStopped
	}
	if summary := e.summary(); summary.Status != want || summary.Finish.ExitCode != code.Number {
		e.t.Errorf("on record it is %s, %+v", summary.Status, summary.Finish)
	}
	return e
}

// summary returns the run's summary. A process that is being forked for another test briefly holds all descriptors of
// this one, including the run's lock, so summary waits until they are closed.
func (e *ended) summary() runstore.Summary {
	e.t.Helper()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(patience); ; <-again.C {
		summary, err := e.run().Summary()
		if err != nil {
			e.t.Fatal(err)
		}
		if summary.Status != runstore.StatusRunning || time.Now().After(end) {
			return summary
		}
	}
}

// completes checks that the run completed with consistent data: each slot counts once.
func (e *ended) completes(steps int) *ended {
	e.t.Helper()
	e.ends(event.RunCompleted, run.ExitOK)
	if e.Step != steps || e.Digest == "" || e.Checkpoint == "" {
		e.t.Errorf("it ended at step %d of %d with %q", e.Step, steps, e.Checkpoint)
	}
	e.addsUp()
	return e
}

// addsUp audits the run directory.
func (e *ended) addsUp() *runstore.Audit {
	e.t.Helper()
	audit, err := e.run().Audit(e.t.Context())
	if err != nil {
		e.t.Fatal(err)
	}
	for _, problem := range audit.Problems {
		e.t.Error(problem)
	}
	return audit
}

// lineage returns the commits, one per line, without data that depends on the clock and on the number of starts.
func (e *ended) lineage() []string {
	e.t.Helper()
	checkpoints, err := e.run().Lineage()
	if err != nil {
		e.t.Fatal(err)
	}
	metrics := map[int]runstore.Numbers{} // the metrics of pruned checkpoints are only in the journal
	for row, err := range e.run().Metrics() {
		if err != nil {
			e.t.Fatal(err)
		}
		if metrics[row.Step] == nil {
			metrics[row.Step] = runstore.Numbers{}
		}
		maps.Copy(metrics[row.Step], row.Values)
	}
	var lines []string
	for _, c := range checkpoints {
		line := fmt.Sprintf("%s %d end=%t keep=%t v%d %s", c.Stage, c.Step, c.StageEnd, c.Keep, c.Version, c.Digest)
		for _, name := range slices.Sorted(maps.Keys(metrics[c.Step])) {
			if strings.HasPrefix(name, "timing/") {
				continue
			}
			line += fmt.Sprintf(" %s=%v", name, metrics[c.Step][name])
		}
		lines = append(lines, line)
	}
	return append(lines, e.counted()...)
}

// counted returns the counted episodes: slot, use, outcome, reward and trained chains.
func (e *ended) counted() []string {
	e.t.Helper()
	var lines []string
	for episode, err := range e.run().Episodes(e.t.Context()) {
		if err != nil {
			e.t.Fatal(err)
		}
		if episode.Standing != runstore.Counted {
			continue
		}
		s := episode.Slot
		line := fmt.Sprintf("%s %s %d %s %d: %s %s", s.Stage, s.Split, s.Step, s.Group, s.Sample, episode.Use,
			episode.Outcome)
		if episode.Reward != nil {
			line += fmt.Sprintf(" %v", *episode.Reward)
		}
		for _, c := range episode.Chains {
			line += fmt.Sprintf(" %s:%t", c.Digest[:14], c.Train)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// payloads returns the events of one type.
func payloads[P event.Payload](e *ended) []P {
	var out []P
	for _, published := range e.events {
		if p, ok := published.Payload.(P); ok {
			out = append(out, p)
		}
	}
	return out
}

// records returns the journal's events of a kind.
func (e *ended) records(kind string) []runstore.EventRecord {
	e.t.Helper()
	var out []runstore.EventRecord
	for record, err := range e.run().Records(position, runstore.TypeEvent) {
		if err != nil {
			e.t.Fatal(err)
		}
		var r runstore.EventRecord
		decode(e.t, record.Data, &r)
		if r.Kind == kind {
			out = append(out, r)
		}
	}
	return out
}
