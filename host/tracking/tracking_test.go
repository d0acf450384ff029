package tracking_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/tracking"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// life is one process of a run, with its tracker.
type life struct {
	t       *testing.T
	w       *runstore.Writer
	launch  string
	tracker *tracking.Tracker

	mu       sync.Mutex
	warnings []event.Warning
}

// begin opens a new or existing run in a directory and starts a trainer.
func begin(t *testing.T, dir string, config tracking.Config) *life {
	t.Helper()
	store := runstore.In(dir, runstore.Options{Version: "0.1.0", Command: "test"})
	w, err := store.Resume(t.Context(), "", runstore.ResumeOptions{})
	if err != nil {
		w, err = store.Create(t.Context(), runstore.NewRun{
			Name: "q", Identity: "sha256:1", Spec: json.RawMessage(`{}`), Protocol: 1,
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	l := &life{t: t, w: w, launch: fmt.Sprintf("l%d", w.Incarnation())}
	config.Run, config.Settings = w.Run, map[string]any{"batch.prompts": 2.0, "reward": "reward.a.b", "on": true}
	config.Project, config.Experiment, config.Generations = "a project", "q-1", 1
	if config.CloseTimeout == 0 {
		config.CloseTimeout = 10 * time.Minute
	}
	l.tracker = tracking.New(config)
	l.tracker.Start(func(w event.Warning) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.warnings = append(l.warnings, w)
	})
	first := 0
	if tip := w.Tip(); tip != nil {
		first = tip.Step + 1
	}
	l.must(w.AppendLaunch(t.Context(), runstore.LaunchRecord{LaunchID: l.launch, Stage: "main", FirstStep: first}))
	return l
}

func (l *life) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

// step trains a step, validates every second one, and commits it if commits is set.
func (l *life) step(n int, loss float64, commits bool) {
	l.t.Helper()
	ctx := l.t.Context()
	var used []runstore.Consumed
	for sample, reward := range []float64{0, 1} {
		id := l.episode(sdk.SplitTrain, n, sample, reward)
		used = append(used, runstore.Consumed{EpisodeID: id, Use: sdk.ConsumedTrained})
	}
	l.must(l.w.AppendStep(ctx, runstore.StepRecord{LaunchID: l.launch, Stage: "main", Step: n, Consumed: used}))
	values := runstore.Numbers{"train/reward": 0.5, "train/loss": loss}
	if n%2 == 0 {
		l.episode(sdk.SplitValidation, n, 0, 1)
		l.must(l.w.AppendValidation(ctx, runstore.ValidationRecord{LaunchID: l.launch, Stage: "main", Step: n}))
		values["validation/success_rate"] = float64(n) / 8
	}
	l.must(l.w.AppendMetrics(ctx, runstore.MetricRecord{LaunchID: l.launch, Stage: "main", Step: n, Values: values}))
	if commits {
		dir, err := l.w.BeginCheckpoint(n)
		l.must(err)
		l.must(os.WriteFile(filepath.Join(dir, "weights"), []byte("w"), 0o600))
		_, err = l.w.CommitCheckpoint(ctx, dir, runstore.Manifest{
			Stage: "main", Step: n, Digest: fmt.Sprint(n), Budgets: json.RawMessage(`{}`),
		})
		l.must(err)
	}
	l.tracker.Handle(event.Event{Payload: event.StepFinished{Step: n}})
}

func (l *life) episode(split sdk.Split, step, sample int, reward float64) string {
	l.t.Helper()
	e := runstore.EpisodeRecord{
		EpisodeID: fmt.Sprintf("%s/%s/%d/%d", l.launch, split, step, sample), LaunchID: l.launch, TaskID: "task-7",
		Attempt: 1,
		Slot:    runstore.Slot{Stage: "main", Split: split, Step: step, Group: "g", Sample: sample},
		Outcome: sdk.OutcomeScored, Reward: &reward, NumTurns: 1, OutputTokens: 10 * (sample + 1),
		Transcripts: []runstore.TranscriptPart{{Messages: []sdk.Message{
			{Role: sdk.RoleUser, Content: "2+3?"},
			{Role: sdk.RoleAssistant, Content: fmt.Sprintf("<script>alert(%d)</script>\n# five", step)},
		}}},
		Notes: map[string]string{"judge": "canary-private"}, State: json.RawMessage(`{"answer":"canary-private"}`),
	}
	_, err := l.w.AppendEpisode(l.t.Context(), e)
	l.must(err)
	return e.EpisodeID
}

// end ends the process.
func (l *life) end(outcome event.RunOutcome) {
	l.t.Helper()
	ctx, cancel := context.WithTimeout(l.t.Context(), 2*time.Minute)
	defer cancel()
	l.tracker.Close(ctx, outcome)
	l.must(l.w.Close(l.t.Context()))
}

// points returns the points in the journal, by name: the step and the value as passed to a tracker.
func points(t *testing.T, run *runstore.Run) map[string][][2]float64 {
	t.Helper()
	out := map[string][][2]float64{}
	for row, err := range run.Metrics() {
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range row.Values {
			if !math.IsNaN(v) {
				out[name] = append(out[name], [2]float64{float64(row.Step), float64(float32(v))})
			}
		}
	}
	return out
}

// trainTwice runs a run that is killed in its sixth step, with the fifth step committed, and is resumed until the
// eighth.
func trainTwice(t *testing.T, config tracking.Config, kill func(*runstore.Run)) *life {
	t.Helper()
	dir := t.TempDir()
	first := begin(t, dir, config)
	for n := range 6 {
		first.step(n, loss(n), true)
	}
	first.step(6, 99, false)
	first.end("")
	kill(first.w.Run)
	second := begin(t, dir, config)
	for n := 6; n <= 8; n++ {
		second.step(n, loss(n), true)
	}
	second.end(event.RunCompleted)
	for _, l := range []*life{first, second} {
		if len(l.warnings) > 0 {
			t.Errorf("warnings: %+v", l.warnings)
		}
	}
	return second
}

// loss returns the loss of a step. One of them is NaN.
func loss(step int) float64 {
	if step == 3 {
		return math.NaN()
	}
	return 1 / float64(step+1)
}

// files returns the files below a directory.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			names = append(names, path)
		}
		return err
	})
	if err != nil || len(names) == 0 {
		t.Fatalf("files in %s: %q, %v", dir, names, err)
	}
	return names
}

