package runstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// BenchmarkStep measures the disk cost of a step of the quick start: 256 episodes, a checkpoint of 1.4 MB, a prune.
func BenchmarkStep(b *testing.B) {
	s := In(b.TempDir(), Options{Version: "0.1.0"})
	w, err := s.Create(b.Context(), quickstart)
	if err != nil {
		b.Fatal(err)
	}
	if err := w.AppendLaunch(b.Context(), LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 1}); err != nil {
		b.Fatal(err)
	}
	for step := 1; b.Loop(); step++ {
		benchStep(b, w, step)
	}
	b.StopTimer()
	info, err := os.Stat(w.JournalPath())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/float64(b.N), "journal-B/op")
	if err := w.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
}

func benchStep(b *testing.B, w *Writer, step int) {
	b.Helper()
	var used []Consumed
	for i := range 256 {
		e := episode(w, "l1", Slot{Stage: "full", Split: sdk.SplitTrain, Step: step, Group: fmt.Sprint(i / 8), Sample: i % 8})
		for turn := range 4 {
			e.Transcripts[0].Messages = append(e.Transcripts[0].Messages,
				sdk.Message{Role: sdk.RoleAssistant, ToolCalls: []sdk.ToolCall{{ID: fmt.Sprint(turn), Name: "add",
					Arguments: fmt.Sprintf(`{"a":%d,"b":%d}`, i, step)}}},
				sdk.Message{Role: sdk.RoleTool, ToolCallID: fmt.Sprint(turn), Content: strings.Repeat("7", i%10)})
		}
		if _, err := w.AppendEpisode(b.Context(), e); err != nil {
			b.Fatal(err)
		}
		used = append(used, Consumed{EpisodeID: e.EpisodeID, Use: sdk.ConsumedTrained})
	}
	if err := w.AppendStep(b.Context(), StepRecord{LaunchID: "l1", Stage: "full", Step: step,
		Consumed: used}); err != nil {
		b.Fatal(err)
	}
	dir, err := w.BeginCheckpoint(step)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"model.safetensors", "optimizer.safetensors", "config.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 480<<10), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := w.CommitCheckpoint(b.Context(), dir, Manifest{Stage: "full", Step: step}); err != nil {
		b.Fatal(err)
	}
	if _, err := w.Prune(b.Context(), Retention{Keep: 3}); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkResume measures how long it takes to open a run of 100 such steps.
func BenchmarkResume(b *testing.B) {
	s := In(b.TempDir(), Options{Version: "0.1.0"})
	w, err := s.Create(b.Context(), quickstart)
	if err != nil {
		b.Fatal(err)
	}
	if err := w.AppendLaunch(b.Context(), LaunchRecord{LaunchID: "l1", Stage: "full", FirstStep: 1}); err != nil {
		b.Fatal(err)
	}
	for step := range 100 {
		benchStep(b, w, step)
	}
	if err := w.Close(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		w, err := s.Resume(b.Context(), "", ResumeOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Close(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