// trackers returns the Python that .ci/trackers sets up.
func trackers(t *testing.T) string {
	t.Helper()
	folder := os.Getenv("AWHOST_TRACKERS")
	if folder == "" {
		t.Skip("SKIPPED: AWHOST_TRACKERS does not name the folder that .ci/trackers makes")
	}
	return filepath.Join(folder, "bin", "python")
}

// read runs a program that prints the contents of a tracker.
func read(t *testing.T, into any, python string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// tear truncates the newest event file, as a kill during a write does.
func tear(t *testing.T) func(*runstore.Run) {
	return func(run *runstore.Run) {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(run.TensorBoardDir(), "events.*"))
		if err != nil || len(names) != 1 {
			t.Fatalf("%q, %v", names, err)
		}
		info, err := os.Stat(names[0])
		if err == nil {
			err = os.Truncate(names[0], info.Size()-5)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestTrackers_TensorBoardReadsWhatTheJournalHas(t *testing.T) {
	python := trackers(t)
	run := trainTwice(t, tracking.Config{TensorBoard: true}, tear(t)).w.Run
	var got struct {
		Library struct {
			Scalars    map[string][][2]float64
			Texts      map[string][][2]any
			Histograms map[string][][2]float64
			HParams    map[string]any
		}
		Server map[string][][2]float64
	}
	read(t, &got, python, "testdata/read_tensorboard.py", run.TensorBoardDir(), "8")
	want := points(t, run)
	if diff := cmp.Diff(want, got.Library.Scalars); diff != "" {
		t.Errorf("scalars by the library (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, got.Server); diff != "" {
		t.Errorf("scalars by the server (-want +got):\n%s", diff)
	}
	var steps []float64
	for _, text := range got.Library.Texts["generations/task-7"] {
		steps = append(steps, text[0].(float64))
		shown := text[1].(string)
		if !strings.Contains(shown, "\n    <script>") || !strings.Contains(shown, "\n    # five") {
			t.Errorf("the model's text is not in a code block: %q", shown)
		}
	}
	if diff := cmp.Diff([]float64{0, 2, 4, 6, 8}, steps); diff != "" {
		t.Errorf("steps of the texts (-want +got):\n%s", diff)
	}
	for _, name := range files(t, run.TensorBoardDir()) {
		if content, err := os.ReadFile(name); err != nil || bytes.Contains(content, []byte("canary-private")) {
			t.Errorf("%s has what the policy never saw, or cannot be read: %v", name, err)
		}
	}
	rewards := got.Library.Histograms["histograms/train/reward"]
	if len(rewards) != 9 || slices.ContainsFunc(rewards, func(h [2]float64) bool { return h[1] != 2 }) {
		t.Errorf("histograms of rewards: %v", rewards)
	}
	if len(got.Library.Histograms["histograms/train/output_tokens"]) != 9 {
		t.Errorf("histograms: %v", got.Library.Histograms)
	}
	settings := map[string]any{"batch.prompts": 2.0, "reward": "reward.a.b", "on": true}
	if diff := cmp.Diff(settings, got.Library.HParams); diff != "" {
		t.Errorf("hyper-parameters (-want +got):\n%s", diff)
	}
}

func TestTrackers_HaveEachCommittedStepOnce(t *testing.T) {
	python := trackers(t)
	for _, kind := range []string{"wandb", "swanlab", "mlflow"} {
		t.Run(kind, func(t *testing.T) {
			config := tracking.Config{Trackers: []string{kind}, Python: python, Offline: true}
			run := trainTwice(t, config, func(*runstore.Run) {}).w.Run
			for _, name := range files(t, run.TrackerDir(kind)) {
				if content, err := os.ReadFile(name); err != nil || bytes.Contains(content, []byte("canary-private")) {
					t.Errorf("%s has what the policy never saw, or cannot be read: %v", name, err)
				}
			}
			var got map[string][][2]float64
			read(t, &got, python, "testdata/read_tracker.py", kind, run.TrackerDir(kind), "q-1")
			for _, list := range got {
				for i := range list {
					list[i][1] = float64(float32(list[i][1]))
				}
			}
			if diff := cmp.Diff(points(t, run), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A tracker that exits causes one warning, and the run continues. The same applies if the disk is full.
func TestTracker_ThatFailsIsAWarningOnce(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(broken, []byte("#!/bin/sh\necho no such thing >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	full := disk.Hooked(disk.OS, func(op disk.Op) error {
		if op.Name == disk.OpWrite && strings.Contains(op.Path, "tfevents") {
			return syscall.ENOSPC
		}
		return nil
	})
	for name, config := range map[string]tracking.Config{
		"program":    {Trackers: []string{"wandb"}, Python: broken},
		"no program": {Trackers: []string{"mlflow"}, Python: broken + "3"},
		"disk":       {TensorBoard: true, FS: full},
	} {
		t.Run(name, func(t *testing.T) {
			l := begin(t, t.TempDir(), config)
			for n := range 6 {
				l.step(n, 1, true)
			}
			l.end(event.RunCompleted)
			var codes []string
			for _, w := range l.warnings {
				codes = append(codes, w.Code)
			}
			if diff := cmp.Diff([]string{"tracking", "tracking_incomplete"}, codes); diff != "" {
				t.Errorf("warnings (-want +got):\n%s\n%+v", diff, l.warnings)
			}
			if last := l.warnings[len(l.warnings)-1]; last.Count < 1 {
				t.Errorf("the count is missing: %+v", last)
			}
		})
	}
}

// Once the disk has space again, all records are written, including the ones that failed before.
func TestTensorBoard_MissesNothingOnceThereIsRoomAgain(t *testing.T) {
	var mu sync.Mutex
	failed := 0
	fsys := disk.Hooked(disk.OS, func(op disk.Op) error {
		mu.Lock()
		defer mu.Unlock()
		if op.Name == disk.OpWrite && !op.Done && strings.Contains(op.Path, "tfevents") && op.Bytes > 0 && failed < 1 {
			failed++
			return &disk.ShortWrite{N: op.Bytes / 2, Err: syscall.ENOSPC}
		}
		return nil
	})
	python := trackers(t)
	l := begin(t, t.TempDir(), tracking.Config{TensorBoard: true, FS: fsys})
	for n := range 6 {
		l.step(n, 1, true)
	}
	l.end(event.RunCompleted)
	if len(l.warnings) != 1 || l.warnings[0].Code != "tracking" {
		t.Errorf("warnings: %+v", l.warnings)
	}
	var got struct{ Server map[string][][2]float64 }
	read(t, &got, python, "testdata/read_tensorboard.py", l.w.TensorBoardDir(), "5")
	if diff := cmp.Diff(points(t, l.w.Run), got.Server); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A tracker that does not respond delays neither the steps of a run nor, after its timeout, the end of the run.
func TestTracker_ThatHangsIsLeftBehind(t *testing.T) {
	hanging := filepath.Join(t.TempDir(), "python")
	if err := os.WriteFile(hanging, []byte("#!/bin/sh\nexec sleep 1000\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	begun, closing := make(chan struct{}), make(chan struct{}) // the tracker creates its directory in between
	ended := false
	var once sync.Once
	fsys := disk.Hooked(disk.OS, func(op disk.Op) error {
		if op.Name == disk.OpMkdir && !op.Done {
			once.Do(func() {
				close(begun)
				<-closing
				time.Sleep(20 * time.Millisecond)
				ended = true
			})
		}
		return nil
	})
	config := tracking.Config{
		Trackers: []string{"mlflow"}, Python: hanging, CloseTimeout: time.Nanosecond, FS: fsys,
	}
	l := begin(t, t.TempDir(), config)
	for n := range 6 {
		l.step(n, 1, true)
	}
	<-begun
	close(closing)
	l.tracker.Close(t.Context(), event.RunCompleted)
	if !ended {
		t.Error("the tracker still writes to the run directory after Close")
	}
	l.must(l.w.Close(t.Context()))
	if len(l.warnings) != 1 || l.warnings[0].Code != "tracking_unfinished" {
		t.Errorf("warnings: %+v", l.warnings)
	}
}

// python returns the path of the installed Python.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: no program of a tracker was run. Install python3 and put it on PATH")
	}
	return path
}

// Characters that MLflow rejects in names are replaced. Two names with the same replacement stay distinct.
func TestTrackerNamesStayApart(t *testing.T) {
	const program = `
import importlib.util, json
spec = importlib.util.spec_from_file_location("tracker", "tracker.py")
tracker = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tracker)
names = ["a_b", "a/b", "a?b", "ä" * 300, "ä" * 299 + "b", "plain-1.2"]
print(json.dumps([tracker.taken(name, r"[^\w.-]", 100) for name in names]))
`
	out, err := exec.CommandContext(t.Context(), python(t), "-c", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := json.Unmarshal(out, &names); err != nil {
		t.Fatal(err)
	}
	if names[0] != "a_b" || names[5] != "plain-1.2" || len(slices.Compact(slices.Sorted(slices.Values(names)))) != 6 {
		t.Errorf("names: %q", names)
	}
	for _, name := range names {
		if n := utf8.RuneCountInString(name); n > 100 {
			t.Errorf("%q has %d characters, want 100 at most", name, n)
		}
	}
}

func TestLacking(t *testing.T) {
	got, err := tracking.Lacking(t.Context(), python(t), nil, []string{"json", "no_such_package", "re"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"no_such_package"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	nowhere := filepath.Join(t.TempDir(), "python")
	if _, err := tracking.Lacking(t.Context(), nowhere, nil, []string{"json"}); err == nil {
		t.Error("a Python that is not there has all packages")
	}
}
